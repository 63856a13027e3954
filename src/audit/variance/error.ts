import { usageError } from "../../errors.js";
import { show } from "../../values.js";
import { halfWidthOfT } from "../distributions.js";
import type { Estimate } from "../estimate.js";
import type { MeanSquares } from "./anova.js";

/** Variances of queries, of judges and of what is left, each at least 0. */
export interface Variances {
  readonly query: number;
  readonly judge: number;
  readonly error: number;
}

/** @throws RatError (usage) for what are no variances */
export function checkVariances(variances: Variances): void {
  for (const name of ["query", "judge", "error"] as const) {
    const value = variances[name];
    if (!(Number.isFinite(value) && value >= 0)) {
      throw usageError(`the variance of ${name} must be a number of at least 0, not ${show(value)}`);
    }
  }
}

/**
 * Standard error of the mean score of Q queries, each scored by the same J judges: sqrt(v_query / Q + v_judge / J +
 * v_error / (Q J)) (Brennan 2001, "Generalizability Theory", section 2.3: absolute error of a crossed design, queries
 * random too).
 */
export function standardErrorOfMean(variances: Variances, queries: number, judges: number): number {
  return Math.sqrt(variances.query / queries + variances.judge / judges + variances.error / (queries * judges));
}

/** What that error can't fall below with these judges, whatever the number of queries: sqrt(v_judge / J). */
export const judgeFloor = (judgeVariance: number, judges: number): number => Math.sqrt(judgeVariance / judges);

/**
 * The mean's error and t interval. Its variance in mean squares is (MS_query + MS_judge - MS_error) / (Q J), less those of
 * components below 0; degrees of freedom by Satterthwaite 1946, "An approximate distribution of estimates of variance
 * components", Biometrics Bulletin 2, 110-114.
 */
export function meanEstimate(mean: number, squares: MeanSquares, level: number): Estimate & { degrees: number | null } {
  const { query, judge, error, degrees } = squares;
  const cells = (degrees.query + 1) * (degrees.judge + 1);
  const terms: [number, number][] = [];
  if (query > error) terms.push([query, degrees.query]);
  if (judge > error) terms.push([judge, degrees.judge]);
  if (terms.length !== 1) terms.push([terms.length === 2 ? -error : error, degrees.error]);
  const variance = terms.reduce((sum, [square]) => sum + square, 0) / cells;
  const se = Math.sqrt(variance);
  const spread = terms.reduce((sum, [square, df]) => sum + (square / cells) ** 2 / df, 0);
  if (!(variance > 0 && spread > 0)) {
    return { value: mean, error: 0, lower: null, upper: null, interval: null, reason: null, degrees: null };
  }
  const df = variance ** 2 / spread;
  const half = halfWidthOfT(level, df) * se;
  const interval = "t, Satterthwaite's degrees of freedom";
  return { value: mean, error: se, lower: mean - half, upper: mean + half, interval, reason: null, degrees: df };
}
