import { usageError } from "../errors.js";
import { show } from "../values.js";
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
export function clusterWarnings(sizes: ArrayLike<number> | null, rows: string, few = fewClusters): string[] {
  if (sizes === null) return [];
  const count = Array.from(sizes).filter((size) => size > 0).length;
  if (count < 2) return [`all ${rows} are of one cluster: nothing tells their errors, so that there are no intervals`];
  if (count < few) return [`intervals of ${count} clusters are rough`];
  const effective = effectiveClusters(sizes);
  if (effective >= few) return [];
  return [
    `intervals of ${count} clusters of such different sizes are as rough as those of ${Math.max(2, Math.floor(effective))} of one size`,
  ];
}

/** @param rows how many there are to have one each @param name of these rows @throws RatError (usage) */
export function checkClusters({ of }: Clusters, rows: number, name: string): void {
  if (of.length !== rows) throw usageError(`${of.length} clusters for ${rows} ${name}: expected one each`);
}

/** @param keys of each row; equal ones are one cluster @throws RatError (usage) for what are no keys */
export function clustersOf(keys: readonly (string | number)[]): Clusters {
  if (!Array.isArray(keys)) throw usageError(`keys must be a list of text or numbers, not ${show(keys)}`);
  const found = new Map<string | number, number>();
  const of = Int32Array.from(keys, (key, i) => {
    if (typeof key !== "string" && (typeof key !== "number" || Number.isNaN(key))) {
      throw usageError(`keys[${i}] must be text or a number, not ${show(key)}`);
    }
    const known = found.get(key) ?? found.size;
    found.set(key, known);
    return known;
  });
  return { of, count: found.size };
}

/** The clusters of some rows, those without any of them left out. @param rows ascending or not */
export const clustersAt = ({ of }: Clusters, rows: readonly number[]): Clusters =>
  clustersOf(rows.map((row) => of[row]));

/** Rows of each cluster. */
export function sizesOf({ of, count }: Clusters): Float64Array {
  const sizes = new Float64Array(count);
  for (const cluster of of) if (cluster >= 0) sizes[cluster]++;
  return sizes;
}

/** Correlation of rows of a cluster, as far as it decides how much of an error's variance is each cluster's. */
const workingCorrelation = 0.1;

/** What a cluster of so many rows adds to the variance of their sum, as is to be expected. */
export const expectedVariance = (size: number): number => size * (1 + workingCorrelation * Math.max(0, size - 1));

/**
 * Clusters of one size that would tell as much of an error: (sum of v)^2 / sum of v^2 over clusters, v their expected
 * variances (Satterthwaite 1946, "An approximate distribution of estimates of variance components", Biometrics Bulletin 2,
 * 110-114, under a working model as in Bell and McCaffrey 2002). One that holds most of the rows is nearly all that there is.
 */
export function effectiveClusters(sizes: ArrayLike<number>): number {
  const [sum, squares] = totalsOf(Array.from(sizes, expectedVariance));
  return squares > 0 ? (sum * sum) / squares : 0;
}

/** Degrees of freedom of Student's t: one less than there are effective clusters, but one at least. */
export const degreesOf = (sizes: ArrayLike<number>): number => Math.max(1, effectiveClusters(sizes) - 1);

/**
 * Standard error of an estimate whose rows come in clusters: sqrt(sum over clusters of (sum of influences)^2 / (1 - h)), h the
 * cluster's share of the rows (Liang and Zeger 1986, "Longitudinal data analysis using generalized linear models", Biometrika
 * 73, 13-22; the divisor is that of Bell and McCaffrey 2002, "Bias reduction in standard errors for linear regression with
 * multi-stage samples", Survey Methodology 28, 169-181, for a mean: it pulls a large cluster's rows towards itself).
 * Of clusters of one size the divisor is G / (G - 1).
 *
 * @param influence of each row: what the estimate moves by for the row's sake, so that they sum to 0
 * @param sizes of the clusters where not every row counts, or an influence is that of many rows
 * @returns null of fewer than two clusters
 */
export function clusteredError(
  influence: ArrayLike<number>,
  clusters: Clusters,
  sizes: ArrayLike<number> = sizesOf(clusters),
): number | null {
  return errorOfSums(clusterSums(influence, clusters), sizes);
}

/** The same from the clusters' sums of influences. Null where fewer than two have rows. */
export function errorOfSums(sums: ArrayLike<number>, sizes: ArrayLike<number>): number | null {
  const [rows] = totalsOf(sizes);
  let [squares, some] = [0, 0];
  for (let g = 0; g < sizes.length; g++) {
    if (sizes[g] === 0) continue;
    some++;
    squares += (sums[g] * sums[g]) / (1 - sizes[g] / rows);
  }
  return some < 2 ? null : Math.sqrt(squares);
}

function totalsOf(sizes: ArrayLike<number>): [sum: number, squares: number] {
  let [sum, squares] = [0, 0];
  for (let g = 0; g < sizes.length; g++) {
    sum += sizes[g];
    squares += sizes[g] * sizes[g];
  }
  return [sum, squares];
}

/** Sums over the rows of each cluster. */
export function clusterSums(values: ArrayLike<number>, { of, count }: Clusters): Float64Array {
  const sums = new Float64Array(count);
  for (let i = 0; i < values.length; i++) sums[of[i]] += values[i];
  return sums;
}

/** A value with Student's interval; none of fewer than two clusters. @param sizes as in `clusteredError` */
export function clusteredEstimate(
  value: number,
  influence: ArrayLike<number>,
  clusters: Clusters,
  level: number,
  low = -Infinity,
  high = Infinity,
  sizes: ArrayLike<number> = sizesOf(clusters),
): Estimate {
  const error = clusteredError(influence, clusters, sizes);
  if (error === null) return bareEstimate(value);
  const half = halfWidthOfT(level, degreesOf(sizes)) * error;
  return { value, error, ...endsAround(value, half, low, high), interval: "clustered t", reason: null };
}

/**
 * A share with Wilson's interval of as many independent rows as tell as much, Student's quantile for the normal one (after
 * Korn and Graubard 1998, "Confidence intervals for proportions with small expected number of positive counts estimated
 * from survey data", Survey Methodology 24, 193-201; Dean and Pagano 2015 for Wilson's in place of the exact one). How many
 * those are is told by the clusters and by two more, one that succeeds and one that fails: where nearly all succeed, the few
 * that fail may not show how alike rows of a cluster are.
 *
 * @param sizes as in `clusteredError`: of the rows that the share is of
 */
export function clusteredShare(
  share: number,
  influence: ArrayLike<number>,
  clusters: Clusters,
  level: number,
  sizes: ArrayLike<number> = sizesOf(clusters),
): Estimate {
  const error = clusteredError(influence, clusters, sizes);
  if (error === null) return bareEstimate(share);
  const size = effectiveSize(share, error, sizes);
  const half = halfWidthOfT(level, degreesOf(sizes));
  return { value: share, error, ...scoreEnds(share, size, half), interval: "clustered Wilson", reason: null };
}

/** Independent rows that tell as much of a share as these do, with two clusters added. @param sizes of the clusters */
export function effectiveSize(share: number, error: number, sizes: ArrayLike<number>): number {
  const [rows] = totalsOf(sizes);
  const clusters = effectiveClusters(sizes);
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
