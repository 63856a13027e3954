import type { Stream } from "../../random/stream.js";
import type { EmFit, Model } from "./em.js";
import type { Patterns } from "./votes.js";

/** [pattern][class] the share of each label among a pattern's votes; even where there are none. */
export function voteShares({ count, classes, starts, codes }: Patterns): Float64Array {
  const shares = new Float64Array(count * classes);
  for (let p = 0; p < count; p++) {
    const votes = starts[p + 1] - starts[p];
    if (votes === 0) shares.fill(1 / classes, p * classes, (p + 1) * classes);
    for (let v = starts[p]; v < starts[p + 1]; v++) shares[p * classes + (codes[v] % classes)] += 1 / votes;
  }
  return shares;
}

/** Prevalence and rates uniform on their simplices: exponentials, by their sum. */
export function randomModel({ judges, classes }: Patterns, stream: Stream): Model {
  const model = { prevalence: new Float64Array(classes), rates: new Float64Array(judges * classes * classes) };
  const fill = (values: Float64Array, first: number, stride: number): void => {
    let sum = 0;
    for (let l = 0; l < classes; l++) {
      // 1 - uniform is never 0.
      const value = -Math.log(1 - stream.uniform());
      values[first + l * stride] = value;
      sum += value;
    }
    for (let l = 0; l < classes; l++) values[first + l * stride] /= sum;
  };
  fill(model.prevalence, 0, 1);
  for (let j = 0; j < judges; j++) {
    for (let c = 0; c < classes; c++) fill(model.rates, j * classes * classes + c, classes);
  }
  return model;
}

/**
 * The same fit with its classes named after the labels that the votes of their items bear most: the likelihood doesn't
 * know names (label switching: Stephens 2000, "Dealing with label switching in mixture models", J. Royal Statistical Society
 * B 62, 795-809), so the majority vote has to give them.
 */
export function anchored(fit: EmFit, { classes, count, weights }: Patterns, shares: Float64Array): EmFit {
  const agreement = Array.from({ length: classes }, () => new Float64Array(classes));
  for (let p = 0; p < count; p++) {
    for (let c = 0; c < classes; c++) {
      const mass = weights[p] * fit.posterior[p * classes + c];
      for (let l = 0; l < classes; l++) agreement[c][l] += mass * shares[p * classes + l];
    }
  }
  const labels = bestAssignment(agreement);
  if (labels.every((l, c) => l === c)) return fit;
  /** Arrays whose last axis is the class. */
  const renamed = (values: Float64Array): Float64Array => {
    const out = new Float64Array(values.length);
    for (let at = 0; at < values.length; at += classes) {
      for (let c = 0; c < classes; c++) out[at + labels[c]] = values[at + c];
    }
    return out;
  };
  return {
    ...fit,
    model: { prevalence: renamed(fit.model.prevalence), rates: renamed(fit.model.rates) },
    posterior: renamed(fit.posterior),
    counts: renamed(fit.counts),
    classCounts: renamed(fit.classCounts),
  };
}

/**
 * The column of each row such that the sum of gains is greatest (the Hungarian method: Kuhn 1955, "The Hungarian method for
 * the assignment problem", Naval Research Logistics Quarterly 2, 83-97; by shortest augmenting paths).
 */
export function bestAssignment(gain: readonly ArrayLike<number>[]): number[] {
  const n = gain.length;
  const rowOf = new Int32Array(n + 1).fill(-1);
  const [u, v] = [new Float64Array(n), new Float64Array(n + 1)];
  for (let row = 0; row < n; row++) {
    // Column n stands for the row that is to be placed.
    rowOf[n] = row;
    const slack = new Float64Array(n).fill(Infinity);
    const from = new Int32Array(n).fill(n);
    const used = new Uint8Array(n + 1);
    let column = n;
    while (rowOf[column] >= 0) {
      used[column] = 1;
      const own = rowOf[column];
      let [delta, next] = [Infinity, -1];
      for (let j = 0; j < n; j++) {
        if (used[j]) continue;
        const reduced = -gain[own][j] - u[own] - v[j];
        if (reduced < slack[j]) [slack[j], from[j]] = [reduced, column];
        if (slack[j] < delta) [delta, next] = [slack[j], j];
      }
      for (let j = 0; j <= n; j++) {
        if (used[j]) {
          u[rowOf[j]] += delta;
          v[j] -= delta;
        } else if (j < n) slack[j] -= delta;
      }
      column = next;
    }
    while (column !== n) {
      rowOf[column] = rowOf[from[column]];
      column = from[column];
    }
  }
  const out = new Array<number>(n);
  for (let j = 0; j < n; j++) out[rowOf[j]] = j;
  return out;
}
