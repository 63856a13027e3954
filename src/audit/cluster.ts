import { usageError } from "../errors.js";
import { halfWidthOfT } from "./distributions.js";
import { bareEstimate, type Estimate, endsAround, scoreEnds } from "./estimate.js";

/**
 * Rows that err together: claims of one answer, questions of one passage. Intervals that take them for independent are too
 * narrow.
 */
export interface Clusters {
  /** The cluster of each row, from 0. */
  readonly of: Int32Array;
  readonly count: number;
}

/**
 * Below so many clusters the sandwich's error of their sums is itself rough, and with it all that rests on it.
 */
const fewClusters = 20;

/**
 * What few clusters mean for intervals, in sentences.
 * @param rows in the plural @param few below so many they are
 */
export function clusterWarnings(count: number | null, rows: string, few = fewClusters): string[] {
  if (count === null || count >= few) return [];
  if (count < 2) return [`all ${rows} are of one cluster: nothing tells their errors, so that there are no intervals`];
  return [`intervals of ${count} clusters are rough`];
}

/** @param rows how many there are to have one each @param name of these rows @throws RatError (usage) */
export function checkClusters({ of }: Clusters, rows: number, name: string): void {
  if (of.length !== rows) throw usageError(`${of.length} clusters for ${rows} ${name}: expected one each`);
}

/** @param keys of each row; equal ones are one cluster */
export function clustersOf(keys: readonly (string | number)[]): Clusters {
  const found = new Map<string | number, number>();
  const of = Int32Array.from(keys, (key) => {
    const known = found.get(key) ?? found.size;
    found.set(key, known);
    return known;
  });
  return { of, count: found.size };
}

/** The clusters of some rows, those without any of them left out. @param rows ascending or not */
export const clustersAt = ({ of }: Clusters, rows: readonly number[]): Clusters =>
  clustersOf(rows.map((row) => of[row]));

/**
 * Standard error of an estimate whose rows come in clusters: sqrt(G / (G - 1) sum over G clusters of (sum of influences)^2)
 * (Liang and Zeger 1986, "Longitudinal data analysis using generalized linear models", Biometrika 73, 13-22).
 *
 * @param influence of each row: what the estimate moves by for the row's sake, so that they sum to 0
 * @returns null of fewer than two clusters
 */
export function clusteredError(influence: ArrayLike<number>, { of, count }: Clusters): number | null {
  if (count < 2) return null;
  let squares = 0;
  for (const sum of clusterSums(influence, { of, count })) squares += sum * sum;
  return Math.sqrt((count / (count - 1)) * squares);
}

/** Sums over the rows of each cluster. */
export function clusterSums(values: ArrayLike<number>, { of, count }: Clusters): Float64Array {
  const sums = new Float64Array(count);
  for (let i = 0; i < values.length; i++) sums[of[i]] += values[i];
  return sums;
}

/** A value with Student's interval of one degree of freedom less than there are clusters; none of fewer than two. */
export function clusteredEstimate(
  value: number,
  influence: ArrayLike<number>,
  clusters: Clusters,
  level: number,
  low = -Infinity,
  high = Infinity,
): Estimate {
  const error = clusteredError(influence, clusters);
  if (error === null) return bareEstimate(value);
  const half = halfWidthOfT(level, clusters.count - 1) * error;
  return { value, error, ...endsAround(value, half, low, high), interval: "clustered t", reason: null };
}

/**
 * A share with Wilson's interval of as many independent rows as tell as much, Student's quantile for the normal one (after
 * Korn and Graubard 1998, "Confidence intervals for proportions with small expected number of positive counts estimated
 * from survey data", Survey Methodology 24, 193-201; Dean and Pagano 2015 for Wilson's in place of the exact one). How many
 * those are is told by the clusters and by two more, one that succeeds and one that fails: where nearly all succeed, the few
 * that fail may not show how alike rows of a cluster are.
 *
 * @param rows that the share is of; more than influences, where each of these is that of many rows
 */
export function clusteredShare(
  share: number,
  influence: ArrayLike<number>,
  clusters: Clusters,
  level: number,
  rows = influence.length,
): Estimate {
  const error = clusteredError(influence, clusters);
  if (error === null) return bareEstimate(share);
  const size = effectiveSize(share, error, rows, clusters.count);
  const half = halfWidthOfT(level, clusters.count - 1);
  return { value: share, error, ...scoreEnds(share, size, half), interval: "clustered Wilson", reason: null };
}

/** Independent rows that tell as much of a share as these do, with two clusters added. */
function effectiveSize(share: number, error: number, rows: number, clusters: number): number {
  const size = rows / clusters;
  // Rows that count as one, as it seems; of a share of 0 or 1 all of a cluster.
  const alike = Math.min(size, error > 0 ? Math.max(1, (rows * error ** 2) / (share * (1 - share))) : size);
  const added = (size + alike) / 2;
  const all = rows + 2 * added;
  const sums = ((clusters - 1) / clusters) * error ** 2 * rows ** 2 + added ** 2 * ((1 - share) ** 2 + share ** 2);
  const variance = ((clusters + 2) / (clusters + 1)) * (sums / all ** 2);
  const shrunk = (share * rows + added) / all;
  return (shrunk * (1 - shrunk)) / variance;
}
