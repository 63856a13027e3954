import type { SamplerName } from "../../src/engines/engine.js";
import { Sampler } from "../../src/engines/wasm/sampler.js";
import type { WebGpuEngine } from "../../src/engines/webgpu/engine.js";
import { compileNetwork, rat } from "../../src/network/index.js";
import { ranks } from "../../src/statistics/index.js";
import { type Fault, openKernel } from "../support/calibration.js";
import { samplerDefaults } from "../support/kernel.js";
import { meanAndSd, zLimit } from "../support/montecarlo.js";
import { Inputs } from "../support/random.js";

const network = compileNetwork(rat);
const counts = new Inputs(311).array(network.patterns.length, (m) => 20 * (m % 5));

export const pairs = 1000;
/** First draws, from the starts, and later ones. */
const warmups = [0, 100];
/** Standard errors that each correlation may be off: two ways of sampling, chains and refits, all quantities. */
export const dependenceLimit = zLimit(2 * 2 * warmups.length * network.quantities.length);

/** One draw of both chains of so many refits after a warmup, each [quantities][2 chains]. */
export type PairDraws = (warmup: number, refits: number) => Promise<Float64Array[][]>;

const sampling = { ...samplerDefaults, chains: 2, draws: 1, seed: 311 };

export const pairsOfKernel =
  (sampler: SamplerName, fault: Fault = {}): PairDraws =>
  async (warmup, refits) => {
    const opened = new Sampler(network, { ...sampling, sampler, warmup }, 2, false, openKernel(fault));
    return Array.from({ length: refits }, (_, id) => {
      opened.sample(counts, id);
      return network.quantities.map((_, q) => Float64Array.from(opened.drawsOf(q)));
    });
  };

export const pairsOfGpu =
  (engine: WebGpuEngine): PairDraws =>
  async (warmup, refits) => {
    const all: Float64Array[][] = [];
    while (all.length < refits) {
      const ids = Float64Array.from({ length: Math.min(50, refits - all.length) }, (_, i) => all.length + i);
      const same = Float64Array.from({ length: ids.length * counts.length }, (_, i) => counts[i % counts.length]);
      const options = { ...sampling, sampler: "hmc", warmup } as const;
      const sampled = await engine.sampleBatch({ network, counts: same, ids }, options);
      if (typeof sampled === "string") throw new Error(sampled);
      all.push(...sampled.map(({ values }) => [...values]));
    }
    return all;
  };

/**
 * Rank correlations, in standard errors, of what should know nothing of each other: draws of two chains, which for the
 * kernel's hmc share a vector, and of one chain in two refits.
 */
export async function dependence(draws: PairDraws): Promise<{ chains: number[]; refits: number[] }> {
  const chains: number[] = [];
  const refits: number[] = [];
  for (const warmup of warmups) {
    const drawn = await draws(warmup, 2 * pairs);
    for (const q of network.quantities.keys()) {
      const column = (refit: 0 | 1, chain: 0 | 1): Float64Array =>
        Float64Array.from({ length: pairs }, (_, i) => drawn[2 * i + refit][q][chain]);
      chains.push(Math.sqrt(pairs - 1) * rankCorrelation(column(0, 0), column(0, 1)));
      refits.push(Math.sqrt(pairs - 1) * rankCorrelation(column(0, 0), column(1, 0)));
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
