import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { fitCsv, pairedCsv, sweepCsv } from "../../src/report/csv.js";
import { exactFit, quantityNames, sampleFit, sampleSweep, uniforms } from "./samples.js";

type Row = Record<string, string>;

function parse(text: string): Row[] {
  const { data, errors } = Papa.parse<Row>(text, { header: true, skipEmptyLines: true });
  expect(errors).toEqual([]);
  return data;
}

const numberOf = (field: string): number | null => (field === "" ? null : Number(field));

describe("fitCsv", () => {
  it("has one row a source and quantity whose numbers read back the same", () => {
    const random = uniforms(7);
    const noisy = () => random.next().value * 10 ** (20 * random.next().value - 15);
    const fits = ["a.csv", 'b, "c".csv', "d\ne.jsonl"].map((source) => {
      const fit = sampleFit({ source });
      return {
        ...fit,
        quantities: fit.quantities.map((q) => ({ ...q, mean: noisy(), sd: noisy(), essTail: noisy() })),
      };
    });
    const rows = parse(fitCsv(fits));
    expect(rows).toHaveLength(3 * quantityNames.length);
    fits.forEach((fit, f) => {
      fit.quantities.forEach((quantity, i) => {
        const row = rows[f * quantityNames.length + i];
        expect(row.source).toBe(fit.source);
        expect(row.quantity).toBe(quantity.name);
        const { mean, sd, median, lower, upper, mcse, essBulk, essTail, rhat, nObserved, nMissing } = quantity;
        const { k, n } = quantity.counted ?? { k: null, n: null };
        const numbers = { mean, sd, median, lower, upper, mcse, essBulk, essTail, rhat, k, n, nObserved, nMissing };
        for (const [column, value] of Object.entries(numbers)) expect(numberOf(row[column])).toBe(value);
      });
    });
  });

  it("writes null as an empty field and marks quantities without data", () => {
    const text = fitCsv([exactFit()]);
    expect(text).not.toMatch(/null|NaN|undefined/);
    const row = parse(text).find(({ quantity }) => quantity === "theta_T+");
    expect(row).toMatchObject({ mcse: "", rhat: "", k: "", n: "", nObserved: "0", nMissing: "10000", noData: "true" });
  });

  it("is a head alone for no fits", () => {
    expect(fitCsv([])).toBe(
      "source,quantity,mean,sd,median,lower,upper,mcse,essBulk,essTail,rhat,k,n,nObserved,nMissing,noData\n",
    );
  });
});

describe("sweepCsv and pairedCsv", () => {
  const sweeps = [sampleSweep(), sampleSweep({ source: "hotpotqa-hybrid-apertus", adds: [60] })];

  it.each([
    ["sweepCsv", sweepCsv(sweeps), sweeps.flatMap(({ source, cells }) => cells.map((cell) => ({ source, ...cell })))],
    [
      "pairedCsv",
      pairedCsv(sweeps),
      sweeps.flatMap(({ source, paired }) => paired.map((pair) => ({ source, ...pair }))),
    ],
  ])("%s has every field of every row, exactly", (_name, text, expected) => {
    const rows = parse(text).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, field]) => [
          column,
          ["source", "strategy", "versus", "quantity"].includes(column) ? field : numberOf(field),
        ]),
      ),
    );
    expect(rows).toEqual(expected);
    expect(Object.keys(rows[0])).toEqual(Object.keys(expected[0]));
  });
});
