import { MeanAutocovariance } from "./autocovariance.js";
import { type CentredChains, type Chains, centre, chainLength, isJudgeable, splitChains } from "./chains.js";
import { finiteOrNull, mean, variance } from "./moments.js";
import { checkProbability, quantileOfSorted } from "./quantile.js";
import { writeScores } from "./rank.js";
import { FloatScratch } from "./scratch.js";
import { sortWithPlaces } from "./sort.js";

/*
 * Effective sample size: the number of independent draws that would estimate as well (Vehtari et al. 2021, "Rank-
 * normalization, folding, and localization", section 3.2; autocorrelations summed by the initial monotone positive
 * sequence of Geyer 1992, "Practical Markov Chain Monte Carlo"). Agrees with the R package posterior 1.4.0.
 *
 * Everywhere: `draws` is [chains x draws], chain by chain; chains are split in halves; null means not available:
 * draws that aren't all finite, that are constant (or whose transformation is), or fewer than six a chain.
 */

/** Shortest (split) chain that can be judged. */
const minimumLength = 3;

const autocorrelationScratch = new FloatScratch();
const indicatorScratch = new FloatScratch();

/** Effective sample size of the mean, from the draws as they are. */
export function essMean(draws: Float64Array, chains: number): number | null {
  return essOfChains(splitChains(draws, chains));
}

/** Effective sample size of the standard deviation: that of the mean of |x - mean|. */
export function essSd(draws: Float64Array, chains: number): number | null {
  const centre = mean(draws);
  return essMean(
    draws.map((draw) => Math.abs(draw - centre)),
    chains,
  );
}

/** Bulk effective sample size: of the mean of the rank-normalised draws. */
export function essBulk(draws: Float64Array, chains: number): number | null {
  const split = splitChains(draws, chains);
  if (!isJudgeable(draws)) return null;
  const scores = new Float64Array(split.values.length);
  writeScores(sortWithPlaces(split.values), scores);
  return essOfChains({ values: scores, chains: split.chains });
}

/** Tail effective sample size: the lesser of those of the 5% and the 95% quantile. */
export function essTail(draws: Float64Array, chains: number): number | null {
  const split = splitChains(draws, chains);
  return isJudgeable(draws) ? tailEss(split, draws.slice().sort()) : null;
}

/** Effective sample size of a quantile: of the mean of the indicators x <= quantile. */
export function essQuantile(draws: Float64Array, chains: number, probability: number): number | null {
  checkProbability(probability);
  const split = splitChains(draws, chains);
  return isJudgeable(draws) ? quantileEss(split, draws.slice().sort(), probability) : null;
}

/** Effective sample size of the mean without splitting the chains. */
export function essBasic(draws: Float64Array, chains: number): number | null {
  chainLength(draws, chains);
  return essOfChains({ values: draws, chains });
}

/** `essTail` of split chains, with all draws sorted. */
export function tailEss(split: Chains, sorted: Float64Array): number | null {
  const low = quantileEss(split, sorted, 0.05);
  const high = quantileEss(split, sorted, 0.95);
  return low === null || high === null ? null : Math.min(low, high);
}

/** `essQuantile` of split chains, with all draws sorted. */
export function quantileEss(split: Chains, sorted: Float64Array, probability: number): number | null {
  // All draws are <= the greatest one: a quantile short of it by half a draw stands for it, as in posterior.
  const inside = probability === 1 ? (sorted.length - 0.5) / sorted.length : probability;
  const quantile = quantileOfSorted(sorted, inside);
  const { values, chains } = split;
  const indicators = indicatorScratch.take(values.length);
  for (let i = 0; i < values.length; i++) indicators[i] = values[i] <= quantile ? 1 : 0;
  return essOfChains({ values: indicators, chains });
}

/** Effective sample size of the mean of already split (or deliberately whole) chains. */
export function essOfChains(chains: Chains): number | null {
  const centred = centre(chains);
  return centred === null ? null : essOfCentred(centred);
}

/** `essOfChains`, of chains less their means. */
export function essOfCentred(centred: CentredChains): number | null {
  const { chains, length, means } = centred;
  if (length < minimumLength) return null;
  const autocovariance = new MeanAutocovariance(centred);
  // Within-chain variance with divisor length - 1; the pooled variance adds that of the chain means.
  const within = (autocovariance.at(0) * length) / (length - 1);
  const pooled = autocovariance.at(0) + (chains > 1 ? variance(means, mean(means)) : 0);
  const time = autocorrelationTime(autocovariance, within, pooled, length);
  const size = chains * length;
  // Antithetic draws can be worth more than independent ones; the bound keeps the estimate stable.
  return finiteOrNull(size / Math.max(time, 1 / Math.log10(size)));
}

/**
 * Integrated autocorrelation time, 1 + 2 times the sum of the autocorrelations rho(t) = 1 - (within - a(t)) / pooled
 * over Geyer's initial monotone positive sequence: pairs rho(t) + rho(t + 1), t even, are summed as long as they are
 * positive, each made no greater than the one before.
 */
function autocorrelationTime(
  autocovariance: MeanAutocovariance,
  within: number,
  pooled: number,
  length: number,
): number {
  const rho = autocorrelationScratch.take(length);
  let even = 1;
  let odd = 1 - (within - autocovariance.at(1)) / pooled;
  rho[0] = even;
  rho[1] = odd;
  let last = 0;
  while (last < length - 5 && even + odd > 0) {
    last += 2;
    even = 1 - (within - autocovariance.at(last)) / pooled;
    odd = 1 - (within - autocovariance.at(last + 1)) / pooled;
    const positive = even + odd >= 0;
    rho[last] = positive ? even : 0;
    rho[last + 1] = positive ? odd : 0;
  }
  // One more even lag where it is positive: less variance for antithetic chains.
  if (even > 0) rho[last] = even;

  for (let t = 2; t <= last - 2; t += 2) {
    if (rho[t] + rho[t + 1] > rho[t - 2] + rho[t - 1]) {
      rho[t] = (rho[t - 2] + rho[t - 1]) / 2;
      rho[t + 1] = rho[t];
    }
  }
  // Lag 0 counts as summed and as the last even lag too if there was no pair (posterior sums 1:0, which is not empty).
  let sum = rho[0];
  for (let t = 1; t < last; t++) sum += rho[t];
  return -1 + 2 * sum + rho[last];
}
