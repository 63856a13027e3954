import { usageError } from "../../errors.js";
import { isObject, show } from "../../values.js";

/** Whether a value may be a table of scores, or cells of one, before it is read. @throws RatError (usage) */
export function checkTable(table: unknown): void {
  if (!isObject(table)) {
    throw usageError(
      `table must be what scoreTable makes of records, or { queries, judges, scores }, not ${show(table)}`,
    );
  }
  checkNames(table.queries, "queries");
  checkNames(table.judges, "judges");
  if ("query" in table) checkCells(table);
  else checkRows(table.scores);
}

function checkNames(names: unknown, place: string): void {
  if (!Array.isArray(names)) throw usageError(`table.${place} must be a list of names, not ${show(names)}`);
  const at = names.findIndex((name) => typeof name !== "string");
  if (at >= 0) throw usageError(`table.${place}[${at}] must be text, not ${show(names[at])}`);
  if (new Set(names).size === names.length) return;
  const twin = names.find((name, i) => names.indexOf(name) !== i);
  throw usageError(`table.${place} must differ: ${show(twin)} is there twice`);
}

function checkRows(scores: unknown): void {
  if (!Array.isArray(scores))
    throw usageError(`table.scores must be a list of rows, a query each, not ${show(scores)}`);
  const at = scores.findIndex((row) => !Array.isArray(row));
  if (at >= 0) throw usageError(`table.scores[${at}] must be a list of scores, a judge each, not ${show(scores[at])}`);
}

function checkCells({ queries, judges, query, judge, score }: Readonly<Record<string, unknown>>): void {
  const isIn = (places: unknown, names: unknown): boolean =>
    places instanceof Int32Array && places.every((place) => place >= 0 && place < (names as unknown[]).length);
  const isFine = isIn(query, queries) && isIn(judge, judges) && score instanceof Float64Array;
  const [of, by, values] = [query as Int32Array, judge as Int32Array, score as Float64Array];
  if (isFine && of.length === values.length && by.length === values.length && values.every(Number.isFinite)) return;
  throw usageError("table must be what scoreCells makes of records: a query, a judge and a finite score a cell");
}
