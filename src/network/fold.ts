import type { CompiledNetwork } from "./compiled.js";
import { pathOf } from "./tree.js";

/**
 * A refit's counts, folded: records of a pattern of one node add fixed counts to the rows above that node, once; a
 * pattern of all cells says nothing; the others are truly ambiguous and stay.
 */
export interface Folded {
  /** [rows]: Beta prior plus fixed counts of entry 1 (theta) and of entry 0. */
  readonly success: Float64Array;
  readonly failure: Float64Array;
  /** Ambiguous patterns with records, and how many. */
  readonly patterns: readonly number[];
  readonly counts: readonly number[];
}

/** @param counts records a pattern, [patterns] */
export function fold(network: CompiledNetwork, counts: ArrayLike<number>): Folded {
  const success = Float64Array.from(network.priorSuccess);
  const failure = Float64Array.from(network.priorFailure);
  const patterns: number[] = [];
  const kept: number[] = [];
  network.patterns.forEach((pattern, m) => {
    const n = counts[m];
    if (n === 0) return;
    if (isAmbiguous(pattern)) {
      patterns.push(m);
      kept.push(n);
      return;
    }
    for (const { row, entry } of pathOf(network, pattern.nodes[0])) {
      if (entry === 1) success[row] += n;
      else failure[row] += n;
    }
  });
  return { success, failure, patterns, counts: kept };
}

/** Patterns that cost a logarithm in the hot loop: of more than one node. */
export const isAmbiguous = (pattern: { readonly nodes: Int32Array }): boolean => pattern.nodes.length > 1;
