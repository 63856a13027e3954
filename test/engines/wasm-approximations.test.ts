import { afterAll, describe, expect, it } from "vitest";
import { WasmEngine } from "../../dist/engines/wasm/engine.js";
import { sameBits } from "../support/accuracy.js";
import { base, batchOf, Engines, idsFrom, judge, numbersOf, quick, someCounts } from "./wasm-support.js";

const workerCounts = [0, 1, 2];
const engines = new Engines();
const open = (workers: number): WasmEngine => engines.add(new WasmEngine({ workers }));
afterAll(() => engines.dispose());

const byWorkers = new Map(workerCounts.map((workers) => [workers, open(workers)]));
const engine = (workers = 2): WasmEngine => byWorkers.get(workers) as WasmEngine;

type Approximations = Awaited<ReturnType<WasmEngine["approximate"]>>;

/** Every number of the approximations, of one part after the other. */
const numbers = (...parts: Approximations[]): Float64Array =>
  Float64Array.from(
    (["mode", "root", "success", "failure"] as const).flatMap((field) => parts.flatMap((part) => [...part[field]])),
  );

const interrupted = { name: "RatError", kind: "interrupted", exitCode: 130 };

describe.each([base, judge])("approximations of $name", (network) => {
  const refits = 37;
  const batch = batchOf(refits, 0, network);
  const expected = engine(1).approximate(batch).then(numbers);

  it("have K logits, K (K + 1) / 2 entries of the root and K counts of either kind a refit", async () => {
    const K = network.rowNames.length;
    const { mode, root, success, failure } = await engine().approximate(batch);
    expect([mode, root, success, failure].map(({ length }) => length / refits)).toEqual([K, (K * (K + 1)) / 2, K, K]);
    expect((await expected).every(Number.isFinite)).toBe(true);
  });

  it.each(workerCounts)("are the same bits for %d workers (0: the caller's own thread)", async (workers) => {
    expect(sameBits(numbers(await engine(workers).approximate(batch)), await expected)).toBe(true);
  });

  it.each([
    ["one refit each", Array.from({ length: refits }, () => 1)],
    ["10 and 27", [10, 27]],
    ["36 and 1", [36, 1]],
  ])("are the same bits in batches of %s, last one first and all at once, whatever the ids", async (_name, sizes) => {
    const patterns = network.patterns.length;
    let first = 0;
    const parts = sizes.map((size) => {
      const counts = batch.counts.slice(first * patterns, (first + size) * patterns);
      first += size;
      return { network, counts, ids: idsFrom(1000, size) };
    });
    const running = [...parts].reverse().map((part) => engine().approximate(part));
    const results = (await Promise.all(running)).reverse();
    expect(sameBits(numbers(...results), await expected)).toBe(true);
  });

  it("are the same bits with sampling before, after and at the same time, which has its own as ever", async () => {
    const options = { ...quick, sampler: "hmc" } as const;
    const sampled = numbersOf(await open(1).run(batch, options));
    const busy = engine();
    const [before, first, second, after] = await Promise.all([
      busy.run(batch, options),
      busy.approximate(batch),
      busy.approximate(batch),
      busy.run(batch, options),
    ]);
    for (const summaries of [before, after]) expect(sameBits(numbersOf(summaries), sampled)).toBe(true);
    for (const each of [first, second]) expect(sameBits(numbers(each), await expected)).toBe(true);
  });
});

it("a large batch is the same in any number of tasks, and leaves the caller's counts as they were", async () => {
  const batch = batchOf(5000);
  const [one, two] = await Promise.all([engine(1).approximate(batch), engine(2).approximate(batch)]);
  expect(sameBits(numbers(one), numbers(two))).toBe(true);
  expect(sameBits(batch.counts, someCounts(5000))).toBe(true);
});

it("an empty batch has none", async () => {
  expect(numbers(await engine().approximate(batchOf(0)))).toHaveLength(0);
});

describe.each([0, 2])("aborting approximations (%d workers)", (workers) => {
  it("before they begin rejects as interrupted", async () => {
    const signal = AbortSignal.abort();
    await expect(open(workers).approximate(batchOf(3), { signal })).rejects.toMatchObject(interrupted);
  });

  it("on their way rejects as interrupted, and the engine then gives the same bits as ever", async () => {
    const engine = open(workers);
    const expected = numbers(await engine.approximate(batchOf(20)));
    const patterns = base.patterns.length;
    const refits = 200_000; // some seconds of work, if nothing stops it
    const counts = new Float64Array(refits * patterns).fill(3);
    const long = { network: base, counts, ids: idsFrom(0, refits) };
    for (let round = 0; round < 3; round++) {
      const controller = new AbortController();
      const stopped = engine.approximate(long, { signal: controller.signal });
      setTimeout(() => controller.abort(), 50);
      await expect(stopped).rejects.toMatchObject(interrupted);
      expect(sameBits(numbers(await engine.approximate(batchOf(20))), expected)).toBe(true);
    }
  });
});
