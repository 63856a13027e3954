import type { Clusters } from "../cluster.js";
import type { Anova } from "./anova.js";
import type { Squares } from "./squares.js";
import type { FullTable } from "./table.js";

/**
 * The same where queries come in clusters, as questions of one passage do: query means, and each judge's residuals, may be
 * alike within one.
 *
 * Errors of means are sandwiches over G clusters (Liang and Zeger 1986, Biometrika 73, 13-22): with r_q a query's mean less
 * the mean and e_qj the residual, V = G / (G - 1) sum of (sum of r_q over a cluster)^2 / Q^2 is the mean's variance for the
 * queries' sake, and W = G / (G - 1) sum of (sum of e_qj over a cluster)^2 / (Q^2 (J - 1)) that of a judge's mean for the
 * residuals'. The variance of all query means is sum r_q^2 / Q + V, that of residuals sum e_qj^2 / (Q (J - 1)) + W. With a
 * query a cluster all are those of the analysis of variance.
 *
 * Degrees of freedom by Satterthwaite 1946 (Biometrics Bulletin 2, 110-114) for normal effects whose correlation within a
 * cluster is the one that V, or W, shows.
 */
export function clusteredSquares({ judges, scores }: FullTable, anova: Anova, { of, count: G }: Clusters): Squares {
  const [Q, J] = [anova.queryMeans.length, judges.length];
  const sizes = new Float64Array(G);
  const means = new Float64Array(G);
  const residuals = new Float64Array(G * J);
  const squaresOfMeans = new Float64Array(G);
  const squaresOfResiduals = new Float64Array(G);
  const columns = anova.judgeMeans.map((mean) => mean - anova.mean);
  for (let q = 0; q < Q; q++) {
    const g = of[q];
    const row = anova.queryMeans[q] - anova.mean;
    sizes[g]++;
    means[g] += row;
    squaresOfMeans[g] += row * row;
    squaresOfResiduals[g] += anova.residuals[q];
    for (let j = 0; j < J; j++) {
      const residual = scores[q * J + j] - anova.queryMeans[q] - columns[j];
      residuals[g * J + j] += residual;
    }
  }
  const sandwich = (sums: Float64Array): number =>
    (G / (G - 1)) * (sums.reduce((squares, sum) => squares + sum * sum, 0) / Q ** 2);
  const { error, judge } = anova.squares;
  const V = sandwich(means);
  const W = error === 0 ? 0 : sandwich(residuals) / (J - 1);
  const query = J * (total(squaresOfMeans) / Q + V);
  const ofError = error === 0 ? 0 : total(squaresOfResiduals) / (Q * (J - 1)) + W;
  const ofQueries = correlated(sizes, (Q * J * V) / query);
  const ofResiduals = correlated(sizes, (Q * W) / ofError);
  const seen = { query: seenDegrees(squaresOfMeans, sizes), error: seenDegrees(squaresOfResiduals, sizes) };
  const normalDegrees = {
    query: ofQueries.ofSquares,
    judge: J - 1,
    noise: (J - 1) * ofResiduals.ofSums,
    error: (J - 1) * ofResiduals.ofSquares,
  };
  return {
    ...{ queries: Q, judges: J, query, judge, error: ofError, noise: Q * W },
    ...{ perQuery: J, perJudge: Q },
    normalDegrees,
    degrees: {
      ...normalDegrees,
      query: Math.min(normalDegrees.query, seen.query),
      error: Math.min(normalDegrees.error, seen.error),
    },
    mean: { query: Q * J * V, degrees: ofQueries.ofSums, errorShare: 1 / (Q * J) },
  };
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** As of independent queries, the variance of the mean a sandwich over clusters. At least 1. */
function seenDegrees(sums: Float64Array, sizes: Float64Array): number {
  const [all, count] = [total(sums), sums.length];
  const mean = all / total(sizes);
  if (!(all > 0)) return Number.POSITIVE_INFINITY;
  const squares = sums.reduce((sum, value, g) => sum + ((value - mean * sizes[g]) / all) ** 2, 0);
  const spread = (count / (count - 1)) * squares;
  return spread > 0 ? Math.max(1, 2 / spread) : Number.POSITIVE_INFINITY;
}

/**
 * Degrees of freedom of a sum of squares of values in clusters of these sizes, and of one of their sums over clusters.
 * @param inflation of the variance of the values' mean by the clusters, from which their correlation follows
 */
function correlated(sizes: Float64Array, inflation: number): { ofSquares: number; ofSums: number } {
  const sum = (term: (n: number) => number): number => sizes.reduce((all, n) => all + term(n), 0);
  const all = sum((n) => n);
  const weighted = sum((n) => n * n) / all;
  const raw = weighted > 1 ? (inflation - 1) / (weighted - 1) : 0;
  const correlation = Number.isFinite(raw) ? Math.min(1, Math.max(0, raw)) : 0;
  const variance = (n: number): number => n * (1 + (n - 1) * correlation);
  // Not below 1, of which one cluster that outweighs all others would leave a fraction.
  return {
    ofSquares: Math.max(1, all ** 2 / sum((n) => n * (1 + (n - 1) * correlation ** 2)) - 1),
    ofSums: Math.max(1, sum(variance) ** 2 / sum((n) => variance(n) ** 2) - 1),
  };
}
