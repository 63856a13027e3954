import { describe, expect, it } from "vitest";
import { type Batch, type Engine, emptySummaries, type RunOptions, type Summaries } from "../../src/engines/engine.js";
import { runAllocation } from "../../src/experiments/allocation.js";
import { replicateCounts } from "../../src/experiments/design.js";
import type { Row } from "../../src/experiments/rows.js";
import { designOf, network } from "./support.js";

const sampling = { sampler: "hmc", chains: 2, warmup: 10, draws: 20, seed: 1, level: 0.95 } as const;

/** An engine whose summaries tell which refit they are of: mean = id, sd = quantity, lower = a hash of the counts. */
class TellingEngine implements Engine {
  readonly name = "wasm";
  readonly adapter = null;
  readonly workers = 1;
  readonly batchRefits = 512;
  readonly batches: Batch[] = [];
  underWay = 0;
  mostUnderWay = 0;

  constructor(private readonly failAt = Number.POSITIVE_INFINITY) {}

  async prepare(): Promise<void> {}

  async run(batch: Batch, options: RunOptions): Promise<Summaries> {
    const number = this.batches.push(batch);
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
    const { length } = batch.ids;
    const patterns = batch.network.patterns.length;
    const summaries = emptySummaries(length, 2);
    for (let i = 0; i < length; i++) {
      for (const q of [0, 1]) {
        summaries.mean[2 * i + q] = batch.ids[i];
        summaries.sd[2 * i + q] = q;
        summaries.lower[2 * i + q] = hash(batch.counts.subarray(i * patterns, (i + 1) * patterns));
      }
      if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
      options.onProgress?.(i + 1);
    }
    this.underWay--;
    if (number > this.failAt) throw new Error(`batch ${number}`);
    return summaries;
  }

  async sample(): Promise<never> {
    throw new Error("not here");
  }

  async dispose(): Promise<void> {}
}

const hash = (counts: Float64Array): number => counts.reduce((h, n, m) => h + n * Math.sqrt(m + 2), 0);

async function collect(rows: AsyncGenerator<Row[]>): Promise<Row[][]> {
  const all: Row[][] = [];
  for await (const replicate of rows) all.push(replicate);
  return all;
}

describe("running an allocation design", () => {
  const design = designOf({ strategies: "all-joint,all-T", adds: [60, 200] });

  it("yields the rows of each replicate in order, each with the summary of its own counts and id", async () => {
    const engine = new TellingEngine();
    const replicates = await collect(runAllocation(engine, design, { first: 0, end: 230, sampling }));
    expect(replicates).toHaveLength(230);
    const patterns = network.patterns.length;
    replicates.forEach((rows, replicate) => {
      const counts = replicateCounts(design, replicate);
      expect(rows).toHaveLength(5);
      rows.forEach((row, c) => {
        const refit = 5 * replicate + c;
        const { strategy, add } = design.cells[c];
        expect(row).toMatchObject({ refit, replicate, strategy, add });
        expect(row.quantities.map(({ mean, sd }) => [mean, sd])).toEqual([
          [refit, 0],
          [refit, 1],
        ]);
        expect(row.quantities[0].lower).toBe(hash(counts.subarray(c * patterns, (c + 1) * patterns)));
      });
    });
  });

  it("keeps two batches under way and at most 512 refits in each, so that no thread waits", async () => {
    const engine = new TellingEngine();
    await collect(runAllocation(engine, design, { first: 0, end: 500, sampling }));
    expect(engine.mostUnderWay).toBe(2);
    expect(engine.batches.length).toBeGreaterThan(2);
    expect(Math.max(...engine.batches.map(({ ids }) => ids.length))).toBeLessThanOrEqual(512);
  });

  it("gives every refit an id of its own, its place in the experiment, however batches are cut", async () => {
    const engine = new TellingEngine();
    await collect(runAllocation(engine, design, { first: 0, end: 230, sampling }));
    const ids = engine.batches.flatMap((batch) => [...batch.ids]);
    expect(ids).toEqual(Array.from({ length: 1150 }, (_, i) => i));
  });

  it("a part of the replicates has the ids, counts and rows that it has in the whole", async () => {
    const whole = await collect(runAllocation(new TellingEngine(), design, { first: 0, end: 150, sampling }));
    const part = await collect(runAllocation(new TellingEngine(), design, { first: 37, end: 150, sampling }));
    expect(part).toEqual(whole.slice(37));
  });

  it("reports progress that only grows, up to all refits", async () => {
    const seen: number[] = [];
    const options = { first: 0, end: 230, sampling, onProgress: (finished: number) => void seen.push(finished) };
    await collect(runAllocation(new TellingEngine(), design, options));
    expect(seen.every((finished, i) => i === 0 || finished > seen[i - 1])).toBe(true);
    expect(seen.at(-1)).toBe(1150);
  });

  it("throws the engine's error at the batch it belongs to, after the rows before it", async () => {
    const rows = runAllocation(new TellingEngine(2), design, { first: 0, end: 500, sampling });
    let replicates = 0;
    const reading = (async () => {
      for await (const _ of rows) replicates++;
    })();
    await expect(reading).rejects.toThrow("batch 3");
    expect(replicates).toBe(2 * Math.floor(512 / 5));
  });
});
