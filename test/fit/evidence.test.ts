import { describe, expect, it } from "vitest";
import { type FitOptions, fit as fitSources } from "../../dist/index.js";
import { caseSource, quantity } from "./support.js";

type Seen = Record<string, [counted: string | null, nObserved: number | null, nMissing: number | null]>;

/** What the records say of each quantity: `k/n` of those that show it, how many do, how many might. */
async function seen(file: string, options: FitOptions = {}): Promise<Seen[]> {
  const { fits } = await fitSources([caseSource(file)], { engine: "exact", seed: 1, ...options });
  return fits.map(({ quantities }) =>
    Object.fromEntries(
      quantities.map(({ name, counted, nObserved, nMissing }) => [
        name,
        [counted === null ? null : `${counted.k}/${counted.n}`, nObserved, nMissing],
      ]),
    ),
  );
}

it("B5: T is blank where A = 1, which is a failure by the model, and on one answer, which is missing", async () => {
  const [fit] = (await fitSources([caseSource("B5_missing_when_abstaining.csv")], { engine: "exact" })).fits;
  expect(fit).toMatchObject({ records: 8, observed: { R: 8, A: 8, T: 4 }, implied: { R: 0, A: 0, T: 3 } });
  expect(await seen("B5_missing_when_abstaining.csv")).toEqual([
    {
      theta_R: ["4/8", 8, 0],
      "theta_A-": ["2/4", 4, 0],
      "theta_A+": ["1/4", 4, 0],
      "theta_T-": ["0/1", 1, 1],
      "theta_T+": ["2/3", 3, 0],
      "P(R=1)": ["4/8", 8, 0],
      "P(A=1)": ["3/8", 8, 0],
      // T is known of every abstention and of some answers only: a fraction of those would be too low.
      "P(T=1)": [null, 7, 1],
      "P(G=1)": ["4/8", 8, 0],
    },
  ]);
});

it("B7: each system has its own counts, and what is missing is beside them", async () => {
  const [a, b] = await seen("B7_dropped_rows.csv", { by: "system" });
  expect(a).toMatchObject({ "theta_T+": ["1/2", 2, 0], "P(T=1)": ["1/2", 2, 0], "P(G=1)": ["1/2", 2, 0] });
  expect(b).toMatchObject({ "theta_T+": ["1/1", 1, 1], "P(T=1)": ["1/1", 1, 1], "P(G=1)": ["1/1", 1, 1] });
});

it("B7: the system with a missing label doesn't look surer: its intervals are those of one record", async () => {
  const { fits } = await fitSources([caseSource("B7_dropped_rows.csv")], { by: "system", engine: "exact" });
  expect(fits.map(({ source }) => source)).toEqual([
    "B7_dropped_rows.csv [system=A]",
    "B7_dropped_rows.csv [system=B]",
  ]);
  const rounded = (fit: (typeof fits)[number]): string[] => {
    const { mean, lower, upper } = quantity(fit, "theta_T+");
    return [mean, lower, upper].map((value) => (value ?? Number.NaN).toFixed(3));
  };
  expect(rounded(fits[0])).toEqual(["0.500", "0.094", "0.906"]);
  expect(rounded(fits[1])).toEqual(["0.667", "0.158", "0.987"]);
  expect(fits.map((fit) => quantity(fit, "P(G=1)").mean?.toFixed(5))).toEqual(["0.40625", "0.50000"]);
});

it("B15: without a column T nothing is said of it but what abstentions imply", async () => {
  expect(await seen("B15_no_T_column.csv")).toEqual([
    {
      theta_R: ["3/5", 5, 0],
      "theta_A-": ["1/2", 2, 0],
      "theta_A+": ["0/3", 3, 0],
      "theta_T-": [null, 0, 1],
      "theta_T+": [null, 0, 3],
      "P(R=1)": ["3/5", 5, 0],
      "P(A=1)": ["1/5", 5, 0],
      "P(T=1)": [null, 1, 4],
      "P(G=1)": [null, 2, 3],
    },
  ]);
});

