import { standardErrorOfMean, type Variances } from "./error.js";
import { tableLimits } from "./limits.js";
import type { Squares } from "./squares.js";

/**
 * Interval of the standard error of a panel's mean: modified large-sample limits of the combination of mean squares that
 * its variance is. None where queries, or judges, have all the same mean, which tells nothing of how much they differ.
 */
export function panelErrorInterval(squares: Squares, variances: Variances, level: number) {
  const { perQuery, perJudge } = squares;
  if (squares.query === 0 || squares.judge === 0) return () => null;
  const limits = tableLimits(squares, (1 - level) / 2);
  return (queries: number, judges: number): { lower: number; upper: number } => {
    const ofQuery = 1 / (queries * perQuery);
    const { lower, upper } = limits(ofQuery, 1 / (judges * perJudge), 1 / (queries * judges) - ofQuery);
    const se = standardErrorOfMean(variances, queries, judges);
    return {
      lower: Math.min(se, Math.sqrt(Math.max(0, lower))),
      upper: Math.max(se, Math.sqrt(Math.max(0, upper))),
    };
  };
}
