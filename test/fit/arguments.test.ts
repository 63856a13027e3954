import { describe, expect, it } from "vitest";
import {
  compileNetwork,
  createEngine,
  type FitOptions,
  fit,
  type NetworkDefinition,
  presetSource,
  rat,
  type SamplingOptions,
  type Source,
  type SweepOptions,
  sweep,
} from "../../dist/index.js";

const records = [
  { R: 1, A: 0, T: 1 },
  { R: 0, A: 1 },
];
const quick = { seed: 1, chains: 1, warmup: 10, draws: 20 };
const preset = presetSource("nq-dense-gemma3");
const interrupted = { name: "RatError", kind: "interrupted", exitCode: 130 };

async function* asynchronous() {
  yield* records;
}

/** Options and sources as callers without types may hand them over. */
type Given = [what: string, sources: unknown, options: unknown, kind: "usage" | "data", message: RegExp];

const forBoth: Given[] = [
  ["no sources", undefined, {}, "usage", /^sources must be a list of sources, not undefined$/],
  ["a source that is no list", { name: "m", records }, {}, "usage", /^sources must be a list of sources, not \{/],
  ["a source that is none", [null], {}, "usage", /^sources\[0\] must be an object, not null$/],
  ["a source without a name", [{ records }], {}, "usage", /^sources\[0\]\.name must be text, not undefined$/],
  ["a source of nothing", [{ name: "m" }], {}, "usage", /^source "m" must have one of records, rows, preset: it has n/],
  ["a source of two things", [{ name: "m", records, rows: [] }], {}, "usage", /: it has records and rows$/],
  ["records bit by bit", [{ name: "m", records: asynchronous() }], {}, "usage", /^source "m": records must be a list/],
  ["records as text", [{ name: "m", records: "R,A,T" }], {}, "usage", /^source "m": records must be .*not "R,A,T"/],
  [
    "rows that are a number",
    [{ name: "m", rows: 5 }],
    {},
    "usage",
    /^source "m": rows must be those of readRows, not 5/,
  ],
  ["a preset that is no name", [{ name: "m", preset: 5 }], {}, "usage", /^source "m": preset must be text, not 5$/],
  ["a record that is none", [{ name: "m", records: [...records, null] }], {}, "data", /^a record must be an object of/],
  ["a record that is a list", [{ name: "m", records: [[1, 0, 1]] }], {}, "data", /not \[1,0,1\]$/],
  ["a row that is none", [{ name: "m", rows: [{ R: 1 }] }], {}, "data", /^a record must be .*not undefined$/],
  ["a bigint for a label", [{ name: "m", records: [{ R: 1n }] }], {}, "data", /^R is 1n, not a 0\/1 label/],
  ["a record that holds itself", [{ name: "m", records: [selfish()] }], {}, "data", /^R is \[object Object\], not/],
  ["options that are none", [preset], 5, "usage", /^options must be an object, not 5$/],
  ["priors that are a number", [preset], { priors: 5 }, "usage", /^priors must be an object of .*not 5$/],
  [
    "a prior in text",
    [preset],
    { priors: { "theta_A+": "1,9" } },
    "usage",
    /^priors\["theta_A\+"\] must be a list of num/,
  ],
  [
    "a prior of text",
    [preset],
    { priors: { theta_R: ["1", 9] } },
    "usage",
    /^priors\["theta_R"\]\[0\] must be a number/,
  ],
  [
    "a prior with a hole",
    [preset],
    { priors: { theta_R: Array(2) } },
    "usage",
    /^priors\["theta_R"\]\[0\] must be a n/,
  ],
  [
    "quantities by name",
    [preset],
    { quantities: ["P(A=1)"] },
    "usage",
    /^quantities\[0\] must be an object, not "P\(A=/,
  ],
  ["quantities that are none", [preset], { quantities: 5 }, "usage", /^quantities must be a list of .*not 5$/],
  [
    "a quantity of a bigint",
    [preset],
    { quantities: [{ name: "x", expression: 1n }] },
    "usage",
    /must be text, not 1n$/,
  ],
  ["a network by name", [preset], { network: "rat" }, "usage", /^a network must be a definition, .*not "rat"$/],
  [
    "a compiled network",
    [preset],
    { network: compileNetwork(rat) },
    "data",
    /^network\.variables\[0\]\.rows must be a/,
  ],
  [
    "a map in text",
    [{ name: "m", records }],
    { map: "R=x" },
    "usage",
    /^options\.map must be an object of .*not "R=x"/,
  ],
  ["no signal", [preset], { signal: 5 }, "usage", /^options\.signal must be an AbortSignal/],
  ["no listener", [preset], { onNotice: "log" }, "usage", /^options\.onNotice must be a function, not "log"$/],
];

function selfish() {
  const R: Record<string, unknown> = {};
  R.R = R;
  return { R };
}

describe.each<[string, (sources: unknown, options: unknown) => Promise<unknown>]>([
  ["fit", (sources, options) => fit(sources as Source[], merged(options) as FitOptions)],
  ["sweep", (sources, options) => sweep(sources as Source[], merged(options) as SweepOptions)],
])("%s refuses in words", (_name, call) => {
  it.each(forBoth)("%s", async (_what, sources, options, kind, message) => {
    const error = { name: "RatError", kind, message: expect.stringMatching(message) };
    await expect(call(sources, options)).rejects.toMatchObject(error);
  });
});

const merged = (options: unknown): unknown => (typeof options === "object" ? { ...quick, ...options } : options);

it.each<[string, object, RegExp]>([
  ["additions that are no list", { add: 60 }, /^options\.add must be a list of numbers, not 60$/],
  ["strategies in a list", { strategies: ["all-R"] }, /^options\.strategies must be text, not \["all-R"\]$/],
  ["finished that isn't asked", { finished: [] }, /^options\.finished must be a function, not \[\]$/],
])("sweep refuses in words %s", async (_name, options, message) => {
  const error = { name: "RatError", kind: "usage", message: expect.stringMatching(message) };
  await expect(sweep([preset], options)).rejects.toMatchObject(error);
});

it("compileNetwork refuses in words what is no network", () => {
  for (const definition of [undefined, "rat", 5]) {
    expect(() => compileNetwork(definition as unknown as NetworkDefinition)).toThrow(/^a network must be a definition/);
  }
  const wrong = { ...rat, variables: [{ ...rat.variables[0], levels: "01" }] } as unknown as NetworkDefinition;
  expect(() => compileNetwork(wrong)).toThrow(/^network\.variables\[0\]\.levels must be a list of names, not "01"$/);
});

describe("using", () => {
  it.each([5, {}, "wasm", null])("that is no engine of createEngine is refused: %j", async (using) => {
    await expect(fit([preset], { ...quick, using } as unknown as FitOptions)).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/^using must be an engine of createEngine, not /),
    });
  });

  it.each<SamplingOptions>([{ engine: "exact" }, { workers: 1 }])("beside %j is refused", async (options) => {
    const using = await createEngine({ workers: 0 });
    await expect(fit([preset], { ...quick, ...options, using })).rejects.toMatchObject({ kind: "usage" });
  });

  it("takes an exact engine, and refuses one that is disposed of", async () => {
    const using = await createEngine({ engine: "exact" });
    expect((await fit([preset], { ...quick, using })).fits[0].engine).toBe("exact");
    await using.dispose();
    const disposed = { kind: "usage", message: "the engine has been disposed of" };
    await expect(fit([preset], { ...quick, using })).rejects.toMatchObject(disposed);
  });
});

describe("an abort", () => {
  it.each([["fit"], ["sweep"]])("ends %s though its source waits, and the source isn't read on", async (job) => {
    const controller = new AbortController();
    let read = 0;
    let more = (): void => {};
    const waits = new Promise<void>((resolve) => {
      more = resolve;
    });
    async function* rows() {
      yield { line: ++read, values: records[0] };
      await waits;
      for (;;) yield { line: ++read, values: records[1] };
    }
    const options = { ...quick, signal: controller.signal };
    const sources = [{ name: "slow", rows: rows() }];
    const work = job === "fit" ? fit(sources, options) : sweep(sources, options);
    setTimeout(() => controller.abort(), 20);
    await expect(work).rejects.toMatchObject(interrupted);
    more();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(read).toBe(2);
  });

  it.each([["fit"], ["sweep"]])("by a time limit ends %s on the exact engine", async (job) => {
    const signal = AbortSignal.timeout(100);
    const options = { ...quick, draws: 9_000_000, engine: "exact", signal } as const;
    const work = job === "fit" ? fit([preset], options) : sweep([preset], options);
    await expect(work).rejects.toMatchObject(interrupted);
  });
});
