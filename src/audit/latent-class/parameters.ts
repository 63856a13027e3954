import type { EmFit, Smoothing } from "./em.js";
import type { Patterns } from "./votes.js";

/** Probabilities that add up to 1: values[first + l stride]. */
export interface Row {
  readonly first: number;
  readonly stride: number;
  readonly values: Float64Array;
  /** Observations of it, expected, with pseudo-counts. */
  readonly mass: number;
  /** Its labels other than the greatest that aren't on the boundary, and their parameters: log odds against the greatest. */
  free: { readonly label: number; readonly parameter: number; readonly p: number }[];
}

/** A probability below is on its boundary, where its likelihood has no curvature that tells an error. */
export const boundary = 1e-6;

/** The model's rows of probabilities: the prevalence, then those of judge 0 given each class, and so on. */
export function rowsOf(fit: EmFit, { judges, classes, voted }: Patterns, smoothing: Smoothing) {
  const { prevalence, rates } = fit.model;
  const mass = voted + classes * smoothing.prevalence;
  const rows: Row[] = [{ first: 0, stride: 1, values: prevalence, mass, free: [] }];
  for (let j = 0; j < judges; j++) {
    for (let c = 0; c < classes; c++) {
      const own = massOf(fit.counts, classes, smoothing, j, c);
      rows.push({ first: j * classes * classes + c, stride: classes, values: rates, mass: own, free: [] });
    }
  }
  return { rows, size: numberParameters(rows, classes) };
}

/** Expected votes of a judge on items of a class, with pseudo-counts. */
export function massOf(counts: Float64Array, classes: number, { confusion }: Smoothing, j: number, c: number): number {
  let mass = classes * confusion;
  for (let l = 0; l < classes; l++) mass += counts[(j * classes + l) * classes + c];
  return mass;
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

/** A vector that is 0 at all other places. */
export interface Sparse {
  readonly places: number[];
  readonly values: number[];
}

/** Score of the complete data of a pattern of votes if its class were c. */
export function completeScore(
  { classes, starts, codes }: Patterns,
  rows: readonly Row[],
  p: number,
  c: number,
): Sparse {
  const places: number[] = [];
  const values: number[] = [];
  for (const { label, parameter, p: share } of rows[0].free) {
    places.push(parameter);
    values.push((label === c ? 1 : 0) - share);
  }
  for (let v = starts[p]; v < starts[p + 1]; ) {
    const judge = Math.floor(codes[v] / classes);
    let end = v;
    while (end < starts[p + 1] && codes[end] < (judge + 1) * classes) end++;
    for (const { label, parameter, p: share } of rows[1 + judge * classes + c].free) {
      let said = 0;
      for (let k = v; k < end; k++) if (codes[k] === judge * classes + label) said++;
      places.push(parameter);
      values.push(said - (end - v) * share);
    }
    v = end;
  }
  return { places, values };
}

export type Gradient = readonly { readonly parameter: number; readonly value: number }[];

/** Of scale times the row's probability of a label. */
export function gradientOf({ free, first, stride, values }: Row, label: number, scale: number): Gradient {
  const p = values[first + label * stride];
  return free.map((own) => ({ parameter: own.parameter, value: scale * p * ((own.label === label ? 1 : 0) - own.p) }));
}
