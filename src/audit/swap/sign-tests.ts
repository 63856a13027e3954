import { logTailOfFairBinomial, logTwoTailsOfNormal } from "../distributions.js";
import { type Significance, significance } from "../significance.js";

/**
 * Exact two-sided sign test of two counts that are equally likely without an effect: twice the smaller tail of
 * Binomial(n, 1/2), at most 1. Of discordant pairs this is McNemar's test (McNemar 1947, "Note on the sampling error of
 * the difference between correlated proportions or percentages", Psychometrika 12, 153-157; exact form: Dixon and Mood
 * 1946, JASA 41, 557-566).
 */
export function signTest(name: string, up: number, down: number): Significance {
  const n = up + down;
  return significance(
    name,
    null,
    Math.abs(up - down) <= 1 ? 0 : Math.LN2 + logTailOfFairBinomial(Math.min(up, down), n),
  );
}

export const normalSignName = "normal sign (McNemar's chi-squared)";

/** z = (b - c) / sqrt(b + c), whose square is McNemar's chi-squared without continuity correction (McNemar 1947). */
export function normalSignTest(up: number, down: number): Significance {
  const z = up === down ? 0 : (up - down) / Math.sqrt(up + down);
  return significance(normalSignName, z, logTwoTailsOfNormal(z));
}
