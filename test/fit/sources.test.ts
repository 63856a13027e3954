import { describe, expect, it } from "vitest";
import {
  type FitDocument,
  type FitOptions,
  fit as fitSources,
  presetNames,
  presetSource,
  readRows,
  type Source,
} from "../../dist/index.js";
import { meanZ, zLimit } from "../support/montecarlo.js";
import { caseSource, numbersIn, quantity, timeless } from "./support.js";

const quick = { seed: 3, chains: 2, warmup: 50, draws: 50 } as const;
const one: Source = {
  name: "one",
  records: [
    { R: 1, A: 0, T: 1 },
    { R: 0, A: 1 },
  ],
};

describe("several sources", () => {
  const a = (): Source => caseSource("M1_two_a.csv");
  const b = (): Source => caseSource("M1b_two_b.csv");
  const run = (sources: Source[], options: FitOptions = {}): Promise<FitDocument> =>
    fitSources(sources, { seed: 81, ...options });

  it("M1: swapping two files swaps their fits, and each is what it is alone", async () => {
    const both = timeless(await run([a(), b()])) as unknown[];
    expect(timeless(await run([b(), a()]))).toEqual([...both].reverse());
    expect(timeless(await run([a()]))).toEqual([both[0]]);
    expect(timeless(await run([b()]))).toEqual([both[1]]);
  });

  it("M1: P(R) is 3/4 and 1/4 before the prior", async () => {
    const { fits } = await run([a(), b()]);
    expect(fits.map((fit) => quantity(fit, "P(R=1)").counted)).toEqual([
      { k: 3, n: 4 },
      { k: 1, n: 4 },
    ]);
  });

  it("the same records under two names have the same numbers, whatever else there is", async () => {
    const { fits } = await run([{ ...one, name: "x" }, a(), { ...one, name: "y" }], quick);
    expect({ ...fits[0], source: "", diagnostics: 0 }).toEqual({ ...fits[2], source: "", diagnostics: 0 });
  });

  it("groups of a column are what their files would be", async () => {
    const text = "system,R,A,T\nx,1,0,1\ny,0,1,\nx,1,0,0\n";
    const grouped = await run([{ name: "f", rows: readRows([text]) }], { ...quick, by: "system" });
    const x: Source = {
      name: "x",
      records: [
        { R: 1, A: 0, T: 1 },
        { R: 1, A: 0, T: 0 },
      ],
    };
    const alone = await run([x], quick);
    expect(grouped.fits[0].quantities).toEqual(alone.fits[0].quantities);
    expect(grouped.fits.map(({ source }) => source)).toEqual(["f [system=x]", "f [system=y]"]);
  });

  it("what is wrong with one is told by its name", async () => {
    const bad: Source = { name: "bad", records: [{ R: 2, A: 0 }] };
    await expect(run([one, bad], quick)).rejects.toMatchObject({ kind: "data", place: { file: "bad", line: 1 } });
  });

  it("none at all is an empty document", async () => {
    expect(await run([], quick)).toEqual({ fits: [] });
  });
});

describe("seed", () => {
  it("the same seed gives the same document but for seconds, with nuts, hmc and exact", async () => {
    for (const options of [{ sampler: "nuts" }, { sampler: "hmc" }, { engine: "exact" }] as const) {
      const first = await fitSources([one], { ...quick, ...options });
      expect(timeless(await fitSources([one], { ...quick, ...options }))).toEqual(timeless(first));
    }
  });

  it("is random where none is given, and the one that is reported repeats the run", async () => {
    const { seed: _seed, ...rest } = quick;
    const [first, second] = [await fitSources([one], rest), await fitSources([one], rest)];
    expect(first.fits[0].seed).not.toBe(second.fits[0].seed);
    const again = await fitSources([one], { ...rest, seed: first.fits[0].seed ?? -1 });
    expect(timeless(again)).toEqual(timeless(first));
  });

  it("up to 2^53 - 1 counts: seeds that differ by 2^32 give different draws", async () => {
    const means = [];
    for (const seed of [1, 1 + 2 ** 32, 2 ** 53 - 1]) {
      means.push(quantity((await fitSources([one], { ...quick, seed })).fits[0], "theta_R").mean);
    }
    expect(new Set(means).size).toBe(3);
  });
});

