import { type Clusters, clusterSums, degreesOf, effectiveClusters } from "../cluster.js";
import { halfWidthOfT } from "../distributions.js";
import { bareEstimate, type Estimate, normalWidth, undefinedEstimate } from "../estimate.js";

/** Below so many rows of a class DeLong's error is too often too small, and the interval takes no less than the score's. */
const manyOfClass = 50;

/**
 * Area under the ROC curve: the chance that a row of outcome 1 has more confidence than one of outcome 0, ties counting
 * half (Hanley and McNeil 1982, "The meaning and use of the area under a ROC curve", Radiology 143, 29-36). Its standard
 * error is that of DeLong, DeLong and Clarke-Pearson 1988, "Comparing the areas under two or more correlated ROC curves",
 * Biometrics 44, 837-845, from the share of the other class below each row; null where no variance is seen, which is no
 * proof of none. With clusters those components are summed over each (Obuchowski 1997, "Nonparametric analysis of
 * clustered ROC curve data", Biometrics 53, 567-578). The interval: `scoreInterval`.
 * @param order rows by ascending confidence
 */
export function areaUnderCurve(
  confidence: Float64Array,
  outcome: Uint8Array,
  order: Uint32Array,
  level: number,
  clusters: Clusters | null,
): Estimate {
  const n = order.length;
  let positives = 0;
  for (let i = 0; i < n; i++) positives += outcome[i];
  const negatives = n - positives;
  if (positives === 0 || negatives === 0) {
    return undefinedEstimate(
      "one class",
      n === 1 ? `the only outcome is ${outcome[0]}` : `all ${n} outcomes are ${positives === 0 ? 0 : 1}`,
    );
  }
  // Share of the other class below a positive row, or above a negative one; kept a row where clusters need it.
  const shares = clusters === null ? null : new Float64Array(n);
  // Twice the pairs in order, an exact integer below 2^53 for up to 10^8 rows; then sums of squared shares.
  let [pairs, seenPositives, seenNegatives, squares1, squares0] = [0, 0, 0, 0, 0];
  for (let start = 0; start < n; ) {
    const value = confidence[order[start]];
    let [end, here] = [start, 0];
    for (; end < n && confidence[order[end]] === value; end++) here += outcome[order[end]];
    const others = end - start - here;
    const below = seenNegatives + others / 2;
    const above = positives - seenPositives - here / 2;
    pairs += 2 * here * below;
    squares1 += here * (below / negatives) ** 2;
    squares0 += others * (above / positives) ** 2;
    if (shares !== null) {
      for (let k = start; k < end; k++)
        shares[order[k]] = outcome[order[k]] === 1 ? below / negatives : above / positives;
    }
    seenPositives += here;
    seenNegatives += others;
    start = end;
  }
  const value = pairs / 2 / positives / negatives;
  const rows = { positives, negatives };
  if (shares !== null && clusters !== null) {
    for (let i = 0; i < n; i++) shares[i] = (shares[i] - value) / (outcome[i] === 1 ? positives : negatives);
    const found = clusteredArea(shares, outcome, clusters);
    if (found === null) return bareEstimate(value);
    return scored(value, found.error, found.classes, halfWidthOfT(level, found.degrees), "clustered score");
  }
  if (positives < 2 || negatives < 2) return bareEstimate(value);
  const spread1 = (squares1 - positives * value * value) / (positives - 1);
  const spread0 = (squares0 - negatives * value * value) / (negatives - 1);
  const error = Math.sqrt(Math.max(0, spread1 / positives + spread0 / negatives));
  return scored(value, error, rows, normalWidth(level), "score");
}

interface Classes {
  readonly positives: number;
  readonly negatives: number;
}

/**
 * Error of an area whose rows come in clusters: each class's sums are divided by what its own share of rows in the cluster
 * leaves, as `clusteredError` does, then added up. Degrees of freedom are those of either class, weighted by its variance
 * (Satterthwaite 1946, "An approximate distribution of estimates of variance components", Biometrics Bulletin 2, 110-114).
 * @param influence of each row @returns null where a class has its rows in one cluster alone
 */
function clusteredArea(influence: Float64Array, outcome: Uint8Array, clusters: Clusters) {
  const of = [1, 0].map((y) => {
    const own = Float64Array.from(outcome, (value) => Number(value === y));
    const sums = clusterSums(
      influence.map((value, i) => value * own[i]),
      clusters,
    );
    const sizes = clusterSums(own, clusters);
    const rows = sizes.reduce((sum, size) => sum + size, 0);
    if (sizes.includes(rows)) return null;
    const scaled = sums.map((sum, g) => sum / Math.sqrt(1 - sizes[g] / rows));
    // Rows of a cluster may all say the same.
    const effective = Math.min(rows, effectiveClusters(sizes));
    const variance = scaled.reduce((sum, value) => sum + value * value, 0);
    return { scaled, effective, variance, degrees: degreesOf(sizes) };
  });
  const [first, second] = of;
  if (first === null || second === null) return null;
  const together = first.scaled.reduce((sum, value, g) => sum + (value + second.scaled[g]) ** 2, 0);
  const either = first.variance + second.variance;
  const spread = first.variance ** 2 / first.degrees + second.variance ** 2 / second.degrees;
  return {
    error: Math.sqrt(together),
    degrees: spread > 0 ? either ** 2 / spread : Math.min(first.degrees, second.degrees),
    classes: { positives: first.effective, negatives: second.effective },
  };
}

function scored(value: number, error: number, classes: Classes, half: number, interval: string): Estimate {
  const known = error > 3e-8;
  const ends = scoreInterval(value, known ? error : null, classes, half);
  return { value, error: known ? error : null, ...ends, interval, reason: null };
}

/**
 * The areas a that (value - a)^2 <= half^2 c V(a) holds for, where V is Hanley and McNeil's variance of negative-exponential
 * scores with mean class sizes (Newcombe 2006, "Confidence intervals for an effect size measure based on the Mann-Whitney
 * statistic. Part 2", Statistics in Medicine 25, 559-573, method 5), and c scales it to DeLong's error, which knows what
 * the scores are really like. It has an end below an area of 1, which the normal interval has not. Of few rows a class
 * DeLong's error is often too small, so that c is at least 1.
 * @param error DeLong's; null where it is 0
 */
function scoreInterval(value: number, error: number | null, { positives, negatives }: Classes, half: number) {
  const mean = (positives + negatives) / 2 - 1;
  const variance = (a: number): number =>
    (a * (1 - a) * (1 + mean * ((1 - a) / (2 - a) + a / (1 + a)))) / positives / negatives;
  const ratio = error === null ? 1 : error ** 2 / variance(value);
  const scale = Math.min(positives, negatives) < manyOfClass ? Math.max(1, ratio) : ratio;
  const outside = (a: number): boolean => (value - a) ** 2 > half ** 2 * scale * variance(a);
  return {
    lower: value === 0 ? 0 : bisect(0, value, outside),
    upper: value === 1 ? 1 : bisect(1, value, outside),
  };
}

/** Where between a value outside and one inside the border is. */
function bisect(outer: number, inner: number, outside: (a: number) => boolean): number {
  let [out, within] = [outer, inner];
  for (let k = 0; k < 60; k++) {
    const middle = (out + within) / 2;
    if (outside(middle)) out = middle;
    else within = middle;
  }
  return within;
}
