import { dataError } from "../../errors.js";
import { show } from "../../values.js";
import type { Alarm } from "../alarm.js";
import { type Clusters, clusterSums, clustersAt, degreesOf, sizesOf } from "../cluster.js";
import { logTwoTailsOfT } from "../distributions.js";
import type { Estimate } from "../estimate.js";
import { noSignificance, type Significance, significance } from "../significance.js";
import { alarmTestOf, slotAlarms } from "./alarms.js";
import { type DifferenceBin, distributionOf } from "./distribution.js";
import { flipTest } from "./flips.js";
import { type Mean, meanOf } from "./means.js";
import { signTest } from "./sign-tests.js";
import { swapWarnings } from "./warnings.js";
import { clusteredWilcoxon, wilcoxon } from "./wilcoxon.js";

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
  /** Clusters of the complete pairs, which errors and tests allow for; null where pairs are independent. */
  readonly clusters: number | null;
  readonly meanFirst: number | null;
  readonly meanSecond: number | null;
  /** Mean of first minus second with a t interval. */
  readonly difference: Estimate;
  /** Half of it: how far a slot moves a score from the mean of both. */
  readonly bias: Estimate;
  /** Standard deviation of the differences. */
  readonly sd: number | null;
  /** How the differences are spread, in bins that exchanged slots mirror. */
  readonly distribution: readonly DifferenceBin[];
  readonly counts: { readonly firstHigher: number; readonly secondHigher: number; readonly equal: number };
  /** Each of pairs, or of whole clusters where there are some. */
  readonly tests: {
    readonly t: Significance;
    readonly sign: Significance;
    readonly wilcoxon: Significance;
    /** Of whole clusters' sums of differences, by all signs: alarms come from it. Null where pairs are independent. */
    readonly sums: Significance | null;
  };
  /** Means of an answer's two scores, in which a slot's bonus cancels: one a pair handed over, and over pairs. */
  readonly debiased: { readonly scores: readonly (number | null)[]; readonly mean: Estimate };
  /**
   * A slot that the judge prefers, by the t test, or the sign test where differences are all the same; of clusters by all
   * signs of their sums.
   */
  readonly alarms: readonly Alarm[];
  /** What a reader has to know, in sentences. */
  readonly warnings: readonly string[];
}

/** Scores whose squares' products may be beyond doubles are no scores. */
const largestScore = 1e50;
/** Differences of decimals are off by so many units of the largest score's rounding; what is nearer 0 is 0. */
const rounding = 4 * Number.EPSILON;
/** So are differences whose squares' products doubles don't hold. */
const leastDifference = 1e-75;

const noPairs = "undefined (no pairs): no pair has both scores";

/**
 * @param clusters of the pairs handed over; null: independent
 * @throws RatError (data) for what is no score, and for no pairs
 */
export function scoreSwap(pairs: readonly ScorePair[], clusters: Clusters | null, level: number): ScoreSwap {
  if (pairs.length === 0) throw dataError("no pairs: expected answers scored in both slots");
  pairs.forEach(checkPair);
  const rows = pairs.flatMap((pair, i) => (isComplete(pair) ? [i] : []));
  const complete = rows.map((i) => pairs[i] as { first: number; second: number });
  const own = clusters === null ? null : clustersAt(clusters, rows);
  const largest = complete.reduce((most, { first, second }) => Math.max(most, Math.abs(first), Math.abs(second)), 0);
  const least = Math.max(leastDifference, rounding * largest);
  const differences = complete.map(({ first, second }) => (Math.abs(first - second) <= least ? 0 : first - second));
  const higher = (sign: number): number =>
    differences.reduce((count, value) => count + (Math.sign(value) === sign ? 1 : 0), 0);
  const [firstHigher, secondHigher] = [higher(1), higher(-1)];
  const { sd, estimate } = meanOf(differences, own, least, level);
  const meanValue = (values: readonly number[]): number | null => meanOf(values, null, 0, level).estimate.value;
  const mean = meanOf(complete.map(meanOfBoth), own, least, level).estimate;
  const tests = testsOf(differences, own, least, { sd, estimate });
  return {
    pairs: pairs.length,
    complete: complete.length,
    missing: pairs.length - complete.length,
    clusters: own?.count ?? null,
    meanFirst: meanValue(complete.map(({ first }) => first)),
    meanSecond: meanValue(complete.map(({ second }) => second)),
    difference: estimate,
    bias: halved(estimate),
    sd,
    distribution: distributionOf(differences),
    counts: { firstHigher, secondHigher, equal: complete.length - firstHigher - secondHigher },
    tests,
    debiased: {
      scores: pairs.map((pair) => (isComplete(pair) ? meanOfBoth(pair) : null)),
      mean,
    },
    alarms: slotAlarms(alarmTestOf(tests), estimate.value ?? 0, {
      first: `scores in the first slot are higher by ${brief(estimate.value)} on average`,
      second: `scores in the second slot are higher by ${brief(-(estimate.value ?? 0))} on average`,
    }),
    warnings: swapWarnings(complete.length, "scores", own, {
      "the difference of scores": estimate,
      "the debiased mean": mean,
    }),
  };
}

