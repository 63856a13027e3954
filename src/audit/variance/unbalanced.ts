import { dataError } from "../../errors.js";
import { type MeanSquares, meanSquare } from "./anova.js";
import { solveLaplacian } from "./laplacian.js";
import type { Squares } from "./squares.js";
import { checkJudges, countsIn, type ScoreCells } from "./table.js";

/** Rounding of a residual in units of the largest score, and of the fits' sums of squares: equations are solved so well. */
const rounding = 1e-11;

/** Least-squares means and mean squares of a table with gaps. */
interface UnbalancedAnova {
  /** As if every judge had scored every query: a judge that had the easy ones makes no difference. */
  readonly mean: number;
  readonly judgeMeans: readonly number[];
  readonly queries: readonly string[];
  readonly judges: readonly string[];
  readonly meanSquares: MeanSquares;
  readonly squares: Squares;
}

/**
 * Components of a table with gaps by Henderson's method III (Henderson 1953, "Estimation of variance and covariance
 * components", Biometrics 9, 226-252; Searle, Casella and McCulloch 1992, "Variance Components", section 5.5). With y = query
 * + judge + error fitted by least squares to N scores, SS(query | judge) and SS(judge | query) are what each effect takes
 * from the residual of the other alone: E SS(query | judge) = (N - J) v_query + (Q - 1) v_error, E SS(judge | query) =
 * (N - Q) v_judge + (J - 1) v_error, E SS(residual) = (N - Q - J + 1) v_error. Of a full table these are the analysis of
 * variance's.
 *
 * The mean is the average effect of all queries and all judges, whose variance is v_query / Q + v_judge / J + c v_error,
 * with c from the normal equations.
 *
 * @throws RatError (data) where queries and judges fall apart, or nothing is left to tell the error
 */
export function unbalancedAnova(cells: ScoreCells): UnbalancedAnova {
  checkJudges(cells);
  const used = withoutEmpty(cells);
  const { query, judge, score } = used;
  const [N, Q, J] = [score.length, used.queries.length, used.judges.length];
  if (Q < 2 || J < 2) throw dataError("at least 2 queries and 2 judges with scores are needed");
  if (N - Q - J + 1 < 1) {
    throw dataError(
      `${N} scores of ${Q} queries and ${J} judges leave nothing to tell the error from: at least ${Q + J} are needed, ` +
        "and queries that several judges scored",
    );
  }
  const [perQuery, perJudge] = [countsIn(query, Q), countsIn(judge, J)];
  const origin = score[0];
  const values = score.map((value) => value - origin);
  const queryMeans = meansBy(query, perQuery, values);
  const judgeMeans = meansBy(judge, perJudge, values);
  const { judges: effects, queries } = fit(used, perQuery, perJudge, values);
  const sums = { all: 0, ofJudges: 0, ofQueries: 0, largest: 0 };
  for (let i = 0; i < N; i++) {
    const [q, j] = [query[i], judge[i]];
    sums.all += (values[i] - queries[q] - effects[j]) ** 2;
    sums.ofJudges += (values[i] - judgeMeans[j]) ** 2;
    sums.ofQueries += (values[i] - queryMeans[q]) ** 2;
    sums.largest = Math.max(sums.largest, Math.abs(score[i]));
  }
  const average = (list: Float64Array): number => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [middle, ofAll] = [average(effects), average(queries)];
  const ofRest = N - Q - J + 1;
  const error = meanSquare(sums.all, ofRest, sums.largest, rounding);
  const taken = (of: number, degrees: number): number =>
    of - sums.all <= rounding * of ? 0 : meanSquare(of - sums.all, degrees, sums.largest, rounding);
  const [ofQuery, ofJudge] = [taken(sums.ofJudges, Q - 1), taken(sums.ofQueries, J - 1)];
  const [scoresAQuery, scoresAJudge] = [(N - J) / (Q - 1), (N - Q) / (J - 1)];
  const squares: Squares = {
    ...{ queries: Q, judges: J, error, noise: error },
    ...{ query: ofQuery, perQuery: scoresAQuery, judge: ofJudge, perJudge: scoresAJudge },
    normalDegrees: { query: Q - 1, judge: J - 1, noise: ofRest, error: ofRest },
    degrees: {
      query: unequal(Q - 1, ofQuery, error, perQuery),
      judge: unequal(J - 1, ofJudge, error, perJudge),
      noise: ofRest,
      error: ofRest,
    },
    mean: {
      query: ofQuery,
      degrees: unequal(Q - 1, ofQuery, error, perQuery),
      errorShare: meanFactor(used, perQuery, perJudge),
    },
  };
  return {
    ...{ queries: used.queries, judges: used.judges, squares },
    mean: origin + ofAll + middle,
    judgeMeans: Array.from(effects, (effect) => origin + ofAll + effect),
    meanSquares: {
      ...{ query: ofQuery, judge: ofJudge, error },
      degrees: { query: Q - 1, judge: J - 1, error: ofRest },
    },
  };
}

