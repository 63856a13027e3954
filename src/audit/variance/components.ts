import { quantileOfMeanSquare } from "../distributions.js";
import { combinationLimits } from "./limits.js";
import type { Squares } from "./squares.js";

/** A component of variance with its interval. */
export interface VarianceComponent {
  /** The analysis of variance's own value, which may be negative. */
  readonly raw: number;
  /** Not below 0: what is shown, and what errors and plans are made from. */
  readonly value: number;
  readonly isNegative: boolean;
  /** Ends of the interval, not below 0 either; null where nothing tells them: mean squares of 0 are coincidence. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly interval: string | null;
}

/** Variances of the model score = mean + query + judge + error. */
export interface Components {
  readonly query: VarianceComponent;
  readonly judge: VarianceComponent;
  readonly error: VarianceComponent;
}

/**
 * Components from mean squares, by their expectations (of a full table: Shrout and Fleiss 1979, Table 1):
 * E MS_query = J v_query + v_error, E MS_judge = Q v_judge + v_error, E MS_error = v_error.
 */
export function componentsOf(squares: Squares, level: number): Components {
  const { query, judge, noise, error, degrees } = squares;
  const tail = (1 - level) / 2;
  return {
    query: difference(query, error, degrees.query, degrees.error, squares.perQuery, tail),
    judge: difference(judge, noise, degrees.judge, degrees.noise, squares.perJudge, tail),
    error: component(
      error,
      error,
      error / quantileOfMeanSquare(1 - tail, degrees.error),
      error / quantileOfMeanSquare(tail, degrees.error),
      "chi-squared",
    ),
  };
}

/** @param square that the component is made from */
const component = (square: number, raw: number, lower: number, upper: number, interval: string): VarianceComponent => ({
  ...{ raw, value: Math.max(0, raw), isNegative: raw < 0 },
  ...(square === 0
    ? { lower: null, upper: null, interval: null }
    : { lower: Math.max(0, lower), upper: Math.max(0, upper), interval }),
});

/** (m1 - m2) / size with its modified large-sample limits. */
function difference(m1: number, m2: number, df1: number, df2: number, size: number, tail: number): VarianceComponent {
  const limits = combinationLimits(
    [
      { square: m1, degrees: df1 },
      { square: m2, degrees: df2 },
    ],
    tail,
  );
  const { lower, upper } = limits([1, -1]);
  return component(m1, (m1 - m2) / size, lower / size, upper / size, "modified large-sample (Ting et al. 1990)");
}
