import { usageError } from "../errors.js";
import { show } from "../values.js";
import { alpha } from "./agreement/alpha.js";
import { cohen, common, gwet, judgeMarginals, rawAgreement, sumOver, tally } from "./agreement/coefficient.js";
import { type LabelledItem, type Patterns, pairOf, patternsOf, type Scale } from "./agreement/labels.js";
import { distanceWeights, identityWeights, type WeightName } from "./agreement/weights.js";
import type { BootstrapOptions } from "./bootstrap.js";
import type { Estimate } from "./estimate.js";

export type { Label, LabelledItem, Scale } from "./agreement/labels.js";
export { type AgreementAt, agreementOverPrevalence } from "./agreement/over-prevalence.js";
export type { WeightName } from "./agreement/weights.js";

export interface AgreementOptions {
  /** Names of the judges, in the order of the labels. */
  readonly judges: readonly string[];
  /** All categories there may be, in order; default: those that occur. */
  readonly categories?: readonly (string | number | boolean)[] | undefined;
  /** Default `nominal`. */
  readonly scale?: Scale | undefined;
  /** Probability inside every interval; default 0.95. */
  readonly level?: number | undefined;
  /** Bootstrap samples of Krippendorff's alpha; default 2000. */
  readonly replicates?: number | undefined;
  readonly seed: number;
}

/** How often judges agree, and how much beyond chance. None of the coefficients is to be read without the marginals. */
export interface Agreement {
  readonly judges: readonly JudgeMarginals[];
  readonly categories: readonly string[];
  readonly scale: Scale;
  /** Items with any label. */
  readonly items: number;
  /** Items with labels of two judges or more. */
  readonly comparable: number;
  /** All judges together. */
  readonly all: AllAgreement;
  /** Every two of them. */
  readonly pairs: readonly PairAgreement[];
}

export interface JudgeMarginals {
  readonly judge: string;
  /** Its labels. */
  readonly n: number;
  /** Share of each category; null without labels. */
  readonly shares: readonly number[] | null;
}

export interface AllAgreement {
  readonly raw: Estimate;
  /** Scott's pi where judges are two. */
  readonly fleissKappa: Estimate;
  readonly ac1: Estimate;
  readonly alpha: Alphas;
  /** For ordered categories: linear and quadratic weights. */
  readonly weighted: readonly WeightedAll[];
}

/** Krippendorff's alpha; null on a scale that the labels don't have. */
export interface Alphas {
  readonly nominal: Estimate;
  readonly ordinal: Estimate | null;
  readonly interval: Estimate | null;
}

export interface WeightedAll {
  readonly weights: WeightName;
  readonly raw: Estimate;
  readonly fleissKappa: Estimate;
  readonly ac2: Estimate;
}

export interface PairAgreement {
  readonly first: string;
  readonly second: string;
  /** Items that both have labelled: what all below is of. */
  readonly n: number;
  /** [category of the first][category of the second]. */
  readonly table: readonly (readonly number[])[];
  /** Shares of each category, over these items. */
  readonly marginals: { readonly first: readonly number[]; readonly second: readonly number[] } | null;
  readonly raw: Estimate;
  readonly cohenKappa: Estimate;
  readonly scottPi: Estimate;
  readonly ac1: Estimate;
  readonly alpha: Alphas;
  readonly weighted: readonly WeightedPair[];
}

export interface WeightedPair {
  readonly weights: WeightName;
  readonly raw: Estimate;
  readonly cohenKappa: Estimate;
  readonly scottPi: Estimate;
  readonly ac2: Estimate;
}

interface Resolved {
  readonly level: number;
  readonly replicates: number;
  readonly seed: number;
}

/**
 * Agreement of two or more judges on items that each has labelled or not. Items are taken for independent.
 * @throws RatError (usage) for fewer than two judges, or labels that are none
 */
