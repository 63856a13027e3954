import type { FullTable } from "./table.js";

/**
 * Mean squares of scores crossed with judges, one score a cell (Shrout and Fleiss 1979, "Intraclass correlations: uses in
 * assessing rater reliability", Psychological Bulletin 86, 420-428, Table 1): of query means, of judge means and of what
 * these leave.
 */
export interface MeanSquares {
  readonly query: number;
  readonly judge: number;
  readonly error: number;
  readonly degrees: { readonly query: number; readonly judge: number; readonly error: number };
}

export interface Anova {
  readonly mean: number;
  readonly queryMeans: readonly number[];
  readonly judgeMeans: readonly number[];
  readonly squares: MeanSquares;
  /** Sum of squared residuals of each query. */
  readonly residuals: Float64Array;
}

/** Rounding of a residual, in units of the largest score's. */
const rounding = 16 * Number.EPSILON;

/** Nearer 0 the products of mean squares have no digits. */
const leastSquare = 1e-150;

/**
 * A sum of squares over its degrees of freedom; 0 where it is rounding alone.
 * @param largest score, without its sign @param relative rounding of a residual, in units of it
 */
export function meanSquare(sum: number, degrees: number, largest: number, relative = rounding): number {
  return sum / degrees <= Math.max(leastSquare, (relative * largest) ** 2) ? 0 : sum / degrees;
}

export function anova({ queries, judges, scores }: FullTable): Anova {
  const [Q, J] = [queries.length, judges.length];
  // Relative to one score: means keep their digits, and where all scores are equal every difference is 0.
  const origin = scores[0];
  const rowSums = new Float64Array(Q);
  const columnSums = new Float64Array(J);
  let total = 0;
  let largest = 0;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] - origin;
    rowSums[Math.floor(i / J)] += score;
    columnSums[i % J] += score;
    total += score;
    largest = Math.max(largest, Math.abs(scores[i]));
  }
  const centre = total / (Q * J);
  const rows = rowSums.map((sum) => sum / J - centre);
  const columns = columnSums.map((sum) => sum / Q - centre);
  const residuals = new Float64Array(Q);
  for (let i = 0; i < scores.length; i++) {
    const q = Math.floor(i / J);
    residuals[q] += (scores[i] - origin - centre - rows[q] - columns[i % J]) ** 2;
  }
  const residual = residuals.reduce((sum, value) => sum + value, 0);
  const squares = (values: Float64Array): number => values.reduce((sum, value) => sum + value * value, 0);
  const degrees = { query: Q - 1, judge: J - 1, error: (Q - 1) * (J - 1) };
  return {
    ...{ mean: origin + centre, residuals },
    queryMeans: Array.from(rows, (row) => origin + centre + row),
    judgeMeans: Array.from(columns, (column) => origin + centre + column),
    squares: {
      query: meanSquare(J * squares(rows), degrees.query, largest),
      judge: meanSquare(Q * squares(columns), degrees.judge, largest),
      error: meanSquare(residual, degrees.error, largest),
      degrees,
    },
  };
}
