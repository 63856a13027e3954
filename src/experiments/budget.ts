import type { CompiledNetwork } from "../network/compiled.js";
import { alwaysSeen, kinds, type Purchase, segmentSizes } from "./purchase.js";

/** What the additional ones of a sweep are counted in: the paper's text says records, parts of it fit labels better. */
export interface Budget {
  /** labels: a record with R and T costs two; each part of a mixed strategy has its share of the labels. */
  readonly unit: "records" | "labels";
  /** Nothing is paid for a label that what is seen anyway implies, such as T of an abstention: another one is bought. */
  readonly skipImplied: boolean;
}

export const budgetUnits: readonly Budget["unit"][] = ["records", "labels"];

/** What a record of each cell of the network costs when labels of a kind are bought, [cells]. */
export function costsOf(network: CompiledNetwork, kind: string, { unit, skipImplied }: Budget): Int32Array {
  const bought = numbersOf(network, kinds[kind]);
  return Int32Array.from(network.cells, (_, c) => {
    const paid = skipImplied ? bought.filter((v) => !isImplied(network, c, v)) : bought;
    return unit === "labels" ? paid.length : Math.min(paid.length, 1);
  });
}

/** Records that a budget of `add` may need: the most of all strategies. @param population [cells] */
export function recordsNeeded(
  network: CompiledNetwork,
  population: Float64Array,
  purchases: readonly Purchase[],
  adds: readonly number[],
  budget: Budget,
): number {
  const total = population.reduce((sum, n) => sum + n, 0);
  const most = (purchase: Purchase, add: number): number =>
    segmentSizes(purchase, add).reduce((sum, size, s) => {
      const costs = costsOf(network, purchase.segments[s].kind, budget);
      const dearest = Math.max(...costs);
      if (!budget.skipImplied) return sum + Math.floor(size / dearest);
      // How many come free is left to chance: half as many again as on average, and some.
      const average = population.reduce((all, n, c) => all + n * costs[c], 0) / total;
      return sum + Math.ceil((1.5 * size) / Math.max(average, 1e-9)) + 50;
    }, 0);
  return Math.max(0, ...purchases.flatMap((purchase) => adds.map((add) => most(purchase, add))));
}

/** Share of the records of which A tells T; null where no strategy buys labels of T alone, or it skips those. */
export function impliedShareOf(design: {
  readonly network: CompiledNetwork;
  readonly population: Float64Array;
  readonly purchases: readonly Purchase[];
  readonly budget: Budget;
}): number | null {
  const { network, population, purchases, budget } = design;
  if (budget.skipImplied || !purchases.some(({ segments }) => segments.some(({ kind }) => kind === "T"))) return null;
  const [v] = numbersOf(network, ["T"]);
  const implied = population.reduce((sum, n, c) => sum + (isImplied(network, c, v) ? n : 0), 0);
  return implied / population.reduce((sum, n) => sum + n, 0);
}

/** Whether all cells that look like this one before anything is bought have the same level of a variable. */
function isImplied({ cells, variables }: CompiledNetwork, cell: number, variable: number): boolean {
  const seen = variables.flatMap(({ name }, v) => (alwaysSeen.includes(name) ? [v] : []));
  const { levels } = cells[cell];
  return cells
    .filter((other) => seen.every((v) => other.levels[v] === levels[v]))
    .every((other) => other.levels[variable] === levels[variable]);
}

const numbersOf = ({ variables }: CompiledNetwork, names: readonly string[]): number[] =>
  names.map((wanted) => variables.findIndex(({ name }) => name === wanted)).filter((v) => v >= 0);
