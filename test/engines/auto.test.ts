import { describe, expect, it } from "vitest";
import { chooseEngine, fasterOf, type Samplings } from "../../src/engines/auto.js";
import { compileNetwork, rat } from "../../src/network/index.js";
import { resolveSampling } from "../../src/options.js";
import { useSoftwareAdapter } from "../support/software.js";

const network = compileNetwork(rat);
const samplings: Samplings = {
  wasm: resolveSampling("sweep", { engine: "wasm", seed: 1 }),
  webgpu: resolveSampling("sweep", { engine: "webgpu", seed: 1 }),
};
const rate = (start: number, refitsPerSecond: number, ess: number) => ({
  start,
  refitsPerSecond,
  ess,
  mean: 0,
  mcse: 0,
});

describe("auto", () => {
  it("leaves nuts and small jobs to wasm, without looking for a GPU", async () => {
    expect(await chooseEngine({ network, refits: 1e9, sampler: "nuts" }, samplings)).toMatchObject({ engine: "wasm" });
    const { engine, why } = await chooseEngine({ network, refits: 100 }, samplings);
    expect([engine, why]).toEqual(["wasm", "100 refits are too few for a GPU to pay"]);
  });

  it("never takes a software adapter", async () => {
    useSoftwareAdapter();
    const choice = await chooseEngine({ network, refits: 1e6 }, samplings);
    expect(choice).toEqual({ engine: "wasm", why: "there is no GPU but a software adapter" });
  });

  // 10,000 refits: 1 s of GPU and 2 s to start it; the CPU takes 4 s, or 12 s for as many effective draws.
  const wasm = rate(0, 2500, 2000);
  const webgpu = rate(2, 10_000, 6000);

  it("compares at equally many effective draws, start included", () => {
    expect(fasterOf({ wasm, webgpu }, 10_000, "a GPU")).toEqual({
      engine: "webgpu",
      why: "at equally many effective draws a GPU would take about 3.0 s, the CPU about 12 s",
    });
    expect(fasterOf({ wasm, webgpu }, 1000, "a GPU").engine).toBe("wasm");
    expect(fasterOf({ wasm: rate(0, 2500, 6000), webgpu }, 5000, "a GPU").engine).toBe("wasm");
  });

  it("takes wasm where the GPU gave up its probe", () => {
    const { engine, why } = fasterOf({ wasm, webgpu: rate(1, 0, 1) }, 1e6, "a GPU");
    expect(engine).toBe("wasm");
    expect(why).toContain("a GPU would take too long");
  });
});
