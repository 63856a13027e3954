import { type Clusters, clusteredError, clusteredEstimate } from "../cluster.js";
import { halfWidthOfT } from "../distributions.js";
import { adjustedEnds, bareEstimate, type Estimate, undefinedEstimate } from "../estimate.js";

export interface Mean {
  readonly sd: number | null;
  readonly estimate: Estimate;
}

/**
 * Mean with its t interval (Student 1908, "The probable error of a mean", Biometrika 6, 1-25); no error of one value, and
 * none where values, or clusters' means, don't differ.
 *
 * Where at least half of the values are 0, as differences of coarse scores are, few others decide and t is too narrow: the
 * interval is that of the values and one more at either end, as far from 0 as the farthest (as Bonett and Price 2012 do
 * with signs).
 *
 * @param least a standard deviation, or error, that is rounding alone
 */
export function meanOf(values: readonly number[], clusters: Clusters | null, least: number, level: number): Mean {
  const n = values.length;
  if (n === 0) return { sd: null, estimate: undefinedEstimate("no pairs", "no pair has both scores") };
  const origin = values[0];
  const mean = origin + values.reduce((sum, value) => sum + (value - origin), 0) / n;
  if (n === 1) return { sd: null, estimate: bareEstimate(mean) };
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
  const sd = spread <= least ? 0 : spread;
  if (sd === 0) return { sd, estimate: { ...bareEstimate(mean), error: clusters?.count === 1 ? null : 0 } };
  if (clusters !== null) {
    const influence = Float64Array.from(values, (value) => (value - mean) / n);
    const error = clusteredError(influence, clusters);
    const areAlike = error !== null && error <= least;
    const estimate = areAlike
      ? { ...bareEstimate(mean), error: 0 }
      : clusteredEstimate(mean, influence, clusters, level);
    return { sd, estimate };
  }
  const error = sd / Math.sqrt(n);
  const half = halfWidthOfT(level, n - 1);
  const zeros = values.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
  const ends =
    2 * zeros >= n
      ? { ...adjusted(values, mean, half), interval: "adjusted t" }
      : { lower: mean - half * error, upper: mean + half * error, interval: "t" };
  return { sd, estimate: { value: mean, error, ...ends, reason: null } };
}

function adjusted(values: readonly number[], mean: number, half: number): { lower: number; upper: number } {
  let [squares, far] = [0, 0];
  for (const value of values) {
    squares += value * value;
    far = Math.max(far, Math.abs(value));
  }
  return adjustedEnds(mean, squares, values.length, half, far);
}
