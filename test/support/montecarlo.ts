import { essMean, normalQuantile } from "../../src/statistics/index.js";

/*
 * Comparisons of random numbers with what they should be, in units of Monte Carlo standard errors. Seeds are fixed, so a
 * test that passes goes on passing; the rate of false alarms is the chance that a right implementation would fail for a
 * new seed.
 */

/** Chance of any false alarm among all comparisons of one test, unless it says otherwise: one in ten thousand. */
export const falseAlarms = 1e-4;

/** How far a standard normal error may be from 0, on either side, in each of so many comparisons (Bonferroni). */
export const zLimit = (comparisons: number, rate = falseAlarms): number => normalQuantile(1 - rate / (2 * comparisons));

/** Chance of any false alarm in so many comparisons if each may be `limit` standard errors off; an upper bound. */
export const falseAlarmRate = (comparisons: number, limit: 4): number =>
  comparisons * { 4: 6.334248366623996e-5 }[limit];

/** A chi-square statistic as a standard normal (Wilson and Hilferty 1931); at 4.8 too small by .06 with 19 degrees. */
export function chiSquareZ(statistic: number, degrees: number): number {
  const variance = 2 / (9 * degrees);
  return ((statistic / degrees) ** (1 / 3) - (1 - variance)) / Math.sqrt(variance);
}

/** Chi-square of counts against equal expectations. */
export function uniformChiSquare(counts: ArrayLike<number>): number {
  const total = Array.from(counts).reduce((a, b) => a + b, 0);
  const expected = total / counts.length;
  return Array.from(counts).reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
}

export function meanAndSd(values: ArrayLike<number>): { mean: number; sd: number } {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  const mean = sum / values.length;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - mean) ** 2;
  return { mean, sd: Math.sqrt(squares / (values.length - 1)) };
}

/** Mean of the draws of a quantity, [chains][draws], with its Monte Carlo standard error. */
export function meanOfDraws(draws: Float64Array, chains: number): { mean: number; error: number; ess: number } {
  const { mean, sd } = meanAndSd(draws);
  const ess = essMean(draws, chains);
  if (ess === null) throw new Error("no effective sample size: the draws are constant or not finite");
  return { mean, error: sd / Math.sqrt(ess), ess };
}

/** (mean - expected) in standard errors; `otherError` is the standard error of what is expected. */
export function meanZ(draws: Float64Array, chains: number, expected: number, otherError = 0): number {
  const { mean, error } = meanOfDraws(draws, chains);
  return (mean - expected) / Math.hypot(error, otherError);
}

/** Share of draws at or below `point`, minus `expected`, in standard errors. */
export const shareZ = (draws: Float64Array, chains: number, point: number, expected: number): number =>
  meanZ(
    draws.map((x) => (x <= point ? 1 : 0)),
    chains,
    expected,
  );
