import { dataError, usageError } from "../../errors.js";
import { check, fields, isIterable, isObject, show, text } from "../../values.js";

/** Scores of queries by judges: scores[query][judge], null where there is none. */
export interface ScoreTable {
  readonly queries: readonly string[];
  readonly judges: readonly string[];
  readonly scores: readonly (readonly (number | null)[])[];
}

export interface ScoreRecord {
  readonly query: string;
  readonly judge: string;
  readonly score: number | null;
}

/** The scores that there are, one a cell of query and judge, by query: few of many judges may have scored a query. */
export interface ScoreCells {
  readonly queries: readonly string[];
  readonly judges: readonly string[];
  readonly query: Int32Array;
  readonly judge: Int32Array;
  readonly score: Float64Array;
}

/** A table that is full: what the analysis of variance needs, and what was left out for it. */
export interface FullTable {
  readonly queries: readonly string[];
  readonly judges: readonly string[];
  /** [query * judges + judge] */
  readonly scores: Float64Array;
  /** The place of each of these queries among all. */
  readonly kept: readonly number[];
  /** Queries without a score of every judge. */
  readonly dropped: readonly string[];
  readonly missingScores: number;
}

/**
 * What is done about a query without a score of every judge: it is left out and named, the scores that it has are used, or
 * the table is refused.
 */
export type MissingScores = "drop" | "use" | "refuse";

/** Scores whose squares' products may be beyond doubles are no scores. */
const largestScore = 1e50;

/**
 * The table of scores that come one at a time, queries and judges in order of appearance.
 * @throws RatError (data) where a judge scores a query twice; (usage) for what are no records
 */
export function scoreTable(records: Iterable<ScoreRecord>): ScoreTable {
  const { queries, judges, query, judge, score } = scoreCells(records);
  const scores = queries.map(() => judges.map((): number | null => null));
  score.forEach((value, i) => {
    scores[query[i]][judge[i]] = value;
  });
  return { queries, judges, scores };
}

/**
 * The same without room for scores that there aren't. Null scores name queries and judges.
 * @param twice refuses the later of two scores of one judge for one query
 * @throws RatError (data) where a judge scores a query twice; (usage) for what are no records
 */
export function scoreCells<T extends ScoreRecord>(
  records: Iterable<T>,
  twice: (later: T, earlier: T) => never = refuseTwice,
): ScoreCells {
  const queries = new Map<string, number>();
  const judges = new Map<string, number>();
  const rows: Map<number, T>[] = [];
  if (!isIterable(records)) {
    throw usageError(`records must be a list of scores, { query, judge, score }, not ${show(records)}`);
  }
  let at = 0;
  for (const record of records) {
    checkRecord(record, at++);
    const q = placeIn(queries, record.query);
    const j = placeIn(judges, record.judge);
    rows[q] ??= new Map();
    const earlier = rows[q].get(j);
    if (earlier !== undefined) twice(record, earlier);
    rows[q].set(j, record);
  }
  return cellsOf([...queries.keys()], [...judges.keys()], rows, ({ score }) => score);
}

function checkRecord(record: unknown, at: number): void {
  const isFine = isObject(record) && typeof record.query === "string" && typeof record.judge === "string";
  if (!isFine) check(fields({ query: text, judge: text }), record, `records[${at}]`);
}

function refuseTwice({ query, judge }: ScoreRecord): never {
  throw dataError(`query ${show(query)} has two scores of judge ${show(judge)}; keep one, or average them`);
}

function placeIn(known: Map<string, number>, name: string): number {
  const place = known.get(name) ?? known.size;
  if (place === known.size) known.set(name, place);
  return place;
}

function cellsOf<T>(
  queries: readonly string[],
  judges: readonly string[],
  rows: readonly { entries(): Iterable<[number, T]> }[],
  scoreOf: (cell: T) => number | null,
): ScoreCells {
  const cells: [number[], number[], number[]] = [[], [], []];
  rows.forEach((row, q) => {
    for (const [j, cell] of row.entries()) {
      const score = scoreOf(cell);
      if (score === null) continue;
      cells[0].push(q);
      cells[1].push(j);
      cells[2].push(checked(score, queries[q], judges[j]));
    }
  });
  const [query, judge, score] = cells;
  return {
    ...{ queries, judges, query: Int32Array.from(query), judge: Int32Array.from(judge) },
    score: Float64Array.from(score),
  };
}

