import type { LinearForm } from "./compiled.js";
import type { CellTree } from "./tree.js";

/** The fewest nodes whose probabilities, weighted, sum to the weighted sum of the cells' probabilities. */
export function weightedNodes(
  tree: Pick<CellTree, "familyParent" | "cells">,
  cellWeights: ArrayLike<number>,
): { node: number; weight: number }[] {
  const nodeCount = 2 * tree.familyParent.length + 1;
  const weights = new Float64Array(nodeCount);
  const uniform = new Uint8Array(nodeCount);
  tree.cells.forEach((cell, c) => {
    weights[cell.node] = cellWeights[c];
    uniform[cell.node] = 1;
  });
  for (let family = tree.familyParent.length - 1; family >= 0; family--) {
    const left = 2 * family + 1;
    const right = left + 1;
    if (uniform[left] && uniform[right] && weights[left] === weights[right]) {
      uniform[tree.familyParent[family]] = 1;
      weights[tree.familyParent[family]] = weights[left];
    }
  }
  const nodes: { node: number; weight: number }[] = [];
  for (let node = 0; node < nodeCount; node++) {
    const covered = node > 0 && uniform[tree.familyParent[(node - 1) >> 1]];
    if (uniform[node] && !covered && weights[node] !== 0) nodes.push({ node, weight: weights[node] });
  }
  return nodes;
}

export function linearForm(constant: number, terms: readonly { index: number; weight: number }[]): LinearForm {
  const merged = new Map<number, number>();
  for (const { index, weight } of terms) merged.set(index, (merged.get(index) ?? 0) + weight);
  const kept = [...merged].filter(([, weight]) => weight !== 0).sort(([a], [b]) => a - b);
  return {
    constant,
    indices: Int32Array.from(kept.map(([index]) => index)),
    weights: Float64Array.from(kept.map(([, weight]) => weight)),
  };
}

/** a * x + b * y. */
export function combine(a: number, x: LinearForm, b: number, y: LinearForm): LinearForm {
  const terms = [x, y].flatMap((form, i) =>
    Array.from(form.indices, (index, t) => ({ index, weight: (i === 0 ? a : b) * form.weights[t] })),
  );
  return linearForm(a * x.constant + b * y.constant, terms);
}

export const isConstant = (form: LinearForm): boolean => form.indices.length === 0;
