import type { Anova } from "./anova.js";

/**
 * What components, reliabilities and errors are made from: mean squares with their expectations and degrees of freedom,
 * of full tables, of queries in clusters and of tables with gaps alike.
 */
export interface Squares {
  readonly queries: number;
  readonly judges: number;
  /** E query = perQuery v_query + v_error. */
  readonly query: number;
  readonly perQuery: number;
  /** E judge = perJudge v_judge + noise: what v_error is here, and more where a judge's errors are alike in a cluster. */
  readonly judge: number;
  readonly perJudge: number;
  readonly noise: number;
  /** E error = v_error. */
  readonly error: number;
  /** Of normal effects: for tests of none. */
  readonly normalDegrees: Degrees;
  /** For intervals: fewer where mean squares vary more from query to query than those of normal effects. */
  readonly degrees: Degrees;
  /** What the mean score's variance is made from. */
  readonly mean: {
    /** As `query`, but with all that queries of a cluster share: E = perQuery times the mean's share of it. */
    readonly query: number;
    readonly degrees: number;
    /** Of v_error in the mean's variance: 1 / (Q J) of a full table. */
    readonly errorShare: number;
  };
}

export interface Degrees {
  readonly query: number;
  readonly judge: number;
  readonly noise: number;
  readonly error: number;
}

/** Of a full table of independent queries (Shrout and Fleiss 1979, Table 1). */
export function fullSquares({ mean, queryMeans, judgeMeans, residuals, squares }: Anova): Squares {
  const { query, judge, error, degrees } = squares;
  const [queries, judges] = [queryMeans.length, judgeMeans.length];
  const seen = {
    query: seenDegrees(Float64Array.from(queryMeans, (value) => (value - mean) ** 2)),
    error: seenDegrees(residuals),
  };
  const normalDegrees = { ...degrees, noise: degrees.error };
  return {
    ...{ queries, judges, query, judge, error, noise: error },
    ...{ perQuery: judges, perJudge: queries, normalDegrees },
    degrees: {
      ...normalDegrees,
      query: Math.min(degrees.query, seen.query),
      error: Math.min(degrees.error, seen.error),
      noise: Math.min(degrees.error, seen.error),
    },
    mean: { query, degrees: degrees.query, errorShare: 1 / (queries * judges) },
  };
}

/**
 * Degrees of freedom of a mean of squares as they vary from query to query, by Satterthwaite's 2 mean^2 / variance: those of
 * normal effects on average, fewer of rare or heavy-tailed ones, such as verdicts of 0 and 1 that hardly vary but for a few
 * hard queries. At least 1.
 */
export function seenDegrees(squares: Float64Array): number {
  const n = squares.length;
  const mean = squares.reduce((sum, value) => sum + value, 0) / n;
  if (!(mean > 0)) return Number.POSITIVE_INFINITY;
  const spread = squares.reduce((sum, value) => sum + (value / mean - 1) ** 2, 0) / (n * (n - 1));
  return spread > 0 ? Math.max(1, 2 / spread) : Number.POSITIVE_INFINITY;
}
