import { clopperPearson } from "../distributions.js";
import { type Estimate, normalWidth, shareEstimate, undefinedEstimate } from "../estimate.js";

const noPairs = undefinedEstimate("no pairs", "no pair has a verdict in both orders");

/** A share with its exact interval, or a score interval of counts beyond ten million. */
export function share(k: number, n: number, level: number): Estimate {
  if (n === 0) return noPairs;
  const byScore = shareEstimate(k / n, n, level);
  const exact = clopperPearson(k, n, level);
  return exact === null ? byScore : { ...byScore, ...exact, interval: "Clopper-Pearson" };
}

/**
 * Mean of values from -1 to 1 with the adjusted Wald interval of a difference of paired shares (Bonett and Price 2012,
 * "Adjusted Wald confidence interval for a difference of binomial proportions based on paired data", Journal of
 * Educational and Behavioral Statistics 37, 479-488): that of the values and one more at either end. Values between the
 * ends, which ties make, count by their squares.
 */
export function meanOfSigns(values: readonly number[], level: number): Estimate {
  const n = values.length;
  if (n === 0) return noPairs;
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  const centre = sum / (n + 2);
  const half = normalWidth(level) * Math.sqrt(Math.max(0, (squares + 2) / (n + 2) - centre ** 2) / (n + 2));
  const mean = sum / n;
  return {
    value: mean,
    error: Math.sqrt(Math.max(0, squares / n - mean ** 2) / n),
    lower: Math.max(-1, Math.min(mean, centre - half)),
    upper: Math.min(1, Math.max(mean, centre + half)),
    interval: "adjusted Wald (Bonett and Price 2012)",
    reason: null,
  };
}
