import { RatError } from "../../errors.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import { fold } from "../../network/fold.js";
import { inParts, type Pace } from "../../pace.js";
import {
  type Axis,
  compositionCount,
  failureOf,
  type Increments,
  patternAxis,
  point,
  productAxis,
  successOf,
  totalOf,
} from "./axis.js";
import { laneCount } from "./beta-factors.js";
import { logGammaTable } from "./log-gamma-table.js";

/** More terms than this take too much memory and time. */
export const maxTerms = 1e7;

/**
 * The lightest terms are left out of moments: at most as many as, all together, hold this part of the posterior. A mean
 * moves by less than this part of the quantity's range, which is below the rounding of a double.
 */
const leftOut = 1e-17;

/**
 * The posterior of a refit, exactly: a mixture over all ways in which its ambiguous records can belong to the nodes of
 * their patterns. Given the nodes the rows are independent Betas, and the weight of a way is the product of its
 * multinomial coefficients and of B(success, failure) over the rows.
 *
 * Term t is way t / inner.length of the outer axis with way t % inner.length of the inner one.
 */
export interface Mixture {
  /** By argument (see axis.ts): prior, fixed counts, and what all terms add. */
  readonly base: Float64Array;
  readonly outer: Axis;
  readonly inner: Axis;
  readonly terms: number;
  /** [terms], relative to the heaviest. */
  readonly weights: Float64Array;
  /** Terms lighter than this may be left out. */
  readonly leastWeight: number;
}

/** The number of terms of a refit's posterior, which grows with its ambiguous records: 1 if there are none. */
export function mixtureTerms(network: CompiledNetwork, counts: ArrayLike<number>): number {
  const folded = fold(network, counts);
  return folded.patterns.reduce(
    (terms, m, i) => terms * compositionCount(folded.counts[i], network.patterns[m].nodes.length),
    1,
  );
}

/** @throws RatError (unavailable) if there are too many terms */
export async function buildMixture(network: CompiledNetwork, counts: ArrayLike<number>, pace: Pace): Promise<Mixture> {
  pace.check();
  checkTerms(mixtureTerms(network, counts));
  const { success, failure, patterns, counts: ambiguous } = fold(network, counts);
  const base = new Float64Array(3 * success.length);
  for (let row = 0; row < success.length; row++) {
    base[3 * row + successOf] = success[row];
    base[3 * row + failureOf] = failure[row];
    base[3 * row + totalOf] = success[row] + failure[row];
  }
  const axes: Axis[] = [];
  for (const [i, pattern] of patterns.entries()) {
    axes.push(await patternAxis(network, pattern, ambiguous[i], base, pace));
  }
  const [outer, inner] = twoAxes(network, axes);
  return { base, outer, inner, ...(await weigh(base, outer, inner, pace)) };
}

/** @throws RatError (unavailable) if there are too many */
export function checkTerms(terms: number): void {
  if (terms <= maxTerms) return;
  const number = terms < 1e15 ? terms.toLocaleString("en-US") : terms.toPrecision(3);
  throw new RatError(
    "unavailable",
    `the exact posterior of these records is a mixture of ${number} terms, as labels are missing; the exact engine ` +
      `takes up to ${maxTerms.toLocaleString("en-US")}: use --engine wasm`,
  );
}

/** One axis to loop over outside and a longer one inside: the two shortest become one until two are left. */
function twoAxes(network: CompiledNetwork, axes: readonly Axis[]): [Axis, Axis] {
  const rest = [...axes];
  while (rest.length < 2) rest.push(point(network));
  rest.sort((a, b) => a.length - b.length);
  while (rest.length > 2) {
    const [shortest, next] = rest.splice(0, 2);
    rest.push(productAxis(shortest, next));
    rest.sort((a, b) => a.length - b.length);
  }
  return [rest[0], rest[1]];
}

/** A factor of the weights that depends on both axes, to look up at outer increment + inner increment. */
interface JointTable {
  readonly sign: number;
  readonly logGamma: Float64Array;
  readonly outer: Int32Array;
  readonly inner: Int32Array;
}

/** The normalising constants of the rows: those that one axis alone changes go to its weights, the others to tables. */
async function normalise(base: Float64Array, outer: Axis, inner: Axis, pace: Pace): Promise<JointTable[]> {
  const tables: JointTable[] = [];
  for (let argument = 0; argument < base.length; argument++) {
    const o = outer.increments[argument];
    const i = inner.increments[argument];
    if (o === null && i === null) continue;
    const logGamma = await logGammaTable(base[argument], (o?.greatest ?? 0) + (i?.greatest ?? 0), pace);
    const sign = argument % 3 === totalOf ? -1 : 1;
    if (i === null) await addLookups(outer.logWeights, sign, logGamma, o as Increments, pace);
    else if (o === null) await addLookups(inner.logWeights, sign, logGamma, i, pace);
    else tables.push({ sign, logGamma, outer: o.values, inner: i.values });
  }
  return tables;
}

async function addLookups(
  logWeights: Float64Array,
  sign: number,
  logGamma: Float64Array,
  { values }: Increments,
  pace: Pace,
): Promise<void> {
  await inParts(logWeights.length, 1 << 14, pace, (from, to) => {
    for (let i = from; i < to; i++) logWeights[i] += sign * logGamma[values[i]];
  });
}

async function weigh(base: Float64Array, outer: Axis, inner: Axis, pace: Pace) {
  const tables = await normalise(base, outer, inner, pace);
  const terms = outer.length * inner.length;
  const weights = new Float64Array(terms);
  let greatest = Number.NEGATIVE_INFINITY;
  await forEachChunk({ outer, inner }, pace, (o, from, to, start) => {
    const shift = start - from;
    for (let i = from; i < to; i++) weights[shift + i] = outer.logWeights[o] + inner.logWeights[i];
    for (const table of tables) {
      const { sign, logGamma, inner: increments } = table;
      const offset = table.outer[o];
      for (let i = from; i < to; i++) weights[shift + i] += sign * logGamma[offset + increments[i]];
    }
    greatest = Math.max(greatest, greatestOf(weights, start, shift + to));
  });
  let total = 0;
  await forEachChunk({ outer, inner }, pace, (_, from, to, start) => {
    total += exponentiate(weights, start, start + to - from, greatest);
  });
  return { terms, weights, leastWeight: (leftOut * total) / terms };
}

function greatestOf(values: Float64Array, from: number, to: number): number {
  let greatest = values[from];
  for (let i = from; i < to; i++) greatest = Math.max(greatest, values[i]);
  return greatest;
}

/** Logs of weights to weights relative to the greatest, in place; returns their sum. */
function exponentiate(weights: Float64Array, from: number, to: number, greatest: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) {
    weights[i] = Math.exp(weights[i] - greatest);
    sum += weights[i];
  }
  return sum;
}

/** Calls work(outer way, first inner way, behind the last, first term) for all terms in order, with rests between. */
export async function forEachChunk(
  { outer, inner }: Pick<Mixture, "outer" | "inner">,
  pace: Pace,
  work: (outerWay: number, from: number, to: number, start: number) => void,
): Promise<void> {
  for (let o = 0; o < outer.length; o++) {
    for (let from = 0; from < inner.length; from += laneCount) {
      work(o, from, Math.min(from + laneCount, inner.length), o * inner.length + from);
      if (pace.isDue()) await pace.rest();
    }
  }
}
