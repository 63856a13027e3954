import { describe, expect, it } from "vitest";
import { Average } from "../../src/experiments/averages.js";
import type { Row, RowQuantity } from "../../src/experiments/rows.js";
import { SweepTable } from "../../src/experiments/table.js";
import { Inputs } from "../support/random.js";
import { designOf } from "./support.js";

const quantities = ["P(G=1)", "P(T=1)"];
const truth = [0.5027, 0.3292];
const { cells } = designOf({ strategies: "all-joint,all-R,all-T", adds: [60, 200] });

/** Rows of replicates, [replicates][cells], with numbers that share an error as those of a sweep do. */
function rowsOf(replicates: number, change: (quantity: RowQuantity, at: number[]) => RowQuantity = (q) => q): Row[][] {
  const inputs = new Inputs(5);
  return Array.from({ length: replicates }, (_, replicate) => {
    const shared = 0.03 * inputs.normal();
    return cells.map(({ strategy, add }, c) => ({
      refit: replicate * cells.length + c,
      replicate,
      strategy,
      add,
      divergences: 0,
      quantities: truth.map((value, q) => {
        const mean = value + shared + 0.01 * inputs.normal();
        const half = inputs.uniform(0.05, 0.08);
        const made = { mean, sd: half / 2, lower: mean - half, upper: mean + half };
        const checks = { rhat: inputs.uniform(0.999, 1.02), ess: inputs.uniform(500, 3000) };
        return change({ ...made, ...checks }, [replicate, c, q]);
      }),
    }));
  });
}

