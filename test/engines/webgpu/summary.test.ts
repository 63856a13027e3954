import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WebGpuEngine } from "../../../dist/engines/webgpu/engine.js";
import { type Device, openDevice } from "../../../src/engines/webgpu/device.js";
import { layoutOf } from "../../../src/engines/webgpu/layout.js";
import { emitShaders } from "../../../src/engines/webgpu/shaders.js";
import * as fields from "../../../src/generated/layout.js";
import { compileNetwork } from "../../../src/network/index.js";
import { openSampler } from "../../support/kernel.js";
import { coin } from "../../support/networks.js";
import { Inputs } from "../../support/random.js";
import { useSoftwareAdapter } from "../../support/software.js";
import { base, batchOf, countsOf, Engines } from "../wasm-support.js";
import { computed, openWebGpu, short } from "./support.js";

const columns = ["mean", "sd", "median", "lower", "upper", "rhat", "ess"] as const;
type Summary = Record<(typeof columns)[number], number>;

const network = compileNetwork(coin);

/** The f64 kernel's summary of draws [chains][draws]; its own tests compare it with plain formulas, to 1e-12. */
function known(values: ArrayLike<number>, chains: number, level: number): Summary {
  const sampler = openSampler(network, { chains, draws: values.length / chains, level, warmup: 0 });
  sampler.drawsOf(0).set(values);
  return summaryIn(sampler.summarise(), 0);
}

const summaryIn = (numbers: ArrayLike<number>, at: number): Summary => ({
  mean: numbers[at + fields.SUMMARY_MEAN],
  sd: numbers[at + fields.SUMMARY_SD],
  median: numbers[at + fields.SUMMARY_MEDIAN],
  lower: numbers[at + fields.SUMMARY_LOWER],
  upper: numbers[at + fields.SUMMARY_UPPER],
  rhat: numbers[at + fields.SUMMARY_RHAT],
  ess: numbers[at + fields.SUMMARY_ESS],
});

