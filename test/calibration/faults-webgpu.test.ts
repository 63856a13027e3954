import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebGpuEngine } from "../../src/engines/webgpu/engine.js";
import { calibrate } from "../support/calibration.js";
import { useSoftwareAdapter } from "../support/software.js";
import { dependence, dependenceLimit, independent, pairs, pairsOfGpu } from "./dependence.js";
import { openPlanted, type Planted } from "./plant.js";
import { testRankFaults } from "./rank-faults.js";

/*
 * Tests of the tests of the GPU's sampler: as faults.test.ts, with faults in shaders.
 */
const reversedGain: Planted = {
  file: "shaders/hmc.wgsl",
  right: "let gain = there.density - 0.5 * squares(momentum) - before;",
  wrong: "let gain = before - (there.density - 0.5 * squares(momentum));",
};
const sharedByChains: Planted = {
  file: "shaders/start.wgsl",
  right: "(STREAM_GPU << 24u) | chain, id)",
  wrong: "(STREAM_GPU << 24u), id)",
};
const sharedByRefits: Planted = {
  file: "shaders/start.wgsl",
  right: "let id = vec2u(records[",
  wrong: "let id = 0u * vec2u(records[",
};

let engine: WebGpuEngine;
beforeAll(async () => {
  useSoftwareAdapter();
  engine = await WebGpuEngine.open({ workers: 0 });
});
afterAll(() => engine?.dispose());

/** Does something with an engine whose shaders have a fault. */
async function withFault<T>(fault: Planted, work: (engine: WebGpuEngine) => Promise<T>): Promise<T> {
  const planted = await openPlanted(fault);
  try {
    return await work(planted);
  } finally {
    await planted.dispose();
  }
}

testRankFaults([
  {
    name: "webgpu",
    sampler: "hmc",
    engine: () => engine,
    rows: ["theta_R", "theta_T+"],
    reversed: {
      where: "acceptance",
      tests: (setup) => withFault(reversedGain, (planted) => calibrate({ ...setup, engine: planted })),
    },
  },
]);

describe(`${pairs} pairs of draws with webgpu, limit ${dependenceLimit.toFixed(2)} standard errors`, () => {
  it("are independent: of two chains, and of two refits", async () => {
    const { chains, refits } = await dependence(pairsOfGpu(engine));
    expect([independent(chains), independent(refits)]).toEqual([true, true]);
  });

  it("find two chains with one stream", async () => {
    const { chains, refits } = await withFault(sharedByChains, (planted) => dependence(pairsOfGpu(planted)));
    expect([independent(chains), independent(refits)]).toEqual([false, true]);
  });

  it("find one stream for all refits", async () => {
    const { refits } = await withFault(sharedByRefits, (planted) => dependence(pairsOfGpu(planted)));
    expect(independent(refits)).toBe(false);
  });
});
