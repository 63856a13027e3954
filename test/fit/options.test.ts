import { describe, expect, it } from "vitest";
import {
  createEngine,
  type Draws,
  type Fit,
  type FitOptions,
  fit as fitSources,
  networkNamed,
  type RatError,
  type SamplingOptions,
  type Source,
  samplingOptions,
} from "../../dist/index.js";
import { quantity, timeless } from "./support.js";

const records = [
  { system: "a", R: 1, A: 0, T: 1, gold: 0 },
  { system: "a", R: 1, A: 0, T: 0, gold: 0 },
  { system: "b", R: 0, A: 1, T: "", gold: 1 },
  { system: "b", R: "", A: 0, T: 1, gold: 1 },
];
const source: Source = { name: "records", records };
const quick = { seed: 3, chains: 2, warmup: 50, draws: 50 } as const;
const one = async (options: FitOptions, from: Source = source): Promise<Fit> =>
  (await fitSources([from], { ...quick, ...options })).fits[0];
const standard = await one({});
const halves = { TPR_R: 0.5, FPR_R: 0.5, TPR_T: 0.5, FPR_T: 0.5 };

async function refusal(options: object, from: Source = source): Promise<RatError> {
  const error = await fitSources([from], options as FitOptions).then(
    () => null,
    (thrown) => thrown as RatError,
  );
  if (error === null) throw new Error("expected a refusal");
  return error;
}

describe("every option that is accepted changes something", () => {
  it.each<[string, FitOptions]>([
    ["seed", { seed: 4 }],
    ["sampler", { sampler: "hmc" }],
    ["chains", { chains: 3 }],
    ["warmup", { warmup: 51 }],
    ["draws", { draws: 51 }],
    ["priors", { priors: { theta_R: [3, 1] } }],
    ["map", { map: { R: "gold" } }],
    ["network", { network: networkNamed("rat-judge") }],
    ["judgeConcentration", { network: networkNamed("rat-judge"), judgeConcentration: 2 }],
    ["judgeRates, judgeRate", { network: networkNamed("rat-judge"), judgeRates: "fixed", judgeRate: halves }],
  ])("%s: other draws", async (_name, change) => {
    const changed = await one(change);
    expect(quantity(changed, "P(R=1)").mean).not.toBe(quantity(standard, "P(R=1)").mean);
  });

  it("sampler, chains, warmup, draws, seed and level are those of the document", async () => {
    const given = { seed: 9, sampler: "hmc", chains: 6, warmup: 70, draws: 80, level: 0.8 } as const;
    expect(await one(given)).toMatchObject({ ...given, engine: "wasm", adapter: null, fallback: null });
  });

  it("level: the same draws, narrower intervals", async () => {
    const changed = await one({ level: 0.5 });
    for (const { name, mean, lower, upper } of changed.quantities) {
      const before = quantity(standard, name);
      expect(mean).toBe(before.mean);
      expect(lower).toBeGreaterThan(before.lower as number);
      expect(upper).toBeLessThan(before.upper as number);
    }
  });

  it("samplerPreset paper: nuts, 5 chains, 2,000 warmup, 10,000 draws; options beside it win", async () => {
    const paper = { samplerPreset: "paper" } as const;
    const whole = (await fitSources([source], { ...paper, seed: 1 })).fits[0];
    expect(whole).toMatchObject({ sampler: "nuts", chains: 5, warmup: 2000, draws: 10_000 });
    expect(await one({ ...paper, draws: 20 })).toMatchObject({ sampler: "nuts", warmup: 50, draws: 20 });
  });

  it("engine exact: no chains, no R-hat, an exact mean; its draws change quantiles that have no closed form", async () => {
    const exact = await one({ engine: "exact" });
    expect(exact).toMatchObject({ engine: "exact", sampler: null, chains: null, warmup: null, draws: 100 });
    const { rhat, essBulk, essTail, mcse } = quantity(exact, "P(G=1)");
    expect({ rhat, essBulk, essTail, mcse }).toEqual({ rhat: null, essBulk: null, essTail: null, mcse: 0 });
    const more = await one({ engine: "exact", draws: 500 });
    expect(quantity(more, "P(G=1)").upper).not.toBe(quantity(exact, "P(G=1)").upper);
    expect(quantity(more, "theta_R").upper).toBe(quantity(exact, "theta_R").upper);
  });

  it("workers: the numbers stay", async () => {
    const expected = timeless({ fits: [standard] });
    for (const workers of [0, 1, 3]) expect(timeless({ fits: [await one({ workers })] })).toEqual(expected);
  });

  it("using: another engine samples, and stays open", async () => {
    const engine = await createEngine({ workers: 1 });
    const again = await fitSources([source], { ...quick, using: engine });
    expect(timeless(again)).toEqual(timeless({ fits: [standard] }));
    expect(timeless(await fitSources([source], { ...quick, using: engine }))).toEqual(timeless(again));
    await engine.dispose();
    await expect(fitSources([source], { ...quick, using: engine })).rejects.toThrow("disposed of");
  });

  it("quantities: more of them, behind the network's own", async () => {
    const quantities = [{ name: "gap", expression: "P(A=1|R=0) - P(A=1|R=1)" }];
    const changed = await one({ quantities });
    expect(changed.quantities.map(({ name }) => name)).toEqual([...standard.quantities.map(({ name }) => name), "gap"]);
    const [a0, a1] = ["theta_A-", "theta_A+"].map((name) => quantity(changed, name).mean as number);
    expect(Math.abs((quantity(changed, "gap").mean as number) - (a0 - a1))).toBeLessThan(1e-12);
    expect(quantity(changed, "P(R=1)")).toEqual(quantity(standard, "P(R=1)"));
  });

  it("by: a fit for each value, in order of appearance", async () => {
    const { fits } = await fitSources([source], { ...quick, by: "system" });
    expect(fits.map(({ source: name, records: n }) => [name, n])).toEqual([
      ["records [system=a]", 2],
      ["records [system=b]", 2],
    ]);
  });

  it("abstainedSuccess: refuse, drop and as-failure are three different things", async () => {
    const contradicting = { name: "c", records: [...records, { R: 1, A: 1, T: 1 }] };
    expect(await refusal({ abstainedSuccess: "refuse" }, contradicting)).toMatchObject({ kind: "data", exitCode: 65 });
    expect((await one({ abstainedSuccess: "drop" }, contradicting)).records).toBe(4);
    const kept = await one({ abstainedSuccess: "as-failure" }, contradicting);
    expect([kept.records, kept.implied.T]).toEqual([5, 2]);
  });

  it("onFit hears of each fit with its draws, in order, and is waited for; onNotice of what is ignored", async () => {
    const heard: string[] = [];
    const onFit = async (fit: Fit, draws: Draws | null): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      heard.push(`${fit.source}: ${draws?.values.length} x ${draws?.values[0].length}`);
    };
    const onNotice = (notice: string): void => void heard.push(notice);
    await fitSources([source, { ...source, name: "again" }], { ...quick, onFit, onNotice });
    expect(heard).toEqual([
      "records: ignored columns: system, gold",
      "records: 9 x 100",
      "again: ignored columns: system, gold",
      "again: 9 x 100",
    ]);
  });

  it("signal: an aborted fit rejects as interrupted", async () => {
    const options = { ...quick, draws: 5_000_000, signal: AbortSignal.timeout(50) };
    await expect(fitSources([source], options)).rejects.toMatchObject({ kind: "interrupted", exitCode: 130 });
  });
});

