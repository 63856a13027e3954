import { chainLength, isJudgeable, splitChains } from "./chains.js";
import { essMean, quantileEss } from "./ess.js";
import { finiteOrNull, mean, variance } from "./moments.js";
import { checkProbability } from "./quantile.js";

/*
 * Monte Carlo standard errors: how far an estimate from these draws may be from its value with endless draws, in the
 * units of the draws. As in the R package posterior 1.4.0.
 *
 * Everywhere: `draws` is [chains x draws], chain by chain; null where the effective sample size isn't available.
 */

/** Normal probabilities one standard deviation either side of the mean, with posterior's digits. */
const oneSdBelow = 0.1586553;
const oneSdAbove = 0.8413447;

/** Of the mean: sd / sqrt(ESS of the mean). */
export function mcseMean(draws: Float64Array, chains: number): number | null {
  const ess = essMean(draws, chains);
  return ess === null ? null : finiteOrNull(Math.sqrt(variance(draws, mean(draws)) / ess));
}

/**
 * Of the standard deviation, for any distribution: the variance of the variance from the fourth moment, carried over to
 * its root to first order (Kenney and Keeping 1951, "Mathematics of Statistics" 2, p. 141).
 */
export function mcseSd(draws: Float64Array, chains: number): number | null {
  chainLength(draws, chains);
  const centre = mean(draws);
  const squares = draws.map((draw) => (draw - centre) * (draw - centre));
  const ess = essMean(squares, chains);
  if (ess === null) return null;
  const second = mean(squares);
  const fourth = mean(squares.map((square) => square * square));
  return finiteOrNull(Math.sqrt((fourth - second * second) / ess / second / 4));
}

/**
 * Of a quantile (Vehtari et al. 2021, "Rank-normalization, folding, and localization", section 4.4): half the distance
 * between the order statistics at the ends of the central 68% of Beta(ESS p + 1, ESS (1 - p) + 1). Asynchronous, since
 * the Beta quantiles are loaded only when they are wanted: that takes longer than a fit.
 */
export async function mcseQuantile(draws: Float64Array, chains: number, probability: number): Promise<number | null> {
  checkProbability(probability);
  const split = splitChains(draws, chains);
  if (!isJudgeable(draws)) return null;
  const sorted = draws.slice().sort();
  const ess = quantileEss(split, sorted, probability);
  if (ess === null) return null;
  const { default: betaQuantile } = await import("@stdlib/stats-base-dists-beta-quantile");
  const size = sorted.length;
  const alpha = ess * probability + 1;
  const beta = ess * (1 - probability) + 1;
  // Order statistics are counted from 1.
  const low = Math.max(Math.floor(betaQuantile(oneSdBelow, alpha, beta) * size), 1);
  const high = Math.min(Math.ceil(betaQuantile(oneSdAbove, alpha, beta) * size), size);
  return finiteOrNull((sorted[high - 1] - sorted[low - 1]) / 2);
}
