import type { SamplerName } from "../../src/engines/engine.js";
import type { KernelExports } from "../../src/engines/wasm/kernel.js";
import { Sampler } from "../../src/engines/wasm/sampler.js";
import type { WebGpuEngine } from "../../src/engines/webgpu/engine.js";
import type { CompiledNetwork } from "../../src/network/index.js";
import { samplerDefaults } from "./kernel.js";

/** Ranks that a truth can have among the draws of its posterior: one more than these. */
export const ranks = 20;

/**
 * Fits data sets, numbered from `first`, and gives each one's number and draws, [quantities][ranks - 1]. Draws are as good
 * as independent, since the rank of a truth among draws that are not is not uniform.
 */
export type RankDraws = (
  counts: readonly Float64Array[],
  first: number,
) => Iterable<[number, Float64Array[]]> | AsyncIterable<[number, Float64Array[]]>;

/** Iterations between draws of one chain: enough for any to be independent. */
const thinning = { nuts: 20, hmc: 10 };

/** Draws of one chain, far enough apart. */
export function drawsOfKernel(
  network: CompiledNetwork,
  seed: number,
  name: SamplerName,
  kernel: KernelExports,
): RankDraws {
  const thin = thinning[name];
  const draws = (ranks - 1) * thin;
  const chains = name === "hmc" ? 2 : 1;
  const options = { ...samplerDefaults, sampler: name, chains, warmup: 300, draws, seed };
  const sampler = new Sampler(network, options, chains, false, kernel);
  return function* (counts, first) {
    for (const [i, own] of counts.entries()) {
      sampler.sample(own, first + i);
      const columns = network.quantities.map((_, q) => sampler.drawsOf(q));
      yield [
        first + i,
        columns.map((column) => Float64Array.from({ length: ranks - 1 }, (_, draw) => column[(draw + 1) * thin - 1])),
      ];
    }
  };
}

/**
 * One draw of each of 19 chains, which cost no more than one: the first chain's first, the second one's second and so on,
 * so that those right after warmup are looked at as well as later ones.
 */
export function drawsOfGpu(network: CompiledNetwork, seed: number, engine: WebGpuEngine): RankDraws {
  const chains = ranks - 1;
  const options = { sampler: "hmc", chains, warmup: 128, draws: chains, seed, level: 0.95 } as const;
  return async function* (counts, first) {
    const all = Float64Array.from(counts.flatMap((own) => [...own]));
    const ids = Float64Array.from(counts, (_, i) => first + i);
    const sampled = await engine.sampleBatch({ network, counts: all, ids }, options);
    if (typeof sampled === "string") throw new Error(sampled);
    for (const [i, { values }] of sampled.entries()) {
      yield [
        first + i,
        values.map((column) => Float64Array.from({ length: chains }, (_, c) => column[c * chains + c])),
      ];
    }
  };
}
