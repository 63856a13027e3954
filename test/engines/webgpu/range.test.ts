import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExactEngine } from "../../../dist/engines/exact/index.js";
import { WasmEngine } from "../../../dist/engines/wasm/engine.js";
import type { WebGpuEngine } from "../../../dist/engines/webgpu/engine.js";
import { type Batch, compileNetwork, type RunOptions, rat, type Summaries } from "../../../dist/index.js";
import { sameBits } from "../../support/accuracy.js";
import { zLimit } from "../../support/montecarlo.js";
import { base, batchOf, countsOf, Engines, idsFrom, numbersOf } from "../wasm-support.js";
import { openWebGpu, part } from "./support.js";

const engines = new Engines();
const wasm = engines.add(new WasmEngine({ workers: 1 }));
const exact = new ExactEngine();
let engine: WebGpuEngine;
beforeAll(async () => {
  engine = engines.add(await openWebGpu());
});
afterAll(() => engines.dispose());

const options: RunOptions = { sampler: "hmc", chains: 64, warmup: 128, draws: 200, seed: 61, level: 0.95 };
/** In f64, and by another sampler. */
const reference: RunOptions = { ...options, sampler: "nuts", chains: 4, warmup: 1000, draws: 3000 };

const sizes = [0, 1, 600, 1e4, 1e6, 1e8];

/** A batch of one refit for each counts. */
const batchOfAll = (each: readonly Float64Array[]): Batch => ({
  network: base,
  counts: Float64Array.from(each.flatMap((counts) => [...counts])),
  ids: idsFrom(0, each.length),
});

/** Something of every kind of complete record; the most of one kind are n. */
const complete = (n: number) => ({
  "0,0,0": Math.round(0.2 * n),
  "0,0,1": Math.round(0.05 * n),
  "0,1,0": Math.round(0.3 * n),
  "1,0,0": Math.round(0.1 * n),
  "1,0,1": n,
  "1,1,0": Math.round(0.02 * n),
});

/** ... and of every kind that lacks a label. */
const incomplete = (n: number) => ({
  ...complete(n),
  "1,0,-1": Math.round(0.4 * n),
  "-1,0,1": n,
  "-1,1,-1": Math.round(0.3 * n),
  "-1,0,-1": Math.round(0.6 * n),
});

/** What the ESS of either says the error of a mean is, in posterior sds. */
const errorOf = (ess: number, other: number): number => Math.sqrt(1 / ess + 1 / other);

describe("0 to 10^8 records a pattern have the answer of f64", () => {
  const comparisons = 2 * sizes.length * base.quantities.length;
  // Batch means give the ESS of either to 10%, so errors to 5%.
  const limit = 1.05 * zLimit(comparisons);

  it.each([
    { name: "complete records", entries: complete, isExact: true },
    { name: "records that lack labels", entries: incomplete, isExact: false },
  ])(
    `$name, ${sizes.join(", ")} of a pattern: means within ${limit.toFixed(1)} standard errors, sds within 5%`,
    async ({ entries, isExact }) => {
      const batch = batchOfAll(sizes.map((n) => countsOf(entries(n))));
      const mine = await engine.run(batch, options);
      const known: Summaries = await (isExact ? exact.run(batch, options) : wasm.run(batch, reference));
      mine.mean.forEach((mean, i) => {
        const at = `${base.quantities[i % mine.quantities].name}, ${sizes[Math.floor(i / mine.quantities)]} records`;
        const error = errorOf(mine.ess[i], isExact ? Number.POSITIVE_INFINITY : known.ess[i]);
        expect.soft(Math.abs(mean - known.mean[i]) / known.sd[i], `mean of ${at}`).toBeLessThan(limit * error);
        expect.soft(Math.abs(mine.sd[i] / known.sd[i] - 1), `sd of ${at}`).toBeLessThan(0.05);
        // An end is off by 2.7 / sqrt(ess) sds where the posterior is normal.
        for (const end of ["lower", "median", "upper"] as const) {
          const off = Math.abs(mine[end][i] - known[end][i]) / known.sd[i];
          expect.soft(off, `${end} of ${at}`).toBeLessThan(3.5 * limit * error);
        }
        expect.soft(mine.rhat[i], `R-hat of ${at}`).toBeLessThan(1.01);
      });
      expect(mine.fallbacks).toEqual([]);
    },
  );
});

describe("many records that show A alone, beside 600 with all labels: a thin and curved posterior", () => {
  const labelled = { "0,0,0": 60, "0,0,1": 40, "0,1,0": 100, "1,0,0": 50, "1,0,1": 300, "1,1,0": 50 };
  const many = [1e4, 1e5, 1e6, 1e7, 1e8];
  const ofA = base.quantities.findIndex(({ name }) => name === "P(A=1)");

  it(`${many.join(", ")} of them: no chain is left behind, means within 0.15 sds, the sd of P(A=1) within 10%`, async () => {
    const batch = batchOfAll(
      many.map((n) => countsOf({ ...labelled, "-1,1,-1": Math.round(0.25 * n), "-1,0,-1": Math.round(0.75 * n) })),
    );
    const mine = await engine.run(batch, options);
    const known = await wasm.run(batch, { ...reference, warmup: 500, draws: 1000 });
    mine.mean.forEach((mean, i) => {
      const at = `${base.quantities[i % mine.quantities].name}, ${many[Math.floor(i / mine.quantities)]} records`;
      expect.soft(Math.abs(mean - known.mean[i]) / known.sd[i], `mean of ${at}`).toBeLessThan(0.15);
      expect.soft(mine.rhat[i], `R-hat of ${at}`).toBeLessThan(1.25);
      if (i % mine.quantities === ofA) expect.soft(Math.abs(mine.sd[i] / known.sd[i] - 1), at).toBeLessThan(0.1);
    });
  });
});

