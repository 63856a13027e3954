import { type CentredChains, type Chains, centre, chainLength, isJudgeable, splitChains } from "./chains.js";
import { mean, variance } from "./moments.js";
import { quantileOfSorted } from "./quantile.js";
import { foldOrder, writeScores } from "./rank.js";
import { FloatScratch } from "./scratch.js";
import { allocateOrdered, type Ordered, sortWithPlaces } from "./sort.js";

/*
 * R-hat, the potential scale reduction: the root of the pooled over the within-chain variance, 1 where all chains agree
 * (Vehtari et al. 2021, "Rank-normalization, folding, and localization", equations 1 to 4 and section 4). Agrees with
 * the R package posterior 1.4.0.
 *
 * Everywhere: `draws` is [chains x draws], chain by chain. null means not available: draws that aren't all finite, or
 * constant, or too few; for `rhat` also draws of two values in equal numbers, whose distances from the median are
 * constant. Infinity means that no chain moved, but that they stand at different values.
 */

const scoreScratch = new FloatScratch();

/** Rank-normalised split R-hat: the greater of the bulk one and, of the draws folded at their median, the tail one. */
export function rhat(draws: Float64Array, chains: number): number | null {
  const split = splitChains(draws, chains);
  if (!isJudgeable(draws)) return null;
  const ordered = sortWithPlaces(split.values);
  const bulk = scoresRhat(ordered, split.chains);
  const median = quantileOfSorted(draws.slice().sort(), 0.5);
  return greaterRhat(bulk, foldedRhat(ordered, median, split.chains, allocateOrdered(split.values.length)));
}

/** Split R-hat of the draws as they are. */
export function rhatSplit(draws: Float64Array, chains: number): number | null {
  return rhatOfChains(splitChains(draws, chains));
}

/** R-hat of the draws as they are, each chain whole: blind to trends that all chains share; null for a single chain. */
export function rhatBasic(draws: Float64Array, chains: number): number | null {
  chainLength(draws, chains);
  return rhatOfChains({ values: draws, chains });
}

/** Rank-normalised chains less their means. Working memory: holds until the next call of `centre`. */
export function centredScores(ordered: Ordered, chains: number): CentredChains | null {
  const scores = scoreScratch.take(ordered.sorted.length);
  writeScores(ordered, scores);
  return centre({ values: scores, chains });
}

function scoresRhat(ordered: Ordered, chains: number): number | null {
  const centred = centredScores(ordered, chains);
  return centred === null ? null : rhatOfCentred(centred);
}

/** R-hat of the rank-normalised distances from the median. Fills `folded`. */
export function foldedRhat(ordered: Ordered, median: number, chains: number, folded: Ordered): number | null {
  foldOrder(ordered, median, folded);
  return scoresRhat(folded, chains);
}

/** The greater of two, null if either isn't available. */
export function greaterRhat(bulk: number | null, tail: number | null): number | null {
  return bulk === null || tail === null ? null : Math.max(bulk, tail);
}

/** R-hat of chains less their means, without splitting them. */
export function rhatOfCentred({ squares, means, chains, length }: CentredChains): number | null {
  if (chains < 2 || length < 2) return null;
  const within = squares / (chains * (length - 1));
  const between = length * variance(means, mean(means));
  const ratio = Math.sqrt((between / within + length - 1) / length);
  return Number.isNaN(ratio) ? null : ratio;
}

function rhatOfChains(chains: Chains): number | null {
  const centred = centre(chains);
  return centred === null ? null : rhatOfCentred(centred);
}
