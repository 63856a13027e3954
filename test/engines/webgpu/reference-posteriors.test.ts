import { afterAll, beforeAll } from "vitest";
import { WebGpuEngine } from "../../../src/engines/webgpu/engine.js";
import type { CompiledNetwork } from "../../../src/network/index.js";
import { testPosteriors } from "../../support/posteriors.js";
import { useSoftwareAdapter } from "../../support/software.js";

/*
 * Posteriors computed without this project against the GPU's, in as many draws as the kernel's tests take.
 */
let engine: WebGpuEngine;
beforeAll(async () => {
  useSoftwareAdapter();
  engine = await WebGpuEngine.open({ workers: 0 });
});
afterAll(() => engine?.dispose());

const options = { sampler: "hmc", chains: 32, warmup: 128, draws: 1250, seed: 181, level: 0.95 } as const;

async function sample(network: CompiledNetwork, counts: Float64Array): Promise<Map<string, Float64Array>> {
  const { values, fallback } = await engine.sample(network, counts, 1, options);
  if (fallback) throw new Error(`not of the GPU: ${fallback.reason}`);
  return new Map(network.quantities.map(({ name }, q) => [name, values[q]]));
}

/** More than one test looks at the same posterior. */
const sampled = new WeakMap<Float64Array, Promise<Map<string, Float64Array>>>();

testPosteriors(options.chains, [
  [
    "webgpu",
    (network, counts) => {
      const known = sampled.get(counts) ?? sample(network, counts);
      sampled.set(counts, known);
      return known;
    },
  ],
]);
