import { check, fields, type Shape } from "../../values.js";
import { nonNegative, positive } from "../arguments.js";
import { halfWidthOfT } from "../distributions.js";
import type { Estimate } from "../estimate.js";
import type { MeanSquare } from "./limits.js";
import type { Squares } from "./squares.js";

/** Variances of queries, of judges and of what is left, each at least 0. */
export interface Variances {
  readonly query: number;
  readonly judge: number;
  readonly error: number;
}

const variancesShape: Shape = fields({ query: nonNegative, judge: nonNegative, error: nonNegative });

/** @throws RatError (usage) for what are no variances */
export const checkVariances = (variances: Variances): void => check(variancesShape, variances, "variances");

/**
 * Standard error of the mean score of Q queries, each scored by the same J judges: sqrt(v_query / Q + v_judge / J +
 * v_error / (Q J)) (Brennan 2001, "Generalizability Theory", section 2.3: absolute error of a crossed design, queries
 * random too).
 * @throws RatError (usage) for variances below 0, and for no queries or judges
 */
export function standardErrorOfMean(variances: Variances, queries: number, judges: number): number {
  checkVariances(variances);
  check(positive, queries, "queries");
  check(positive, judges, "judges");
  return Math.sqrt(variances.query / queries + variances.judge / judges + variances.error / (queries * judges));
}

/**
 * What that error can't fall below with these judges, whatever the number of queries: sqrt(v_judge / J).
 * @throws RatError (usage) for a variance below 0, and for no judges
 */
export function judgeFloor(judgeVariance: number, judges: number): number {
  check(nonNegative, judgeVariance, "judgeVariance");
  check(positive, judges, "judges");
  return Math.sqrt(judgeVariance / judges);
}

/**
 * The mean's error and interval. Its variance is v_query / Q + v_judge / J + c v_error, of a full table
 * (MS_query + MS_judge - MS_error) / (Q J), less those of components below 0.
 *
 * In the half-width every mean square has its own Student quantile (after Howe 1974, "Approximate confidence limits on the
 * mean of X + Y where X and Y are two tabled independent random variables", JASA 69, 789-794). One quantile, of
 * Satterthwaite's degrees of freedom, falls short of few judges: where these happen to agree, little error comes with many
 * degrees.
 */
export function meanEstimate(mean: number, squares: Squares, level: number): Estimate & { degrees: number | null } {
  const { queries, judges, judge, noise, error, perQuery, perJudge, degrees } = squares;
  const [ofQuery, ofJudge] = [1 / (queries * perQuery), 1 / (judges * perJudge)];
  const { mean: own } = squares;
  const [isQuery, isJudge] = [own.query > error, judge > noise];
  const terms = [
    { square: ofQuery * Math.max(own.query, error), degrees: isQuery ? own.degrees : degrees.error },
    { square: isJudge ? ofJudge * judge : 0, degrees: degrees.judge },
    { square: isJudge ? -ofJudge * noise : 0, degrees: degrees.noise },
    { square: (own.errorShare - ofQuery) * error, degrees: degrees.error },
  ];
  const variance = terms.reduce((sum, { square }) => sum + square, 0);
  if (!(variance > 0)) {
    return { value: mean, error: 0, lower: null, upper: null, interval: null, reason: null, degrees: null };
  }
  const t2 = (df: number): number => halfWidthOfT(level, df) ** 2;
  // Judges that differ less than error would have them may do so by chance: they count all the same.
  const ofQueries = terms[0].square * t2(own.degrees) + terms[3].square * t2(degrees.error);
  const ofJudges = ofJudge * (judge * t2(degrees.judge) - noise * t2(degrees.noise));
  const half = Math.sqrt(Math.max(variance, ofQueries + Math.max(0, ofJudges)));
  return {
    ...{ value: mean, error: Math.sqrt(variance), lower: mean - half, upper: mean + half },
    ...{ interval: "t of every mean square (Howe 1974)", reason: null, degrees: satterthwaite(terms, variance) },
  };
}

/** Satterthwaite 1946, "An approximate distribution of estimates of variance components", Biometrics Bulletin 2, 110-114. */
const satterthwaite = (terms: readonly MeanSquare[], variance: number): number =>
  1 / terms.reduce((sum, { square, degrees }) => sum + (square / variance) ** 2 / degrees, 0);