/**
 * Degrees of freedom of a sum of squares whose terms weigh the effect by unequal counts, by Satterthwaite: with w the share
 * of the effect in its mean square and c^2 the squared coefficient of variation of the counts, df / (1 + w^2 c^2).
 */
function unequal(df: number, square: number, error: number, counts: Int32Array): number {
  const mean = counts.reduce((sum, n) => sum + n, 0) / counts.length;
  const spread = counts.reduce((sum, n) => sum + (n - mean) ** 2, 0) / counts.length / mean ** 2;
  const share = square > error ? (square - error) / square : 0;
  return Math.max(1, df / (1 + share ** 2 * spread));
}

/** Queries and judges with a score, numbered anew. */
function withoutEmpty(cells: ScoreCells): ScoreCells {
  const keep = (names: readonly string[], places: Int32Array) => {
    const counts = countsIn(places, names.length);
    const at = new Int32Array(names.length);
    const kept = names.filter((_, i) => {
      at[i] = i === 0 ? 0 : at[i - 1] + (counts[i - 1] > 0 ? 1 : 0);
      return counts[i] > 0;
    });
    return { names: kept, places: places.map((place) => at[place]) };
  };
  const [queries, judges] = [keep(cells.queries, cells.query), keep(cells.judges, cells.judge)];
  return {
    ...{ queries: queries.names, judges: judges.names, score: cells.score },
    ...{ query: queries.places, judge: judges.places },
  };
}

function meansBy(places: Int32Array, counts: Int32Array, values: Float64Array): Float64Array {
  const sums = new Float64Array(counts.length);
  for (let i = 0; i < values.length; i++) sums[places[i]] += values[i];
  return sums.map((sum, place) => sum / counts[place]);
}

/** Least-squares effects: queries given judges, judges by the equations from which queries are eliminated. */
function fit(cells: ScoreCells, perQuery: Int32Array, perJudge: Int32Array, values: Float64Array) {
  const { query, judge } = cells;
  const means = meansBy(query, perQuery, values);
  const right = new Float64Array(perJudge.length);
  for (let i = 0; i < values.length; i++) right[judge[i]] += values[i] - means[query[i]];
  const judges = solveLaplacian(cells, perQuery, perJudge, right);
  const rest = values.map((value, i) => value - judges[judge[i]]);
  return { judges, queries: meansBy(query, perQuery, rest) };
}

/** c' (X'X)^- c for c = 1 / Q of each query and 1 / J of each judge. */
function meanFactor(cells: ScoreCells, perQuery: Int32Array, perJudge: Int32Array): number {
  const { query, judge } = cells;
  const [Q, J] = [perQuery.length, perJudge.length];
  const right = new Float64Array(J).fill(1 / J);
  for (let i = 0; i < query.length; i++) right[judge[i]] -= 1 / (Q * perQuery[query[i]]);
  const judges = solveLaplacian(cells, perQuery, perJudge, right);
  const queries = new Float64Array(Q).fill(1 / Q);
  for (let i = 0; i < query.length; i++) queries[query[i]] -= judges[judge[i]];
  return (
    queries.reduce((sum, value, q) => sum + value / perQuery[q], 0) / Q +
    judges.reduce((sum, value) => sum + value, 0) / J
  );
}
