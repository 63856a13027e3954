import { quantileOfF, quantileOfMeanSquare } from "../distributions.js";
import type { MeanSquares } from "./anova.js";

/** A component of variance with its interval. */
export interface VarianceComponent {
  /** The analysis of variance's own value, which may be negative. */
  readonly raw: number;
  /** Not below 0: what is shown, and what errors and plans are made from. */
  readonly value: number;
  readonly isNegative: boolean;
  /** Ends of the interval, not below 0 either. */
  readonly lower: number;
  readonly upper: number;
  readonly interval: string;
}

/** Variances of the model score = mean + query + judge + error. */
export interface Components {
  readonly query: VarianceComponent;
  readonly judge: VarianceComponent;
  readonly error: VarianceComponent;
}

/**
 * Components from mean squares, by their expectations (Shrout and Fleiss 1979, Table 1): E MS_query = J v_query + v_error,
 * E MS_judge = Q v_judge + v_error, E MS_error = v_error.
 */
export function componentsOf(squares: MeanSquares, level: number): Components {
  const { degrees } = squares;
  const judges = degrees.judge + 1;
  const queries = degrees.query + 1;
  const tail = (1 - level) / 2;
  return {
    query: difference(squares.query, squares.error, degrees.query, degrees.error, judges, tail),
    judge: difference(squares.judge, squares.error, degrees.judge, degrees.error, queries, tail),
    error: component(
      squares.error,
      squares.error / quantileOfMeanSquare(1 - tail, degrees.error),
      squares.error / quantileOfMeanSquare(tail, degrees.error),
      "chi-squared",
    ),
  };
}

const component = (raw: number, lower: number, upper: number, interval: string): VarianceComponent => ({
  raw,
  value: Math.max(0, raw),
  isNegative: raw < 0,
  lower: Math.max(0, lower),
  upper: Math.max(0, upper),
  interval,
});

/**
 * (m1 - m2) / size with the modified large-sample interval of a difference of mean squares (Ting, Burdick, Graybill,
 * Jeyaratnam and Lu 1990, "Confidence intervals on linear combinations of variance components that are unrestricted in
 * sign", Journal of Statistical Computation and Simulation 35, 135-143), whose constants make it exact where either mean
 * square is far above the other.
 */
function difference(m1: number, m2: number, df1: number, df2: number, size: number, tail: number): VarianceComponent {
  const [high, low] = [quantileOfF(1 - tail, df1, df2), quantileOfF(tail, df1, df2)];
  const g1 = 1 - 1 / quantileOfMeanSquare(1 - tail, df1);
  const h1 = 1 / quantileOfMeanSquare(tail, df1) - 1;
  const g2 = 1 - 1 / quantileOfMeanSquare(1 - tail, df2);
  const h2 = 1 / quantileOfMeanSquare(tail, df2) - 1;
  const g12 = ((high - 1) ** 2 - (g1 * high) ** 2 - h2 ** 2) / high;
  const h12 = ((1 - low) ** 2 - (h1 * low) ** 2 - g2 ** 2) / low;
  const below = Math.sqrt(Math.max(0, (g1 * m1) ** 2 + (h2 * m2) ** 2 + g12 * m1 * m2));
  const above = Math.sqrt(Math.max(0, (h1 * m1) ** 2 + (g2 * m2) ** 2 + h12 * m1 * m2));
  return component(
    (m1 - m2) / size,
    (m1 - m2 - below) / size,
    (m1 - m2 + above) / size,
    "modified large-sample (Ting et al. 1990)",
  );
}
