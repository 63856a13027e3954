import { standardErrorOfMean, type Variances } from "./error.js";
import { combinationLimits } from "./limits.js";
import type { Squares } from "./squares.js";

/**
 * Interval of the standard error of a panel's mean: modified large-sample limits of the combination of mean squares that
 * its variance is.
 */
export function panelErrorInterval(squares: Squares, variances: Variances, level: number) {
  const { query, judge, noise, error, perQuery, perJudge, degrees } = squares;
  // Of independent queries noise is the error, and counts with it.
  const isOne = noise === error;
  const limits = combinationLimits(
    [
      { square: query, degrees: degrees.query },
      { square: judge, degrees: degrees.judge },
      { square: error, degrees: degrees.error },
      ...(isOne ? [] : [{ square: noise, degrees: degrees.noise }]),
    ],
    (1 - level) / 2,
  );
  return (queries: number, judges: number): { lower: number; upper: number } => {
    const ofQuery = 1 / (queries * perQuery);
    const ofJudge = 1 / (judges * perJudge);
    const ofError = 1 / (queries * judges) - ofQuery;
    const { lower, upper } = limits(
      isOne ? [ofQuery, ofJudge, ofError - ofJudge] : [ofQuery, ofJudge, ofError, -ofJudge],
    );
    const se = standardErrorOfMean(variances, queries, judges);
    return {
      lower: Math.min(se, Math.sqrt(Math.max(0, lower))),
      upper: Math.max(se, Math.sqrt(Math.max(0, upper))),
    };
  };
}
