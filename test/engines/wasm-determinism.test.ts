import { afterAll, describe, expect, it } from "vitest";
import { WasmEngine } from "../../dist/engines/wasm/engine.js";
import type { Engine, RunOptions } from "../../dist/index.js";
import { sameBits } from "../support/accuracy.js";
import { meanAndSd } from "../support/montecarlo.js";
import { base, batchOf, Engines, idsFrom, judge, numbersOf, quick, samplers, someCounts } from "./wasm-support.js";

const workerCounts = [0, 1, 2, 4];
const engines = new Engines();
const open = (workers: number): Engine => engines.add(new WasmEngine({ workers }));
afterAll(() => engines.dispose());

const byWorkers = new Map(workerCounts.map((workers) => [workers, open(workers)]));
const engine = (workers = 2): Engine => byWorkers.get(workers) as Engine;

describe.each(samplers)("summaries of %s", (sampler) => {
  const options: RunOptions = { ...quick, sampler };
  const refits = 37;
  const batch = batchOf(refits);
  const expected = engine(1).run(batch, options).then(numbersOf);

  it.each(workerCounts)("are the same bits for %d workers (0: the caller's own thread)", async (workers) => {
    expect(sameBits(numbersOf(await engine(workers).run(batch, options)), await expected)).toBe(true);
  });

  it.each([
    ["one refit each", Array.from({ length: refits }, () => 1)],
    ["10 and 27", [10, 27]],
    ["36 and 1", [36, 1]],
    ["many at once, 5 each and the rest", [5, 5, 5, 5, 5, 5, 5, 2]],
  ])("are the same bits in batches of %s, run last one first and all at once", async (_name, sizes) => {
    const patterns = base.patterns.length;
    let first = 0;
    const parts = sizes.map((size) => {
      const counts = batch.counts.slice(first * patterns, (first + size) * patterns);
      const part = { network: base, counts, ids: batch.ids.slice(first, first + size) };
      first += size;
      return part;
    });
    const running = [...parts].reverse().map((part) => engine().run(part, options));
    const results = (await Promise.all(running)).reverse();
    const whole = await engine().run(batch, options);
    const join = (column: "mean" | "upper" | "ess" | "leapfrogs") =>
      Float64Array.from(results.flatMap((result) => [...result[column]]));
    for (const column of ["mean", "upper", "ess", "leapfrogs"] as const) {
      expect(sameBits(join(column), whole[column]), column).toBe(true);
    }
    expect(sameBits(numbersOf(whole), await expected)).toBe(true);
  });

  it("are keyed by id: the same counts under another id, also one 2^32 on, are other draws", async () => {
    const ids = Float64Array.of(0, 1, 2 ** 32, 2 ** 52 + 1);
    const counts = Float64Array.from([1, 2, 3, 4].flatMap(() => [...someCounts(1)]));
    const { mean } = await engine().run({ network: base, counts, ids }, options);
    expect(new Set([0, 1, 2, 3].map((refit) => mean[refit * base.quantities.length])).size).toBe(4);
    const again = { network: base, counts: someCounts(1), ids: Float64Array.of(2 ** 52 + 1) };
    const alone = await engine(1).run(again, options);
    expect(alone.mean[0]).toBe(mean[3 * base.quantities.length]);
  });

  it("depend on seed, chains, warmup, draws and level", async () => {
    const one = { network: base, counts: someCounts(1), ids: idsFrom(0, 1) };
    const results = [];
    for (const change of [{}, { seed: 6 }, { chains: 4 }, { warmup: 41 }, { draws: 61 }, { level: 0.9 }]) {
      results.push(await engine().run(one, { ...options, ...change }));
    }
    expect(new Set(results.slice(0, 5).map(({ mean }) => mean[0])).size).toBe(5);
    // A level changes the interval only.
    expect(results[5].mean[0]).toBe(results[0].mean[0]);
    expect(results[5].upper[0]).toBeLessThan(results[0].upper[0]);
  });

  it("are the sums over the draws that `sample` gives for the same id, for 1 to 5 chains", async () => {
    for (const [chains, network] of [1, 2, 3, 4, 5].flatMap((n) => [[n, base] as const, [n, judge] as const])) {
      const counts = someCounts(1, network, 8);
      const all = { ...options, chains };
      const summary = await engine().run({ network, counts, ids: Float64Array.of(9) }, all);
      const { values, statistics } = await engine().sample(network, counts, 9, all);
      network.quantities.forEach((_, q) => {
        expect(values[q]).toHaveLength(chains * options.draws);
        const { mean, sd } = meanAndSd(values[q]);
        expect(Math.abs(summary.mean[q] - mean)).toBeLessThan(1e-14);
        expect(Math.abs(summary.sd[q] - sd)).toBeLessThan(1e-14);
        const sorted = values[q].slice().sort();
        const end = (p: number): number => {
          // Hyndman and Fan's type 8.
          const place = Math.max(0, Math.min(sorted.length - 1, p * (sorted.length + 1 / 3) - 2 / 3));
          const below = Math.floor(place);
          const above = Math.min(below + 1, sorted.length - 1);
          return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
        };
        for (const [value, p] of [
          [summary.lower[q], 0.025],
          [summary.median[q], 0.5],
          [summary.upper[q], 0.975],
        ]) {
          expect(Math.abs(value - end(p))).toBeLessThan(1e-14);
        }
      });
      const sum = (numbers: readonly number[] = []) => numbers.reduce((a, b) => a + b, 0);
      expect(statistics?.leapfrogs).toHaveLength(chains);
      expect(summary.leapfrogs[0]).toBe(sum(statistics?.leapfrogs));
      expect(summary.divergences[0]).toBe(sum(statistics?.divergences));
    }
  });
});

