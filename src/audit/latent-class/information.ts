import type { EmFit, Smoothing } from "./em.js";
import type { Patterns } from "./votes.js";

/** Standard errors; NaN where there is none, inside this folder only. */
export interface Errors {
  /** [classes] */
  readonly prevalence: Float64Array;
  /** [judge][label][class] */
  readonly rates: Float64Array;
  /** [judges] of (sum of rates of the right label - 1) / (classes - 1). */
  readonly informedness: Float64Array;
  readonly method: "observed information" | "bootstrap" | null;
  /** Why there are none. */
  readonly note: string | null;
}

export function noErrors({ judges, classes }: Patterns, note: string | null): Errors {
  const none = (length: number): Float64Array => new Float64Array(length).fill(Number.NaN);
  const rates = none(judges * classes * classes);
  return { prevalence: none(classes), rates, informedness: none(judges), method: null, note };
}

/** Parameters beyond which the inverse of their information takes too long. */
const mostParameters = 600;
/** A probability below is on its boundary, where its likelihood has no curvature that tells an error. */
const boundary = 1e-6;

/**
 * Standard errors from the observed information, complete less missing (Louis 1982, "Finding the observed information matrix
 * when using the EM algorithm", J. Royal Statistical Society B 44, 226-233):
 * I = I_complete - sum_items (E[S S'] - E[S] E[S]'), S the complete-data score, over log odds of each row of probabilities
 * against its greatest; pseudo-counts add theirs. Delta method back to probabilities. Probabilities at 0 are held there.
 */
export function informationErrors(fit: EmFit, patterns: Patterns, smoothing: Smoothing): Errors {
  const { judges, classes, voted } = patterns;
  const { prevalence, rates } = fit.model;
  const rows: Row[] = [
    { first: 0, stride: 1, values: prevalence, mass: voted + classes * smoothing.prevalence, free: [] },
  ];
  for (let j = 0; j < judges; j++) {
    for (let c = 0; c < classes; c++) {
      const first = j * classes * classes + c;
      let mass = classes * smoothing.confusion;
      for (let l = 0; l < classes; l++) mass += fit.counts[first + l * classes];
      rows.push({ first, stride: classes, values: rates, mass, free: [] });
    }
  }
  const size = numberParameters(rows, classes);
  if (size > mostParameters) {
    return noErrors(
      patterns,
      `no standard errors: ${size} parameters are too many for their information; bootstrap them`,
    );
  }
  const information = new Float64Array(size * size);
  for (const row of rows) addComplete(row, information, size);
  subtractMissing(fit, patterns, rows, information, size);
  const covariance = inverse(information, size);
  if (covariance === null) {
    return noErrors(patterns, "no standard errors: the information is singular, so the votes don't identify the model");
  }
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
  return { ...out, method: "observed information" };
}

/** Probabilities that add up to 1: values[first + l stride]. */
interface Row {
  readonly first: number;
  readonly stride: number;
  readonly values: Float64Array;
  /** Observations of it, expected, with pseudo-counts. */
  readonly mass: number;
  /** Its labels other than the greatest that aren't on the boundary, and their parameters. */
  free: { readonly label: number; readonly parameter: number; readonly p: number }[];
}

function numberParameters(rows: readonly Row[], classes: number): number {
  let size = 0;
  for (const row of rows) {
    if (row.mass < 1e-9) continue;
    const p = Array.from({ length: classes }, (_, l) => row.values[row.first + l * row.stride]);
    const greatest = p.indexOf(Math.max(...p));
    for (let label = 0; label < classes; label++) {
      if (label !== greatest && p[label] >= boundary) row.free.push({ label, parameter: size++, p: p[label] });
    }
  }
  return size;
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
) {
  const { count, classes, starts, codes, weights } = patterns;
  const mean = new Float64Array(size);
  for (let p = 0; p < count; p++) {
    if (weights[p] === 0) continue;
    mean.fill(0);
    for (let c = 0; c < classes; c++) {
      const q = fit.posterior[p * classes + c];
      if (q < 1e-14) continue;
      const places: number[] = [];
      const score: number[] = [];
      for (const { label, parameter, p: share } of rows[0].free) {
        places.push(parameter);
        score.push((label === c ? 1 : 0) - share);
      }
      for (let v = starts[p]; v < starts[p + 1]; ) {
        const judge = Math.floor(codes[v] / classes);
        let end = v;
        while (end < starts[p + 1] && codes[end] < (judge + 1) * classes) end++;
        for (const { label, parameter, p: share } of rows[1 + judge * classes + c].free) {
          let said = 0;
          for (let k = v; k < end; k++) if (codes[k] === judge * classes + label) said++;
          places.push(parameter);
          score.push(said - (end - v) * share);
        }
        v = end;
      }
      for (let a = 0; a < places.length; a++) {
        mean[places[a]] += q * score[a];
        const scaled = weights[p] * q * score[a];
        for (let b = 0; b < places.length; b++) information[places[a] * size + places[b]] -= scaled * score[b];
      }
    }
    addSquare(mean, weights[p], information, size);
  }
}

function addSquare(mean: Float64Array, weight: number, information: Float64Array, size: number): void {
  const places: number[] = [];
  for (let a = 0; a < size; a++) if (mean[a] !== 0) places.push(a);
  for (const a of places) {
    const scaled = weight * mean[a];
    for (const b of places) information[a * size + b] += scaled * mean[b];
  }
}

type Gradient = readonly { readonly parameter: number; readonly value: number }[];

/** Of scale times the row's probability of a label. */
function gradientOf({ free, first, stride, values }: Row, label: number, scale: number): Gradient {
  const p = values[first + label * stride];
  return free.map((own) => ({ parameter: own.parameter, value: scale * p * ((own.label === label ? 1 : 0) - own.p) }));
}

function quadratic(gradient: Gradient, covariance: Float64Array, size: number): number {
  let sum = 0;
  for (const a of gradient) {
    for (const b of gradient) sum += a.value * b.value * covariance[a.parameter * size + b.parameter];
  }
  return Math.max(0, sum);
}

/** Inverse of a symmetric positive definite matrix by Cholesky's factors; null where it isn't (numerically) one. */
export function inverse(matrix: Float64Array, size: number): Float64Array | null {
  const factor = matrix.slice();
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = factor[i * size + j];
      for (let k = 0; k < j; k++) sum -= factor[i * size + k] * factor[j * size + k];
      if (i !== j) factor[i * size + j] = sum / factor[j * size + j];
      else if (sum > 1e-10 * matrix[i * size + i]) factor[i * size + i] = Math.sqrt(sum);
      else return null;
    }
  }
  // Columns of the factor's inverse, as rows; then (L L')^-1 = L^-T L^-1.
  const lower = new Float64Array(size * size);
  for (let c = 0; c < size; c++) {
    for (let i = c; i < size; i++) {
      let sum = i === c ? 1 : 0;
      for (let k = c; k < i; k++) sum -= factor[i * size + k] * lower[c * size + k];
      lower[c * size + i] = sum / factor[i * size + i];
    }
  }
  const out = new Float64Array(size * size);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let k = a; k < size; k++) sum += lower[a * size + k] * lower[b * size + k];
      out[a * size + b] = sum;
      out[b * size + a] = sum;
    }
  }
  return out;
}
