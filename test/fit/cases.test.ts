import { describe, expect, it } from "vitest";
import { fit as fitSources, networkNamed, type Source } from "../../dist/index.js";
import { falseAlarmRate } from "../support/montecarlo.js";
import { caseSource, exactMeans, numbersIn, quantity } from "./support.js";

/** Cases of one system, with the posterior means that their table prints. */
const cases: Record<string, Record<string, string>> = {
  "A1_bom_crlf.csv": {},
  "A5_blank_lines.jsonl": {},
  "A13_crlf_last_column.tsv": {},
  "A15_first_record_short.jsonl": {},
  "B3_bool_strings.csv": {},
  "B5_missing_when_abstaining.csv": {
    theta_R: "0.5",
    "theta_A-": "0.5",
    "theta_A+": "0.3333",
    "theta_T-": "0.3333",
    "theta_T+": "0.6",
    "P(A=1)": "0.4167",
    "P(T=1)": "0.2833",
    "P(G=1)": "0.45",
  },
  "B15_no_T_column.csv": {
    theta_R: "0.5714",
    "theta_A-": "0.5",
    "theta_A+": "0.2",
    "P(A=1)": "0.3286",
    "P(T=1)": "0.3357",
    "P(G=1)": "0.4429",
  },
  "C1_nothing_abstains.csv": {
    "theta_A-": "0.125",
    "theta_A+": "0.125",
    "theta_T-": "0.25",
    "theta_T+": "0.625",
    "P(T=1)": "0.38281",
    "P(G=1)": "0.33594",
  },
  "C5_above_2_24.csv": {},
  "C7_six_states.csv": {
    theta_R: "0.5",
    "theta_A-": "0.4",
    "theta_A+": "0.4",
    "theta_T-": "0.5",
    "theta_T+": "0.5",
    "P(A=1)": "0.4",
    "P(T=1)": "0.3",
    "P(G=1)": "0.35",
  },
  "C10_n38_of_38.csv": {},
  "K5_missing_on_gpu.csv": {
    theta_R: "0.5641",
    "theta_A-": "0.72308",
    "theta_A+": "0.20763",
    "theta_T-": "0.50603",
    "theta_T+": "0.57964",
    "P(A=1)": "0.43354",
    "P(T=1)": "0.32171",
    "P(G=1)": "0.57394",
  },
  "M1_two_a.csv": { theta_R: "0.6667", "P(G=1)": "0.54222" },
  "M1b_two_b.csv": { theta_R: "0.3333", "P(G=1)": "0.54815" },
  "M3_export.csv": { theta_R: "0.57143", "P(A=1)": "0.44286", "P(T=1)": "0.24286", "P(G=1)": "0.38571" },
};

const files = Object.keys(cases);
const sources = (): Source[] => files.map(caseSource);
const expected = new Map(
  await Promise.all(files.map(async (file) => [file, await exactMeans(caseSource(file))] as const)),
);
const documents = {
  nuts: await fitSources(sources(), { sampler: "nuts", seed: 71, workers: 2 }),
  hmc: await fitSources(sources(), { sampler: "hmc", seed: 72, workers: 2 }),
  exact: await fitSources(sources(), { engine: "exact", seed: 73 }),
};

it.each(files)("%s: the enumeration of this test has the means that the cases' table prints", (file) => {
  for (const [name, printed] of Object.entries(cases[file])) {
    const error = Math.abs((expected.get(file)?.[name] ?? Number.NaN) - Number(printed));
    expect.soft(error, name).toBeLessThanOrEqual(0.5001 * 10 ** -(printed.length - 2));
  }
});

it.each(files)("%s: --engine exact has these means to 1e-9, with a Monte Carlo error of 0", (file) => {
  const found = documents.exact.fits[files.indexOf(file)];
  expect(found).toMatchObject({ source: file, engine: "exact", sampler: null, chains: null, warmup: null });
  for (const [name, mean] of Object.entries(expected.get(file) ?? {})) {
    const { mean: mine, mcse } = quantity(found, name);
    expect.soft(Math.abs((mine ?? Number.NaN) - mean), name).toBeLessThan(1e-9);
    expect.soft(mcse, name).toBe(0);
  }
});

const rate = falseAlarmRate(files.length * 9, 4);

