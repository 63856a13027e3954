import { dataError, usageError } from "../errors.js";
import { isAsyncIterable, isIterable, isObject, show } from "../values.js";
import type { Cell } from "./design.js";

/** What a sweep keeps of one refit and quantity. */
export interface RowQuantity {
  readonly mean: number;
  readonly sd: number;
  readonly lower: number;
  readonly upper: number;
  readonly rhat: number;
  readonly ess: number;
}

/**
 * One refit of a sweep as it is kept on disk: every table is computed from rows like this one, so that a run can be
 * stopped, gone on with, split and put together again.
 */
export interface Row extends Cell {
  readonly refit: number;
  readonly replicate: number;
  readonly divergences: number;
  /** In the order of the sweep's quantities. */
  readonly quantities: readonly RowQuantity[];
}

const fields = ["mean", "sd", "lower", "upper", "rhat", "ess"] as const;

/** First line of a file of rows. Columns of a quantity are named `mean P(G=1)` and so on. */
export const rowHeader = (quantities: readonly string[]): string =>
  [
    "refit",
    "replicate",
    "strategy",
    "add",
    "divergences",
    ...quantities.flatMap((name) => fields.map((field) => `${field} ${name}`)),
  ]
    .map(quote)
    .join(",");

/** A row as a line of CSV; numbers in the shortest text that reads back the same. */
export function formatRow(row: Row): string {
  const numbers = row.quantities.flatMap((quantity) => fields.map((field) => finite(quantity[field])));
  return [row.refit, row.replicate, quote(row.strategy), row.add, row.divergences, ...numbers].join(",");
}

/** Reads a line that `formatRow` wrote; null for any other. @param quantities how many the sweep has */
export function parseRow(line: string, quantities: number): Row | null {
  const cells = line.includes('"') ? splitQuoted(line) : line.split(",");
  if (cells.length !== 5 + quantities * fields.length) return null;
  const numbers = cells.map((cell, i) => (i === 2 ? 0 : cell === "" ? Number.NaN : Number(cell)));
  if ([0, 1, 3, 4].some((i) => !Number.isSafeInteger(numbers[i]))) return null;
  return {
    refit: numbers[0],
    replicate: numbers[1],
    strategy: cells[2],
    add: numbers[3],
    divergences: numbers[4],
    quantities: Array.from({ length: quantities }, (_, q) => {
      const [mean, sd, lower, upper, rhat, ess] = numbers.slice(5 + q * fields.length);
      return { mean, sd, lower, upper, rhat, ess };
    }),
  };
}

/** Cells of a CSV line, some of them quoted. */
function splitQuoted(line: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
  }
  return cells;
}

const finite = (value: number): string => (Number.isFinite(value) ? String(value) : "");

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** What a sweep's plan says of its rows. */
export interface RowsPlan {
  readonly cells: readonly Cell[];
  readonly quantities: readonly string[];
  /** Replicates, [first, end). */
  readonly first: number;
  readonly end: number;
}

/** Why a row can't be the one at a place, from 0, among those of a plan; null where it can. */
export function rowFault(row: Row | null, place: number, { cells, quantities, first, end }: RowsPlan): string | null {
  const replicate = first + Math.floor(place / cells.length);
  const { strategy, add } = cells[place % cells.length];
  const refit = first * cells.length + place;
  if (replicate >= end) return `there are more rows than the ${(end - first) * cells.length} of this run`;
  const isExpected =
    isObject(row) &&
    row.refit === refit &&
    row.replicate === replicate &&
    row.strategy === strategy &&
    row.add === add &&
    Array.isArray(row.quantities) &&
    row.quantities.length === quantities.length &&
    row.quantities.every(
      (quantity) => isObject(quantity) && fields.every((name) => typeof quantity[name] === "number"),
    );
  return isExpected ? null : `expected refit ${refit} (${strategy}, ${add} more records) of this run`;
}

/**
 * Rows of an earlier run, replicate by replicate from the first of its plan.
 * @param name of where they come from, for messages
 * @throws RatError (data) for rows that are not the plan's
 */
export async function* checkedRows(
  replicates: AsyncIterable<readonly Row[]>,
  plan: RowsPlan,
  name: string,
): AsyncGenerator<readonly Row[]> {
  if (!isAsyncIterable(replicates) && !isIterable(replicates)) {
    throw usageError(`${name}: rows must come replicate by replicate from an async iterable, not ${show(replicates)}`);
  }
  const size = plan.cells.length;
  let place = 0;
  for await (const rows of replicates) {
    if (!Array.isArray(rows) || rows.length !== size) {
      throw dataError(`expected the ${size} rows of a replicate, not ${show(rows)}`, { file: name });
    }
    for (const row of rows) {
      const fault = rowFault(row, place++, plan);
      if (fault !== null) throw dataError(fault, { file: name });
    }
    yield rows;
  }
}