describe("bad values are refused as wrong usage, naming option and value", () => {
  it.each<[keyof SamplingOptions, unknown]>([
    ["seed", -1],
    ["seed", 1.5],
    ["seed", 2 ** 53],
    ["seed", Number.NaN],
    ["seed", "x"],
    ["engine", "cuda"],
    ["sampler", "gibbs"],
    ["chains", 0],
    ["chains", 1025],
    ["chains", Number.POSITIVE_INFINITY],
    ["warmup", -1],
    ["warmup", 1e7],
    ["draws", 3],
    ["draws", 1e8],
    ["draws", null],
    ["workers", -1],
    ["workers", 0.5],
    ["level", 0],
    ["level", 1],
    ["level", 95],
    ["level", "0,95"],
  ])("%s: %s", async (name, value) => {
    const error = await refusal({ [name]: value });
    expect(error).toMatchObject({ name: "RatError", kind: "usage", exitCode: 64 });
    expect(error.message).toMatch(new RegExp(`^--${name} must be `));
    expect(error.message).toContain(`not ${typeof value === "number" ? value : JSON.stringify(value)}`);
  });

  it("every option of the sampler has a description, and the library's names are all there are", () => {
    expect(Object.keys(samplingOptions)).toEqual([
      "seed",
      "engine",
      "sampler",
      "chains",
      "warmup",
      "draws",
      "workers",
      "level",
    ]);
    for (const { description } of Object.values(samplingOptions)) expect(description).not.toBe("");
  });

  it.each([
    [{ samplerPreset: "article" }, /--sampler-preset must be one of paper, not "article"/],
    [{ chains: 1024, draws: 10_000_000 }, /--chains 1024 with --draws 10000000 makes 10240000000 draws; 40000000/],
    [
      { abstainedSuccess: "as_failure" },
      /--abstained-success must be one of refuse, drop, as-failure, not "as_failure"/,
    ],
    [{ map: { R: "nope" } }, /no column "nope" to map to R; the columns are "system", "R", "A", "T", "gold"/],
    [{ map: { Q: "gold" } }, /no variable "Q" to map a column to/],
    [{ by: "nope" }, /no column "nope" to group by/],
    [{ priors: { theta_Q: [1, 1] } }, /no row is named theta_Q; priors can be set for theta_R, theta_A-/],
    [{ priors: { theta_R: [1, 0] } }, /prior of theta_R: 0 is not a positive number/],
    [{ priors: { theta_R: [1, 1, 1] } }, /prior of theta_R: 2 numbers are needed/],
    [{ quantities: [{ name: "x", expression: "P(Q=1)" }] }, /unknown variable Q .*position 3/s],
    [{ quantities: [{ name: "P(G=1)", expression: "P(G=1)" }] }, /two quantities are named P\(G=1\)/],
    [{ engine: "webgpu", sampler: "nuts" }, /--sampler nuts runs on the wasm engine only/],
  ])("%j", async (options, message) => {
    const error = await refusal(options);
    expect(error).toMatchObject({ kind: "usage", exitCode: 64 });
    expect(error.message).toMatch(message);
  });

  it("presets have no columns to map or to group by", async () => {
    const preset: Source = { name: "fever-dense-gemma3", preset: "fever-dense-gemma3" };
    expect((await refusal({ by: "system" }, preset)).message).toMatch(
      /--by system: preset fever-dense-gemma3 has no col/,
    );
    expect((await refusal({ map: { R: "gold" } }, preset)).message).toMatch(/--map names columns of files/);
    expect((await refusal({}, { name: "x", preset: "fever-dense-gemma4" })).message).toMatch(
      /did you mean fever-dense-g/,
    );
  });

  it("webgpu with its own sampler is unavailable in this version, not wrong usage", async () => {
    expect(await refusal({ engine: "webgpu" })).toMatchObject({ kind: "unavailable", exitCode: 69 });
  });
});
