import { effectiveClusters, expectedVariance } from "../cluster.js";
import { halfWidthOfT } from "../distributions.js";
import { normalWidth } from "../estimate.js";
import { type Audit, type ClusterCounts, type Rate, sorts } from "./input.js";
import { rounding } from "./youden.js";

/** The three rates that all estimates are made of, in the order of rows and columns of a covariance. */
type RateName = "observed" | "sensitivity" | "specificity";
const rateNames = ["observed", "sensitivity", "specificity"] as const;

/** One number a rate: how a quantity moves with each. */
export type Gradient = readonly [number, number, number];

/** Errors of the three rates, and how they move together. */
export interface RateErrors {
  readonly matrix: readonly Gradient[];
  /** Rows of each cluster that each rate rests on, [3][clusters]; null where records are independent. */
  readonly sizes: readonly Float64Array[] | null;
  /** What each cluster moves each rate by, [3][clusters], so that their products add up to the matrix; null likewise. */
  readonly influences: readonly Float64Array[] | null;
}

/**
 * Covariance of observed rate, sensitivity and specificity; null where nothing tells it. Of independent records the
 * binomial variances, and, where the audited records are among the n judged ones, cov(p, se) = se (1 - se) / n and cov(p,
 * sp) = -sp (1 - sp) / n. Of clusters the sandwich: the sum over clusters of products of what each moves two rates by,
 * over sqrt(1 - h) for either rate, h the cluster's share of the records that it rests on (see `clusteredError`).
 */
export function rateErrors(audit: Audit): RateErrors | null {
  const { observed, sensitivity, specificity, counts, random } = audit;
  if (sensitivity === null || specificity === null || observed.n === null) return null;
  if (counts?.clusters !== undefined) {
    const { clusters } = counts;
    return clusteredErrors(rateNames.map((name) => influenceOf(clusters, rateWeights(audit, name))));
  }
  const [hits, passes] = [sensitivity, specificity].map(({ value }) => value * (1 - value));
  const shared = random === null ? 0 : 1 / observed.n;
  const p = (observed.value * (1 - observed.value)) / observed.n;
  return {
    matrix: [
      [p, shared * hits, -shared * passes],
      [shared * hits, spread(sensitivity), 0],
      [-shared * passes, 0, spread(specificity)],
    ],
    sizes: null,
    influences: null,
  };
}

/** Variance of a share; 0 where it is known. */
const spread = ({ value, n }: Rate): number => (n === null ? 0 : (value * (1 - value)) / n);

/** What each cluster moves a number by, and how many records it has that the number rests on. */
export interface Influence {
  readonly sums: Float64Array;
  readonly sizes: Float64Array;
}

/** @param weights what a record of each sort moves the number by; null: it has no part in it */
export function influenceOf({ count, table }: ClusterCounts, weights: readonly (number | null)[]): Influence {
  const sums = new Float64Array(count);
  const sizes = new Float64Array(count);
  for (let g = 0; g < count; g++) {
    let most = 0;
    for (let k = 0; k < sorts.length; k++) {
      const [n, weight] = [table[g * sorts.length + k], weights[k]];
      if (n === 0 || weight === null) continue;
      sums[g] += n * weight;
      most = Math.max(most, Math.abs(n * weight));
      sizes[g] += n;
    }
    // What cancels but for rounding is no error.
    if (Math.abs(sums[g]) < rounding * most) sums[g] = 0;
  }
  return { sums, sizes };
}

/** What a record of each sort moves a rate by: (1 or 0, less the rate) over the records that the rate is of. */
export function rateWeights(audit: Audit, name: RateName): (number | null)[] {
  const rate = audit[name];
  const random = audit.counts?.sample !== "separate";
  return sorts.map((sort, k) => {
    if (rate?.n == null) return null;
    const audited = k < 4;
    const isTrue = sort === "truePositives" || sort === "falseNegatives";
    const saidYes = sort === "truePositives" || sort === "falsePositives" || sort === "positives";
    if (name === "observed") return audited && !random ? null : (Number(saidYes) - rate.value) / rate.n;
    if (!audited || isTrue !== (name === "sensitivity")) return null;
    return (Number(saidYes === isTrue) - rate.value) / rate.n;
  });
}

