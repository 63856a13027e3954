import { normalQuantile } from "../../statistics/normal-quantile.js";

/** Quantile function of Beta(a, b). */
export type BetaQuantile = (probability: number, a: number, b: number) => number;

/** Beyond this the library's quantiles lose digits (at shapes of 10^9 the median is off by 0.03 sd). */
const largeShape = 1e6;

/** Loads the library on first use only: nothing else needs its many files. */
export async function loadBetaQuantile(): Promise<BetaQuantile> {
  const { default: quantile } = await import("@stdlib/stats-base-dists-beta-quantile");
  return (probability, a, b) =>
    Math.min(a, b) > largeShape ? nearNormalQuantile(probability, a, b) : quantile(probability, a, b);
}

/**
 * By the Cornish-Fisher expansion up to the square of the skewness and the kurtosis (Johnson, Kotz and Balakrishnan
 * 1994, "Continuous Univariate Distributions" 1, section 12.5): within 10^-8 sd for shapes above 10^6.
 */
function nearNormalQuantile(probability: number, a: number, b: number): number {
  const total = a + b;
  const mean = a / total;
  const rest = b / total;
  const sd = Math.sqrt((mean * rest) / (total + 1));
  const skewness = (2 * (rest - mean) * Math.sqrt(total + 1)) / ((total + 2) * Math.sqrt(mean * rest));
  const excess =
    (6 * ((mean - rest) ** 2 * (total + 1) - mean * rest * (total + 2))) / (mean * rest * (total + 2) * (total + 3));
  const z = normalQuantile(probability);
  const third = (skewness * (z ** 2 - 1)) / 6;
  const fourth = (excess * (z ** 3 - 3 * z)) / 24 - (skewness ** 2 * (2 * z ** 3 - 5 * z)) / 36;
  return mean + sd * (z + third + fourth);
}
