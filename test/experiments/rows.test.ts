import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { formatRow, parseRow, type Row, rowHeader } from "../../src/experiments/rows.js";

const fields = ["mean", "sd", "lower", "upper", "rhat", "ess"] as const;

function read(names: readonly string[], row: Row): Record<string, string> {
  const text = `${rowHeader(names)}\n${formatRow(row)}\n`;
  const { data, errors } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: true,
    delimiter: ",",
  });
  expect(errors).toEqual([]);
  expect(data).toHaveLength(1);
  return data[0];
}

const quantity = fc.record(Object.fromEntries(fields.map((field) => [field, fc.double()]))) as fc.Arbitrary<
  Row["quantities"][number]
>;

const anyRow: fc.Arbitrary<Row> = fc.record({
  refit: fc.maxSafeNat(),
  replicate: fc.maxSafeNat(),
  strategy: fc.string({ minLength: 1 }),
  add: fc.maxSafeNat(),
  divergences: fc.nat(),
  quantities: fc.array(quantity, { minLength: 2, maxLength: 2 }),
});

describe("a row as a line of CSV", () => {
  it("papaparse reads back the same numbers to the last bit, and any name of a strategy", () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        const found = read(["P(G=1)", "P(T=1)"], row);
        expect(found.strategy).toBe(row.strategy);
        for (const name of ["refit", "replicate", "add", "divergences"] as const) {
          expect(Number(found[name])).toBe(row[name]);
        }
        for (const [q, quantityName] of ["P(G=1)", "P(T=1)"].entries()) {
          for (const field of fields) {
            const value = row.quantities[q][field];
            const text = found[`${field} ${quantityName}`];
            // -0 and 0 are one number; what isn't finite is blank.
            if (Number.isFinite(value)) expect(Number(text) === value).toBe(true);
            else expect(text).toBe("");
          }
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it("parseRow reads back what formatRow wrote, if no name spans lines", () => {
    const oneLine = anyRow.filter(({ strategy }) => !/[\r\n]/.test(strategy));
    const blank = (value: number): number => (Number.isFinite(value) ? value + 0 : Number.NaN);
    fc.assert(
      fc.property(oneLine, (row) => {
        const quantities = row.quantities.map((q) =>
          Object.fromEntries(fields.map((field) => [field, blank(q[field])])),
        );
        expect(parseRow(formatRow(row), 2)).toEqual({ ...row, quantities });
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  it.each([
    ["another number of quantities", '1,0,"a",60,0,1,1,1,1,1,1'],
    ["a header", rowHeader(["P(G=1)", "P(T=1)"])],
    ["a torn line", "1,0,all-R,60,0,0.5,0.01"],
    ["nothing", ""],
  ])("parseRow gives null for %s", (_name, line) => {
    expect(parseRow(line, 2)).toBeNull();
  });

  it("has the columns refit, replicate, strategy, add, divergences and six a quantity, in its order", () => {
    expect(rowHeader(["P(G=1)", "a, b"]).split(",").slice(0, 11)).toEqual([
      "refit",
      "replicate",
      "strategy",
      "add",
      "divergences",
      ...fields.map((field) => `${field} P(G=1)`),
    ]);
    expect(rowHeader(["P(G=1)", "a, b"])).toContain('"mean a, b"');
  });

  it("is one line where the strategy's name is", () => {
    const row: Row = { refit: 1, replicate: 0, strategy: "half, mine", add: 60, divergences: 0, quantities: [] };
    expect(formatRow(row)).toBe('1,0,"half, mine",60,0');
  });
});