describe("the shader's summary is the f64 kernel's, to f32 rounding", () => {
  let device: Device;
  beforeAll(async () => {
    useSoftwareAdapter();
    device = await openDevice();
  });
  afterAll(() => device.dispose());

  /** Summaries of refits of one quantity each, their draws [chains][draws]. */
  async function summaries(
    all: readonly Float32Array[],
    chains: number,
    draws: number,
    level: number,
  ): Promise<Summary[]> {
    const layout = layoutOf(network, chains);
    const count = chains * draws;
    const given = new Float32Array(all.length * count);
    all.forEach((values, refit) => {
      values.forEach((x, i) => {
        given[refit * count + (i % draws) * chains + Math.floor(i / draws)] = x;
      });
    });
    const quantiles = new Uint32Array(12);
    [(1 - level) / 2, 0.5, (1 + level) / 2].forEach((p, i) => {
      // Hyndman and Fan's type 8, 0-based.
      const place = Math.min(Math.max(p * (count + 1 / 3) - 2 / 3, 0), count - 1);
      quantiles.set([Math.floor(place), Math.min(Math.floor(place) + 1, count - 1)], 2 * i);
      new Float32Array(quantiles.buffer)[8 + i] = place - Math.floor(place);
    });
    const bindings = [
      { binding: 2, type: "storage", contents: new Uint32Array(all.length * layout.STATE_WORDS * chains) },
      { binding: 3, type: "storage", contents: new Float32Array(all.length * layout.ADAPTED_WORDS) },
      { binding: 4, type: "storage", contents: given },
      { binding: 5, type: "storage", contents: new Float32Array(all.length * layout.RESULT_WORDS) },
      { binding: 6, type: "uniform", contents: Uint32Array.of(0, 0, 0, 0, 0, 0, draws, 0) },
      { binding: 7, type: "uniform", contents: quantiles },
    ] as const;
    const code = emitShaders(network, layout).summarise;
    const results = new Float32Array((await computed(device, code, "summarise", bindings, 1, all.length))[3]);
    return all.map((_, refit) => summaryIn(results, refit * layout.RESULT_WORDS + layout.RESULT_QUANTITIES));
  }

  const outlier = "draws of which one is 10^12 times the others";
  const kinds: [string, (inputs: Inputs, i: number, n: number) => number][] = [
    ["normal draws", (inputs) => inputs.normal()],
    ["draws far from 0", (inputs) => 3 + 0.01 * inputs.normal()],
    ["draws with ties", (inputs) => inputs.below(4) - 1],
    ["rising draws", (_, i) => i ** 1.1],
    ["falling draws of either sign", (_, i, n) => n / 3 - i],
    ["draws of one value but one", (_, i, n) => (i === n - 1 ? 1 : 0)],
    [outlier, (inputs, i) => inputs.normal() * (i === 3 ? 1e12 : 1)],
    ["tiny draws, by powers of 10", (inputs) => 10 ** inputs.uniform(-30, -3)],
    ["draws of 0, -0 and next to them", (_, i) => [-0, 0, 1e-12, -1e-12][((i * i) >> 1) % 4]],
  ];

  describe.each([
    [1, 4],
    [1, 101],
    [3, 17],
    [64, 5],
    [128, 33],
  ])("%d chains of %d draws", (chains, draws) => {
    it.each([0.95, 0.5, 1 - 1e-6])("at level %d", async (level) => {
      const inputs = new Inputs(151);
      const n = chains * draws;
      const all = kinds.map(([, draw]) => Float32Array.from({ length: n }, (_, i) => draw(inputs, i, n)));
      const found = await summaries(all, chains, draws, level);
      found.forEach((mine, k) => {
        const expected = known(all[k], chains, level);
        const [name] = kinds[k];
        for (const end of ["median", "lower", "upper"] as const) {
          // Order statistics are exact; two neighbours are mixed in f32.
          const most = 2 ** -22 * Math.abs(expected[end]) + 2 ** -22 * neighbours(all[k], expected[end]);
          expect.soft(Math.abs(mine[end] - expected[end]), `${end} of ${name}`).toBeLessThanOrEqual(most);
        }
        const size = Math.hypot(expected.mean, expected.sd);
        expect.soft(Math.abs(mine.mean - expected.mean), `mean of ${name}`).toBeLessThan(2e-6 * size);
        expect.soft(Math.abs(mine.sd / expected.sd - 1), `sd of ${name}`).toBeLessThan(1e-5 * (size / expected.sd));
        if (name === outlier) return; // it is all that f32 sees of a mean
        for (const ratio of ["rhat", "ess"] as const) {
          // Variances within and between cancel, more so where one is much more than the other.
          const most = 2e-5 * (size / expected.sd) ** 2 * Math.max(1, expected.rhat) ** 2;
          expect.soft(Math.abs(mine[ratio] / expected[ratio] - 1), `${ratio} of ${name}`).toBeLessThan(most);
        }
      });
    });
  });
});

/** The size of the draws on either side of a value. */
function neighbours(values: Float32Array, at: number): number {
  const sorted = values.slice().sort();
  const above = sorted.findIndex((x) => x >= at);
  return Math.abs(sorted[Math.max(above - 1, 0)]) + Math.abs(sorted[above < 0 ? sorted.length - 1 : above]);
}

/** A probability, its odds, and arithmetic that is certain. */
const oneRow = compileNetwork(coin, {
  quantities: ["P(X=1)", "P(X=1) / P(X=0)", "P(X=1) * P(X=0)", "0.25", "P(X=1 | X=1)", "1 - 2 * P(X=1)"].map(
    (expression) => ({ name: expression, expression }),
  ),
});
const certain = [3, 4];

