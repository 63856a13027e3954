import { type Clusters, clustersOf } from "../audit/cluster.js";
import { dataError, usageError } from "../errors.js";
import type { RawRow } from "../records/index.js";
import { labelReader, notALabel, notObserved } from "../records/labels.js";
import { show } from "../values.js";
import { sourcesOf } from "./input.js";

/** A row of a file and where it is. */
export interface AuditRow extends RawRow {
  readonly file: string;
}

/** What stands for nothing, in any case. `none` doesn't: it may be a label. */
const missingWords = new Set(["", "na", "nan", "null"]);

/** Audits square scores and multiply the squares: more is no score. */
const largest = 1e50;

/** All rows of a file; audits need them at once. @throws RatError (io), (data) for a file without any */
export async function readAuditRows(
  file: string,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly AuditRow[]; readonly source: string }> {
  const [source] = sourcesOf([file], undefined, signal);
  const rows: AuditRow[] = [];
  if ("rows" in source) for await (const row of source.rows) rows.push({ ...row, file: source.name });
  if (rows.length === 0) throw dataError("there are no rows of data below the header", { file: source.name });
  return { rows, source: source.name };
}

/** All columns that occur, in their order. */
export function columnsOf(rows: readonly AuditRow[]): string[] {
  const columns = new Set<string>();
  for (const { values } of rows) for (const column in values) columns.add(column);
  return [...columns];
}

/**
 * @param named column by the option that names it; undefined: none is wanted
 * @throws RatError (data) for a column that isn't there, (usage) for one that is to be two things
 */
export function checkColumns(rows: readonly AuditRow[], named: Readonly<Record<string, string | undefined>>): void {
  const columns = columnsOf(rows);
  for (const [option, column] of Object.entries(named)) {
    if (column === undefined) continue;
    const twin = Object.keys(named).find((other) => other !== option && named[other] === column);
    if (twin !== undefined) throw usageError(`column ${show(column)} can't be both ${twin} and ${option}`);
    if (columns.includes(column)) continue;
    const listed = columns.slice(0, 20).map(show).join(", ");
    throw dataError(`no column ${show(column)}; the columns are ${listed}. Choose with ${option} COLUMN`, {
      file: rows[0].file,
      field: column,
    });
  }
}

/** @throws RatError (data) for a judge without a column */
export function checkJudges(rows: readonly AuditRow[], judges: readonly string[]): void {
  const columns = columnsOf(rows);
  const lost = judges.find((name) => !columns.includes(name));
  if (lost !== undefined) checkColumns(rows, { "--judges": lost });
}

/** A cell, null where it is missing; text without blanks around it. */
export function cellOf({ values }: AuditRow, column: string): unknown {
  const value = values[column];
  if (typeof value !== "string") return value ?? null;
  const text = value.trim();
  return missingWords.has(text.toLowerCase()) ? null : text;
}

/** As people and programs write numbers: hexadecimal and binary ones are slips. */
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** @throws RatError (data) for what is no decimal number */
export function numberOf(row: AuditRow, column: string): number | null {
  const cell = cellOf(row, column);
  if (cell === null) return null;
  const value = typeof cell === "string" && decimal.test(cell) ? Number(cell) : cell;
  if (typeof value === "number" && Math.abs(value) <= largest) return value;
  return refuse(row, column, "expected a decimal number below 1e50, or a blank where it is missing");
}

/** A name or label as text. @throws RatError (data) for what is neither text, number, true nor false */
export function labelOf(row: AuditRow, column: string): string | null {
  const cell = cellOf(row, column);
  if (cell === null || typeof cell === "string") return cell;
  if (typeof cell === "boolean" || (typeof cell === "number" && Number.isFinite(cell))) return String(cell);
  return refuse(row, column, "expected text, a number, true or false");
}

/** @param expected what it should be, in words @throws RatError (data) for a row without one */
export const nameOf = (row: AuditRow, column: string, expected = "a name"): string =>
  labelOf(row, column) ?? refuse(row, column, `expected ${expected}`);

const readOutcome = labelReader({ name: "outcome", levels: ["0", "1"] });

/** 0 or 1, also as false and true, no and yes. @throws RatError (data) for anything else */
export function outcomeOf(row: AuditRow, column: string): 0 | 1 | null {
  const outcome = readOutcome(row.values[column]);
  if (outcome === notObserved) return null;
  if (outcome !== notALabel) return outcome === 1 ? 1 : 0;
  return refuse(row, column, "expected 1 or 0, true or false, yes or no, or a blank where it is missing");
}

/** @throws RatError (data) that says what was expected */
export function refuse(row: AuditRow, column: string, expected: string): never {
  const value = show(row.values[column] ?? null);
  throw dataError(`column ${show(column)} holds ${value}: ${expected}`, placeOf(row, column));
}

export const placeOf = ({ file, line, values }: AuditRow, field: string) => {
  const value = values[field];
  return { file, line, field, ...(typeof value === "string" ? { value } : {}) };
};

/** The cluster of each row, by the column of --cluster; null without one. @throws RatError (data) for a row without */
export function clustersIn(rows: readonly AuditRow[], column: string | undefined): Clusters | null {
  if (column === undefined) return null;
  checkColumns(rows, { "--cluster": column });
  return clustersOf(rows.map((row) => nameOf(row, column, "the name of a cluster")));
}
