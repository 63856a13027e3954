import { type Clusters, clusteredEstimate, clusterSums } from "../cluster.js";
import { logTwoTailsOfNormal } from "../distributions.js";
import { type Estimate, undefinedEstimate, waldEstimate } from "../estimate.js";
import { noSignificance, type Significance, significance } from "../significance.js";
import { clusterTests } from "./cluster-tests.js";
import type { PlattCurve } from "./fit.js";
import {
  type Directions,
  directionsOf,
  noSlope,
  type RecalibrationTests,
  residualAt,
  type Score,
  scoreOf,
  shapeOf,
  varianceAt,
} from "./score.js";
import { simulatedNull } from "./simulated-null.js";

/**
 * Whether confidences are probabilities, by Cox's recalibration logit P(outcome 1) = intercept + slope logit(confidence),
 * which calibrated ones meet with 0 and 1 (Cox 1958, "Two further applications of a model for binary regression",
 * Biometrika 45, 562-565). The score test needs no fit: at 0 and 1 the derivatives of the likelihood are sum (y - f) and
 * sum (y - f) logit(f), whose covariance is known, as nothing is left to estimate. Confidences of 0 and 1 count as the clip.
 */
export interface Recalibration extends RecalibrationTests {
  /** Of greatest likelihood: log odds of outcome 1 where the confidence is 0.5. */
  readonly intercept: Estimate;
  /** Below 1: log odds of the confidences are too far from 0. */
  readonly slope: Estimate;
}

/**
 * Departure from normal of the score beyond which its p is simulated: Mardia's skewness and excess kurtosis, added. There
 * what has a p below 0.01 by chi-squared has a probability of 0.012 at most; where they are 1, of 0.016.
 */
const mostDeparture = 0.2;
/** Rows that are expected to go against their confidence, beyond which nothing is simulated. */
const mostSurprises = 30_000;

interface RecalibrationOptions {
  readonly level: number;
  /** Of simulated tests. */
  readonly seed: number;
}

/**
 * @param logits of the confidences, none beyond the clip's
 * @param curve of greatest likelihood over these
 */
export function recalibration(
  logits: Float64Array,
  outcome: Uint8Array,
  curve: PlattCurve,
  clusters: Clusters | null,
  { level, seed }: RecalibrationOptions,
): Recalibration & { readonly score: Score } {
  const directions = directionsOf(logits);
  const score = scoreOf(logits, outcome, directions);
  const tests =
    clusters === null
      ? rowTests(logits, score, directions, seed)
      : clusterTests(logits, outcome, directions, clusters, seed);
  return { ...tests, ...estimatesOf(logits, outcome, curve, clusters, level), score };
}

/** Of independent rows: by chi-squared, or, where the score is far from normal, by outcomes drawn from the confidences. */
function rowTests(logits: Float64Array, score: Score, directions: Directions, seed: number): RecalibrationTests {
  const { intercept, slope } = score;
  const joint = intercept ** 2 + (slope ?? 0) ** 2;
  const { departure, surprises } = shapeOf(logits, directions);
  if (departure > mostDeparture && surprises <= mostSurprises) {
    const simulated = simulatedNull(logits, directions, score, seed);
    const test = (name: string, statistic: number, p: number) =>
      significance(`${name}, simulated`, statistic, Math.log(p));
    return {
      test: test("score", joint, simulated.joint),
      interceptTest: test("score", intercept, simulated.intercept),
      slopeTest: slope === null ? noSignificance("score", noSlope) : test("score", slope, simulated.slope),
    };
  }
  const normal = (z: number): Significance => significance("score, normal", z, logTwoTailsOfNormal(z));
  return {
    test:
      slope === null
        ? significance("score, chi-squared (1)", joint, logTwoTailsOfNormal(intercept))
        : significance("score, chi-squared (2)", joint, -joint / 2),
    interceptTest: normal(intercept),
    slopeTest: slope === null ? noSignificance("score, normal", noSlope) : normal(slope),
  };
}

/** With clusters, errors from H^-1 x_i (y_i - p_i) summed over each, H the information (Liang and Zeger 1986). */
function estimatesOf(
  logits: Float64Array,
  outcome: Uint8Array,
  { map, note, interceptSe, slopeSe }: PlattCurve,
  clusters: Clusters | null,
  level: number,
): Pick<Recalibration, "intercept" | "slope"> {
  if (map === null) {
    const none = undefinedEstimate("no fit", note ?? "no curve");
    return { intercept: none, slope: none };
  }
  const flat = undefinedEstimate("no slope", "all confidences are equal");
  if (interceptSe === null || slopeSe === null) return { intercept: flat, slope: flat };
  if (clusters === null) {
    return {
      intercept: waldEstimate(map.intercept, interceptSe, level),
      slope: waldEstimate(map.slope, slopeSe, level),
    };
  }
  const n = logits.length;
  const [intercept, slope, ofIntercept, ofSlope] = Array.from({ length: 4 }, () => new Float64Array(n));
  let [weights, sum, squares] = [0, 0, 0];
  for (const logit of logits) {
    const weight = varianceAt(map.intercept + map.slope * logit);
    weights += weight;
    sum += weight * logit;
  }
  const centre = sum / weights;
  for (const logit of logits) squares += varianceAt(map.intercept + map.slope * logit) * (logit - centre) ** 2;
  for (let i = 0; i < n; i++) {
    const fitted = map.intercept + map.slope * logits[i];
    const residual = residualAt(fitted, outcome[i]);
    const onSlope = (logits[i] - centre) / squares;
    const onIntercept = 1 / weights - centre * onSlope;
    slope[i] = onSlope * residual;
    intercept[i] = onIntercept * residual;
    // What the row's outcome is expected to add to the variance: clusters count by that.
    ofSlope[i] = onSlope ** 2 * varianceAt(fitted);
    ofIntercept[i] = onIntercept ** 2 * varianceAt(fitted);
  }
  const estimate = (value: number, influence: Float64Array, weight: Float64Array): Estimate => {
    const all = weight.reduce((sum, own) => sum + own, 0);
    // In rows.
    const sizes = clusterSums(weight, clusters).map((own) => (own / all) * n);
    return clusteredEstimate(value, influence, clusters, level, -Infinity, Infinity, sizes);
  };
  return {
    intercept: estimate(map.intercept, intercept, ofIntercept),
    slope: estimate(map.slope, slope, ofSlope),
  };
}
