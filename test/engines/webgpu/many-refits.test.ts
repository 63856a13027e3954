import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WebGpuEngine } from "../../../dist/engines/webgpu/engine.js";
import { compileNetwork, type RunOptions, type Summaries } from "../../../dist/index.js";
import { sameBits } from "../../support/accuracy.js";
import { zLimit } from "../../support/montecarlo.js";
import { coin } from "../../support/networks.js";
import { idsFrom } from "../wasm-support.js";
import { openWebGpu, part } from "./support.js";

const network = compileNetwork(coin);
/** More than a GPU takes in one dispatch, or 16 bits hold. */
const refits = 70_000;
const options: RunOptions = { sampler: "hmc", chains: 4, warmup: 16, draws: 16, seed: 71, level: 0.95 };

/** Successes of a refit's 70,000 records: all different, and far from those of its neighbours. */
const successes = (refit: number): number => (refit * 26_003) % refits;

/** Of the coin's patterns, one is of all cells: nothing seen. */
const [tails, heads] = ["0", "1"].map((level) => network.patterns.findIndex(({ levels }) => levels.join() === level));

const counts = new Float64Array(refits * network.patterns.length);
for (let refit = 0; refit < refits; refit++) {
  counts[refit * network.patterns.length + heads] = successes(refit);
  counts[refit * network.patterns.length + tails] = refits - successes(refit);
}
const batch = { network, counts, ids: idsFrom(0, refits) };

describe("70,000 refits in one call, each with counts of its own", () => {
  let engine: WebGpuEngine;
  let all: Summaries;
  beforeAll(async () => {
    engine = await openWebGpu();
    all = await engine.run(batch, options);
  });
  afterAll(() => engine.dispose());

  it("are each the answer to their own counts, all within 10 standard errors", () => {
    let [worst, sum, squares] = [0, 0, 0];
    for (let refit = 0; refit < refits; refit++) {
      const [a, b] = [1 + successes(refit), 1 + refits - successes(refit)];
      const mean = a / (a + b);
      const sd = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
      // Of 64 draws, of which each is worth about one; another refit's counts would be off by 0.0011 / 0.0002 or more.
      const z = (all.mean[refit] - mean) / (sd / 8);
      worst = Math.max(worst, Math.abs(z));
      sum += z;
      squares += z * z;
    }
    expect(worst).toBeLessThan(10);
    const average = sum / refits;
    expect(Math.abs(average) / Math.sqrt(squares / refits / refits)).toBeLessThan(zLimit(1));
    // Draws that avoid the one before are worth more than one, those of a short warmup less.
    expect(squares / refits).toBeGreaterThan(0.3);
    expect(squares / refits).toBeLessThan(2);
    expect(all.fallbacks).toEqual([]);
  });

  it.each([0, 63, 64, 65_535, 65_536, 65_537, 69_999])("refit %d has the bits that it has alone", async (refit) => {
    const alone = await engine.run(part(batch, refit, refit + 1), options);
    for (const column of ["mean", "sd", "median", "lower", "upper", "rhat", "ess", "leapfrogs"] as const) {
      expect(sameBits(alone[column], all[column].slice(refit, refit + 1)), column).toBe(true);
    }
  });

  it.each([65_535, 65_536, 69_999])("refit %d has the mean and sd of many draws of the same counts", async (refit) => {
    const one = { ...part(batch, refit, refit + 1), ids: Float64Array.of(refit) };
    const many = await engine.run(one, { ...options, warmup: 64, draws: 1000 });
    expect(Math.abs(all.mean[refit] - many.mean[0]) / (many.sd[0] / 8)).toBeLessThan(6);
    // The error of an sd from 64 draws is 9%.
    expect(Math.abs(all.sd[refit] / many.sd[0] - 1)).toBeLessThan(0.5);
  });
});
