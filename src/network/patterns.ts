import { dataError } from "../errors.js";
import type { CompiledNetwork, CompiledPattern } from "./compiled.js";
import { weightedNodes } from "./forms.js";
import type { CellTree } from "./tree.js";

type Levels = ArrayLike<number>;

/** Beyond this many different observations a table of them no longer fits the purpose of a small network. */
const maxObservations = 1 << 20;

interface Patterns {
  patterns: CompiledPattern[];
  /** Pattern of each observation by its mixed-radix index; -1 = contradicts the model. */
  patternTable: Int32Array;
}

/** How many different observations there are. @throws RatError (data) for more than are supported */
export function observationCount(variables: readonly { readonly levels: readonly string[] }[]): number {
  const size = variables.reduce((product, v) => product * (v.levels.length + 1), 1);
  if (size <= maxObservations) return size;
  throw dataError(`the network has ${size} different observations; at most ${maxObservations} are supported`);
}

/** Every set of cells that some observation leaves possible, each once, complete observations first. */
export function buildPatterns(variables: readonly { readonly levels: readonly string[] }[], tree: CellTree): Patterns {
  const size = observationCount(variables);
  const patternTable = new Int32Array(size).fill(-1);
  const patterns: CompiledPattern[] = [];
  const known = new Map<string, number>();
  for (let index = 0; index < size; index++) {
    const levels = observationAt(variables, index);
    const cells = tree.cells.flatMap((cell, c) => (isCompatible(cell.levels, levels) ? [c] : []));
    if (cells.length === 0) continue;
    const key = cells.join();
    let pattern = known.get(key);
    if (pattern === undefined) {
      const weights = new Float64Array(tree.cells.length);
      for (const c of cells) weights[c] = 1;
      const nodes = Int32Array.from(weightedNodes(tree, weights).map(({ node }) => node));
      pattern = patterns.push({ levels, cells, nodes }) - 1;
      known.set(key, pattern);
    }
    patternTable[index] = pattern;
  }
  return { patterns, patternTable };
}

/** Reads an observation (level index of each variable, -1 = not observed) as a pattern; -1 = impossible. */
export function patternIndex(
  network: Pick<CompiledNetwork, "variables" | "patternTable">,
): (levels: ArrayLike<number>) => number {
  const sizes = network.variables.map((v) => v.levels.length);
  return (levels) => {
    let index = 0;
    for (let v = 0; v < sizes.length; v++) {
      const level = levels[v];
      index = index * (sizes[v] + 1) + (level < 0 ? sizes[v] : level);
    }
    return network.patternTable[index];
  };
}

/** The inverse of the index above. "Not observed" is the last digit, so that complete observations come first. */
function observationAt(variables: readonly { readonly levels: readonly string[] }[], index: number): number[] {
  const levels: number[] = new Array(variables.length);
  let rest = index;
  for (let v = variables.length - 1; v >= 0; v--) {
    const base = variables[v].levels.length + 1;
    const digit = rest % base;
    levels[v] = digit === base - 1 ? -1 : digit;
    rest = (rest - digit) / base;
  }
  return levels;
}

function isCompatible(cell: Levels, observed: Levels): boolean {
  for (let v = 0; v < cell.length; v++) if (observed[v] >= 0 && observed[v] !== cell[v]) return false;
  return true;
}
