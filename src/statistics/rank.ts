import { normalQuantile } from "./normal-quantile.js";
import { type Ordered, sortWithPlaces } from "./sort.js";

/*
 * Rank normalisation (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021, "Rank-normalization, folding, and
 * localization: an improved R-hat for assessing convergence of MCMC", Bayesian Analysis 16, 667-718, equation 14):
 * a draw becomes the normal quantile of its rank among all S draws, z = qnorm((rank - 3/8) / (S + 1/4)). Tied draws share
 * their average rank, so that a discrete quantity stays discrete.
 */

/** Ranks from 1 to values.length; ties get their average. Values must not be NaN. */
export function ranks(values: Float64Array): Float64Array {
  const { sorted, order } = sortWithPlaces(values);
  const out = new Float64Array(values.length);
  for (let start = 0; start < sorted.length; ) {
    const end = endOfTies(sorted, start);
    for (let k = start; k < end; k++) out[order[k]] = (start + 1 + end) / 2;
    start = end;
  }
  return out;
}

/** Writes the rank-normalised values into `out`, each at its own place. */
export function writeScores({ sorted, order }: Ordered, out: Float64Array): void {
  const size = sorted.length;
  const table = scoresByRank(size);
  for (let start = 0; start < size; ) {
    const end = endOfTies(sorted, start);
    if (end === start + 1) {
      out[order[start]] = table[start];
    } else {
      const score = scoreOfRank((start + 1 + end) / 2, size);
      for (let k = start; k < end; k++) out[order[k]] = score;
    }
    start = end;
  }
}

/**
 * Order of the folded values |x - median|, by merging the two sides of the sorted values outwards from the median:
 * linear, and exact, since rounding keeps the order of differences from one number.
 */
export function foldOrder({ sorted, order }: Ordered, median: number, out: Ordered): void {
  const folded = out.sorted;
  const places = out.order;
  let above = firstAtLeast(sorted, median);
  let below = above - 1;
  let k = 0;
  for (; below >= 0 && above < sorted.length; k++) {
    const down = median - sorted[below];
    const up = sorted[above] - median;
    if (down < up) {
      folded[k] = down;
      places[k] = order[below--];
    } else {
      folded[k] = up;
      places[k] = order[above++];
    }
  }
  for (; below >= 0; k++, below--) {
    folded[k] = median - sorted[below];
    places[k] = order[below];
  }
  for (; above < sorted.length; k++, above++) {
    folded[k] = sorted[above] - median;
    places[k] = order[above];
  }
}

let cachedScores = new Float64Array(0);

/** Scores of the ranks 1 to `size`. Kept for the last size: all quantities of a fit share it. */
function scoresByRank(size: number): Float64Array {
  if (cachedScores.length !== size) {
    const scores = new Float64Array(size);
    // The middle rank of an odd size scores 0 and is never reached by the loop.
    for (let k = 0; k < size >> 1; k++) {
      const score = scoreOfRank(k + 1, size);
      scores[k] = score;
      scores[size - 1 - k] = -score;
    }
    cachedScores = scores;
  }
  return cachedScores;
}

function scoreOfRank(rank: number, size: number): number {
  return normalQuantile((rank - 0.375) / (size + 0.25));
}

/** One past the last value that equals sorted[start]. */
function endOfTies(sorted: Float64Array, start: number): number {
  const value = sorted[start];
  let end = start + 1;
  while (end < sorted.length && sorted[end] === value) end++;
  return end;
}

/** Index of the first value >= `bound`, or the length. */
function firstAtLeast(sorted: Float64Array, bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
