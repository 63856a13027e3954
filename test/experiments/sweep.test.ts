import { describe, expect, it } from "vitest";
import {
  type NetworkDefinition,
  networkNamed,
  presetSource,
  type RatError,
  type Source,
  type SweepDocument,
  type SweepOptions,
  type SweepPlan,
  sweep,
} from "../../dist/index.js";
import { numbersIn } from "../fit/support.js";

const quick = {
  seed: 5,
  chains: 2,
  warmup: 30,
  draws: 50,
  replicates: 6,
  base: 40,
  add: [10, 21],
  strategies: "all-joint,half-joint-R,all-T",
} as const;
const preset = presetSource("nq-sparse-gemma3");
const run = (options: SweepOptions = {}, sources: Source[] = [preset]): Promise<SweepDocument> =>
  sweep(sources, { ...quick, ...options });

const timeless = ({ sweeps }: SweepDocument): unknown =>
  sweeps.map((one) => ({ ...one, seconds: 0, refitsPerSecond: 0, workers: 0 }));
const standard = await run();

async function refusal(options: SweepOptions, sources?: Source[]): Promise<RatError> {
  const error = await run(options, sources).then(
    () => null,
    (thrown) => thrown as RatError,
  );
  if (error === null) throw new Error("expected a refusal");
  return error;
}

describe("the document of a sweep", () => {
  it("has what the contract names, and numbers that are finite or null", () => {
    expect(Object.keys(standard)).toEqual(["sweeps"]);
    const [one] = standard.sweeps;
    expect(one).toMatchObject({
      source: "nq-sparse-gemma3",
      network: "rat",
      engine: "wasm",
      adapter: null,
      sampler: "hmc",
      seed: 5,
      refits: 6 * 7,
    });
    expect(Object.keys(one.truth)).toEqual(["P(G=1)", "P(T=1)"]);
    numbersIn(standard);
    expect(one.refitsPerSecond).toBeCloseTo(one.refits / one.seconds, 6);
  });

  it("has cells base first, then by strategy as given, add ascending, quantity; every pair of strategies at each add", () => {
    const [{ cells, paired }] = standard.sweeps;
    const places = ["base 0", ...["all-joint", "half-joint-R", "all-T"].flatMap((s) => [`${s} 10`, `${s} 21`])];
    expect(cells.map(({ strategy, add, quantity }) => `${strategy} ${add} ${quantity}`)).toEqual(
      places.flatMap((place) => [`${place} P(G=1)`, `${place} P(T=1)`]),
    );
    expect(cells.every(({ base, replicates }) => base === 40 && replicates === 6)).toBe(true);
    expect(paired).toHaveLength(3 * 2 * 2);
  });

  it("is the same for the same seed, for 0, 1, 2 and 4 workers, but for seconds and workers", async () => {
    for (const workers of [0, 1, 2, 4]) {
      const document = await run({ workers });
      expect(timeless(document)).toEqual(timeless(standard));
      expect(document.sweeps[0].workers).toBe(Math.max(1, workers));
    }
  });

  it("of each source is what it is alone, in the order given", async () => {
    const other = presetSource("fever-hybrid-apertus");
    const both = timeless(await run({}, [other, preset])) as unknown[];
    expect(both[1]).toEqual((timeless(standard) as unknown[])[0]);
    expect(both[0]).toEqual((timeless(await run({}, [other])) as unknown[])[0]);
  });

  it("reports a random seed that repeats it", async () => {
    const first = await run({ seed: undefined });
    expect((await run({ seed: undefined })).sweeps[0].seed).not.toBe(first.sweeps[0].seed);
    expect(timeless(await run({ seed: first.sweeps[0].seed }))).toEqual(timeless(first));
  });
});

describe("every option that is accepted changes something", () => {
  it.each<[string, SweepOptions]>([
    ["seed", { seed: 6 }],
    ["sampler", { sampler: "nuts" }],
    ["chains", { chains: 4 }],
    ["chains, an odd number of hmc", { chains: 3 }],
    ["warmup", { warmup: 31 }],
    ["draws", { draws: 51 }],
    ["level", { level: 0.8 }],
    ["base", { base: 41 }],
    ["add", { add: [10, 22] }],
    ["strategies", { strategies: "all-joint,half-joint-T,all-T" }],
    ["replicates", { replicates: 7 }],
    ["shard", { shard: { index: 0, count: 2 } }],
    ["priors", { priors: { theta_R: [5, 1] } }],
    ["quantities", { quantities: [{ name: "P(A=1)", expression: "P(A=1)" }] }],
    ["engine", { engine: "exact" }],
    [
      "samplerPreset",
      { samplerPreset: "paper", chains: undefined, warmup: undefined, draws: undefined, replicates: 2 },
    ],
  ])("%s: another document", async (_name, change) => {
    expect(timeless(await run(change))).not.toEqual(timeless(standard));
  });

  it("3 chains of hmc are not 4: the partner of the last one is left out", async () => {
    const three = (await run({ chains: 3 })).sweeps[0].cells.map(({ mae }) => mae);
    const four = (await run({ chains: 4 })).sweeps[0].cells.map(({ mae }) => mae);
    expect(three).not.toEqual(four);
  });

  it("engine exact: no sampler, no R-hat, the same truth", async () => {
    const [one] = (await run({ engine: "exact" })).sweeps;
    expect(one).toMatchObject({ engine: "exact", sampler: null, workers: null });
    expect(one.truth).toEqual(standard.sweeps[0].truth);
    expect(one.cells.every(({ maxRhat }) => maxRhat === null)).toBe(true);
  });

  it("hooks hear of the plan, of every replicate's rows in order, of progress and of the result", async () => {
    const plans: SweepPlan[] = [];
    const replicates: number[] = [];
    const progress: number[] = [];
    let last: unknown = null;
    await run({
      onStart: (plan) => void plans.push(plan),
      onRows: async (rows) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        expect(rows).toHaveLength(7);
        replicates.push(rows[0].replicate);
      },
      onProgress: (finished) => void progress.push(finished),
      onSweep: (one) => {
        last = one;
      },
    });
    expect(plans).toMatchObject([{ source: "nq-sparse-gemma3", first: 0, end: 6, base: 40, engine: "wasm" }]);
    expect(replicates).toEqual([0, 1, 2, 3, 4, 5]);
    expect(progress.at(-1)).toBe(42);
    expect(timeless({ sweeps: [last] } as SweepDocument)).toEqual(timeless(standard));
  });

  it("signal: an aborted sweep rejects as interrupted, after the rows of whole replicates", async () => {
    const controller = new AbortController();
    let rows = 0;
    const onRows = (some: readonly unknown[]): void => {
      rows += some.length;
      controller.abort();
    };
    const sweeping = run({ replicates: 5000, signal: controller.signal, onRows });
    await expect(sweeping).rejects.toMatchObject({ kind: "interrupted", exitCode: 130 });
    expect(rows % 7).toBe(0);
  });
});

