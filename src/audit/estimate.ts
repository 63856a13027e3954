import { usageError } from "../errors.js";
import { normalQuantile } from "../statistics/index.js";
import { show } from "../values.js";

/** A number of an audit with what is known of its error. Every number is finite; null is what there isn't. */
export interface Estimate {
  readonly value: number | null;
  /** Standard error; null where nothing tells it. */
  readonly error: number | null;
  /** Ends of the interval. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** How the interval was made; null where there is none. */
  readonly interval: string | null;
  /** Why there is no value: "undefined (…): …"; null where there is one. */
  readonly reason: string | null;
}

const nothing = { value: null, error: null, lower: null, upper: null, interval: null };

/** What has no value. @param kind in a word or two @param why the rest of the sentence */
export const undefinedEstimate = (kind: string, why: string): Estimate => ({
  ...nothing,
  reason: `undefined (${kind}): ${why}`,
});

/** A value of which nothing tells the error. */
export const bareEstimate = (value: number): Estimate => ({ ...nothing, value, reason: null });

/** @param level probability inside intervals @throws RatError (usage) for what is none */
export function checkLevel(level: number): void {
  if (typeof level !== "number" || !(level > 0 && level < 1))
    throw usageError(`level must be a number between 0 and 1, not ${show(level)}`);
}

/** Half-width of a normal interval in standard errors. @param level probability inside, in (0, 1) */
export const normalWidth = (level: number): number => normalQuantile((1 + level) / 2);

/** Value plus and minus so many standard errors. @param low, high what the quantity can't leave, and the ends neither */
export const waldEstimate = (
  value: number,
  error: number,
  level: number,
  low = -Infinity,
  high = Infinity,
): Estimate => ({
  ...{ value, error, ...endsAround(value, normalWidth(level) * error, low, high) },
  ...{ interval: "normal", reason: null },
});

export const endsAround = (value: number, half: number, low = -Infinity, high = Infinity) => ({
  lower: Math.max(low, value - half),
  upper: Math.min(high, value + half),
});

/**
 * Score interval of a share (Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference",
 * JASA 22, 209-212): it keeps its width where all, or none, succeed.
 */
export const wilson = (share: number, n: number, level: number) => scoreEnds(share, n, normalWidth(level));

/** @param half half-width in standard errors */
export function scoreEnds(share: number, n: number, half: number): { readonly lower: number; readonly upper: number } {
  const z2 = half ** 2;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const reach = (Math.sqrt(z2 / n) * Math.sqrt(share * (1 - share) + z2 / (4 * n))) / (1 + z2 / n);
  return {
    lower: share === 0 ? 0 : Math.max(0, centre - reach),
    upper: share === 1 ? 1 : Math.min(1, centre + reach),
  };
}

/**
 * Interval of a mean of values from -1 to 1, as of a difference of paired shares: Wald's of these values and one more at
 * either end, so that values that are all the same leave it a width (Bonett and Price 2012, "Adjusted Wald confidence
 * interval for a difference of binomial proportions based on paired data", Journal of Educational and Behavioral Statistics
 * 37, 479-488).
 * @param square mean of the values' squares @param half half-width in standard errors
 */
export function adjustedWald(mean: number, square: number, n: number, half: number) {
  const { lower, upper } = adjustedEnds(mean, square * n, n, half, 1);
  return { lower: Math.max(-1, lower), upper: Math.min(1, upper) };
}

/** The same of values from -far to far, whose true mean may lie beyond. @param squares sum of the values' squares */
export function adjustedEnds(mean: number, squares: number, n: number, half: number, far: number) {
  const centre = (mean * n) / (n + 2);
  const reach = half * Math.sqrt(Math.max(0, (squares + 2 * far * far) / (n + 2) - centre ** 2) / (n + 2));
  // A level far below 95% would leave the mean out.
  return { lower: Math.min(mean, centre - reach), upper: Math.max(mean, centre + reach) };
}

/** A share of n with the binomial standard error sqrt(p (1 - p) / n) and Wilson's interval. */
export function shareEstimate(share: number, n: number, level: number): Estimate {
  const error = Math.sqrt((share * (1 - share)) / n);
  return { value: share, error, ...wilson(share, n, level), interval: "Wilson", reason: null };
}
