import { afterAll, beforeAll } from "vitest";
import { WebGpuEngine } from "../../../src/engines/webgpu/engine.js";
import { testRefits } from "../../support/refits.js";
import { useSoftwareAdapter } from "../../support/software.js";

let engine: WebGpuEngine;
beforeAll(async () => {
  useSoftwareAdapter();
  engine = await WebGpuEngine.open({ workers: 0 });
});
afterAll(() => engine?.dispose());

/** The defaults of a sweep but for the chains: a quarter, for a CPU's sake, so that each refit has the draws of wasm's. */
const sampling = { sampler: "hmc", chains: 16, warmup: 128, draws: 100 } as const;

testRefits(() => engine, [["webgpu", sampling]], { ...sampling, draws: 1000 });
