import { halfWidthOfT } from "../distributions.js";
import { normalWidth } from "../estimate.js";
import { type Audit, type ClusterCounts, type Rate, sorts } from "./input.js";

/** The three rates that all estimates are made of, in the order of rows and columns of a covariance. */
type RateName = "observed" | "sensitivity" | "specificity";
const rateNames = ["observed", "sensitivity", "specificity"] as const;

/** One number a rate: how a quantity moves with each. */
export type Gradient = readonly [number, number, number];

/** Errors of the three rates, and how they move together. */
export interface RateErrors {
  readonly matrix: readonly Gradient[];
  /** Clusters that each rate rests on; null where records are independent. */
  readonly clusters: Gradient | null;
  /** What each cluster moves each rate by, [3][clusters], so that their products add up to the matrix; null likewise. */
  readonly influences: readonly Float64Array[] | null;
}

/**
 * Covariance of observed rate, sensitivity and specificity; null where nothing tells it. Of independent records the
 * binomial variances, and, where the audited records are among the n judged ones, cov(p, se) = se (1 - se) / n and cov(p,
 * sp) = -sp (1 - sp) / n. Of clusters the sandwich: the sum over clusters of products of what each moves two rates by,
 * times sqrt(G / (G - 1)) for either rate and the G clusters that it rests on.
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
    clusters: null,
    influences: null,
  };
}

/** Variance of a share; 0 where it is known. */
const spread = ({ value, n }: Rate): number => (n === null ? 0 : (value * (1 - value)) / n);

/** What each cluster moves a number by, and whether it has records that the number rests on. */
export interface Influence {
  readonly sums: Float64Array;
  readonly has: Uint8Array;
}

/** @param weights what a record of each sort moves the number by; null: it has no part in it */
export function influenceOf({ count, table }: ClusterCounts, weights: readonly (number | null)[]): Influence {
  const sums = new Float64Array(count);
  const has = new Uint8Array(count);
  for (let g = 0; g < count; g++) {
    for (let k = 0; k < sorts.length; k++) {
      const [n, weight] = [table[g * sorts.length + k], weights[k]];
      if (n === 0 || weight === null) continue;
      sums[g] += n * weight;
      has[g] = 1;
    }
  }
  return { sums, has };
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
  const clusters = parts.map(({ has }) => has.reduce((sum, one) => sum + one, 0));
  if (Math.min(...clusters) < 2) return null;
  const influences = parts.map(({ sums }, i) => {
    const factor = Math.sqrt(clusters[i] / (clusters[i] - 1));
    return sums.map((sum) => factor * sum);
  });
  const matrix = influences.map((a) => influences.map((b) => dot(a, b)) as unknown as Gradient);
  return { matrix, clusters: clusters as unknown as Gradient, influences };
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

/**
 * Half-width of an interval, in standard errors, of what moves so with the rates: of clusters Student's, with the degrees
 * of freedom of a sum of independent variances (Welch 1947, Satterthwaite 1946) of one less than there are clusters each.
 */
export function halfWidth({ matrix, clusters }: RateErrors, gradient: Gradient, level: number): number {
  return clusters === null ? normalWidth(level) : halfWidthOfT(level, degreesAlong({ matrix, clusters }, gradient));
}

export function degreesAlong(
  { matrix, clusters }: { readonly matrix: readonly Gradient[]; readonly clusters: readonly number[] },
  gradient: readonly number[],
): number {
  const parts = gradient.map((a, i) => a * a * matrix[i][i]);
  const squares = parts.reduce((sum, part, i) => sum + part ** 2 / (clusters[i] - 1), 0);
  const total = parts.reduce((sum, part) => sum + part, 0);
  return squares > 0 ? total ** 2 / squares : Math.min(...clusters) - 1;
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
    if (errors.clusters !== null && !certain) return row;
    return row.map((cell, j) => (i === j ? shrunk(rate.value, errors.clusters?.[i] ?? (rate.n as number)) : cell));
  });
  return { ...errors, matrix: matrix as unknown as Gradient[] };
}

function shrunk(value: number, n: number): number {
  const share = (n * value + shrinkage) / (n + 2 * shrinkage);
  return (share * (1 - share)) / n;
}