describe.each(["nuts", "hmc"] as const)("%s", (sampler) => {
  it(`has the exact means of all ${files.length} files within 4 of its standard errors (for a new seed, one of them is further off with a chance of ${rate.toFixed(4)} at most)`, () => {
    for (const [i, file] of files.entries()) {
      for (const [name, exact] of Object.entries(expected.get(file) ?? {})) {
        const { mean, mcse } = quantity(documents[sampler].fits[i], name);
        const z = ((mean ?? Number.NaN) - exact) / (mcse ?? Number.NaN);
        expect.soft(Math.abs(z), `${file} ${name}`).toBeLessThan(4);
      }
    }
  });

  it("converges: R-hat at most 1.01, no divergences, ESS of 400 and more, no warnings but for missing data", () => {
    for (const { source, quantities, diagnostics, warnings } of documents[sampler].fits) {
      expect.soft(diagnostics.divergences, source).toBe(0);
      for (const { name, rhat, essBulk, essTail } of quantities) {
        expect.soft(rhat ?? Number.NaN, `${source} ${name}`).toBeLessThanOrEqual(1.01);
        expect.soft(Math.min(essBulk ?? 0, essTail ?? 0), `${source} ${name}`).toBeGreaterThan(400);
      }
      expect
        .soft(
          warnings.filter((warning) => !warning.startsWith("no data on")),
          source,
        )
        .toEqual([]);
    }
  });
});

describe.each(["nuts", "hmc", "exact"] as const)("%s: every case", (which) => {
  it("has its names in the contract's order, numbers that are finite or null, and ends in order inside (0, 1)", () => {
    for (const found of documents[which].fits) {
      expect(found.quantities.map(({ name }) => name)).toEqual([
        "theta_R",
        "theta_A-",
        "theta_A+",
        "theta_T-",
        "theta_T+",
        "P(R=1)",
        "P(A=1)",
        "P(T=1)",
        "P(G=1)",
      ]);
      numbersIn(found);
      for (const { lower, median, upper, mean } of found.quantities) {
        expect(lower).toBeGreaterThan(0);
        expect(median).toBeGreaterThan(lower as number);
        expect(upper).toBeGreaterThan(median as number);
        expect(upper).toBeLessThan(1);
        expect(mean).toBeGreaterThan(0);
      }
    }
  });

  it("B15: rows without data have the prior's mean and interval, and say so", () => {
    const found = documents[which].fits[files.indexOf("B15_no_T_column.csv")];
    for (const name of ["theta_T-", "theta_T+"]) {
      const { mean, lower, upper, noData, counted, mcse, essTail } = quantity(found, name);
      // The prior is uniform with density 1, so ends have the standard error of a share of 2.5%.
      const endError = Math.sqrt((0.025 * 0.975) / (essTail ?? Number.POSITIVE_INFINITY));
      expect(Math.abs((mean ?? 0) - 0.5)).toBeLessThan(1e-12 + 5 * (mcse ?? Number.NaN));
      expect(Math.abs((lower ?? 0) - 0.025)).toBeLessThan(1e-12 + 5 * endError);
      expect(Math.abs((upper ?? 0) - 0.975)).toBeLessThan(1e-12 + 5 * endError);
      expect({ noData, counted }).toEqual({ noData: true, counted: null });
    }
    expect(found.warnings).toEqual(["no data on theta_T-, theta_T+: what is shown is the prior"]);
  });

  it("C5: counts 33,554,435 records exactly", () => {
    const found = documents[which].fits[files.indexOf("C5_above_2_24.csv")];
    expect(found.records).toBe(33_554_435);
    expect(quantity(found, "theta_R").counted).toEqual({ k: 16_777_217, n: 33_554_435 });
  });
});

it("C3: a judge that copies the gold labels has finite posteriors with rates strictly inside (0, 1)", async () => {
  for (const sampler of ["nuts", "hmc"] as const) {
    const options = { network: networkNamed("rat-judge"), sampler, seed: 74, workers: 2 };
    const [found] = (await fitSources([caseSource("C3_perfect_judge.csv")], options)).fits;
    numbersIn(found);
    const draws = (found.chains ?? 0) * (found.draws ?? 0);
    expect((found.diagnostics.divergences ?? draws) / draws).toBeLessThan(0.01);
    for (const name of ["TPR_R", "FPR_R", "TPR_T", "FPR_T"]) {
      const { lower, upper } = quantity(found, name);
      expect(lower).toBeGreaterThan(0);
      expect(upper).toBeLessThan(1);
    }
  }
});