function checked(score: number, query: string, judge: string): number {
  if (Number.isFinite(score) && Math.abs(score) <= largestScore) return score;
  throw dataError(
    `query ${show(query)}, judge ${show(judge)}: the score must be a finite number below 1e50, ` +
      `or null where missing, not ${show(score)}`,
  );
}

/** @throws RatError (data) for what is no table of scores */
export function tableCells({ queries, judges, scores }: ScoreTable): ScoreCells {
  if (scores.length !== queries.length) {
    throw dataError(`${scores.length} rows of scores for ${queries.length} queries: expected a row a query`);
  }
  scores.forEach((row, q) => {
    if (row.length === judges.length) return;
    throw dataError(
      `query ${show(queries[q])} has ${row.length} scores, not one for each of ${judges.length} judges; ` +
        "a missing score is null",
    );
  });
  return cellsOf(queries, judges, scores, (score) => score);
}

/** @throws RatError (data) for a table without two judges and two queries that all of them scored */
export function fullTable(cells: ScoreCells, missing: "drop" | "refuse"): FullTable {
  const { queries, judges, query, judge, score } = cells;
  const counts = countsIn(query, queries.length);
  checkJudges(cells);
  const J = judges.length;
  const missingScores = queries.length * J - score.length;
  if (missingScores > 0 && missing === "refuse") {
    throw dataError(
      `${firstGap(cells, counts)}; leave such queries out (--missing drop), or use the scores that there are (--missing use)`,
    );
  }
  const kept = queries.flatMap((_, q) => (counts[q] === J ? [q] : []));
  if (kept.length < 2) throw dataError(tooFew(cells, counts, kept.length));
  const places = new Int32Array(queries.length).fill(-1);
  kept.forEach((q, i) => {
    places[q] = i;
  });
  const scores = new Float64Array(kept.length * J);
  for (let i = 0; i < score.length; i++) {
    const place = places[query[i]];
    if (place >= 0) scores[place * J + judge[i]] = score[i];
  }
  return {
    ...{ queries: kept.map((q) => queries[q]), judges, scores, kept, missingScores },
    dropped: queries.filter((_, q) => places[q] < 0),
  };
}

/** @throws RatError (data) for cells of fewer than two judges */
export function checkJudges({ queries, judges }: ScoreCells): void {
  if (queries.length === 0) throw dataError("no scores: expected at least 2 queries, each scored by the same judges");
  if (judges.length >= 2) return;
  throw dataError(`at least 2 judges per query are needed: there is ${judges.length === 0 ? "none" : "one"}`);
}

/** How often each place occurs. */
export function countsIn(places: Int32Array, length: number): Int32Array {
  const counts = new Int32Array(length);
  for (const place of places) counts[place]++;
  return counts;
}

/** The first missing score, in words. */
function firstGap({ queries, judges, query, judge }: ScoreCells, counts: Int32Array): string {
  const q = counts.findIndex((count) => count < judges.length);
  const scored = new Set(judge.filter((_, i) => query[i] === q));
  const j = judges.findIndex((_, j) => !scored.has(j));
  return `query ${show(queries[q])} has no score of judge ${show(judges[j])}`;
}

function tooFew(cells: ScoreCells, counts: Int32Array, kept: number): string {
  const { queries, judges } = cells;
  const ofJudges = countsIn(cells.judge, judges.length);
  const silent = judges.find((_, j) => ofJudges[j] === 0);
  if (counts.every((count) => count < 2)) {
    return "at least 2 judges per query are needed: no query has the scores of two";
  }
  const isFull = counts.every((count) => count === judges.length);
  const rest =
    silent === undefined ? (isFull ? "" : ` (${firstGap(cells, counts)})`) : ` (judge ${show(silent)} has none)`;
  const said = `at least 2 queries with a score of every judge are needed, and there ${kept === 1 ? "is one" : "are none"}${rest}`;
  // Of a single query no judges, and no gaps, could make two.
  if (queries.length < 2) return said;
  return `${said}; leave out the judges that scored few, or use the scores that there are (--missing use)`;
}
