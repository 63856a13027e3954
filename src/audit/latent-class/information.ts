import type { Clusters } from "../cluster.js";
import type { EmFit, Smoothing } from "./em.js";
import { addSquare, inverse, quadratic, sandwich } from "./matrix.js";
import { boundary, completeScore, gradientOf, type Row, rowsOf } from "./parameters.js";
import { clusteredSquares } from "./sandwich.js";
import type { Patterns } from "./votes.js";

/** Standard errors; NaN where there is none, inside this folder only. */
export interface RateErrors {
  /** [classes] */
  readonly prevalence: Float64Array;
  /** [judge][label][class] */
  readonly rates: Float64Array;
  /** [judges] of (sum of rates of the right label - 1) / (classes - 1). */
  readonly informedness: Float64Array;
  readonly method: "observed information" | "clustered sandwich" | "bootstrap" | "clustered bootstrap" | null;
  /** Why there are none. */
  readonly note: string | null;
}

export function noErrors({ judges, classes }: Patterns, note: string | null): RateErrors {
  const none = (length: number): Float64Array => new Float64Array(length).fill(Number.NaN);
  const rates = none(judges * classes * classes);
  return { prevalence: none(classes), rates, informedness: none(judges), method: null, note };
}

/** Parameters beyond which the inverse of their information takes too long. */
const mostParameters = 1000;

/**
 * Standard errors from the observed information, complete less missing (Louis 1982, "Finding the observed information matrix
 * when using the EM algorithm", J. Royal Statistical Society B 44, 226-233):
 * I = I_complete - sum_items (E[S S'] - E[S] E[S]'), S the complete-data score, over log odds of each row of probabilities
 * against its greatest; pseudo-counts add theirs. Delta method back to probabilities. Probabilities at 0 are held there.
 * With clusters I^-1 M I^-1 in place of I^-1, M the squares of the clusters' sums of E[S].
 */
export function informationErrors(
  fit: EmFit,
  patterns: Patterns,
  smoothing: Smoothing,
  clusters: Clusters | null,
): RateErrors {
  const { judges, classes } = patterns;
  const { rows, size } = rowsOf(fit, patterns, smoothing);
  if (size > mostParameters) {
    return noErrors(patterns, `no standard errors: ${size} parameters are too many for their information`);
  }
  if (clusters !== null && clusters.count < 2) {
    return noErrors(patterns, "no standard errors: there are fewer than two clusters");
  }
  const information = new Float64Array(size * size);
  for (const row of rows) addComplete(row, information, size);
  subtractMissing(fit, patterns, rows, information, size);
  const bread = inverse(information, size);
  if (bread === null) {
    return noErrors(patterns, "no standard errors: the information is singular, so the votes don't identify the model");
  }
  const covariance =
    clusters === null ? bread : sandwich(bread, clusteredSquares(fit, patterns, rows, size, clusters), size);
  const out = noErrors(patterns, null);
  for (const [r, row] of rows.entries()) {
    for (let l = 0; l < classes; l++) {
      const at = row.first + l * row.stride;
      if (row.free.length === 0 || row.values[at] < boundary) continue;
      const variance = quadratic(gradientOf(row, l, 1), covariance, size);
      (r === 0 ? out.prevalence : out.rates)[at] = Math.sqrt(variance);
    }
  }
  for (let j = 0; j < judges; j++) {
    const own = rows.slice(1 + j * classes, 1 + (j + 1) * classes);
    const gradient = own.flatMap((row, c) => gradientOf(row, c, 1 / (classes - 1)));
    if (gradient.length > 0) out.informedness[j] = Math.sqrt(quadratic(gradient, covariance, size));
  }
  return { ...out, method: clusters === null ? "observed information" : "clustered sandwich" };
}

function addComplete({ free, mass }: Row, information: Float64Array, size: number): void {
  for (const a of free) {
    for (const b of free) information[a.parameter * size + b.parameter] += mass * ((a === b ? a.p : 0) - a.p * b.p);
  }
}

function subtractMissing(
  fit: EmFit,
  patterns: Patterns,
  rows: readonly Row[],
  information: Float64Array,
  size: number,
): void {
  const { count, classes, weights } = patterns;
  const mean = new Float64Array(size);
  for (let p = 0; p < count; p++) {
    if (weights[p] === 0) continue;
    mean.fill(0);
    for (let c = 0; c < classes; c++) {
      const q = fit.posterior[p * classes + c];
      if (q < 1e-14) continue;
      const { places, values } = completeScore(patterns, rows, p, c);
      for (let a = 0; a < places.length; a++) {
        mean[places[a]] += q * values[a];
        const scaled = weights[p] * q * values[a];
        for (let b = 0; b < places.length; b++) information[places[a] * size + places[b]] -= scaled * values[b];
      }
    }
    addSquare(mean, weights[p], information);
  }
}
