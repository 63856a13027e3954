// The diagonal inverse mass matrix, kept as its square root: scale_k = sqrt(inverse mass matrix)_k = posterior standard
// deviation of logit k. Momenta are kept in its units (r = M^(-1/2) p), so that they are standard normal and kinetic
// energy and U-turns need no metric. Welford's (1962) running variance; V = f64: one chain, V = v128: two, pooled.
import { add, constant, div, mul, sub } from "./lanes";

/** Records that a guess at the variance is worth against the sampled ones, as in Stan's regularisation. */
const GUESS_WEIGHT: f64 = 5.0;

// Block: [dimensions] of running mean, then [dimensions] of summed squared deviations, in lanes.

export function clearVariance<V>(block: usize, dimensions: usize): void {
  memory.fill(block, 0, 2 * dimensions * sizeof<V>());
}

/** Adds position number `count` (from 1). */
export function addPosition<V>(block: usize, position: usize, dimensions: usize, count: f64): void {
  const span = dimensions * sizeof<V>();
  const n = constant<V>(count);
  for (let at: usize = 0; at < span; at += sizeof<V>()) {
    const x = load<V>(position + at);
    const mean = load<V>(block + at);
    const delta = sub<V>(x, mean);
    const next = add<V>(mean, div<V>(delta, n));
    store<V>(block + at, next);
    store<V>(block + span + at, add<V>(load<V>(block + span + at), mul<V>(delta, sub<V>(x, next))));
  }
}

/**
 * Variance of one dimension, shrunk towards a guess: unlike towards a fixed constant, that works at every number of
 * records. Falls back on the guess where the running variance is of no use.
 */
export function shrunkVariance<V>(block: usize, dimensions: usize, k: usize, count: f64, guess: f64): f64 {
  const lanes: f64 = isVector<V>() ? 2.0 : 1.0;
  const squares = block + (dimensions + k) * sizeof<V>();
  let sum = load<f64>(squares);
  if (isVector<V>()) sum += load<f64>(squares, 8);
  const n = lanes * count;
  const shrunk = (n * (sum / (n - lanes)) + GUESS_WEIGHT * guess) / (n + GUESS_WEIGHT);
  return shrunk > 0.0 && shrunk < Infinity ? shrunk : guess;
}

/** Sets scale, f64 [dimensions], from the running variance; the guess is what scale stands for now. */
export function updateScale(scale: usize, block: usize, dimensions: usize, count: f64): void {
  for (let k: usize = 0; k < dimensions; k++) {
    const guess = load<f64>(scale + 8 * k) * load<f64>(scale + 8 * k);
    store<f64>(scale + 8 * k, Math.sqrt(shrunkVariance<f64>(block, dimensions, k, count, guess)));
  }
}
