import { bareEstimate, type Estimate, undefinedEstimate, waldEstimate } from "../estimate.js";

/*
 * Scores of confidences against outcomes, each with its standard error.
 */

/**
 * Area under the ROC curve: the chance that a row of outcome 1 has more confidence than one of outcome 0, ties counting
 * half (Hanley and McNeil 1982, "The meaning and use of the area under a ROC curve", Radiology 143, 29-36). Its standard
 * error is that of DeLong, DeLong and Clarke-Pearson 1988, "Comparing the areas under two or more correlated ROC curves",
 * Biometrics 44, 837-845, from the share of the other class below each row; null where no variance is seen, which is no
 * proof of none.
 * @param order rows by ascending confidence
 */
export function areaUnderCurve(
  confidence: Float64Array,
  outcome: Uint8Array,
  order: Uint32Array,
  level: number,
): Estimate {
  const n = order.length;
  let positives = 0;
  for (let i = 0; i < n; i++) positives += outcome[i];
  const negatives = n - positives;
  if (positives === 0 || negatives === 0) {
    return undefinedEstimate("one class", `all ${n} outcomes are ${positives === 0 ? 0 : 1}`);
  }
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
    seenPositives += here;
    seenNegatives += others;
    start = end;
  }
  const value = pairs / 2 / positives / negatives;
  if (positives < 2 || negatives < 2) return bareEstimate(value);
  const spread1 = (squares1 - positives * value * value) / (positives - 1);
  const spread0 = (squares0 - negatives * value * value) / (negatives - 1);
  const variance = spread1 / positives + spread0 / negatives;
  return variance > 1e-15 ? waldEstimate(value, Math.sqrt(variance), level, 0, 1) : bareEstimate(value);
}

/** Mean of the rows' terms with the standard error of a mean. */
function meanScore(n: number, level: number, term: (i: number) => number): Estimate {
  const first = term(0);
  let [sum, squares] = [0, 0];
  for (let i = 0; i < n; i++) {
    const offset = term(i) - first;
    sum += offset;
    squares += offset * offset;
  }
  const value = first + sum / n;
  if (n === 1) return bareEstimate(value);
  const variance = Math.max(0, squares - (sum * sum) / n) / (n - 1);
  return waldEstimate(value, Math.sqrt(variance / n), level, 0);
}

/** Mean of (f - y)^2 (Brier 1950, "Verification of forecasts expressed in terms of probability", Monthly Weather Review). */
export const brierScore = (confidence: Float64Array, outcome: Uint8Array, level: number): Estimate =>
  meanScore(confidence.length, level, (i) => (confidence[i] - outcome[i]) ** 2);

/**
 * Mean of -log(f) where the outcome is 1 and -log(1 - f) where it is 0 (Good 1952, "Rational decisions", J. Royal
 * Statistical Society B 14, 107-114). Infinite, hence null, where a row is certain and wrong.
 * @param clip confidences are first moved into [clip, 1 - clip]; 0: not at all
 */
export function logLoss(confidence: Float64Array, outcome: Uint8Array, clip: number, level: number): Estimate {
  const held = (f: number): number => Math.min(1 - clip, Math.max(clip, f));
  const infinite = confidence.reduce((sum, f, i) => sum + (held(f) === 1 - outcome[i] ? 1 : 0), 0);
  if (infinite > 0) {
    return undefinedEstimate("infinite", `${infinite} of ${confidence.length} rows are certain and wrong`);
  }
  return meanScore(confidence.length, level, (i) => {
    const f = held(confidence[i]);
    return outcome[i] === 1 ? -Math.log(f) : -Math.log1p(-f);
  });
}
