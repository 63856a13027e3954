import { describe, expect, it } from "vitest";
import { compileNetwork, createEngine, rat } from "../../dist/index.js";
import { Backend, type RefitResults } from "../../src/backend.js";
import { type Batch, type Engine, emptySummaries, type RunOptions, type Summaries } from "../../src/engines/engine.js";

const network = compileNetwork(rat, { quantities: rat.quantities.slice(0, 1) });
const patterns = network.patterns.length;
const piece = (refits: number, n = 1): Float64Array => new Float64Array(refits * patterns).fill(n);
const quick = { seed: 1, warmup: 20, draws: 40 };
const interrupted = { name: "RatError", kind: "interrupted" };

/** An engine whose runs end when the test says so. The mean of a refit is its first count. */
class HeldEngine implements Engine {
  readonly name = "wasm";
  readonly adapter = null;
  readonly workers = 1;
  readonly batchRefits = 1;
  readonly runs: { batch: Batch; options: RunOptions; end: () => void; isOver: boolean }[] = [];

  async prepare(): Promise<void> {}

  run(batch: Batch, options: RunOptions): Promise<Summaries> {
    return new Promise((resolve, reject) => {
      const summaries = emptySummaries(batch.ids.length, 1);
      batch.ids.forEach((_, i) => {
        summaries.mean[i] = batch.counts[i * patterns];
      });
      const run = { batch, options, isOver: false, end: () => settle(() => resolve(summaries)) };
      const settle = (how: () => void): void => {
        run.isOver = true;
        how();
      };
      options.signal?.addEventListener("abort", () => settle(() => reject(new Error("aborted"))));
      this.runs.push(run);
    });
  }

  async sample(): Promise<never> {
    throw new Error("not here");
  }

