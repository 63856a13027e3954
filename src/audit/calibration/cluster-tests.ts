import type { Clusters } from "../cluster.js";
import { logTailOfF, logTwoTailsOfT } from "../distributions.js";
import { noSignificance, type Significance, significance } from "../significance.js";
import { clusteredNull } from "./clustered-null.js";
import { type Directions, noSlope, type RecalibrationTests, residualAt } from "./score.js";

/**
 * Of whole clusters: Hotelling's T^2 of their sums, (G - 2) / (2 (G - 1)) of which is F with 2 and G - 2 degrees of freedom
 * (Hotelling 1931, "The generalization of Student's ratio", Annals of Mathematical Statistics 2, 360-378), and Student's t.
 * Of clusters of unequal sizes these reject too rarely, if anything (Bakirov and Szekely 2006, "Student's t-test for Gaussian
 * scale mixtures", Journal of Mathematical Sciences 139, 6497-6505). Sums of outcomes are far from normal, so that these distributions reject too often, 5 times in 100 at 0.01 of 40
 * clusters: where outcomes are few enough to be drawn again, they are simulated.
 */
export function clusterTests(
  logits: Float64Array,
  outcome: Uint8Array,
  directions: Directions,
  clusters: Clusters,
  seed: number,
): RecalibrationTests {
  const terms = new Float64Array(logits.length);
  for (let i = 0; i < logits.length; i++) terms[i] = residualAt(logits[i], outcome[i]);
  const statistics = (residuals: Float64Array): ClusterStatistics =>
    statisticsOf(residuals, logits, directions, clusters);
  const found = statistics(terms);
  const simulated = clusteredNull(logits, terms, clusters, statistics, found, seed);
  const { joint, intercept, slope } = found;
  const degrees = clusters.count - 1;
  const student = (t: number | null, p: number | null, reason: string): Significance => {
    if (t === null) return noSignificance("t of clusters", reason);
    if (p !== null) return significance("t of clusters, simulated", t, Math.log(p));
    return significance("t of clusters", t, logTwoTailsOfT(t, degrees));
  };
  const none = "undefined (few clusters): nothing tells how much clusters differ";
  const interceptTest = student(intercept, simulated?.intercept ?? null, none);
  if (directions.second === 0) {
    return { test: interceptTest, interceptTest, slopeTest: noSignificance("t of clusters", noSlope) };
  }
  return {
    test: jointTest(joint, simulated?.joint ?? null, degrees),
    interceptTest,
    slopeTest: student(slope, simulated?.slope ?? null, none),
  };
}

function jointTest(statistic: number | null, p: number | null, degrees: number): Significance {
  const name = "F of clusters";
  if (statistic === null)
    return noSignificance(name, "undefined (few clusters): nothing tells how much clusters differ");
  if (p !== null) return significance(`${name}, simulated`, statistic, Math.log(p));
  return significance(name, statistic, logTailOfF(statistic, 2, degrees - 1));
}

/** null where clusters are too few, or too alike, to tell how much they differ. */
export interface ClusterStatistics {
  /** Of the slope's too, unless all confidences are equal. */
  readonly joint: number | null;
  readonly intercept: number | null;
  readonly slope: number | null;
}

function statisticsOf(
  residuals: Float64Array,
  logits: Float64Array,
  { first, centre, second }: Directions,
  { of, count }: Clusters,
): ClusterStatistics {
  const a = new Float64Array(count);
  const b = new Float64Array(count);
  for (let i = 0; i < residuals.length; i++) {
    a[of[i]] += residuals[i] * first;
    b[of[i]] += residuals[i] * (logits[i] - centre) * second;
  }
  let [x, y, aa, ab, bb] = [0, 0, 0, 0, 0];
  for (let g = 0; g < count; g++) [x, y] = [x + a[g] / count, y + b[g] / count];
  for (let g = 0; g < count; g++) {
    aa += ((a[g] - x) * (a[g] - x)) / (count - 1);
    ab += ((a[g] - x) * (b[g] - y)) / (count - 1);
    bb += ((b[g] - y) * (b[g] - y)) / (count - 1);
  }
  const student = (mean: number, variance: number): number | null =>
    variance > 0 ? mean / Math.sqrt(variance / count) : null;
  const determinant = aa * bb - ab * ab;
  const squared = (count * (bb * x * x - 2 * ab * x * y + aa * y * y)) / determinant;
  const known = count > 2 && determinant > 1e-12 * aa * bb;
  return {
    joint: known ? ((count - 2) / (2 * (count - 1))) * squared : null,
    intercept: count > 1 ? student(x, aa) : null,
    slope: count > 1 && second > 0 ? student(y, bb) : null,
  };
}
