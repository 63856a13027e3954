import type { CompiledNetwork } from "../../src/network/index.js";
import { pathOf } from "../../src/network/tree.js";
import type { Observations } from "./exact-support.js";

/*
 * Two slow ways to a posterior that share nothing with the engine but the network: enumeration of the cell of every
 * record, and numerical integration over the parameters.
 */

/** The weight of each cell in a quantity that is linear in their probabilities. */
export type CellWeights = (levels: readonly number[]) => number;

/** How often a cell passes each row's entries: [entry 0, entry 1] a row. */
type Passes = Int32Array;

/**
 * Mean and sd of linear quantities: a sum over all ways in which the records, one by one, can have come from cells.
 * Rising factorials instead of Beta functions.
 */
export function enumerate(network: CompiledNetwork, observations: Observations, quantities: readonly CellWeights[]) {
  const cells = network.cells.map(({ levels, node }) => ({ levels, passes: passesOf(network, node) }));
  const records = observations.flatMap(([levels, times]) =>
    Array.from({ length: times }, () =>
      cells.filter((cell) => levels.every((level, v) => level < 0 || level === cell.levels[v])),
    ),
  );
  const counts = new Int32Array(2 * network.rowNames.length);
  const sums = quantities.map(() => ({ first: 0, second: 0 }));
  let total = 0;
  const visit = (record: number): void => {
    if (record < records.length) {
      for (const { passes } of records[record]) {
        passes.forEach((times, k) => {
          counts[k] += times;
        });
        visit(record + 1);
        passes.forEach((times, k) => {
          counts[k] -= times;
        });
      }
      return;
    }
    const weight = expectation(network, new Int32Array(counts.length), counts);
    total += weight;
    quantities.forEach((weightOf, q) => {
      const terms = cells.flatMap(({ levels, passes }) =>
        weightOf(levels) === 0 ? [] : [{ w: weightOf(levels), passes }],
      );
      for (const { w, passes } of terms) {
        sums[q].first += weight * w * expectation(network, counts, passes);
        for (const other of terms) {
          const both = passes.map((times, k) => times + other.passes[k]);
          sums[q].second += weight * w * other.w * expectation(network, counts, both);
        }
      }
    });
  };
  visit(0);
  return sums.map(({ first, second }) => ({
    mean: first / total,
    sd: Math.sqrt(second / total - (first / total) ** 2),
  }));
}

function passesOf(network: CompiledNetwork, node: number): Passes {
  const passes = new Int32Array(2 * network.rowNames.length);
  for (const { row, entry } of pathOf(network, node)) passes[2 * row + entry]++;
  return passes;
}

/** E of a product of entries to these powers, after these counts: a ratio of rising factorials a row. */
function expectation(network: CompiledNetwork, counts: Passes, powers: Passes): number {
  let product = 1;
  for (let row = 0; row < network.rowNames.length; row++) {
    const failure = network.priorFailure[row] + counts[2 * row];
    const success = network.priorSuccess[row] + counts[2 * row + 1];
    const [i, j] = [powers[2 * row], powers[2 * row + 1]];
    product *= (rising(failure, i) * rising(success, j)) / rising(failure + success, i + j);
  }
  return product;
}

function rising(a: number, n: number): number {
  let product = 1;
  for (let k = 0; k < n; k++) product *= a + k;
  return product;
}

/** Nodes and weights of Gauss and Legendre's rule on (0, 1), which is exact for polynomials up to degree 2 size - 1. */
function gaussLegendre(size: number): { at: number; weight: number }[] {
  return Array.from({ length: size }, (_, i) => {
    let x = Math.cos((Math.PI * (i + 0.75)) / (size + 0.5));
    let slope = 0;
    for (let iteration = 0; iteration < 20; iteration++) {
      let [before, value] = [1, x];
      for (let n = 2; n <= size; n++) [before, value] = [value, ((2 * n - 1) * x * value - (n - 1) * before) / n];
      slope = (size * (x * value - before)) / (x * x - 1);
      x -= value / slope;
    }
    return { at: (1 + x) / 2, weight: 1 / ((1 - x * x) * slope * slope) };
  });
}

/**
 * Mean and sd of any functions of the parameters under a density on the unit cube, up to its constant. Exact for
 * polynomials of a degree below 2 size in each.
 */
export function integrate(
  dimensions: number,
  size: number,
  density: (theta: readonly number[]) => number,
  functions: readonly ((theta: readonly number[]) => number)[],
) {
  const rule = gaussLegendre(size);
  let total = 0;
  const sums = functions.map(() => ({ first: 0, second: 0 }));
  for (let point = 0; point < size ** dimensions; point++) {
    const nodes = Array.from({ length: dimensions }, (_, k) => rule[Math.floor(point / size ** k) % size]);
    const theta = nodes.map(({ at }) => at);
    const weight = density(theta) * nodes.reduce((product, node) => product * node.weight, 1);
    total += weight;
    functions.forEach((f, q) => {
      const value = f(theta);
      sums[q].first += weight * value;
      sums[q].second += weight * value * value;
    });
  }
  return sums.map(({ first, second }) => ({
    mean: first / total,
    sd: Math.sqrt(second / total - (first / total) ** 2),
  }));
}
