import type { CompiledNetwork } from "../../network/compiled.js";
import { pathOf } from "../../network/tree.js";
import { inParts, type Pace } from "../../pace.js";
import { logGammaTable } from "./log-gamma-table.js";

/** Compositions between two looks at the clock. */
const partSize = 1 << 14;

/*
 * Each term of the mixture has a Beta(success, failure) for every row, and in its weight their normalising constant
 * Gamma(success) Gamma(failure) / Gamma(success + failure): three arguments a row, numbered 3 row + these.
 */
export const successOf = 0;
export const failureOf = 1;
export const totalOf = 2;

/**
 * The ways to spread some records over nodes: of one ambiguous pattern, or of several patterns together. The mixture's
 * terms are the product of its axes.
 */
export interface Axis {
  readonly length: number;
  /** Log of each way's weight, up to a constant: its multinomial coefficient, and what else depends on it alone. */
  readonly logWeights: Float64Array;
  /** By argument: records that each way adds to it; null: none. */
  readonly increments: readonly (Increments | null)[];
}

export interface Increments {
  readonly values: Int32Array;
  readonly greatest: number;
}

/** The axis without a choice. */
export const point = (network: CompiledNetwork): Axis => ({
  length: 1,
  logWeights: new Float64Array(1),
  increments: new Array(3 * network.rowNames.length).fill(null),
});

/** Ways to spread `count` records over `parts` nodes. */
export function compositionCount(count: number, parts: number): number {
  let product = 1;
  for (let i = 1; i < parts; i++) product = (product * (count + i)) / i;
  return product;
}

/**
 * All ways to spread the records of a pattern over its nodes. What they have in common is added to `base`, one entry an
 * argument.
 */
export async function patternAxis(
  network: CompiledNetwork,
  pattern: number,
  count: number,
  base: Float64Array,
  pace: Pace,
): Promise<Axis> {
  const { nodes } = network.patterns[pattern];
  const { parts, logWeights } = await compositions(count, nodes.length, pace);
  const increments: (Increments | null)[] = [];
  for (const [argument, passes] of nodePasses(network, nodes).entries()) {
    const least = Math.min(...passes);
    const extra = passes.map((times) => times - least);
    base[argument] += least * count;
    increments.push(
      extra.every((times) => times === 0)
        ? null
        : { values: await weightedSum(parts, extra, pace), greatest: count * Math.max(...extra) },
    );
  }
  return { length: logWeights.length, logWeights, increments };
}

/** By argument and node: how many times the node's path adds to the argument. */
function nodePasses(network: CompiledNetwork, nodes: Int32Array): number[][] {
  const passes = Array.from({ length: 3 * network.rowNames.length }, () => new Array<number>(nodes.length).fill(0));
  nodes.forEach((node, j) => {
    for (const { row, entry } of pathOf(network, node)) {
      passes[3 * row + (entry === 1 ? successOf : failureOf)][j]++;
      passes[3 * row + totalOf][j]++;
    }
  });
  return passes;
}

/**
 * Compositions of `count` into parts that may be 0, in the order of Nijenhuis and Wilf 1978, "Combinatorial
 * Algorithms", NEXCOM; one array a part, and the logs of the multinomial coefficients.
 */
async function compositions(count: number, partCount: number, pace: Pace) {
  const length = compositionCount(count, partCount);
  const logFactorial = await logGammaTable(1, count, pace);
  const parts = Array.from({ length: partCount }, () => new Int32Array(length));
  const logWeights = new Float64Array(length);
  const current = new Array<number>(partCount).fill(0);
  current[0] = count;
  await inParts(length, partSize, pace, (from, to) => {
    for (let c = from; c < to; c++) {
      let logWeight = logFactorial[count];
      for (let j = 0; j < partCount; j++) {
        parts[j][c] = current[j];
        logWeight -= logFactorial[current[j]];
      }
      logWeights[c] = logWeight;
      advance(current);
    }
  });
  return { parts, logWeights };
}

/** The next composition: one record of the first part that has any goes to the part behind, the others to the front. */
function advance(composition: number[]): void {
  const first = composition.findIndex((records) => records > 0);
  if (first < 0 || first === composition.length - 1) return;
  const records = composition[first];
  composition[first] = 0;
  composition[0] = records - 1;
  composition[first + 1]++;
}

async function weightedSum(parts: readonly Int32Array[], weights: readonly number[], pace: Pace): Promise<Int32Array> {
  const sum = new Int32Array(parts[0].length);
  for (const [j, weight] of weights.entries()) {
    if (weight === 0) continue;
    const part = parts[j];
    await inParts(sum.length, partSize, pace, (from, to) => {
      for (let c = from; c < to; c++) sum[c] += weight * part[c];
    });
  }
  return sum;
}

/** Every way of one axis with every way of the other, the second running faster. */
export function productAxis(a: Axis, b: Axis): Axis {
  const length = a.length * b.length;
  const logWeights = new Float64Array(length);
  for (let i = 0, at = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++, at++) logWeights[at] = a.logWeights[i] + b.logWeights[j];
  }
  const increments = a.increments.map((left, argument) => {
    const right = b.increments[argument];
    if (left === null && right === null) return null;
    const values = new Int32Array(length);
    for (let i = 0, at = 0; i < a.length; i++) {
      const first = left === null ? 0 : left.values[i];
      for (let j = 0; j < b.length; j++, at++) values[at] = first + (right === null ? 0 : right.values[j]);
    }
    return { values, greatest: (left?.greatest ?? 0) + (right?.greatest ?? 0) };
  });
  return { length, logWeights, increments };
}
