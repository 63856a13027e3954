import type { Clusters } from "../cluster.js";
import type { EmFit } from "./em.js";
import { addSquare } from "./matrix.js";
import { completeScore, type Row } from "./parameters.js";
import type { Patterns } from "./votes.js";

/**
 * G / (G - 1) sum over G clusters of S S', S the sum of the scores of a cluster's items (Liang and Zeger 1986, "Longitudinal
 * data analysis using generalized linear models", Biometrika 73, 13-22; for latent classes White 1982, "Maximum likelihood
 * estimation of misspecified models", Econometrica 50, 1-25). An item's score is E[S] over its classes (Louis 1982). Each
 * takes an even part of the gradient of the smoothing, so that all sum to 0 at the mode.
 *
 * @param clusters of each item; -1 for an item without votes
 */
export function clusteredSquares(
  fit: EmFit,
  patterns: Patterns,
  rows: readonly Row[],
  size: number,
  clusters: Clusters,
): Float64Array {
  const { classes, patternOf, voted } = patterns;
  const squares = new Float64Array(size * size);
  const total = new Float64Array(size);
  // Of the mean score m and n items a cluster: (S - n m)(S - n m)' = S S' - n S m' - n m S' + n^2 m m'.
  const weighted = new Float64Array(size);
  const sum = new Float64Array(size);
  let squaredSizes = 0;
  for (const items of membersOf(clusters)) {
    sum.fill(0);
    for (const item of items) {
      const p = patternOf[item];
      for (let c = 0; c < classes; c++) {
        const q = fit.posterior[p * classes + c];
        if (q < 1e-14) continue;
        const { places, values } = completeScore(patterns, rows, p, c);
        for (let a = 0; a < places.length; a++) sum[places[a]] += q * values[a];
      }
    }
    addSquare(sum, 1, squares);
    for (let a = 0; a < size; a++) {
      total[a] += sum[a];
      weighted[a] += items.length * sum[a];
    }
    squaredSizes += items.length ** 2;
  }
  const scale = clusters.count / (clusters.count - 1);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < size; b++) {
      const [ma, mb] = [total[a] / voted, total[b] / voted];
      const at = a * size + b;
      squares[at] = scale * (squares[at] - weighted[a] * mb - ma * weighted[b] + squaredSizes * ma * mb);
    }
  }
  return squares;
}

/** The items of each cluster. */
export function membersOf({ of, count }: Clusters): Uint32Array[] {
  const sizes = new Uint32Array(count);
  for (const g of of) if (g >= 0) sizes[g]++;
  const members = Array.from(sizes, (n) => new Uint32Array(n));
  sizes.fill(0);
  of.forEach((g, i) => {
    if (g >= 0) members[g][sizes[g]++] = i;
  });
  return members;
}