describe("the engine's summary of a refit is the f64 kernel's of its draws", () => {
  const engines = new Engines();
  let engine: WebGpuEngine;
  beforeAll(async () => {
    engine = engines.add(await openWebGpu());
  });
  afterAll(() => engines.dispose());

  it.each([
    { chains: 1, warmup: 0, draws: 4, level: 0.95 },
    { chains: 1, warmup: 17, draws: 501, level: 0.9 },
    { chains: 3, warmup: 1, draws: 16, level: 0.95 },
    { chains: 3, warmup: 1, draws: 33, level: 0.5 },
    { chains: 64, warmup: 17, draws: 100, level: 0.95 },
    { chains: 64, warmup: 128, draws: 31, level: 0.99 },
    { chains: 128, warmup: 16, draws: 47, level: 0.95 },
  ])("$chains chains of $warmup + $draws, level $level", async (settings) => {
    const options = { ...short, ...settings };
    const { chains, draws, level } = settings;
    const counts = Float64Array.of(3, 1, 2);
    const summary = await engine.run({ network: oneRow, counts, ids: Float64Array.of(9) }, options);
    const { values, statistics } = await engine.sample(oneRow, counts, 9, options);
    oneRow.quantities.forEach(({ name }, q) => {
      expect(values[q]).toHaveLength(chains * draws);
      const expected = known(values[q], chains, level);
      for (const column of columns) {
        const mine = summary[column][q];
        if (certain.includes(q) && (column === "rhat" || column === "ess")) {
          expect(mine, `${column} of ${name}`).toBeNaN();
          continue;
        }
        const isRatio = column === "rhat" || column === "ess";
        const most = isRatio ? 1e-4 * expected[column] : 1e-5 * expected.sd + 1e-6 * Math.abs(expected[column]);
        expect.soft(Math.abs(mine - expected[column]), `${column} of ${name}`).toBeLessThanOrEqual(most);
      }
    });
    const sum = (numbers: readonly number[] = []): number => numbers.reduce((a, b) => a + b, 0);
    expect(statistics?.leapfrogs).toHaveLength(chains);
    expect(summary.leapfrogs[0]).toBe(sum(statistics?.leapfrogs));
    expect(summary.divergences[0]).toBe(sum(statistics?.divergences));
    expect(statistics?.acceptance.every((share) => share > 0 && share <= 1)).toBe(true);
    expect(new Set(statistics?.stepSize).size).toBe(1);
  });

  it("certain quantities are what they are, with sd 0 and neither R-hat nor ESS", async () => {
    const { mean, sd, median, lower, upper, rhat, ess, quantities } = await engine.run(batchOf(5, 0, oneRow), {
      ...short,
      chains: 3,
    });
    for (let refit = 0; refit < 5; refit++) {
      for (const [q, value] of [
        [3, 0.25],
        [4, 1],
      ]) {
        const at = refit * quantities + q;
        expect([mean, median, lower, upper].map((column) => column[at])).toEqual([value, value, value, value]);
        expect([sd[at], rhat[at], ess[at]]).toEqual([0, Number.NaN, Number.NaN]);
      }
    }
  });

  it("all nine quantities of 64 chains, with many records and few", async () => {
    const options = { ...short, chains: 64, warmup: 64, draws: 50 };
    for (const n of [0, 1, 1e4, 1e8]) {
      const counts = countsOf({ "0,0,0": n, "0,1,0": 2 * n, "1,0,1": 3 * n, "-1,0,1": n, "-1,1,-1": n, "1,0,0": 1 });
      const summary = await engine.run({ network: base, counts, ids: Float64Array.of(n) }, options);
      const { values } = await engine.sample(base, counts, n, options);
      values.forEach((draws, q) => {
        const expected = known(draws, 64, options.level);
        for (const column of ["mean", "sd", "median", "lower", "upper"] as const) {
          const error = Math.abs(summary[column][q] - expected[column]);
          expect.soft(error, `${column} of ${base.quantities[q].name}`).toBeLessThan(1e-5 * expected.sd);
        }
        for (const column of ["rhat", "ess"] as const) {
          const error = Math.abs(summary[column][q] / expected[column] - 1);
          expect.soft(error, `${column} of ${base.quantities[q].name}`).toBeLessThan(1e-4);
        }
      });
    }
  });
});
