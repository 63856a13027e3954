import type { SamplerName } from "../../src/engines/engine.js";
import { Sampler } from "../../src/engines/wasm/sampler.js";
import { compileNetwork, rat } from "../../src/network/index.js";
import { ranks } from "../../src/statistics/index.js";
import { type Fault, openKernel } from "../support/calibration.js";
import { samplerDefaults } from "../support/kernel.js";
import { meanAndSd, zLimit } from "../support/montecarlo.js";
import { Inputs } from "../support/random.js";

const network = compileNetwork(rat);

export const pairs = 1000;
/** First draws, from the starts, and later ones. */
const warmups = [0, 100];
/** Standard errors that each correlation may be off: both samplers, chains and refits, all quantities. */
export const dependenceLimit = zLimit(2 * 2 * warmups.length * network.quantities.length);

/**
 * Rank correlations, in standard errors, of what should know nothing of each other: draws of two chains, which for hmc
 * share a vector, and of one chain in two refits.
 */
export function dependence(sampler: SamplerName, fault: Fault = {}): { chains: number[]; refits: number[] } {
  const counts = new Inputs(311).array(network.patterns.length, (m) => 20 * (m % 5));
  const chains: number[] = [];
  const refits: number[] = [];
  for (const warmup of warmups) {
    const options = { ...samplerDefaults, sampler, chains: 2, warmup, draws: 1, seed: 311 };
    const opened = new Sampler(network, options, 2, false, openKernel(fault));
    const drawn = network.quantities.map(() => [0, 1, 2].map(() => new Float64Array(pairs)));
    for (let i = 0; i < pairs; i++) {
      opened.sample(counts, 2 * i);
      for (const [q, columns] of drawn.entries())
        for (const chain of [0, 1]) columns[chain][i] = opened.drawsOf(q)[chain];
      opened.sample(counts, 2 * i + 1);
      for (const [q, columns] of drawn.entries()) columns[2][i] = opened.drawsOf(q)[0];
    }
    for (const [first, chain, refit] of drawn) {
      chains.push(Math.sqrt(pairs - 1) * rankCorrelation(first, chain));
      refits.push(Math.sqrt(pairs - 1) * rankCorrelation(first, refit));
    }
  }
  return { chains, refits };
}

/** Spearman's; NaN where one side never changes. */
function rankCorrelation(a: Float64Array, b: Float64Array): number {
  const [x, y] = [a, b].map((values) => ranks(values));
  const [of, and] = [meanAndSd(x), meanAndSd(y)];
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] - of.mean) * (y[i] - and.mean);
  return sum / ((x.length - 1) * of.sd * and.sd);
}

export const independent = (statistics: readonly number[]): boolean =>
  statistics.every((z) => Math.abs(z) < dependenceLimit); // false for NaN
