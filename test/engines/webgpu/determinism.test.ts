import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { DispatchSize } from "../../../dist/engines/webgpu/dispatch-size.js";
import type { WebGpuEngine } from "../../../dist/engines/webgpu/engine.js";
import type { Batch, RunOptions } from "../../../dist/index.js";
import { sameBits } from "../../support/accuracy.js";
import { base, batchOf, Engines, numbersOf, someCounts } from "../wasm-support.js";
import { openWebGpu, part, short } from "./support.js";

const engines = new Engines();
let engine: WebGpuEngine;
let expected: Float64Array;

const refits = 40;
/** Ids on either side of 2^32. */
const batch = batchOf(refits, 2 ** 32 - 20);

const numbers = async (of: Batch, options: Partial<RunOptions> = {}, on = engine): Promise<Float64Array> =>
  numbersOf(await on.run(of, { ...short, ...options }));

beforeAll(async () => {
  engine = engines.add(await openWebGpu());
  expected = await numbers(batch);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => engines.dispose());

describe("the same seed gives the same bits", () => {
  it("again", async () => {
    expect(sameBits(await numbers(batch), expected)).toBe(true);
  });

  it("in calls of 7 refits, last one first and all at once", async () => {
    const firsts = [35, 28, 21, 14, 7, 0];
    const parts = await Promise.all(
      firsts.map((first) => engine.run(part(batch, first, Math.min(first + 7, refits)), short)),
    );
    const whole = await engine.run(batch, short);
    for (const column of ["mean", "sd", "lower", "upper", "rhat", "ess", "divergences", "leapfrogs"] as const) {
      const joined = Float64Array.from(parts.toReversed().flatMap((one) => [...one[column]]));
      expect(sameBits(joined, whole[column]), column).toBe(true);
    }
  });

  it.each([
    ["one round of one refit", 1, 1],
    ["one round of 3 refits", 1, 3],
    ["one round of all", 1, refits],
    ["2 rounds of 7 refits", 2, 7],
    ["all rounds of 1 refit", 100, 1],
  ])("in dispatches of %s", async (_, rounds, atOnce) => {
    const spans = vi.spyOn(DispatchSize.prototype, "rounds").mockImplementation((_, left) => Math.min(left, rounds));
    const sizes = vi.spyOn(DispatchSize.prototype, "refits").mockImplementation((_, left) => Math.min(left, atOnce));
    expect(sameBits(await numbers(batch), expected)).toBe(true);
    expect(spans).toHaveBeenCalled();
    // Rounds of warmup and of draws, 3 + 4, in spans that don't reach over from one to the other.
    expect(sizes.mock.calls.length).toBeGreaterThanOrEqual(
      (Math.ceil(3 / rounds) + Math.ceil(4 / rounds)) * Math.ceil(refits / atOnce),
    );
  });

  it("after other work, with other settings and in larger buffers", async () => {
    await engine.run(batchOf(50), { ...short, draws: 200, seed: 6 });
    await engine.sample(base, someCounts(1), 3, short);
    await engine.run(batchOf(2), { ...short, warmup: 0, level: 0.5 });
    expect(sameBits(await numbers(batch), expected)).toBe(true);
    expect(sameBits(await numbers(part(batch, 0, 3)), numbersOf(await engine.run(part(batch, 0, 3), short)))).toBe(
      true,
    );
  });

  it("on two engines at once, which both give it", async () => {
    const other = engines.add(await openWebGpu());
    const both = await Promise.all([numbers(batch), numbers(batch, {}, other), numbers(batch, { seed: 8 }, other)]);
    expect(sameBits(both[0], expected)).toBe(true);
    expect(sameBits(both[1], expected)).toBe(true);
    expect(sameBits(both[2], expected)).toBe(false);
  });

  it("for the draws of `sample`, whatever else was done", async () => {
    const first = await engine.sample(base, someCounts(1), 3, short);
    await numbers(batch);
    const second = await engine.sample(base, someCounts(1), 3, short);
    first.values.forEach((draws, q) => {
      expect(sameBits(draws, second.values[q])).toBe(true);
    });
    expect(second.statistics).toEqual(first.statistics);
  });

  it("and leaves the caller's counts as they were", () => {
    expect(batch.counts).toEqual(someCounts(refits));
  });
});

describe("others", () => {
  it("ids, also 2^32 and 2^52 on, are other draws of the same counts", async () => {
    const ids = Float64Array.of(0, 1, 2 ** 32, 2 ** 32 + 1, 2 ** 52, 2 ** 53 - 1);
    const counts = Float64Array.from([...ids].flatMap(() => [...someCounts(1)]));
    const { mean, quantities } = await engine.run({ network: base, counts, ids }, short);
    expect(new Set([...ids].map((_, refit) => mean[refit * quantities])).size).toBe(ids.length);
    const alone = await engine.run({ network: base, counts: someCounts(1), ids: Float64Array.of(2 ** 53 - 1) }, short);
    expect(alone.mean[0]).toBe(mean[5 * quantities]);
  });

  it("seeds, also 2^32 on, warmups and numbers of draws are other draws; a level changes the interval only", async () => {
    const one = batchOf(1);
    const changes = [{}, { seed: 6 }, { seed: 5 + 2 ** 32 }, { seed: 2 ** 53 - 1 }, { warmup: 41 }, { draws: 61 }];
    const means: number[] = [];
    for (const change of changes) means.push((await engine.run(one, { ...short, ...change })).mean[0]);
    expect(new Set(means).size).toBe(changes.length);
    const [wide, narrow] = [await engine.run(one, short), await engine.run(one, { ...short, level: 0.5 })];
    expect(sameBits(narrow.mean, wide.mean)).toBe(true);
    expect(sameBits(narrow.median, wide.median)).toBe(true);
    narrow.upper.forEach((upper, q) => {
      expect(upper - narrow.lower[q]).toBeLessThan(wide.upper[q] - wide.lower[q]);
    });
  });

  it("chains of one refit are other draws too", async () => {
    const { values } = await engine.sample(base, someCounts(1), 3, short);
    const firsts = Array.from({ length: 4 }, (_, chain) => values[0][chain * short.draws]);
    expect(new Set(firsts).size).toBe(4);
  });
});