function tableOf(rows: readonly Row[][], truths: readonly number[] = truth) {
  const table = new SweepTable(cells, 100, quantities, truths);
  for (const replicate of rows) table.add(replicate);
  return table.finish();
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
/** s / sqrt(n), in two passes. */
function standardError(values: readonly number[]): number {
  const m = mean(values);
  return Math.sqrt(values.reduce((sum, x) => sum + (x - m) ** 2, 0) / (values.length - 1) / values.length);
}

const close = (actual: number | null, expected: number, what: string): void => {
  expect.soft(actual, what).not.toBeNull();
  expect.soft(Math.abs((actual ?? Number.NaN) - expected), what).toBeLessThan(1e-13);
};

describe("the table of a sweep equals a plain computation from its rows", () => {
  const rows = rowsOf(137);
  const { cells: found, paired } = tableOf(rows);
  const column = (c: number, q: number, value: (quantity: RowQuantity) => number): number[] =>
    rows.map((replicate) => value(replicate[c].quantities[q]));

  it("has a line for each cell and quantity, in the order of the design", () => {
    expect(found.map(({ strategy, add, quantity }) => [strategy, add, quantity])).toEqual(
      cells.flatMap(({ strategy, add }) => quantities.map((quantity) => [strategy, add, quantity])),
    );
    expect(found.every(({ base, replicates }) => base === 100 && replicates === 137)).toBe(true);
  });

  it("error, bias, root mean square and width, with their standard errors", () => {
    found.forEach((line, i) => {
      const [c, q] = [Math.floor(i / 2), i % 2];
      const errors = column(c, q, (quantity) => quantity.mean - truth[q]);
      const absolute = errors.map(Math.abs);
      const widths = column(c, q, ({ lower, upper }) => upper - lower);
      const at = `${line.strategy} ${line.add} ${line.quantity}`;
      close(line.mae, mean(absolute), `mae of ${at}`);
      close(line.maeSe, standardError(absolute), `maeSe of ${at}`);
      close(line.bias, mean(errors), `bias of ${at}`);
      close(line.biasSe, standardError(errors), `biasSe of ${at}`);
      close(line.rmse, Math.sqrt(mean(errors.map((e) => e * e))), `rmse of ${at}`);
      close(line.width, mean(widths), `width of ${at}`);
      close(line.widthSe, standardError(widths), `widthSe of ${at}`);
    });
  });

  it("coverage is the share of intervals that hold the truth, ends included", () => {
    found.forEach((line, i) => {
      const q = i % 2;
      const covered = column(Math.floor(i / 2), q, ({ lower, upper }) =>
        Number(lower <= truth[q] && truth[q] <= upper),
      );
      close(line.coverage, mean(covered), "coverage");
      close(line.coverageSe, standardError(covered), "coverageSe");
    });
    const touching = rowsOf(2, (quantity, [, , q]) => ({ ...quantity, lower: truth[q], upper: truth[q] }));
    expect(tableOf(touching).cells.map(({ coverage }) => coverage)).toEqual(found.map(() => 1));
  });

  it("diagnostics are the worst of any replicate", () => {
    found.forEach((line, i) => {
      const [c, q] = [Math.floor(i / 2), i % 2];
      expect(line.maxRhat).toBe(Math.max(...column(c, q, ({ rhat }) => rhat)));
      expect(line.minEss).toBe(Math.min(...column(c, q, ({ ess }) => ess)));
    });
  });

  it("pairs are every two strategies at the same addition, the later one less the earlier one", () => {
    expect(paired.map(({ strategy, versus, add, quantity }) => `${strategy} - ${versus} ${add} ${quantity}`)).toEqual(
      [
        ["all-R", "all-joint", 60],
        ["all-R", "all-joint", 200],
        ["all-T", "all-joint", 60],
        ["all-T", "all-R", 60],
        ["all-T", "all-joint", 200],
        ["all-T", "all-R", 200],
      ].flatMap(([strategy, versus, add]) => quantities.map((name) => `${strategy} - ${versus} ${add} ${name}`)),
    );
  });

  it("paired differences are averages of differences replicate by replicate", () => {
    for (const pair of paired) {
      const q = quantities.indexOf(pair.quantity);
      const place = (strategy: string): number =>
        cells.findIndex((cell) => cell.strategy === strategy && cell.add === pair.add);
      const of = (strategy: string, value: (quantity: RowQuantity) => number) => column(place(strategy), q, value);
      const minus = (value: (quantity: RowQuantity) => number): number[] => {
        const second = of(pair.versus, value);
        return of(pair.strategy, value).map((x, i) => x - second[i]);
      };
      const errors = minus((quantity) => Math.abs(quantity.mean - truth[q]));
      const widths = minus(({ lower, upper }) => upper - lower);
      close(pair.maeDifference, mean(errors), "maeDifference");
      close(pair.maeDifferenceSe, standardError(errors), "maeDifferenceSe");
      close(pair.widthDifference, mean(widths), "widthDifference");
      close(pair.widthDifferenceSe, standardError(widths), "widthDifferenceSe");
    }
  });
});

describe("numbers that aren't known", () => {
  const numbers = (lines: readonly object[]): unknown[] =>
    lines.flatMap((line) => Object.values(line).filter((value) => typeof value !== "string"));
  const allFiniteOrNull = (lines: readonly object[]): boolean =>
    numbers(lines).every((value) => value === null || Number.isFinite(value));

  it("one replicate has averages and no standard errors", () => {
    const { cells: found, paired } = tableOf(rowsOf(1));
    for (const line of found) {
      expect(line).toMatchObject({ maeSe: null, biasSe: null, widthSe: null, coverageSe: null, replicates: 1 });
      expect(line.mae).toBeTypeOf("number");
    }
    expect(paired.every((pair) => pair.maeDifferenceSe === null && pair.maeDifference !== null)).toBe(true);
  });

  it("no replicate at all gives nulls", () => {
    const { cells: found } = tableOf([]);
    expect(
      found.every(({ mae, width, coverage, rmse, maxRhat }) =>
        [mae, width, coverage, rmse, maxRhat].every((x) => x === null),
      ),
    ).toBe(true);
    expect(allFiniteOrNull(found)).toBe(true);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "a mean of %d in one refit makes the averages of its cell and pairs null, and no others",
    (bad) => {
      const spoiled = rowsOf(20, (quantity, at) => (at.join() === "7,1,0" ? { ...quantity, mean: bad } : quantity));
      const { cells: found, paired } = tableOf(spoiled);
      expect(allFiniteOrNull(found) && allFiniteOrNull(paired)).toBe(true);
      const lost = found.filter(({ mae }) => mae === null);
      expect(lost.map(({ strategy, add, quantity }) => [strategy, add, quantity])).toEqual([
        ["all-joint", 60, "P(G=1)"],
      ]);
      expect(lost[0]).toMatchObject({ bias: null, rmse: null, maeSe: null });
      expect(lost[0].width).not.toBeNull();
      expect(
        paired.filter(({ maeDifference }) => maeDifference === null).every(({ versus }) => versus === "all-joint"),
      ).toBe(true);
    },
  );

  it("an interval of NaN doesn't count as one that misses the truth", () => {
    const spoiled = rowsOf(20, (quantity, at) =>
      at.join() === "7,1,0" ? { ...quantity, lower: Number.NaN } : quantity,
    );
    expect(tableOf(spoiled).cells[2]).toMatchObject({ coverage: null, coverageSe: null, width: null, widthSe: null });
  });

  it("NaN diagnostics are passed over, and are null where there are no others", () => {
    const some = tableOf(
      rowsOf(20, (q, [replicate]) => (replicate > 0 ? { ...q, rhat: Number.NaN, ess: Number.NaN } : q)),
    );
    expect(some.cells.every(({ maxRhat, minEss }) => maxRhat !== null && minEss !== null)).toBe(true);
    const none = tableOf(rowsOf(20, (q) => ({ ...q, rhat: Number.NaN, ess: Number.NaN })));
    expect(none.cells.every(({ maxRhat, minEss }) => maxRhat === null && minEss === null)).toBe(true);
  });

  it("an unknown truth leaves the width and nothing else", () => {
    const { cells: found } = tableOf(rowsOf(20), [Number.NaN, truth[1]]);
    expect(found[0]).toMatchObject({ mae: null, bias: null, rmse: null, coverage: null });
    expect(found[0].width).not.toBeNull();
    expect(found[1].mae).not.toBeNull();
  });
});

it("an average of numbers that hardly differ keeps their standard error to 9 digits", () => {
  const inputs = new Inputs(6);
  const values = Array.from({ length: 500 }, () => 0.5 + 1e-7 * inputs.normal());
  const average = new Average();
  for (const value of values) average.add(value);
  expect(Math.abs((average.standardError ?? 0) / standardError(values) - 1)).toBeLessThan(1e-9);
  expect(Math.abs((average.mean ?? 0) - mean(values))).toBeLessThan(1e-14);
});