describe("what f32 isn't good for goes to wasm, and the result says so", () => {
  const quick: RunOptions = { ...options, chains: 4, warmup: 40, draws: 60 };
  const above = /^\d+ records of one pattern are more than f32 is good for \(100000000\)$/;

  it("above 10^8 records of a pattern: those refits of a batch, in their places", async () => {
    const few = countsOf(incomplete(100));
    const most = countsOf(incomplete(1e8));
    const tooMany = countsOf({ "1,0,1": 1e8 + 1, "-1,0,1": 7 });
    const each = [tooMany, few, most, tooMany.map((n) => n * 2), few, countsOf({ "1,0,1": 2 ** 53 - 1 })];
    const batch = batchOfAll(each);
    const all = await engine.run(batch, quick);
    expect(all.fallbacks).toEqual(
      [0, 3, 5].map((refit) => ({ refit, engine: "wasm", reason: expect.stringMatching(above) })),
    );
    for (const [refit, runner] of [wasm, engine, engine, wasm, engine, wasm].entries()) {
      const alone = await runner.run(part(batch, refit, refit + 1), quick);
      expect(sameBits(rowOf(all, refit), numbersOf(alone)), `refit ${refit}`).toBe(true);
    }
  });

  it("above 10^8 records: the draws of `sample`", async () => {
    const counts = countsOf({ "1,0,1": 1e8 + 1 });
    const mine = await engine.sample(base, counts, 3, quick);
    expect(mine.fallback).toEqual({ refit: 0, engine: "wasm", reason: expect.stringMatching(above) });
    const known = await wasm.sample(base, counts, 3, quick);
    expect(mine.values.every((draws, q) => sameBits(draws, known.values[q]))).toBe(true);
    expect((await engine.sample(base, countsOf({ "1,0,1": 1e8 }), 3, quick)).fallback).toBeUndefined();
  });

  it.each([
    ["theta_A+", [0.1, 0.1]],
    ["theta_R", [5, 0.2]],
  ] as const)("a Beta prior with a parameter below 1/4, of %s: all refits", async (row, prior) => {
    const network = compileNetwork(rat, { priors: { [row]: prior } });
    const batch = batchOf(3, 0, network);
    const mine = await engine.run(batch, quick);
    expect(mine.fallbacks.map(({ refit, reason }) => [refit, reason])).toEqual(
      [0, 1, 2].map((refit) => [
        refit,
        expect.stringMatching(`the prior of .*${row.replace("+", "\\+")}.* below 0.25`),
      ]),
    );
    expect(sameBits(numbersOf(mine), numbersOf(await wasm.run(batch, quick)))).toBe(true);
  });

  it.each(["1e40 * P(R=1)", "P(R=1) / 1e40", "P(T=1) * 1e-300"])(
    "a quantity such as %s: all refits",
    async (expression) => {
      const network = compileNetwork({ ...rat, quantities: [{ name: "far", expression }] });
      const batch = batchOf(2, 0, network);
      const mine = await engine.run(batch, quick);
      const reason = "far has a number in it that is too large or too small for f32";
      expect(mine.fallbacks).toEqual([0, 1].map((refit) => ({ refit, engine: "wasm", reason })));
      expect(sameBits(numbersOf(mine), numbersOf(await wasm.run(batch, quick)))).toBe(true);
    },
  );

  it("a batch of which all is elsewhere has progress too, and an empty one is empty", async () => {
    const seen: number[] = [];
    const batch = batchOfAll([countsOf({ "1,0,1": 1e9 }), countsOf({ "1,0,1": 2e9 })]);
    await engine.run(batch, { ...quick, onProgress: (finished) => seen.push(finished) });
    expect(seen).toEqual([2]);
    const { refits, mean, fallbacks } = await engine.run(batchOf(0), quick);
    expect({ refits, mean: [...mean], fallbacks }).toEqual({ refits: 0, mean: [], fallbacks: [] });
  });
});

const columns = ["mean", "sd", "median", "lower", "upper", "rhat", "ess"] as const;

/** The numbers of one refit, as `numbersOf` has those of a batch of one. */
const rowOf = (all: Summaries, refit: number): Float64Array =>
  Float64Array.from([
    ...columns.flatMap((column) => [...all[column].subarray(refit * all.quantities, (refit + 1) * all.quantities)]),
    all.divergences[refit],
    all.leapfrogs[refit],
  ]);
