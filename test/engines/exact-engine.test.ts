import { describe, expect, it } from "vitest";
import type { Batch, RunOptions } from "../../src/engines/engine.js";
import { ExactEngine } from "../../src/engines/exact/index.js";
import { compileNetwork, rat } from "../../src/network/index.js";
import { base, baseCounts, countsOf, options, readReference, solve } from "./exact-support.js";

const interrupted = { name: "RatError", kind: "interrupted", exitCode: 130 };
const engine = new ExactEngine();
const run: RunOptions = { sampler: "hmc", chains: 2, warmup: 0, draws: 500, seed: 3, level: 0.9 };

const refits = [
  countsOf(base, [[[1, 0, 1], 30]]),
  countsOf(base, [
    [[1, 0, 1], 30],
    [[-1, 1, -1], 8],
  ]),
  new Float64Array(base.patterns.length),
];

const batchOf = (counts: readonly Float64Array[], network = base): Batch => ({
  network,
  counts: Float64Array.from(counts.flatMap((c) => [...c])),
  ids: Float64Array.from(counts, (_, i) => 100 + i),
});

/** The base network with a quotient that doesn't simplify, last. */
const withQuotient = compileNetwork(rat, {
  quantities: [...rat.quantities, { name: "ratio", expression: "P(T=1) / P(A=0)" }],
});

/** 4,655,632 terms: the run log of the references. */
const longCounts = baseCounts((await readReference("exact-reference.json")).datasets.V1_runlog.counts);

describe("a batch on the exact engine", () => {
  it("has each refit's own summary, in order, with progress after each", async () => {
    const progress: number[] = [];
    const summaries = await engine.run(batchOf(refits), { ...run, onProgress: (n) => progress.push(n) });
    expect(progress).toEqual([1, 2, 3]);
    expect(summaries).toMatchObject({ refits: 3, quantities: base.quantities.length });
    for (const [r, counts] of refits.entries()) {
      const alone = await engine.summarise(base, counts, { ...run, id: 100 + r });
      const at = r * base.quantities.length;
      for (const field of ["mean", "sd", "median", "lower", "upper"] as const) {
        expect(summaries[field].slice(at, at + base.quantities.length)).toEqual(alone[field]);
      }
    }
    expect(summaries.rhat.every(Number.isNaN)).toBe(true);
    expect(summaries.ess.every(Number.isNaN)).toBe(true);
    expect([...summaries.divergences, ...summaries.leapfrogs]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("tells the number of draws where moments come from draws", async () => {
    const { ess, mean } = await engine.run(batchOf([countsOf(withQuotient, [[[1, 0, 1], 30]])], withQuotient), run);
    expect(ess.at(-1)).toBe(1000);
    expect(ess.slice(0, -1).every(Number.isNaN)).toBe(true);
    expect(mean.at(-1)).toBeGreaterThan(0.5);
  });

  it("is refused as a whole before any work if one refit has too many terms", async () => {
    const progress: number[] = [];
    const counts = [...refits, countsOf(base, [[[-1, -1, 0], 1e6]])];
    const work = engine.run(batchOf(counts), { ...run, onProgress: (n) => progress.push(n) });
    await expect(work).rejects.toMatchObject({ kind: "unavailable" });
    expect(progress).toEqual([]);
  });

  it("of no refits is empty", async () => {
    expect((await engine.run(batchOf([]), run)).mean.length).toBe(0);
  });
});

describe("a summary", () => {
  it("takes quantiles of what is not one row from the draws, and moments of quotients too", async () => {
    const counts = countsOf(withQuotient, [[[1, 0, 1], 30]]);
    const { mean, sd, mcse, lower, median, upper, exactMoments, exactQuantiles, draws } = await solve(
      withQuotient,
      counts,
    );
    const last = withQuotient.quantities.length - 1;
    expect(exactMoments).toEqual(withQuotient.quantities.map((_, q) => q !== last));
    expect(exactQuantiles).toEqual(withQuotient.quantities.map((_, q) => q < 6));
    // Of type 8 (Hyndman and Fan 1996), like the kernel's: between the draws around p (S + 1/3) + 1/3, counted from 1.
    const sorted = draws.values[last].slice().sort();
    [lower, median, upper].forEach((column, i) => {
      const place = [0.025, 0.5, 0.975][i] * (1000 + 1 / 3) + 1 / 3;
      const k = Math.floor(place);
      const expected = sorted[k - 1] + (place - k) * (sorted[k] - sorted[k - 1]);
      expect(column[last]).toBeCloseTo(expected, 14);
    });
    expect(mcse[last]).toBeCloseTo(sd[last] / Math.sqrt(1000), 15);
    expect(mcse.subarray(0, last).every((error) => error === 0)).toBe(true);
    expect(mean[last]).toBeCloseTo(draws.values[last].reduce((a, b) => a + b) / 1000, 14);
  });

  it("has the interval of its level", async () => {
    const counts = new Float64Array(base.patterns.length);
    const { lower, upper } = await engine.summarise(base, counts, { ...options, level: 0.5 });
    expect(lower[0]).toBeCloseTo(0.25, 14);
    expect(upper[0]).toBeCloseTo(0.75, 14);
  });
});

describe("a long computation", () => {
  it("lets events through", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await solve(base, longCounts);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it("stops when it is told to, and tells the reason", async () => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 30);
    const error = await engine.summarise(base, longCounts, { ...options, signal: controller.signal }).catch((e) => e);
    clearTimeout(timer);
    expect(error).toMatchObject({ ...interrupted, cause: controller.signal.reason });
  });

  it("stops by a time limit too, whose reason is another error than that of an abort", async () => {
    const signal = AbortSignal.timeout(30);
    await expect(engine.summarise(base, longCounts, { ...options, signal })).rejects.toMatchObject(interrupted);
    const batch = batchOf([longCounts]);
    await expect(engine.run(batch, { ...run, signal: AbortSignal.timeout(30) })).rejects.toMatchObject(interrupted);
  });

  it("doesn't start if it was told before", async () => {
    const { signal } = { signal: AbortSignal.abort() };
    await expect(engine.run(batchOf(refits), { ...run, signal })).rejects.toMatchObject(interrupted);
    await expect(engine.sample(base, refits[0], 0, { ...run, signal })).rejects.toMatchObject(interrupted);
  });
});

it("the engine says what it is, and needs no preparation", async () => {
  expect(engine).toMatchObject({ name: "exact", adapter: null, workers: null });
  await expect(engine.prepare()).resolves.toBeUndefined();
});

describe("disposing", () => {
  it("ends what runs, as interrupted", async () => {
    const own = new ExactEngine();
    const works = [own.summarise(base, longCounts, options), own.run(batchOf([longCounts]), run)];
    const ends = works.map((work) => expect(work).rejects.toMatchObject(interrupted));
    await own.dispose();
    await Promise.all(ends);
  });

  it("makes later calls fail with words, and can be done twice", async () => {
    const own = new ExactEngine();
    await own.dispose();
    await own.dispose();
    const disposed = { kind: "usage", message: "the engine has been disposed of" };
    await expect(own.prepare()).rejects.toMatchObject(disposed);
    await expect(own.run(batchOf(refits), run)).rejects.toMatchObject(disposed);
    await expect(own.sample(base, refits[0], 0, run)).rejects.toMatchObject(disposed);
    await expect(own.summarise(base, refits[0], options)).rejects.toMatchObject(disposed);
  });
});
