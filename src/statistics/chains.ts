import { FloatScratch } from "./scratch.js";

/** Equally long sequences, one after another: [chains x length], chain by chain. */
export interface Chains {
  readonly values: Float64Array;
  readonly chains: number;
}

/** Chains less their own means. `deviations` is working memory: it holds until the next call of `centre`. */
export interface CentredChains {
  /** [chains x length]; all 0 in a constant chain, exactly. */
  readonly deviations: Float64Array;
  /** [chains]. */
  readonly means: Float64Array;
  /** Sum of all squared deviations. */
  readonly squares: number;
  readonly chains: number;
  readonly length: number;
}

/** Range below which values count as constant: absolute, as in posterior, so one unit of rounding near 1 doesn't count. */
export const constantRange = Number.EPSILON;

const deviationScratch = new FloatScratch();

/** Draws a chain; throws unless `draws` is a whole, positive number of draws for each of `chains` chains. */
export function chainLength(draws: Float64Array, chains: number): number {
  if (!(Number.isInteger(chains) && chains > 0)) {
    throw new RangeError(`${chains} chains: expected a whole number, 1 or more`);
  }
  if (draws.length === 0 || draws.length % chains !== 0) {
    throw new RangeError(`${draws.length} draws: expected a positive multiple of the number of chains, ${chains}`);
  }
  return draws.length / chains;
}

/**
 * Each chain as two, its halves, so that a trend within a chain shows as a difference between chains. An odd chain loses
 * its middle draw; a single draw can't be split and stays. Even chains aren't copied: the halves already lie end to end.
 */
export function splitChains(draws: Float64Array, chains: number): Chains {
  const length = chainLength(draws, chains);
  if (length === 1) return { values: draws, chains };
  if (length % 2 === 0) return { values: draws, chains: 2 * chains };
  const half = (length - 1) / 2;
  const values = new Float64Array(2 * half * chains);
  for (let chain = 0; chain < chains; chain++) {
    const start = chain * length;
    values.set(draws.subarray(start, start + half), 2 * half * chain);
    values.set(draws.subarray(start + half + 1, start + length), 2 * half * chain + half);
  }
  return { values, chains: 2 * chains };
}

/** The 0-based numbers of the chains that never moved: two or more draws, all equal. */
export function stuckChains(draws: Float64Array, chains: number): number[] {
  const length = chainLength(draws, chains);
  const stuck: number[] = [];
  if (length === 1) return stuck;
  for (let chain = 0; chain < chains; chain++) {
    const end = (chain + 1) * length;
    let i = chain * length + 1;
    while (i < end && draws[i] === draws[i - 1]) i++;
    if (i === end) stuck.push(chain);
  }
  return stuck;
}

/** Whether the range of the values is 0, or as good as. */
export function isConstant(values: Float64Array): boolean {
  let lowest = Infinity;
  let highest = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  return highest - lowest < constantRange;
}

/** Whether there is convergence to judge: all values finite, and not constant. */
export function isJudgeable(values: Float64Array): boolean {
  return allFinite(values) && !isConstant(values);
}

/** Whether every value is a finite number. */
export function allFinite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) {
    if (!(Math.abs(values[i]) <= Number.MAX_VALUE)) return false;
  }
  return true;
}

/** The chains less their means, or null where there is no convergence to judge. */
export function centre({ values, chains }: Chains): CentredChains | null {
  const length = values.length / chains;
  const deviations = deviationScratch.take(values.length);
  const means = new Float64Array(chains);
  let lowest = Infinity;
  let highest = -Infinity;
  let squares = 0;
  for (let chain = 0; chain < chains; chain++) {
    const start = chain * length;
    const end = start + length;
    // Relative to the first value: a constant chain gets exactly its value as mean, and exactly no variance.
    const first = values[start];
    let sum = 0;
    for (let i = start; i < end; i++) {
      const value = values[i];
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
      sum += value - first;
    }
    const mean = first + sum / length;
    means[chain] = mean;
    for (let i = start; i < end; i++) {
      const deviation = values[i] - mean;
      deviations[i] = deviation;
      squares += deviation * deviation;
    }
  }
  // A value that isn't finite makes the squares NaN.
  if (!Number.isFinite(squares) || highest - lowest < constantRange) return null;
  return { deviations, means, squares, chains, length };
}