/** @param parts of the three rates; what the first is of may be another one, such as the mean over clusters */
export function clusteredErrors(parts: readonly Influence[]): RateErrors | null {
  const adjusted = parts.map(adjustedInfluence);
  if (!adjusted.every((one) => one !== null)) return null;
  const matrix = adjusted.map((a) => adjusted.map((b) => dot(a, b)) as unknown as Gradient);
  return { matrix, sizes: parts.map(({ sizes }) => sizes), influences: adjusted };
}

/** Over sqrt(1 - h), so that their squares add up to the variance; null of fewer than two clusters. */
export function adjustedInfluence({ sums, sizes }: Influence): Float64Array | null {
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  if (sizes.filter((size) => size > 0).length < 2) return null;
  return sums.map((sum, g) => (sizes[g] === 0 ? 0 : sum / Math.sqrt(1 - sizes[g] / rows)));
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Variance of what moves so with the rates. */
export const varianceAlong = ({ matrix }: RateErrors, gradient: Gradient): number =>
  // Rounding alone makes it negative.
  Math.max(
    0,
    gradient.reduce((sum, a, i) => sum + a * dot(matrix[i], gradient), 0),
  );

/** Half-width of an interval, in standard errors, of what moves so with the rates: of clusters Student's. */
export function halfWidth({ matrix, sizes }: RateErrors, gradient: Gradient, level: number): number {
  return sizes === null ? normalWidth(level) : halfWidthOfT(level, degreesAlong({ matrix, sizes }, gradient));
}

interface ClusteredErrors {
  readonly matrix: readonly Gradient[];
  readonly sizes: readonly Float64Array[];
}

/**
 * Degrees of freedom of what moves so with numbers that come in clusters, by Satterthwaite (1946): 1 / sum over clusters of
 * (sum over the numbers of part * share * sqrt(G / (G - 1)))^2, `part` the number's part of the variance, `share` the
 * cluster's part in that of the number, as is to be expected of its records, and G the number's effective clusters. Of
 * numbers that rest on the same G like clusters that is G - 1, of numbers that share none what Welch (1947) has. 1 at least.
 */
export function degreesAlong({ matrix, sizes }: ClusteredErrors, gradient: readonly number[]): number {
  const parts = gradient.map((a, i) => a * a * matrix[i][i]);
  const total = parts.reduce((sum, part) => sum + part, 0);
  const expected = new Float64Array(sizes[0].length);
  sizes.forEach((own, i) => {
    const spread = own.map(expectedVariance);
    const whole = spread.reduce((sum, one) => sum + one, 0);
    const clusters = effectiveClusters(own);
    const part = total > 0 ? parts[i] / total : 1 / parts.length;
    const factor = (part / whole) * Math.sqrt(clusters / Math.max(1, clusters - 1));
    for (let g = 0; g < own.length; g++) expected[g] += factor * spread[g];
  });
  return Math.max(1, 1 / dot(expected, expected));
}

/** Pseudo-records on either side in the variance of a rate: with z = 2 Agresti and Coull's (1998). */
const shrinkage = 2;

/**
 * The same errors with the variance of sensitivity and specificity never 0: of shares with two successes and two failures
 * more. Of clusters only where a rate is 0 or 1, as if each cluster were a record: nothing tells how alike they are.
 */
export function shrunkErrors(errors: RateErrors, { sensitivity, specificity }: Audit): RateErrors {
  const rates = [null, sensitivity, specificity];
  const matrix = errors.matrix.map((row, i) => {
    const rate = rates[i];
    if (rate?.n == null) return row;
    const certain = rate.value === 0 || rate.value === 1;
    if (errors.sizes !== null && !certain) return row;
    const n = errors.sizes === null ? (rate.n as number) : effectiveClusters(errors.sizes[i]);
    return row.map((cell, j) => (i === j ? shrunk(rate.value, n) : cell));
  });
  return { ...errors, matrix: matrix as unknown as Gradient[] };
}

function shrunk(value: number, n: number): number {
  const share = (n * value + shrinkage) / (n + 2 * shrinkage);
  return (share * (1 - share)) / n;
}