  async dispose(): Promise<void> {}
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const never = new Promise<never>(() => {});

async function meansOf(stream: AsyncIterable<RefitResults>): Promise<number[]> {
  const means: number[] = [];
  for await (const { mean } of stream) means.push(...mean);
  return means;
}

describe("results of a stream", () => {
  it("come as soon as they are there, though the source has no second piece yet", async () => {
    const engine = new HeldEngine();
    async function* slow() {
      yield piece(1, 7);
      await never;
    }
    const stream = new Backend(engine).stream(network, slow(), quick);
    const first = stream.next();
    await turn();
    engine.runs[0].end();
    expect((await first).value.mean[0]).toBe(7);
  });

  it("are there for a source that waits for them before it goes on", async () => {
    const engine = await createEngine({ workers: 0 });
    let taken = (): void => {};
    const hasFirst = new Promise<void>((resolve) => {
      taken = resolve;
    });
    async function* sequential() {
      yield piece(1);
      await hasFirst;
      yield piece(2);
    }
    const refits: number[] = [];
    for await (const results of engine.stream(network, sequential(), quick)) {
      refits.push(results.refits);
      taken();
    }
    expect(refits).toEqual([1, 2]);
  });

  it("come in order, whichever ends first, with two pieces under way at a time", async () => {
    const engine = new HeldEngine();
    const means = meansOf(
      new Backend(engine).stream(
        network,
        [1, 2, 3, 4].map((n) => piece(1, n)),
        quick,
      ),
    );
    await turn();
    expect(engine.runs).toHaveLength(2);
    engine.runs[1].end();
    await turn();
    expect(engine.runs).toHaveLength(2);
    engine.runs[0].end();
    await turn();
    expect(engine.runs).toHaveLength(4);
    engine.runs[3].end();
    engine.runs[2].end();
    expect(await means).toEqual([1, 2, 3, 4]);
  });

  it("are those of one call: ids go on, also from an id that was given", async () => {
    const engine = await createEngine({ workers: 0 });
    const all = piece(6).map((_, i) => i % 5);
    const whole = await engine.run(network, all, { ...quick, firstId: 9 });
    const cut = [all.slice(0, patterns), all.slice(patterns, 4 * patterns), all.slice(4 * patterns)];
    expect(await meansOf(engine.stream(network, cut, { ...quick, firstId: 9 }))).toEqual([...whole.mean]);
  });

  it("are of the counts that a piece had when it came, though the source fills one array again and again", async () => {
    const engine = await createEngine({ workers: 0 });
    async function* reusing() {
      const one = piece(1);
      for (const n of [1, 20, 300]) yield one.fill(n);
    }
    const apart = [1, 20, 300].map((n) => piece(1, n));
    const expected = await meansOf(engine.stream(network, apart, quick));
    expect(new Set(expected).size).toBe(3);
    expect(await meansOf(engine.stream(network, reusing(), quick))).toEqual(expected);
  });

  it("report progress over all pieces, which only grows", async () => {
    const engine = await createEngine({ workers: 1 });
    const seen: number[] = [];
    const options = { ...quick, onProgress: (finished: number) => void seen.push(finished) };
    await meansOf(engine.stream(network, [piece(3), piece(4), piece(2)], options));
    expect(seen.at(-1)).toBe(9);
    expect(seen.every((finished, i) => i === 0 || finished > seen[i - 1])).toBe(true);
    await engine.dispose();
  });
});

describe("an abort", () => {
  it("is heard while the source waits, and ends what is under way", async () => {
    const engine = new HeldEngine();
    const controller = new AbortController();
    let isLeft = false;
    async function* waiting() {
      try {
        yield piece(1);
        await never;
      } finally {
        isLeft = true;
      }
    }
    const means = meansOf(new Backend(engine).stream(network, waiting(), { ...quick, signal: controller.signal }));
    await turn();
    controller.abort();
    await expect(means).rejects.toMatchObject(interrupted);
    expect(engine.runs.map(({ isOver }) => isOver)).toEqual([true]);
    expect(isLeft).toBe(false); // it still waits; nobody waits for it
  });

  it("before the first piece asks the source for none", async () => {
    let asked = 0;
    function* pieces() {
      asked++;
      yield piece(1);
    }
    const stream = new Backend(new HeldEngine()).stream(network, pieces(), { signal: AbortSignal.abort() });
    await expect(stream.next()).rejects.toMatchObject(interrupted);
    expect(asked).toBe(0);
  });
});

describe("a stream that is left early", () => {
  it("ends the pieces under way and its source", async () => {
    const engine = new HeldEngine();
    let isLeft = false;
    function* endless() {
      try {
        for (;;) yield piece(1);
      } finally {
        isLeft = true;
      }
    }
    const means = (async () => {
      for await (const _ of new Backend(engine).stream(network, endless(), quick)) break;
    })();
    await turn();
    engine.runs[0].end();
    await means;
    expect(engine.runs.every(({ isOver }) => isOver)).toBe(true);
    expect(engine.runs.length).toBeLessThanOrEqual(3);
    expect(isLeft).toBe(true);
  });

  it("by an error of a piece ends the others, and throws it", async () => {
    const engine = new HeldEngine();
    const pieces = [piece(1), new Float64Array(patterns + 1)];
    const means = meansOf(new Backend(engine).stream(network, pieces, quick));
    await expect(means).rejects.toMatchObject({ kind: "usage", message: expect.stringMatching(/^counts has 19 numb/) });
    expect(engine.runs.map(({ isOver }) => isOver)).toEqual([true]);
  });

  it("by an error of the source ends the others, and throws it", async () => {
    const engine = new HeldEngine();
    async function* failing() {
      yield piece(1);
      throw new Error("no more");
    }
    await expect(meansOf(new Backend(engine).stream(network, failing(), quick))).rejects.toThrow("no more");
    expect(engine.runs.map(({ isOver }) => isOver)).toEqual([true]);
  });
});

it.each([[undefined], ["pieces"], [5]])("pieces that are none are wrong usage: %j", async (pieces) => {
  const stream = new Backend(new HeldEngine()).stream(network, pieces as unknown as Float64Array[], quick);
  await expect(stream.next()).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringMatching(/^pieces must be an iterable/),
  });
});
