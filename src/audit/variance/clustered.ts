import { type Clusters, degreesOf } from "../cluster.js";
import { type Anova, meanSquare } from "./anova.js";
import type { Squares } from "./squares.js";
import type { FullTable } from "./table.js";

/**
 * The same where queries come in clusters, as questions of one passage do: query means, and each judge's residuals, may be
 * alike within one.
 *
 * With r_q a query's mean less the mean, e_qj the residual and h a cluster's share of the queries, V = sum of (sum of r_q over
 * a cluster)^2 / (1 - h) / Q^2 is the mean's variance for the queries' sake, and W = sum of (sum of e_qj over a cluster)^2 /
 * (1 - h) / (Q^2 (J - 1)) that of a judge's mean for the residuals', sandwiches as in `clusteredError`. One of clusters of
 * which a few hold most of the queries hardly sees how alike these are: neither counts for less than what the variances
 * between and within clusters say (`correlated`), which are those of all query means and residuals too. Of clusters of
 * one size both are the same, and with a query a cluster all are those of the analysis of variance.
 */
export function clusteredSquares({ judges, scores }: FullTable, anova: Anova, { of, count: G }: Clusters): Squares {
  const [Q, J] = [anova.queryMeans.length, judges.length];
  const sizes = new Float64Array(G);
  const means = new Float64Array(G);
  const residuals = new Float64Array(G * J);
  const squaresOfMeans = new Float64Array(G);
  const squaresOfResiduals = new Float64Array(G);
  const columns = anova.judgeMeans.map((mean) => mean - anova.mean);
  let largest = 0;
  for (let q = 0; q < Q; q++) {
    const g = of[q];
    const row = anova.queryMeans[q] - anova.mean;
    sizes[g]++;
    means[g] += row;
    squaresOfMeans[g] += row * row;
    squaresOfResiduals[g] += anova.residuals[q];
    for (let j = 0; j < J; j++) {
      const score = scores[q * J + j];
      largest = Math.max(largest, Math.abs(score));
      residuals[g * J + j] += score - anova.queryMeans[q] - columns[j];
    }
  }
  const ofQueries = correlated(means, squaresOfMeans, sizes, 1, largest);
  const ofResiduals = correlated(residuals, squaresOfResiduals, sizes, J, largest);
  const { error, judge } = anova.squares;
  const [V, W] = [ofQueries.ofMean, error === 0 ? 0 : ofResiduals.ofMean];
  const seen = { query: seenDegrees(squaresOfMeans, sizes), error: seenDegrees(squaresOfResiduals, sizes) };
  const normalDegrees = {
    query: ofQueries.degreesOfSquares,
    judge: J - 1,
    noise: (J - 1) * ofResiduals.degreesOfMean,
    error: (J - 1) * ofResiduals.degreesOfSquares,
  };
  return {
    ...{ queries: Q, judges: J, query: J * ofQueries.ofAll, judge, error: error === 0 ? 0 : ofResiduals.ofAll },
    ...{ noise: Q * W, perQuery: J, perJudge: Q },
    normalDegrees,
    degrees: {
      ...normalDegrees,
      query: Math.min(normalDegrees.query, seen.query),
      error: Math.min(normalDegrees.error, seen.error),
    },
    mean: { query: Q * J * V, degrees: ofQueries.degreesOfMean, errorShare: 1 / (Q * J) },
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

interface Correlated {
  /** Variance of a value, and of the mean of all. */
  readonly ofAll: number;
  readonly ofMean: number;
  /** Degrees of freedom of these for normal effects, by Satterthwaite 1946 (Biometrics Bulletin 2, 110-114). */
  readonly degreesOfSquares: number;
  readonly degreesOfMean: number;
}

/**
 * Variances of values that are alike within clusters: of a value that of the one-way analysis of variance with unequal sizes
 * (Searle, Casella and McCulloch 1992, "Variance Components", section 3.6), of the mean the sandwich.
 * @param sums over a cluster, of so many sets that add up to 0, `sets` a cluster
 * @param squares sums of squares over a cluster, of all sets
 * @param sets of which one is told by the others
 * @param largest score, of whose rounding a mean square may be
 */
function correlated(
  sums: Float64Array,
  squares: Float64Array,
  sizes: Float64Array,
  sets: number,
  largest: number,
): Correlated {
  const G = sizes.length;
  const Q = total(sizes);
  const free = Math.max(1, sets - 1);
  const sum = (term: (n: number) => number): number => sizes.reduce((all, n) => all + term(n), 0);
  const overSums = (weight: (n: number) => number): number =>
    sums.reduce((all, value, i) => all + value ** 2 * weight(sizes[Math.floor(i / sets)]), 0) / free;
  const ofSums = overSums((n) => 1 / n);
  const between = meanSquare(ofSums, G - 1, largest);
  const within = Q === G ? 0 : meanSquare(Math.max(0, total(squares) / free - ofSums), Q - G, largest);
  const perCluster = (Q - sum((n) => n * n) / Q) / (G - 1);
  const shared = (between - within) / perCluster;
  const common = Math.max(0, shared);
  const modelled = (common * sum((n) => n * n)) / Q ** 2 + within / Q;
  const sandwich = meanSquare(overSums((n) => 1 / (1 - n / Q)) / Q, Q, largest);
  // What a cluster's mean varies by, and what the mean square between clusters does.
  const ofOne = (n: number): number => common + within / n;
  const spread = sum((n) => (n * ofOne(n)) ** 2 * (1 - (2 * n) / Q)) + sum((n) => (n * n * ofOne(n)) / Q) ** 2;
  const ofAll = within + shared;
  const [ofBetween, ofWithin] = [1 / perCluster, 1 - 1 / perCluster];
  const noise = (ofBetween / (G - 1)) ** 2 * spread + (Q === G ? 0 : (ofWithin * within) ** 2 / (Q - G));
  const ofCluster = (n: number): number => n * n * ofOne(n);
  const many = sum((n) => ofCluster(n) ** 2);
  return {
    ofAll,
    ofMean: Math.max(sandwich, modelled),
    // Not below 1, of which one cluster that outweighs all others would leave a fraction.
    degreesOfSquares: noise > 0 ? Math.max(1, ofAll ** 2 / noise) : G - 1,
    degreesOfMean: many > 0 ? Math.max(1, sum(ofCluster) ** 2 / many - 1) : degreesOf(sizes),
  };
}