it("K5: labels missing here and there are counted for what they leave open", async () => {
  expect(await seen("K5_missing_on_gpu.csv")).toEqual([
    {
      theta_R: ["3/5", 5, 3],
      "theta_A-": ["1/1", 1, 4],
      "theta_A+": ["0/3", 3, 3],
      "theta_T-": [null, 0, 3],
      "theta_T+": ["1/2", 2, 3],
      "P(R=1)": ["3/5", 5, 3],
      "P(A=1)": ["2/6", 6, 2],
      "P(T=1)": [null, 6, 2],
      "P(G=1)": [null, 3, 5],
    },
  ]);
});

describe("no data", () => {
  const noData = async (records: Record<string, unknown>[], options: FitOptions = {}): Promise<string[]> => {
    const { fits } = await fitSources([{ name: "r", records }], { engine: "exact", ...options });
    return fits[0].quantities.filter((q) => q.noData).map(({ name }) => name);
  };

  it("is said of what no record bears on, and left out elsewhere", async () => {
    expect(await noData([{ R: 1, A: 0, T: 1 }])).toEqual(["theta_A-", "theta_T-"]);
    // What is certain in the model needs no data.
    const certain = [{ name: "x", expression: "P(A=1, T=1)" }];
    expect(await noData([{ R: 1, A: 0, T: 1 }], { quantities: certain })).toEqual(["theta_A-", "theta_T-"]);
    expect(await noData([{ R: 1, A: 1 }])).toEqual(["theta_A-", "theta_T-", "theta_T+"]);
    expect(
      await noData([
        { R: 0, A: 0, T: 1 },
        { R: 1, A: 0, T: 1 },
      ]),
    ).toEqual([]);
  });

  it("is not said of what ambiguous records inform: T of an answer whose R is unknown", async () => {
    expect(await noData([{ R: "", A: 0, T: 1 }])).toEqual([]);
  });

  it("is judged for a quantity of one's own by the rows that it depends on", async () => {
    const quantities = [
      { name: "none", expression: "P(A=1 | R=0) - P(T=1 | R=0, A=0)" },
      { name: "some", expression: "P(A=1 | R=0) - P(A=1 | R=1)" },
    ];
    expect(await noData([{ R: 1, A: 0, T: 1 }], { quantities })).toEqual(["theta_A-", "theta_T-", "none"]);
  });
});

it("arithmetic over several probabilities is no proportion: counted, observed and missing are null", async () => {
  const quantities = [{ name: "gap", expression: "P(A=1 | R=0) - P(A=1 | R=1)" }];
  const [all] = await seen("C7_six_states.csv", { quantities });
  expect(all.gap).toEqual([null, null, null]);
  expect(all["P(G=1)"]).toEqual(["2/6", 6, 0]);
});

it("a proportion of one's own is counted as the network's are", async () => {
  const quantities = [
    { name: "hallucination", expression: "P(T=0 | A=0)" },
    { name: "both", expression: "P(R=1, A=1)" },
  ];
  const [all] = await seen("C7_six_states.csv", { quantities });
  expect(all.hallucination).toEqual(["2/4", 4, 0]);
  expect(all.both).toEqual(["1/6", 6, 0]);
});

it("rows that stand for many records count as many", async () => {
  const records = [
    { R: 1, A: 0, T: 1, n: 2 ** 40 },
    { R: 0, A: 1, T: "", n: 3 },
    { R: "", A: 0, T: 0, n: 5 },
  ];
  const { fits } = await fitSources([{ name: "r", records }], { seed: 1 });
  expect(fits[0]).toMatchObject({ records: 2 ** 40 + 8, observed: { R: 2 ** 40 + 3 }, implied: { T: 3 } });
  expect(quantity(fits[0], "P(R=1)")).toMatchObject({
    counted: { k: 2 ** 40, n: 2 ** 40 + 3 },
    nObserved: 2 ** 40 + 3,
    nMissing: 5,
  });
});
