import type { Significance } from "../significance.js";
import { logistic } from "./maps.js";

/*
 * The score of Cox's recalibration at calibrated confidences: what its tests are made of.
 */

export interface RecalibrationTests {
  /** Of intercept 0 and slope 1 together. */
  readonly test: Significance;
  /** Of as many outcomes of 1 as the confidences add up to: below 0 where there are fewer. */
  readonly interceptTest: Significance;
  /** Of slope 1, whatever the intercept: below 0 where the confidences are too far from 0.5. */
  readonly slopeTest: Significance;
}

export const noSlope = "undefined (no slope): all confidences are equal";

/** The score, in directions that don't depend on each other where the confidences are probabilities. */
export interface Score {
  /** Standard normal then, about; above 0 where outcomes are 1 more often than stated. */
  readonly intercept: number;
  /** The same; above 0 where outcomes side with the confidences more than stated. null where all are equal. */
  readonly slope: number | null;
  /** As the slope's, of a recalibration whose intercept is 0; null where all confidences are 0.5. */
  readonly throughOrigin: number | null;
}

/** x_i with sum over rows of (y - f) x_i uncorrelated and of variance 1: `first` for all rows, `second` (l - centre). */
export interface Directions {
  readonly first: number;
  readonly centre: number;
  /** 0 where all confidences are equal. */
  readonly second: number;
  /** 1 / sqrt(sum f (1 - f) l^2), or 0. */
  readonly throughOrigin: number;
}

export function directionsOf(logits: Float64Array): Directions {
  let [weights, sum, squares, constant] = [0, 0, 0, true];
  for (const logit of logits) {
    const weight = varianceAt(logit);
    weights += weight;
    sum += weight * logit;
    constant &&= logit === logits[0];
  }
  const centre = sum / weights;
  for (const logit of logits) squares += varianceAt(logit) * (logit - centre) ** 2;
  const around0 = squares + weights * centre ** 2;
  return {
    first: 1 / Math.sqrt(weights),
    centre,
    second: constant || squares === 0 ? 0 : 1 / Math.sqrt(squares),
    throughOrigin: around0 > 0 ? 1 / Math.sqrt(around0) : 0,
  };
}

export const varianceAt = (logit: number): number => {
  const rare = logistic(-Math.abs(logit));
  return rare * (1 - rare);
};

/** y - f without loss where f is near 1. */
export const residualAt = (logit: number, outcome: number): number =>
  outcome === 1 ? logistic(-logit) : -logistic(logit);

export function scoreOf(
  logits: Float64Array,
  outcome: Uint8Array,
  { first, centre, second, throughOrigin }: Directions,
): Score {
  let [sum, tilted] = [0, 0];
  for (let i = 0; i < logits.length; i++) {
    const residual = residualAt(logits[i], outcome[i]);
    sum += residual;
    tilted += residual * logits[i];
  }
  return {
    intercept: sum * first,
    slope: second === 0 ? null : (tilted - centre * sum) * second,
    throughOrigin: throughOrigin === 0 ? null : tilted * throughOrigin,
  };
}

/** Mardia's skewness and excess kurtosis of the score, and how many rows are expected to go against their confidence. */
export function shapeOf(logits: Float64Array, { first, centre, second }: Directions) {
  let [aaa, aab, abb, bbb, fourth, surprises] = [0, 0, 0, 0, 0, 0];
  for (const logit of logits) {
    const weight = varianceAt(logit);
    surprises += logistic(-Math.abs(logit));
    const [a, b] = [first, (logit - centre) * second];
    const third = weight * (1 - 2 * logistic(logit));
    aaa += third * a * a * a;
    aab += third * a * a * b;
    abb += third * a * b * b;
    bbb += third * b * b * b;
    fourth += weight * (1 - 6 * weight) * (a * a + b * b) ** 2;
  }
  return { departure: aaa ** 2 + 3 * aab ** 2 + 3 * abb ** 2 + bbb ** 2 + Math.abs(fourth), surprises };
}
