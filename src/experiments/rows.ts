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

const finite = (value: number): string => (Number.isFinite(value) ? String(value) : "");

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
