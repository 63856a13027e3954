import type { CompiledNetwork } from "./compiled.js";
import { isAmbiguous } from "./fold.js";

/** What straight-line code is written for: the tree, its rows, and the nodes that ambiguous patterns touch. */
export const shapeOf = (network: CompiledNetwork): string =>
  [network.familyParent, network.familyRow, touchedNodes(network)].map((numbers) => numbers.join()).join(" ");

/** Nodes of ambiguous patterns, ascending. */
export const touchedNodes = ({ patterns }: CompiledNetwork): number[] =>
  [...new Set(patterns.filter(isAmbiguous).flatMap(({ nodes }) => [...nodes]))].sort((a, b) => a - b);