const meanOfBoth = ({ first, second }: { readonly first: number; readonly second: number }): number =>
  (first + second) / 2;

const brief = (value: number | null): string => String(Number((value ?? 0).toPrecision(3)));

const isComplete = (pair: ScorePair): pair is { readonly first: number; readonly second: number } =>
  pair.first !== null && pair.second !== null;

function checkPair(pair: ScorePair, i: number): void {
  for (const slot of ["first", "second"] as const) {
    const score = pair[slot];
    if (score === null || (Number.isFinite(score) && Math.abs(score) <= largestScore)) continue;
    throw dataError(
      `pairs[${i}].${slot} must be a score, a finite number of at most 1e50, or null where missing, not ${show(score)}`,
    );
  }
}

function halved(estimate: Estimate): Estimate {
  const half = (value: number | null): number | null => (value === null ? null : value / 2);
  const { value, error, lower, upper } = estimate;
  return { ...estimate, value: half(value), error: half(error), lower: half(lower), upper: half(upper) };
}

function testsOf(differences: readonly number[], own: Clusters | null, least: number, mean: Mean): ScoreSwap["tests"] {
  const t = tTest(differences.length, own, mean);
  if (differences.length === 0) {
    const sign = noSignificance("exact sign", noPairs);
    return { t, sign, wilcoxon: noSignificance("exact Wilcoxon signed-rank", noPairs), sums: null };
  }
  if (own === null) {
    const changed = differences.filter((value) => value !== 0);
    const [up, down] = [changed.filter((value) => value > 0).length, changed.filter((value) => value < 0).length];
    return { t, sign: signTest("exact sign", up, down), wilcoxon: wilcoxon(changed, least), sums: null };
  }
  return {
    t,
    sign: flipTest(clusterSums(differences.map(Math.sign), own), "signs of differences"),
    wilcoxon: clusteredWilcoxon(differences, least, own),
    sums: flipTest(roundedSums(differences, own, least), "sums of differences"),
  };
}

/** Sums that are rounding alone are 0. */
const roundedSums = (differences: readonly number[], clusters: Clusters, least: number): Float64Array =>
  clusterSums(differences, clusters).map((sum) => (Math.abs(sum) <= least * differences.length ? 0 : sum));

/** Student's paired t test: mean difference over its error, which that of clusters is where there are some. */
function tTest(n: number, clusters: Clusters | null, { sd, estimate: { value, error } }: Mean): Significance {
  const name = clusters === null ? "paired t" : "clustered t";
  if (n === 0) return noSignificance(name, noPairs);
  if (sd === null) return noSignificance(name, "undefined (too few pairs): at least 2 are needed");
  if (error === null) return noSignificance(name, "undefined (one cluster): nothing tells how clusters differ");
  if (sd === 0) return noSignificance(name, "undefined (no variance): all differences are equal");
  if (error === 0) return noSignificance(name, "undefined (no variance): all clusters have the same mean");
  const t = (value as number) / error;
  return significance(name, t, logTwoTailsOfT(t, clusters === null ? n - 1 : degreesOf(sizesOf(clusters))));
}
