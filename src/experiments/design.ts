import { dataError } from "../errors.js";
import { STREAM_SUBSAMPLE } from "../generated/layout.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { patternIndex } from "../network/patterns.js";
import { Stream } from "../random/stream.js";
import { type Budget, costsOf, recordsNeeded } from "./budget.js";
import { type Purchase, revealedPatterns, segmentSizes } from "./purchase.js";
import { subsample } from "./subsample.js";

/** One refit of every replicate: a strategy at one number of additional records, or of labels if that is the budget. */
export interface Cell {
  readonly strategy: string;
  readonly add: number;
}

/** The allocation experiment on one population: what each replicate fits. */
export interface Design {
  readonly network: CompiledNetwork;
  /** Records a cell of the network, [cells]. */
  readonly population: Float64Array;
  readonly base: number;
  readonly purchases: readonly Purchase[];
  readonly adds: readonly number[];
  readonly budget: Budget;
  /** Records that a replicate draws: base and the most that any strategy may need. */
  readonly sample: number;
  readonly seed: number;
  /** The pattern that each cell shows with every label, and with those that a kind of purchase reveals, [cells]. */
  readonly whole: Int32Array;
  readonly revealed: ReadonlyMap<string, Int32Array>;
  /** What a record of each cell costs when labels of a kind are bought, [cells]. */
  readonly costs: ReadonlyMap<string, Int32Array>;
  /** Base alone first, then by strategy as given, additions ascending. */
  readonly cells: readonly Cell[];
}

/**
 * @throws RatError (data) where the population is smaller than the largest sample, (usage) for kinds of labels that the
 * network doesn't have.
 */
export function makeDesign(
  network: CompiledNetwork,
  population: Float64Array,
  options: {
    base: number;
    purchases: readonly Purchase[];
    adds: readonly number[];
    budget: Budget;
    seed: number;
    source: string;
  },
): Design {
  const { base, purchases, budget, seed, source } = options;
  const adds = [...new Set(options.adds)].filter((add) => add > 0).sort((a, b) => a - b);
  const kinds = purchases.flatMap(({ segments }) => segments.map(({ kind }) => kind));
  const revealed = new Map(kinds.map((kind) => [kind, revealedPatterns(network, kind)]));
  const needed = base + recordsNeeded(network, population, purchases, adds, budget);
  const total = population.reduce((sum, n) => sum + n, 0);
  if (total < needed) {
    throw dataError(
      `${total} records hold every label, but --base ${base} with the largest --add needs ${needed}; ` +
        "lower them or bring more fully labelled records",
      { file: source },
    );
  }
  const cells = [
    { strategy: "base", add: 0 },
    ...purchases.flatMap(({ name }) => adds.map((add) => ({ strategy: name, add }))),
  ];
  const indexOf = patternIndex(network);
  const whole = Int32Array.from(network.cells, ({ levels }) => indexOf(levels));
  const costs = new Map(kinds.map((kind) => [kind, costsOf(network, kind, budget)]));
  return { network, population, base, purchases, adds, budget, sample: needed, seed, whole, revealed, costs, cells };
}

/** The records of a source that show every label, [cells], and how many others there are. */
export function populationOf(
  network: CompiledNetwork,
  counts: Float64Array,
): { population: Float64Array; partial: number } {
  const population = new Float64Array(network.cells.length);
  let partial = 0;
  network.patterns.forEach(({ cells }, m) => {
    if (cells.length === 1) population[cells[0]] = counts[m];
    else partial += counts[m];
  });
  return { population, partial };
}

/** The population as counts of a refit, [patterns]. */
export function populationCounts(network: CompiledNetwork, population: Float64Array): Float64Array {
  const counts = new Float64Array(network.patterns.length);
  const indexOf = patternIndex(network);
  network.cells.forEach(({ levels }, c) => {
    counts[indexOf(levels)] = population[c];
  });
  return counts;
}

/**
 * Counts of every cell of a replicate, [cells x patterns]. One permutation serves all strategies and budgets (common
 * random numbers), so that their differences are paired.
 */
export function replicateCounts(design: Design, replicate: number): Float64Array {
  const { network, population, base, purchases, adds, sample } = design;
  const patterns = network.patterns.length;
  const stream = new Stream(design.seed, replicate, STREAM_SUBSAMPLE);
  const records = subsample(population, sample, stream);
  const seen = new Float64Array(patterns);
  for (let i = 0; i < base; i++) seen[design.whole[records[i]]]++;
  const counts = new Float64Array(design.cells.length * patterns);
  counts.set(seen, 0);
  let at = patterns;
  for (const purchase of purchases) {
    for (const add of adds) {
      const cell = counts.subarray(at, at + patterns);
      cell.set(seen);
      let i = base;
      segmentSizes(purchase, add).forEach((size, s) => {
        const { kind } = purchase.segments[s];
        const revealed = design.revealed.get(kind) as Int32Array;
        const costs = design.costs.get(kind) as Int32Array;
        // What is left of a share that doesn't pay for one more record is not spent.
        for (let left = size; left > 0; i++) {
          if (i === records.length) {
            if (!design.budget.skipImplied) break;
            throw dataError("the records run out before the labels are bought: lower --add");
          }
          const cost = costs[records[i]];
          if (cost > left) break;
          left -= cost;
          cell[revealed[records[i]]]++;
        }
      });
      at += patterns;
    }
  }
  return counts;
}
