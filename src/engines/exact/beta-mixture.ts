import type { Pace } from "../../pace.js";
import { betaCdf, betaMass } from "../../statistics/incomplete-beta.js";
import { failureOf, type Increments, successOf } from "./axis.js";
import type { BetaQuantile } from "./beta-quantile.js";
import { forEachChunk, type Mixture } from "./mixture.js";

/** Pairs of increments of a row's Beta that a table has room for. */
const maxPairs = 2 ** 20;
/** Components times steps of a continued fraction, about the square root of the records, that a quantile may cost. */
const maxWork = 1e7;
/** The lightest components are left out: all of them together hold less than this, which moves a quantile by less. */
const leftOut = 1e-13;

/** The marginal distribution of a row's parameter: a mixture of Betas, equal ones gathered. */
export interface BetaMixture {
  readonly success: Float64Array;
  readonly failure: Float64Array;
  /** They sum to 1. */
  readonly weights: Float64Array;
}

const one = Float64Array.of(1);

/** null: of too many or too long components to be worth while. */
export async function marginalOf(mixture: Mixture, row: number, pace: Pace): Promise<BetaMixture | null> {
  const { base, outer, inner } = mixture;
  const [s, f] = [3 * row + successOf, 3 * row + failureOf];
  const distinct = (argument: number): number =>
    1 + (outer.increments[argument]?.greatest ?? 0) + (inner.increments[argument]?.greatest ?? 0);
  const successes = distinct(s);
  const failures = distinct(f);
  if (successes * failures === 1) return { success: base.slice(s, s + 1), failure: base.slice(f, f + 1), weights: one };
  if (successes * failures > maxPairs) return null;
  const pairs = new Float64Array(successes * failures);
  await forEachChunk(mixture, pace, (o, from, to, start) => {
    const at = increment(outer.increments[s], o) * failures + increment(outer.increments[f], o);
    for (let i = from; i < to; i++) {
      const pair = at + increment(inner.increments[s], i) * failures + increment(inner.increments[f], i);
      pairs[pair] += mixture.weights[start + i - from];
    }
  });
  const total = pairs.reduce((sum, weight) => sum + weight, 0);
  const kept = Array.from(pairs.keys()).filter((pair) => pairs[pair] * pairs.length > leftOut * total);
  const steps = Math.sqrt(base[s] + base[f] + successes + failures);
  if (kept.length * steps > maxWork) return null;
  const keptTotal = kept.reduce((sum, pair) => sum + pairs[pair], 0);
  return {
    success: Float64Array.from(kept, (pair) => base[s] + Math.floor(pair / failures)),
    failure: Float64Array.from(kept, (pair) => base[f] + (pair % failures)),
    weights: Float64Array.from(kept, (pair) => pairs[pair] / keptTotal),
  };
}

const increment = (column: Increments | null, way: number): number => (column === null ? 0 : column.values[way]);

/**
 * Where the distribution function reaches `probability`: Newton's method from the quantile of the Beta of the same mean
 * and variance, within a bracket.
 */
export async function mixtureQuantile(
  marginal: BetaMixture,
  probability: number,
  betaQuantile: BetaQuantile,
  pace: Pace,
): Promise<number> {
  let low = 0;
  let high = 1;
  const { sd, start } = alike(marginal, probability, betaQuantile);
  let x = start;
  for (let iteration = 0; iteration < 200; iteration++) {
    const { cdf, density } = await evaluate(marginal, x, pace);
    if (cdf < probability) low = x;
    else high = x;
    const newton = x - (cdf - probability) / density;
    const next = newton >= low && newton <= high ? newton : (low + high) / 2;
    const step = Math.abs(next - x);
    x = next;
    // Each step squares the error, measured by these scales of the distribution: after this one nothing is left.
    if (step <= 1e-7 * Math.min(sd, x, 1 - x)) break;
  }
  return x;
}

/** The quantile of the Beta of the same mean and variance. */
function alike({ success, failure, weights }: BetaMixture, probability: number, betaQuantile: BetaQuantile) {
  let mean = 0;
  let square = 0;
  for (let c = 0; c < weights.length; c++) {
    const total = success[c] + failure[c];
    mean += (weights[c] * success[c]) / total;
    square += (weights[c] * success[c] * (success[c] + 1)) / (total * (total + 1));
  }
  const variance = square - mean * mean;
  const total = (mean * (1 - mean)) / variance - 1;
  const start = betaQuantile(probability, mean * total, (1 - mean) * total);
  return { sd: Math.sqrt(variance), start: start > 0 && start < 1 ? start : 0.5 };
}

async function evaluate({ success, failure, weights }: BetaMixture, x: number, pace: Pace) {
  let cdf = 0;
  let density = 0;
  for (let c = 0; c < weights.length; c++) {
    const mass = betaMass(x, success[c], failure[c]);
    cdf += weights[c] * betaCdf(x, success[c], failure[c], mass);
    density += weights[c] * mass;
    if ((c & 0xff) === 0 && pace.isDue()) await pace.rest();
  }
  return { cdf, density: density / (x * (1 - x)) };
}
