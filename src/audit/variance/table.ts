import { dataError } from "../../errors.js";
import { show } from "../../values.js";

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

/** A table that is full: what the analysis of variance needs, and what was left out for it. */
export interface FullTable {
  readonly queries: readonly string[];
  readonly judges: readonly string[];
  /** [query * judges + judge] */
  readonly scores: Float64Array;
  /** Queries without a score of every judge. */
  readonly dropped: readonly string[];
  readonly missingScores: number;
}

/** What is done about a query without a score of every judge: it is left out and named, or the table is refused. */
export type MissingScores = "drop" | "refuse";

/** Scores whose squares' products may be beyond doubles are no scores. */
const largestScore = 1e50;

/**
 * The table of scores that come one at a time, queries and judges in order of appearance.
 * @throws RatError (data) where a judge scores a query twice
 */
export function scoreTable(records: Iterable<ScoreRecord>): ScoreTable {
  const rows = new Map<string, Map<string, number | null>>();
  const judges = new Set<string>();
  for (const { query, judge, score } of records) {
    const row = rows.get(query) ?? new Map<string, number | null>();
    if (row.has(judge)) {
      throw dataError(`query ${show(query)} has two scores of judge ${show(judge)}; keep one, or average them`);
    }
    rows.set(query, row.set(judge, score));
    judges.add(judge);
  }
  return {
    queries: [...rows.keys()],
    judges: [...judges],
    scores: Array.from(rows.values(), (row) => Array.from(judges, (judge) => row.get(judge) ?? null)),
  };
}

/** @throws RatError (data) for a table without two judges and two queries that all of them scored */
export function fullTable(table: ScoreTable, missing: MissingScores): FullTable {
  const { queries, judges } = table;
  checkShape(table);
  if (queries.length === 0) throw dataError("no scores: expected at least 2 queries, each scored by the same judges");
  const isFull = table.scores.map((row) => row.every((score) => score !== null));
  const missingScores = table.scores.reduce((sum, row) => sum + row.filter((score) => score === null).length, 0);
  const gap = firstGap(table);
  if (judges.length < 2) {
    throw dataError(`at least 2 judges per query are needed: there is ${judges.length === 0 ? "none" : "one"}`);
  }
  if (gap !== null && missing === "refuse") {
    throw dataError(`${gap}; components of variance need a score of every judge for every query`);
  }
  const kept = queries.flatMap((_, q) => (isFull[q] ? [q] : []));
  if (kept.length < 2) throw dataError(tooFew(table, kept.length, gap));
  return {
    queries: kept.map((q) => queries[q]),
    judges,
    scores: Float64Array.from(kept.flatMap((q) => table.scores[q] as readonly number[])),
    dropped: queries.filter((_, q) => !isFull[q]),
    missingScores,
  };
}

function checkShape({ queries, judges, scores }: ScoreTable): void {
  if (scores.length !== queries.length) {
    throw dataError(`${scores.length} rows of scores for ${queries.length} queries: expected a row a query`);
  }
  scores.forEach((row, q) => {
    if (row.length !== judges.length) {
      throw dataError(
        `query ${show(queries[q])} has ${row.length} scores, not one for each of ${judges.length} judges; ` +
          "a missing score is null",
      );
    }
    row.forEach((score, j) => {
      if (score === null || (Number.isFinite(score) && Math.abs(score) <= largestScore)) return;
      throw dataError(
        `query ${show(queries[q])}, judge ${show(judges[j])}: the score must be a finite number below 1e50, ` +
          `or null where missing, not ${show(score)}`,
      );
    });
  });
}

/** The first missing score, in words; null where there is none. */
function firstGap({ queries, judges, scores }: ScoreTable): string | null {
  for (const [q, row] of scores.entries()) {
    const j = row.indexOf(null);
    if (j >= 0) return `query ${show(queries[q])} has no score of judge ${show(judges[j])}`;
  }
  return null;
}

function tooFew({ scores }: ScoreTable, kept: number, gap: string | null): string {
  const most = scores.reduce((most, row) => Math.max(most, row.filter((score) => score !== null).length), 0);
  if (most < 2) return "at least 2 judges per query are needed: no query has the scores of two";
  const rest = gap === null ? "" : ` (${gap})`;
  return (
    `at least 2 queries with a score of every judge are needed, and there ${kept === 1 ? "is one" : "are none"}${rest}; ` +
    "leave out the judges that scored few"
  );
}