describe("records", () => {
  it("plain objects are read as a file's rows are: numbers, booleans, text, null, undefined, NaN and n", async () => {
    const records = [
      { R: 1, A: false, T: "yes", n: 2 },
      { R: "1", A: 0, T: null },
      { R: true, A: "0" },
      { R: Number.NaN, A: 0, T: undefined },
      { A: 1 },
    ];
    const { fits } = await fitSources([{ name: "r", records }], quick);
    expect(fits[0]).toMatchObject({ records: 6, observed: { R: 4, A: 6, T: 2 }, implied: { R: 0, A: 0, T: 1 } });
  });

  it.each([
    [[], /no records/],
    [[{ x: 1 }], /no column is a variable of network rat/],
    [[{ R: "", A: null }], /no labels: R, A, T are blank in all records/],
    [[{ R: 1, A: 1, T: 1 }], /1 record has A = 1 with T = 1, which the model rules out/],
    [[{ R: 0.5, A: 0 }], /R is 0.5, not a 0\/1 label/],
    [[{ R: 1, A: 0, n: -1 }], /n is -1, not a whole number from 0 to 2\^53/],
  ])("%j is refused as bad data", async (records, message) => {
    const error = await fitSources([{ name: "r", records }], quick).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: "data", exitCode: 65, place: { file: "r" } });
    expect(error.message).toMatch(message);
  });

  it("all 27 presets fit: 10,000 records, finite numbers, P(G=1) near its plain proportion", async () => {
    expect(presetNames()).toHaveLength(27);
    const { fits } = await fitSources(presetNames().map(presetSource), { engine: "exact", seed: 1, draws: 25 });
    for (const fit of fits) {
      expect(fit.records).toBe(10_000);
      numbersIn(fit);
      const { mean, sd, counted } = quantity(fit, "P(G=1)");
      const share = (counted?.k ?? Number.NaN) / (counted?.n ?? Number.NaN);
      expect(Math.abs((mean ?? Number.NaN) - share)).toBeLessThan(sd ?? Number.NaN);
    }
  });
});

describe("priors", () => {
  const records = [
    { R: 1, n: 7 },
    { R: 0, n: 3 },
  ];
  const priors = { theta_R: [2.5, 0.75] as const, "theta_A+": [9, 1] as const };

  it("exact: a conjugate mean is (k + b) / (n + a + b), concentrations in the order of the levels", async () => {
    const { fits } = await fitSources([{ name: "r", records }], { engine: "exact", priors });
    expect(quantity(fits[0], "theta_R").mean).toBeCloseTo((7 + 0.75) / (10 + 3.25), 14);
    expect(quantity(fits[0], "theta_A+").mean).toBeCloseTo(0.1, 14);
    expect(quantity(fits[0], "theta_A-").mean).toBeCloseTo(0.5, 14);
    const [a, b] = [7.75, 5.5];
    expect(quantity(fits[0], "theta_R").sd).toBeCloseTo(Math.sqrt((a * b) / (a + b) ** 2 / (a + b + 1)), 14);
  });

  it.each(["nuts", "hmc"] as const)(
    "%s: draws have the same means, in standard errors (one false alarm in 10,000)",
    async (sampler) => {
      const means: Record<string, number> = { theta_R: 7.75 / 13.25, "theta_A+": 0.1, "theta_A-": 0.5 };
      await fitSources([{ name: "r", records }], {
        priors,
        sampler,
        seed: 91,
        draws: 4000,
        onFit: (fit, draws) => {
          for (const [name, mean] of Object.entries(means)) {
            const q = fit.quantities.findIndex((each) => each.name === name);
            expect(Math.abs(meanZ(draws?.values[q] as Float64Array, 4, mean)), name).toBeLessThan(zLimit(6));
          }
        },
      });
    },
  );
});

it("a quantity that is no number in any draw is null in the document, never NaN or Infinity", async () => {
  // 0 in every draw, but not to the compiler: a product less itself.
  const zero = "(P(R=1) * P(A=1) - P(R=1) * P(A=1))";
  const quantities = [
    { name: "infinite", expression: `1 / ${zero}` },
    { name: "undefined", expression: `${zero} / ${zero}` },
    { name: "constant", expression: `3 + ${zero}` },
  ];
  for (const options of [{ sampler: "nuts" }, { sampler: "hmc" }, { engine: "exact" }] as const) {
    const document = await fitSources([one], { ...quick, ...options, quantities });
    numbersIn(document);
    const nothing = { mean: null, sd: null, median: null, lower: null, upper: null, mcse: null };
    expect(quantity(document.fits[0], "infinite")).toMatchObject(nothing);
    expect(quantity(document.fits[0], "undefined")).toMatchObject(nothing);
    expect(quantity(document.fits[0], "constant")).toMatchObject({ mean: 3, median: 3, lower: 3, upper: 3 });
  }
});
