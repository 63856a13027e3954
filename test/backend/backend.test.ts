import { afterAll, describe, expect, it } from "vitest";
import {
  type Backend,
  type BackendOptions,
  compileNetwork,
  createEngine,
  type NetworkDefinition,
  type RefitOptions,
  rat,
} from "../../dist/index.js";

const network = compileNetwork(rat, { quantities: rat.quantities.slice(0, 2) });
const patterns = network.patterns.length;
const quick = { seed: 1, warmup: 20, draws: 40 };
const countsOf = (refits: number): Float64Array => Float64Array.from({ length: refits * patterns }, (_, i) => i % 7);
const usage = { name: "RatError", kind: "usage", exitCode: 64 };

const engine = await createEngine({ workers: 1 });
afterAll(() => engine.dispose());
const expected = await engine.run(network, countsOf(3), quick);

describe("counts belong to the caller again as soon as run has returned", () => {
  it.each<[string, (counts: Float64Array) => unknown]>([
    ["other numbers", (counts) => counts.fill(1000)],
    ["numbers that would be refused", (counts) => counts.fill(-5)],
    ["nothing, when its buffer is given to another thread", ({ buffer }) => structuredClone(0, { transfer: [buffer] })],
  ])("%s in them change nothing", async (_name, reuse) => {
    for (const other of [engine, await createEngine({ engine: "exact" })]) {
      const reference = await other.run(network, countsOf(3), quick);
      const counts = countsOf(3);
      const results = other.run(network, counts, quick);
      reuse(counts);
      expect(await results).toEqual(reference);
    }
  });
});

describe("what can be counts", () => {
  it("is a number of records up to 2^53, which counts too", async () => {
    const counts = new Float64Array(patterns).fill(2 ** 53);
    const { mean } = await engine.run(network, counts, quick);
    expect(mean.every((value) => value > 0 && value < 1)).toBe(true);
  });

  it.each([2 ** 53 + 2, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "is not %d, by refit and pattern",
    async (n) => {
      const counts = countsOf(2);
      counts[patterns + 3] = n;
      const message = `counts of refit 1, pattern 3: ${n} is not a whole number from 0 to 2^53`;
      await expect(engine.run(network, counts, quick)).rejects.toMatchObject({ ...usage, message });
    },
  );
});

describe("ids", () => {
  it("are those of one call, however it is cut", async () => {
    const second = await engine.run(network, countsOf(3).subarray(patterns, 2 * patterns), { ...quick, firstId: 1 });
    expect(second.mean).toEqual(expected.mean.slice(2, 4));
  });

  it("end at 2^53 - 1: beyond, two refits would have the same stream", async () => {
    const last = await engine.run(network, countsOf(2), { ...quick, firstId: 2 ** 53 - 2 });
    expect(last.mean[0]).not.toBe(last.mean[2]);
    for (const firstId of [2 ** 53 - 1, 2 ** 53, -1, 0.5, Number.NaN]) {
      await expect(engine.run(network, countsOf(2), { ...quick, firstId })).rejects.toMatchObject(usage);
    }
  });
});

describe("arguments of other types are wrong usage, in words", () => {
  const counts = countsOf(1);
  it.each<[string, unknown[], RegExp]>([
    ["counts that are a list", [network, Array(patterns).fill(1)], /^counts must be a Float64Array, not \[1,1/],
    ["counts that are floats of 32 bits", [network, new Float32Array(patterns)], /^counts must be a Float64Array/],
    ["no counts", [network], /^counts must be a Float64Array, not undefined/],
    ["a network's name", ["rat", counts], /^a network must be a definition, such as rat.*not "rat"/],
    ["no network", [undefined, counts], /^a network must be a definition/],
    ["options that are a number", [network, counts, 5], /^options must be an object, not 5/],
    ["no signal", [network, counts, { signal: {} }], /^options\.signal must be an AbortSignal/],
    ["no callback", [network, counts, { onProgress: 1 }], /^options\.onProgress must be a function, not 1/],
    ["a bigint", [network, counts, { seed: 1n }], /^--seed must be a whole number.*not 1n/],
  ])("%s", async (_name, [first, second, third], message) => {
    const run = engine.run(first as NetworkDefinition, second as Float64Array, third as RefitOptions);
    await expect(run).rejects.toMatchObject({ ...usage, message: expect.stringMatching(message) });
  });

  it("a definition that lacks something is bad data, by its place", async () => {
    const half = { name: "half", variables: [{ name: "R", levels: ["0", "1"] }], quantities: [] };
    await expect(engine.run(half as unknown as NetworkDefinition, counts)).rejects.toMatchObject({
      kind: "data",
      message: "network.variables[0].rows must be a list of rows, not undefined",
    });
  });
});

describe("createEngine", () => {
  it.each<[unknown, RegExp]>([
    [{ workers: Number.NaN }, /^--workers must be a whole number from 0 to 1024, not NaN$/],
    [{ workers: -1 }, /not -1$/],
    [{ workers: 1.5 }, /not 1\.5$/],
    [{ workers: 1e6 }, /not 1000000$/],
    [{ workers: null }, /not null$/],
    [{ workers: "many" }, /not "many"$/],
    [{ engine: "foo" }, /^--engine must be one of auto, wasm, webgpu, exact, not "foo"$/],
    [{ engine: null }, /not null$/],
    [null, /^options must be an object, not null$/],
    ["wasm", /^options must be an object/],
  ])("refuses %j", async (options, message) => {
    const opened = createEngine(options as BackendOptions);
    await expect(opened).rejects.toMatchObject({ ...usage, message: expect.stringMatching(message) });
  });

  it("reads numbers in text, as fit and sweep do", async () => {
    const two = await createEngine({ workers: "2" as unknown as number });
    expect(two.workers).toBe(2);
    await two.dispose();
  });
});

it.each(["wasm", "exact"] as const)("a disposed engine refuses work as wrong usage: %s", async (name) => {
  const own: Backend = await createEngine({ engine: name, workers: 1 });
  await own.dispose();
  const message = "the engine has been disposed of";
  await expect(own.run(network, countsOf(1), quick)).rejects.toMatchObject({ ...usage, message });
  await expect(own.stream(network, [countsOf(1)], quick).next()).rejects.toMatchObject({ ...usage, message });
});

it.each(["wasm", "exact"] as const)("an abort is an interruption, by hand or by time: %s", async (name) => {
  const own = await createEngine({ engine: name, workers: 1 });
  const long = { ...quick, draws: 1_000_000 };
  for (const signal of [AbortSignal.abort(), AbortSignal.timeout(50)]) {
    const run = own.run(network, countsOf(40), { ...long, signal });
    await expect(run).rejects.toMatchObject({ name: "RatError", kind: "interrupted", exitCode: 130 });
  }
  await own.dispose();
});
