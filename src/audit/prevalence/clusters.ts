import { clusteredShare } from "../cluster.js";
import { type Estimate, undefinedEstimate } from "../estimate.js";
import { clusteredErrors, dot, type Influence, influenceOf, rateWeights } from "./covariance.js";
import { type Audit, type ClusterCounts, sorts } from "./input.js";
import { type RoganGladen, roganGladen } from "./rogan-gladen.js";

/** The same with every cluster counting once, however many records it has: of claims, the mean over answers. */
export interface OverClusters {
  /** Clusters that hold judged records. */
  readonly clusters: number;
  /** Mean of the clusters' shares that the judge says yes to. */
  readonly observed: Estimate;
  readonly roganGladen: RoganGladen;
}

export function overClusters(audit: Audit, clusters: ClusterCounts, level: number): OverClusters {
  const { value, influence } = meanOfShares(audit, clusters);
  const parts = [
    influence,
    ...(["sensitivity", "specificity"] as const).map((name) => influenceOf(clusters, rateWeights(audit, name))),
  ];
  return {
    clusters: influence.sizes.reduce((sum, one) => sum + one, 0),
    observed: shareOf(value, influence, level),
    roganGladen: roganGladen(audit, level, value, clusteredErrors(parts)),
  };
}

/** A share of records in clusters; what rests on no record is undefined. */
export function clusteredRate(
  audit: Audit,
  clusters: ClusterCounts,
  name: "observed" | "sensitivity" | "specificity",
  { level, why }: { readonly level: number; readonly why: string },
): Estimate {
  const rate = audit[name];
  if (rate === null) return undefinedEstimate("no records", why);
  return shareOf(rate.value, influenceOf(clusters, rateWeights(audit, name)), level);
}

function shareOf(value: number, { sums, sizes }: Influence, level: number): Estimate {
  const clusters = { of: Int32Array.from(sums.keys()), count: sums.length };
  return clusteredShare(value, sums, clusters, level, sizes);
}

/** Correlation of two rates' errors, of clusters that both have records in; 0 where one has no error. */
export function correlation(a: Influence, b: Influence): number {
  const size = Math.sqrt(dot(a.sums, a.sums) * dot(b.sums, b.sums));
  return size > 0 ? Math.max(-1, Math.min(1, dot(a.sums, b.sums) / size)) : 0;
}

function meanOfShares(audit: Audit, { count, table }: ClusterCounts): { value: number; influence: Influence } {
  const random = audit.random !== null || audit.counts?.sample !== "separate";
  const shares = new Float64Array(count);
  // A cluster each.
  const sizes = new Float64Array(count);
  let [sum, n] = [0, 0];
  for (let g = 0; g < count; g++) {
    const [tp, fn, fp, tn, positives, negatives] = table.subarray(g * sorts.length, (g + 1) * sorts.length);
    const yes = positives + (random ? tp + fp : 0);
    const all = yes + negatives + (random ? fn + tn : 0);
    if (all === 0) continue;
    shares[g] = yes / all;
    sizes[g] = 1;
    sum += shares[g];
    n++;
  }
  const value = sum / n;
  return { value, influence: { sums: shares.map((share, g) => (sizes[g] === 1 ? (share - value) / n : 0)), sizes } };
}
