import type { CompiledNetwork } from "./compiled.js";

/** What the expected records of the touched nodes add up to: a statement a node, and by row what its entries expect. */
export interface UpwardSweep {
  /** Node and the terms of its sum, from the leaves up; node n is then called `e<n>`. */
  readonly sums: readonly { readonly node: number; readonly terms: readonly string[] }[];
  /** [rows]: names of what entry 1 (theta) and entry 0 expect. */
  readonly success: readonly (readonly string[])[];
  readonly failure: readonly (readonly string[])[];
}

/**
 * The upward sweep of a density, for every language that one is written in.
 * @param touched nodes that patterns spread records over @param first what node number i of them has by itself
 */
export function upwardSweep(
  { familyParent, familyRow, rowNames }: CompiledNetwork,
  touched: readonly number[],
  first: (node: number, i: number) => string,
): UpwardSweep {
  const parts = new Map(touched.map((node, i) => [node, [first(node, i)]]));
  const sums: { node: number; terms: readonly string[] }[] = [];
  const success: string[][] = rowNames.map(() => []);
  const failure: string[][] = rowNames.map(() => []);
  for (let f = familyParent.length - 1; f >= 0; f--) {
    for (const [node, entry] of [
      [2 * f + 1, failure],
      [2 * f + 2, success],
    ] as const) {
      const terms = parts.get(node);
      if (terms === undefined) continue;
      sums.push({ node, terms });
      entry[familyRow[f]].push(`e${node}`);
      if (familyParent[f] > 0) parts.set(familyParent[f], [...(parts.get(familyParent[f]) ?? []), `e${node}`]);
    }
  }
  return { sums, success, failure };
}
