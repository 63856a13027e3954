import gammaln from "@stdlib/math-base-special-gammaln";
import betaQuantileOfLibrary from "@stdlib/stats-base-dists-beta-quantile";
import { betaCdf } from "../statistics/incomplete-beta.js";

/*
 * Quantiles and tails of the tests' distributions. Tails are natural logarithms of probabilities, since what an audit
 * finds of a biased judge is often far below the least double.
 */

// Their types say that the module is the function; to an ES module it is the default export.
/** log Gamma(x). */
export const lnGamma = gammaln as unknown as (x: number) => number;
/** x with P(X <= x) = `probability` for X ~ Beta(a, b). */
export const betaQuantile = betaQuantileOfLibrary as unknown as (probability: number, a: number, b: number) => number;

/** Below so many trials the library's quantiles of Beta(k, n - k + 1) keep their digits. */
const mostExactTrials = 1e7;
/** Degrees of freedom of an F distribution that is, to nine digits, that of chi-squared over its own. */
const manyDegrees = 1e10;

/**
 * x with P(F <= x) = `probability` for F of `top` and `bottom` degrees of freedom: y = top F / (top F + bottom) is
 * Beta(top / 2, bottom / 2) (Johnson, Kotz and Balakrishnan 1995, "Continuous Univariate Distributions" 2, section 27.1).
 */
export function quantileOfF(probability: number, top: number, bottom: number): number {
  const y = betaQuantile(probability, top / 2, bottom / 2);
  const rest = betaQuantile(1 - probability, bottom / 2, top / 2);
  return (bottom / top) * (y / rest);
}

/** x with P(X <= x) = `probability` for a chi-squared X over its degrees of freedom: F with all others infinite. */
export const quantileOfMeanSquare = (probability: number, degrees: number): number =>
  quantileOfF(probability, degrees, manyDegrees);

/** t with P(|T| <= t) = `level` for Student's T: its square is F with 1 and `degrees`. */
export const halfWidthOfT = (level: number, degrees: number): number => Math.sqrt(quantileOfF(level, 1, degrees));

/** log P(F > x) for F of `top` and `bottom` degrees of freedom. */
export function logTailOfF(x: number, top: number, bottom: number): number {
  const total = top * x + bottom;
  return logBetaTail(bottom / total, (top * x) / total, bottom / 2, top / 2);
}

/** log P(|T| > |t|) for Student's T. */
export const logTwoTailsOfT = (t: number, degrees: number): number => logTailOfF(t * t, 1, degrees);

/**
 * log P(Z > z) for a standard normal Z and z >= 0: by the series of Marsaglia 2004 ("Evaluating the normal distribution",
 * Journal of Statistical Software 11(4)) up to 3, beyond by the continued fraction DLMF 7.9.3 of Mills' ratio.
 */
export function logTailOfNormal(z: number): number {
  const logDensity = -(z * z) / 2 - Math.log(2 * Math.PI) / 2;
  if (z > 3) {
    let rest = z;
    for (let k = 200; k >= 1; k--) rest = z + k / rest;
    return logDensity - Math.log(rest);
  }
  let term = z;
  let sum = z;
  for (let k = 3; Math.abs(term) > sum * 1e-17; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return Math.log(0.5 - Math.exp(logDensity) * sum);
}

/** log P(|Z| > |z|) for a standard normal Z. */
export const logTwoTailsOfNormal = (z: number): number => Math.min(0, Math.LN2 + logTailOfNormal(Math.abs(z)));

/**
 * log P(X <= k) for X ~ Binomial(n, 1/2) and k <= n / 2: the last term and, by the ratios of neighbours, the sum of all
 * relative to it. In logarithms good to about n log(n) 1e-16.
 */
export function logTailOfFairBinomial(k: number, n: number): number {
  let term = 1;
  let sum = 1;
  for (let i = k; i > 0 && term > sum * 1e-17; i--) {
    term *= i / (n - i + 1);
    sum += term;
  }
  const logChoose = lnGamma(n + 1) - lnGamma(k + 1) - lnGamma(n - k + 1);
  return Math.min(0, logChoose - n * Math.LN2 + Math.log(sum));
}

/** Ends of an interval for a share. */
interface ShareInterval {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Exact interval of a share (Clopper and Pearson 1934, "The use of confidence or fiducial limits illustrated in the case
 * of the binomial", Biometrika 26, 404-413): quantiles of Beta(k, n - k + 1) and Beta(k + 1, n - k). Null beyond the
 * counts for which these are exact, where a score interval is as good.
 */
export function clopperPearson(k: number, n: number, level: number): ShareInterval | null {
  if (n > mostExactTrials) return null;
  const tail = (1 - level) / 2;
  return {
    lower: k === 0 ? 0 : betaQuantile(tail, k, n - k + 1),
    upper: k === n ? 1 : betaQuantile(1 - tail, k + 1, n - k),
  };
}

/**
 * log P(B <= x) for B ~ Beta(a, b): up to about the mean by the distribution function's ratio to its density, which does
 * not underflow. @param y 1 - x, handed over since near 1 the difference has few digits
 */
function logBetaTail(x: number, y: number, a: number, b: number): number {
  if (x <= 0) return Number.NEGATIVE_INFINITY;
  if (y <= 0) return 0;
  const logMass = a * Math.log(x) + b * Math.log(y) + lnGamma(a + b) - lnGamma(a) - lnGamma(b);
  if (x > (a + 1) / (a + b + 2)) return Math.log(betaCdf(x, a, b, Math.exp(logMass)));
  return logMass + Math.log(betaCdf(x, a, b, 1));
}