describe.each(samplers)("draws of %s", (sampler) => {
  const options: RunOptions = { ...quick, sampler, chains: 4 };
  const counts = someCounts(1);
  const expected = engine(1).sample(base, counts, 3, options);

  it.each(workerCounts)("are the same bits for %d workers", async (workers) => {
    const { values, statistics } = await engine(workers).sample(base, counts, 3, options);
    const known = await expected;
    values.forEach((draws, q) => {
      expect(sameBits(draws, known.values[q])).toBe(true);
    });
    expect(statistics).toEqual(known.statistics);
  });

  it.each([1, 2, 3])("chain c of %d chains is chain c of 4 with the same seed", async (chains) => {
    const few = await engine().sample(base, counts, 3, { ...options, chains });
    const { values, statistics } = await expected;
    few.values.forEach((draws, q) => {
      expect(sameBits(draws, values[q].slice(0, chains * options.draws))).toBe(true);
    });
    expect(few.statistics?.stepSize).toEqual(statistics?.stepSize.slice(0, chains));
  });

  it("of different chains differ", async () => {
    const { values } = await expected;
    expect(new Set([0, 1, 2, 3].map((chain) => values[0][chain * options.draws])).size).toBe(4);
  });

  it("leave the caller's counts as they were", async () => {
    const mine = someCounts(1);
    await engine().sample(base, mine, 3, options);
    expect(mine).toEqual(counts);
    const batch = batchOf(3);
    await engine().run(batch, options);
    expect(batch.counts).toEqual(someCounts(3));
  });
});

it("an engine that has done other work in between gives the same bits again", async () => {
  const options: RunOptions = { ...quick, sampler: "hmc" };
  const first = numbersOf(await engine().run(batchOf(5), options));
  await engine().run(batchOf(3, 0, judge), { ...options, draws: 100 });
  await engine().sample(base, someCounts(1, base, 1e6), 0, { ...options, sampler: "nuts" });
  await engine().run(batchOf(2), { ...options, level: 0.5 });
  expect(sameBits(numbersOf(await engine().run(batchOf(5), options)), first)).toBe(true);
});
