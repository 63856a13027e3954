import type { CompiledNetwork } from "./compiled.js";
import type { Folded } from "./fold.js";

/**
 * The plain oracle: log posterior density and gradient on the logits of the rows, the Jacobian included, written for
 * reading. The kernels compute the same by the same sweep.
 *
 * Gradient by Fisher's identity: with E the expected counts of a row's entries given the records,
 * d/dx = s + E1 - theta (s + f + E0 + E1).
 */
export function logDensity(network: CompiledNetwork, folded: Folded, logits: ArrayLike<number>) {
  const { familyParent, familyRow, nodeCount } = network;
  const entries = rowEntries(logits);
  const p = nodeProbabilities(network, entries);
  let value = 0;
  for (let k = 0; k < logits.length; k++) {
    value -= folded.success[k] * softplus(-logits[k]) + folded.failure[k] * softplus(logits[k]);
  }
  const expected = new Float64Array(nodeCount);
  folded.patterns.forEach((m, i) => {
    let total = 0;
    for (const node of network.patterns[m].nodes) total += p[node];
    value += folded.counts[i] * Math.log(total);
    for (const node of network.patterns[m].nodes) expected[node] += (folded.counts[i] * p[node]) / total;
  });
  const success = Float64Array.from(folded.success);
  const failure = Float64Array.from(folded.failure);
  for (let f = familyParent.length - 1; f >= 0; f--) {
    failure[familyRow[f]] += expected[2 * f + 1];
    success[familyRow[f]] += expected[2 * f + 2];
    expected[familyParent[f]] += expected[2 * f + 1] + expected[2 * f + 2];
  }
  // s + E1 - theta (s + E1 + f + E0), written without the cancellation.
  const gradient = Float64Array.from(success, (s, k) => s * entries[2 * k] - failure[k] * entries[2 * k + 1]);
  return { value, gradient };
}

/** (1 - theta, theta) a row, both to full relative accuracy. */
export function rowEntries(logits: ArrayLike<number>): Float64Array {
  const entries = new Float64Array(2 * logits.length);
  for (let k = 0; k < logits.length; k++) {
    entries[2 * k] = 1 / (1 + Math.exp(logits[k]));
    entries[2 * k + 1] = 1 / (1 + Math.exp(-logits[k]));
  }
  return entries;
}

/** Probability of each node: its parent's times the entry that leads to it. */
export function nodeProbabilities(network: CompiledNetwork, entries: ArrayLike<number>): Float64Array {
  const p = new Float64Array(network.nodeCount);
  p[0] = 1;
  for (let f = 0; f < network.familyParent.length; f++) {
    const parent = p[network.familyParent[f]];
    const row = network.familyRow[f];
    p[2 * f + 1] = parent * entries[2 * row];
    p[2 * f + 2] = parent * entries[2 * row + 1];
  }
  return p;
}

/** log(1 + exp(x)) without overflow. */
export const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