export function agreement(items: Iterable<LabelledItem>, options: AgreementOptions): Agreement {
  const { judges, categories, scale = "nominal", level = 0.95, replicates = 2000, seed } = options;
  if (judges.length < 2) throw usageError(`agreement is of two judges or more, not ${judges.length}`);
  if (new Set(judges).size < judges.length) throw usageError(`judges must have different names, not ${show(judges)}`);
  if (!["nominal", "ordinal", "interval"].includes(scale)) {
    throw usageError(`scale must be nominal, ordinal or interval, not ${show(scale)}`);
  }
  if (!(level > 0 && level < 1)) throw usageError(`level must be a number between 0 and 1, not ${show(level)}`);
  if (!(Number.isSafeInteger(replicates) && replicates >= 0)) {
    throw usageError(`replicates must be a whole number, 0 or more, not ${show(replicates)}`);
  }
  const patterns = patternsOf(items, judges.length, scale, categories);
  const resolved = { level, replicates, seed };
  const { items: n, comparable } = tally(patterns, identityWeights(patterns.categories.length));
  let id = 0;
  const pairs = judges.flatMap((first, a) =>
    judges.slice(a + 1).map((second, after) => {
      id += 3;
      return ofPair(pairOf(patterns, a, a + 1 + after), first, second, resolved, id);
    }),
  );
  return {
    judges: judges.map((judge, j) => marginalsOf(patterns, judge, j)),
    categories: patterns.categories,
    scale,
    items: n,
    comparable,
    all: ofAll(patterns, resolved),
    pairs,
  };
}

function marginalsOf(patterns: Patterns, judge: string, j: number): JudgeMarginals {
  const n = sumOver(patterns.counts, (m) => (patterns.labels[m][j] >= 0 ? 1 : 0));
  return { judge, n, shares: n === 0 ? null : judgeMarginals(patterns, j) };
}

function ofAll(patterns: Patterns, options: Resolved): AllAgreement {
  const { level } = options;
  const plain = tally(patterns, identityWeights(patterns.categories.length));
  return {
    raw: rawAgreement(plain, level),
    fleissKappa: common(plain, level),
    ac1: gwet(plain, level),
    alpha: alphas(patterns, options, 0),
    weighted: weightNames(patterns).map((weights) => {
      const tallies = tally(patterns, distanceWeights(patterns.values, weights));
      return {
        weights,
        raw: rawAgreement(tallies, level),
        fleissKappa: common(tallies, level),
        ac2: gwet(tallies, level),
      };
    }),
  };
}

/** @param id of the first of its bootstraps */
function ofPair(both: Patterns, first: string, second: string, options: Resolved, id: number): PairAgreement {
  const { level } = options;
  const kept = both.labels.map((row, m) => [row, both.counts[m]] as const).filter(([row]) => row.every((k) => k >= 0));
  const patterns = { ...both, labels: kept.map(([row]) => row), counts: kept.map(([, n]) => n) };
  const plain = tally(patterns, identityWeights(patterns.categories.length));
  const table = patterns.categories.map(() => patterns.categories.map(() => 0));
  for (const [[a, b], n] of kept) table[a][b] += n;
  const [ofFirst, ofSecond] = [judgeMarginals(patterns, 0), judgeMarginals(patterns, 1)];
  return {
    first,
    second,
    n: plain.items,
    table,
    marginals: plain.items === 0 ? null : { first: ofFirst, second: ofSecond },
    raw: rawAgreement(plain, level),
    cohenKappa: cohen(plain, level),
    scottPi: common(plain, level),
    ac1: gwet(plain, level),
    alpha: alphas(patterns, options, id),
    weighted: weightNames(patterns).map((weights) => {
      const tallies = tally(patterns, distanceWeights(patterns.values, weights));
      return {
        weights,
        raw: rawAgreement(tallies, level),
        cohenKappa: cohen(tallies, level),
        scottPi: common(tallies, level),
        ac2: gwet(tallies, level),
      };
    }),
  };
}

const weightNames = ({ scale }: Patterns): readonly WeightName[] =>
  scale === "nominal" ? [] : ["linear", "quadratic"];

function alphas(patterns: Patterns, { level, replicates, seed }: Resolved, id: number): Alphas {
  const tallies = tally(patterns, identityWeights(patterns.categories.length));
  const on = (scale: Scale, own: number): Estimate => {
    const options: BootstrapOptions = { seed, id: own, replicates, level };
    return alpha(tallies, scale, options);
  };
  const { scale } = patterns;
  return {
    nominal: on("nominal", id),
    ordinal: scale === "nominal" ? null : on("ordinal", id + 1),
    interval: scale === "interval" ? on("interval", id + 2) : null,
  };
}
