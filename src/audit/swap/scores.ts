import { dataError } from "../../errors.js";
import { show } from "../../values.js";
import { halfWidthOfT, logTwoTailsOfT } from "../distributions.js";
import { bareEstimate, type Estimate, undefinedEstimate } from "../estimate.js";
import { noSignificance, type Significance, significance } from "../significance.js";
import { signTest } from "./verdicts.js";
import { wilcoxon } from "./wilcoxon.js";

/** The scores of one answer, shown in the first slot and in the second. Null where there is none. */
export interface ScorePair {
  readonly first: number | null;
  readonly second: number | null;
}

export interface ScoreSwap {
  /** Pairs handed over, and those with both scores, which all below rests on. */
  readonly pairs: number;
  readonly complete: number;
  readonly missing: number;
  readonly meanFirst: number | null;
  readonly meanSecond: number | null;
  /** Mean of first minus second with a t interval. */
  readonly difference: Estimate;
  /** Half of it: how far a slot moves a score from the mean of both. */
  readonly bias: Estimate;
  /** Standard deviation of the differences. */
  readonly sd: number | null;
  readonly counts: { readonly firstHigher: number; readonly secondHigher: number; readonly equal: number };
  readonly tests: { readonly t: Significance; readonly sign: Significance; readonly wilcoxon: Significance };
  /** Means of an answer's two scores, in which a slot's bonus cancels: one a pair handed over, and over pairs. */
  readonly debiased: { readonly scores: readonly (number | null)[]; readonly mean: Estimate };
}

/** Scores whose squares' products may be beyond doubles are no scores. */
const largestScore = 1e50;
/** Differences of decimals are off by so many units of the largest score's rounding; what is nearer 0 is 0. */
const rounding = 4 * Number.EPSILON;

/** @throws RatError (data) for what is no score, and for no pairs */
export function scoreSwap(pairs: readonly ScorePair[], level: number): ScoreSwap {
  if (pairs.length === 0) throw dataError("no pairs: expected answers scored in both slots");
  pairs.forEach(checkPair);
  const complete = pairs.filter((pair): pair is { first: number; second: number } => isComplete(pair));
  const largest = complete.reduce((most, { first, second }) => Math.max(most, Math.abs(first), Math.abs(second)), 0);
  const least = rounding * largest;
  const differences = complete.map(({ first, second }) => (Math.abs(first - second) <= least ? 0 : first - second));
  const firstHigher = differences.filter((value) => value > 0).length;
  const secondHigher = differences.filter((value) => value < 0).length;
  const { sd, estimate } = meanOf(differences, least, level);
  const scores = pairs.map(({ first, second }) => (first === null || second === null ? null : (first + second) / 2));
  return {
    pairs: pairs.length,
    complete: complete.length,
    missing: pairs.length - complete.length,
    meanFirst: meanOf(
      complete.map(({ first }) => first),
      0,
      level,
    ).estimate.value,
    meanSecond: meanOf(
      complete.map(({ second }) => second),
      0,
      level,
    ).estimate.value,
    difference: estimate,
    bias: halved(estimate),
    sd,
    counts: { firstHigher, secondHigher, equal: complete.length - firstHigher - secondHigher },
    tests: {
      t: tTest(differences.length, sd, estimate),
      sign: signTest("exact sign", firstHigher, secondHigher),
      wilcoxon: wilcoxon(
        differences.filter((value) => value !== 0),
        least,
      ),
    },
    debiased: {
      scores,
      mean: meanOf(
        scores.filter((score) => score !== null),
        0,
        level,
      ).estimate,
    },
  };
}

const isComplete = ({ first, second }: ScorePair): boolean => first !== null && second !== null;

function checkPair(pair: ScorePair, i: number): void {
  for (const slot of ["first", "second"] as const) {
    const score = pair[slot];
    if (score === null || (Number.isFinite(score) && Math.abs(score) <= largestScore)) continue;
    throw dataError(
      `pair ${i + 1}: the score in the ${slot} slot must be a finite number below 1e50, or null where missing, ` +
        `not ${show(score)}`,
    );
  }
}

/**
 * Mean with its t interval (Student 1908, "The probable error of a mean", Biometrika 6, 1-25); no error of one value, and
 * none where values don't differ. @param least a standard deviation that is rounding alone
 */
function meanOf(values: readonly number[], least: number, level: number): { sd: number | null; estimate: Estimate } {
  const n = values.length;
  if (n === 0) return { sd: null, estimate: undefinedEstimate("no pairs", "no pair has both scores") };
  const origin = values[0];
  const mean = origin + values.reduce((sum, value) => sum + (value - origin), 0) / n;
  if (n === 1) return { sd: null, estimate: bareEstimate(mean) };
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
  const sd = spread <= least ? 0 : spread;
  const error = sd / Math.sqrt(n);
  if (sd === 0) return { sd, estimate: { ...bareEstimate(mean), error } };
  const half = halfWidthOfT(level, n - 1) * error;
  return { sd, estimate: { value: mean, error, lower: mean - half, upper: mean + half, interval: "t", reason: null } };
}

function halved(estimate: Estimate): Estimate {
  const half = (value: number | null): number | null => (value === null ? null : value / 2);
  const { value, error, lower, upper } = estimate;
  return { ...estimate, value: half(value), error: half(error), lower: half(lower), upper: half(upper) };
}

/** Student's paired t test: mean difference over its error. */
function tTest(n: number, sd: number | null, { value, error }: Estimate): Significance {
  const name = "paired t";
  if (sd === null) return noSignificance(name, "undefined (too few pairs): at least 2 are needed");
  if (sd === 0) return noSignificance(name, "undefined (no variance): all differences are equal");
  const t = (value as number) / (error as number);
  return significance(name, t, logTwoTailsOfT(t, n - 1));
}
