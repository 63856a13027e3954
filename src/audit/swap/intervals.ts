import { type Clusters, clusteredError, clusteredShare, degreesOf, effectiveClusters, sizesOf } from "../cluster.js";
import { clopperPearson, halfWidthOfT } from "../distributions.js";
import {
  adjustedWald,
  bareEstimate,
  type Estimate,
  normalWidth,
  shareEstimate,
  undefinedEstimate,
} from "../estimate.js";

const noEstimate = undefinedEstimate("no pairs", "no pair has a verdict in both orders");
/** Why there is nothing. */
export const noPairs = noEstimate.reason as string;

/**
 * A share with its exact interval, or a score interval of counts beyond ten million.
 * @param isIn of each row
 */
export function share(isIn: readonly boolean[], clusters: Clusters | null, level: number): Estimate {
  const n = isIn.length;
  if (n === 0) return noEstimate;
  const k = isIn.reduce((sum, value) => sum + (value ? 1 : 0), 0);
  if (clusters !== null) {
    const influence = Float64Array.from(isIn, (value) => ((value ? 1 : 0) - k / n) / n);
    return clusteredShare(k / n, influence, clusters, level);
  }
  const byScore = shareEstimate(k / n, n, level);
  const exact = clopperPearson(k, n, level);
  return exact === null ? byScore : { ...byScore, ...exact, interval: "Clopper-Pearson" };
}

/**
 * Mean of values from -1 to 1 with the adjusted Wald interval of a difference of paired shares (Bonett and Price 2012).
 * Values between the ends, which ties make, count by their squares.
 *
 * Of rows in clusters the same with as many independent values as tell as much, n (naive error / clustered error)^2, and
 * Student's quantile; values that are all the same, or cancel in every cluster, tell nothing of how alike rows of a
 * cluster are: each cluster counts as one.
 */
export function meanOfSigns(values: readonly number[], clusters: Clusters | null, level: number): Estimate {
  const n = values.length;
  if (n === 0) return noEstimate;
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  const mean = sum / n;
  const variance = Math.max(0, squares / n - mean ** 2);
  if (clusters === null) {
    const error = n === 1 ? null : Math.sqrt(variance / (n - 1));
    const interval = "adjusted Wald (Bonett and Price 2012)";
    return { value: mean, error, ...adjustedWald(mean, squares / n, n, normalWidth(level)), interval, reason: null };
  }
  const sizes = sizesOf(clusters);
  const influence = Float64Array.from(values, (value) => (value - mean) / n);
  const error = clusteredError(influence, clusters);
  if (error === null) return bareEstimate(mean);
  const effective = error > 0 && variance > 0 ? Math.min(n, variance / error ** 2) : effectiveClusters(sizes);
  const half = halfWidthOfT(level, degreesOf(sizes));
  const interval = "clustered adjusted Wald";
  return { value: mean, error, ...adjustedWald(mean, squares / n, effective, half), interval, reason: null };
}
