import { afterAll, describe, expect, it } from "vitest";
import { WasmEngine } from "../../dist/engines/wasm/engine.js";
import { fold, type RunOptions } from "../../dist/index.js";
import { meanZ, zLimit } from "../support/montecarlo.js";
import { base, batchOf, countsOf, Engines, judge, numbersOf, quick, samplers } from "./wasm-support.js";

const engines = new Engines();
const engine = engines.add(new WasmEngine({ workers: 2 }));
afterAll(() => engines.dispose());

const finite = (values: Float64Array): boolean => values.every(Number.isFinite);

/** Balanced records of all six kinds, and some hundred that lack a label, whose part in 10^15 is nothing. */
const withAmbiguous = (n: number): Float64Array =>
  countsOf({
    "0,0,0": n,
    "0,0,1": n,
    "0,1,0": n,
    "1,0,0": n,
    "1,0,1": n,
    "1,1,0": n,
    "-1,0,1": 300,
    "-1,1,-1": 150,
    "-1,0,-1": 200,
    "-1,-1,-1": 7,
  });

describe.each(samplers)("%s", (sampler) => {
  const options: RunOptions = { sampler, chains: 4, warmup: 300, draws: 2000, seed: 61, level: 0.95 };
  // 2 counts x 5 rows x (mean, spread); one false alarm in 10,000 seeds.
  const limit = zLimit(20);

  it.each([1.5e15, 1e12])(
    `%d records of each kind and 657 that lack labels: rows have the mean and sd of their Betas within ${limit.toFixed(2)} standard errors`,
    async (n) => {
      const counts = withAmbiguous(n);
      expect(counts.reduce((a, b) => a + b)).toBeLessThanOrEqual(2 ** 53);
      const { success, failure } = fold(base, counts);
      const { values, chains } = await engine.sample(base, counts, 0, options);
      const { mean, sd } = await engine.run({ network: base, counts, ids: Float64Array.of(0) }, options);
      for (let k = 0; k < 5; k++) {
        const [a, b] = [success[k], failure[k]];
        const m = a / (a + b);
        const s = Math.sqrt((m * (1 - m)) / (a + b + 1));
        const z = values[k].map((p) => (p - m) / s);
        expect.soft(Math.abs(meanZ(z, chains, 0)), `mean of row ${k}`).toBeLessThan(limit);
        const squares = z.map((x) => x * x);
        expect.soft(Math.abs(meanZ(squares, chains, 1)), `spread of row ${k}`).toBeLessThan(limit);
        // The kernel's own summary, of the same draws.
        const inDeviations = z.reduce((total, x) => total + x, 0) / z.length;
        expect.soft(Math.abs((mean[k] - m) / s - inDeviations), `summary of row ${k}`).toBeLessThan(1e-3);
        const spread = Math.sqrt(squares.reduce((total, x) => total + x, 0) / z.length - inDeviations ** 2);
        expect.soft(Math.abs(sd[k] / s / spread - 1), `sd of row ${k}`).toBeLessThan(1e-3);
      }
    },
  );

  it.each([
    ["no records", {}],
    ["2^53 - 1 of one kind", { "1,0,1": 2 ** 53 - 1 }],
    ["2^53 - 1 of which nothing is known", { "-1,-1,-1": 2 ** 53 - 1 }],
    ["one of each kind", { "0,0,0": 1, "0,0,1": 1, "0,1,0": 1, "1,0,0": 1, "1,0,1": 1, "1,1,0": 1 }],
  ])("%s: summaries and draws are finite, probabilities inside (0, 1) and ends in order", async (_name, entries) => {
    const counts = countsOf(entries as Record<string, number>);
    const { mean, sd, lower, median, upper } = await engine.run(
      { network: base, counts, ids: Float64Array.of(0) },
      { ...options, draws: 200 },
    );
    for (const column of [mean, sd, lower, median, upper]) expect(finite(column)).toBe(true);
    mean.forEach((value, q) => {
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThan(1);
      expect(lower[q]).toBeLessThanOrEqual(median[q]);
      expect(median[q]).toBeLessThanOrEqual(upper[q]);
    });
    const { values } = await engine.sample(base, counts, 0, { ...options, draws: 200 });
    for (const draws of values) expect(draws.every((p) => p > 0 && p < 1)).toBe(true);
  });

  it("the fewest draws and no warmup: all but R-hat and ESS, which have nothing to go by, are finite", async () => {
    const shortest = { ...quick, sampler, draws: 4, warmup: 0, chains: 1 };
    for (const network of [base, judge]) {
      const { mean, sd, median, lower, upper, divergences, leapfrogs } = await engine.run(
        batchOf(20, 0, network),
        shortest,
      );
      for (const column of [mean, sd, median, lower, upper, divergences, leapfrogs]) expect(finite(column)).toBe(true);
    }
  });

  it.each([
    ["one chain", { chains: 1 }],
    ["a level near 1", { level: 1 - 1e-9 }],
    ["a level near 0", { level: 1e-9 }],
    ["the greatest seed", { seed: Number.MAX_SAFE_INTEGER }],
  ])("%s: every number of the summaries is finite, on both networks", async (_name, change) => {
    for (const network of [base, judge]) {
      const summaries = await engine.run(batchOf(20, 0, network), { ...quick, sampler, ...change });
      expect(finite(numbersOf(summaries))).toBe(true);
    }
  });
});