describe("refusals", () => {
  it.each<[SweepOptions, RegExp]>([
    [{ base: -1 }, /--base must be a whole number of at least 0, not -1/],
    [{ base: 1.5 }, /--base must be .*, not 1.5/],
    [{ add: [10, -2] }, /--add must be .*, not -2/],
    [{ replicates: 0 }, /--replicates must be a whole number of at least 1, not 0/],
    [{ replicates: Number.NaN }, /--replicates must be .*, not NaN/],
    [{ strategies: "some" }, /unknown strategy "some"/],
    [{ strategies: "judge" }, /network rat has no variable R_J, T_J/],
    [{ draws: 3 }, /--draws must be a whole number from 4/],
  ])("%j", async (options, message) => {
    const error = await refusal(options);
    expect(error).toMatchObject({ kind: "usage", exitCode: 64 });
    expect(error.message).toMatch(message);
  });

  it("too few records that hold every label: code 65, before any source's work begins", async () => {
    const few: Source = {
      name: "few",
      records: [
        { R: 1, A: 0, T: 1, n: 60 },
        { R: 1, A: 0, n: 500 },
      ],
    };
    let started = 0;
    const notices: string[] = [];
    const error = await refusal({ onStart: () => void started++, onNotice: (notice) => void notices.push(notice) }, [
      preset,
      few,
    ]);
    expect(error).toMatchObject({ kind: "data", exitCode: 65, place: { file: "few" } });
    expect(error.message).toMatch(/^60 records hold every label, but --base 40 with the largest --add needs 61/);
    expect(notices).toContain("few: 500 records lack a label and are not sampled");
    expect(started).toBe(0);
  });
});

it("rat-judge: labels of the judge are bought for records that hold all five", async () => {
  const records = [0, 1].flatMap((R) =>
    [0, 1].flatMap((R_J) => [0, 1].map((T_J) => ({ R, A: 0, T: R, R_J, T_J, n: R === R_J ? 30 : 5 }))),
  );
  const options = { network: networkNamed("rat-judge"), strategies: "judge,x: R_J 50%, T_J 50%,all-joint" };
  const [one] = (await run(options, [{ name: "r", records }])).sweeps;
  expect([...new Set(one.cells.map(({ strategy }) => strategy))]).toEqual(["base", "judge", "x", "all-joint"]);
  numbersIn(one);
});

it("quantities that are no numbers are null everywhere, truth included", async () => {
  const zero = "(P(R=1) * P(A=1) - P(R=1) * P(A=1))";
  const quantities = [
    { name: "ratio", expression: `P(T=1) / ${zero}` },
    { name: "P(G=1)", expression: "P(G=1)" },
  ];
  const [one] = (await run({ quantities })).sweeps;
  numbersIn(one);
  expect(one.truth.ratio).toBeNull();
  const cell = one.cells.find(({ quantity }) => quantity === "ratio");
  expect(cell).toMatchObject({ mae: null, bias: null, rmse: null, width: null, coverage: null });
  expect(one.cells.every(({ quantity, mae }) => quantity === "ratio" || mae !== null)).toBe(true);
});

it("a network without P(G=1) and P(T=1) is refused where no quantities are named, and swept where they are", async () => {
  const network: NetworkDefinition = {
    name: "retrieval",
    variables: [{ name: "R", levels: ["0", "1"], rows: [{ name: "p" }] }],
    quantities: [{ name: "p", expression: "P(R=1)" }],
  };
  const sources: Source[] = [{ name: "r", records: [0, 1].map((R) => ({ R, n: 100 })) }];
  const error = await refusal({ network, strategies: "all-R" }, sources);
  expect(error).toMatchObject({ kind: "usage", message: expect.stringMatching(/^network retrieval has no P\(G=1\)/) });
  const { quantities } = network;
  const [one] = (await run({ network, quantities, strategies: "all-R" }, sources)).sweeps;
  expect(one.truth).toEqual({ p: 0.5 });
});
