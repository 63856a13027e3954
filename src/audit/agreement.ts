import { alpha } from "./agreement/alpha.js";
import { cohen, common, gwet, rawAgreement } from "./agreement/coefficient.js";
import { type LabelledItem, type Patterns, pairOf, patternsOf, type Scale, withPairs } from "./agreement/labels.js";
import { settingsOf } from "./agreement/settings.js";
import { judgeMarginals, sumOver, type Tallies, tally } from "./agreement/tally.js";
import { agreementWarnings } from "./agreement/warnings.js";
import { distanceWeights, identityWeights, type WeightName, type Weights } from "./agreement/weights.js";
import type { BootstrapOptions } from "./bootstrap.js";
import type { Clusters } from "./cluster.js";
import type { Estimate } from "./estimate.js";

export { categoryOf, type Label, type LabelledItem, type Scale } from "./agreement/labels.js";
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
  /** Bootstrap samples of Krippendorff's alpha; default 2000. 0: its error is the delta method's. */
  readonly replicates?: number | undefined;
  readonly seed: number;
  /** Of each item; default: items are independent. */
  readonly clusters?: Clusters | null | undefined;
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
  /** Clusters of comparable items, of which intervals take account; null where items are independent. */
  readonly clusters: number | null;
  /** All judges together; of two, the items that both have labelled. */
  readonly all: AllAgreement;
  /** Every two of them. */
  readonly pairs: readonly PairAgreement[];
  /** What may be wrong with the labels, or with the intervals. */
  readonly warnings: readonly string[];
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
  /**
   * Scott's pi where judges are two. Of more, chance agreement of this and of AC1 counts items with one label too (Gwet 2014):
   * null where that takes it below -1.
   */
  readonly fleissKappa: Estimate;
  readonly ac1: Estimate;
  readonly alpha: Alphas;
  /** For ordered categories: linear and quadratic weights. */
  readonly weighted: readonly WeightedAll[];
}

/** Krippendorff's alpha, of items with two labels or more; null on a scale that the labels don't have. */
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

/** Of more judges alphas of pairs, which there are many of, have the delta method's error. */
const mostBootstrapped = 10;

interface Resolved {
  readonly level: number;
  readonly replicates: number;
  readonly seed: number;
  readonly identity: Weights;
  /** By name; none on a nominal scale. */
  readonly weights: readonly (readonly [WeightName, Weights])[];
}

/**
 * Agreement of two or more judges on items that each has labelled or not. Items, or their clusters, are taken for
 * independent.
 * @throws RatError (usage) for fewer than two judges, labels that are none, options that can't be; (data) for too many
 * different labels
 */
export function auditAgreement(items: Iterable<LabelledItem>, options: AgreementOptions): Agreement {
  const { judges, categories, scale, level, replicates, seed, clusters } = settingsOf(items, options);
  const patterns = patternsOf(items, judges.length, scale, categories, clusters);
  const resolved: Resolved = {
    ...{ level, replicates, seed },
    identity: identityWeights(patterns.categories.length),
    weights: scale === "nominal" ? [] : weightNames.map((name) => [name, distanceWeights(patterns.values, name)]),
  };
  const { items: n, comparable } = tally(patterns, resolved.identity);
  const marginals = judges.map((judge, j) => marginalsOf(patterns, judge, j));
  const ofPairs = judges.length > mostBootstrapped ? { ...resolved, replicates: 0 } : resolved;
  let id = 0;
  const inPairs: { first: string; second: string; sizes: Float64Array }[] = [];
  const pairs = judges.flatMap((first, a) =>
    judges.slice(a + 1).map((second, after) => {
      id += 3;
      const own = pairOf(patterns, a, a + 1 + after);
      if (own.together !== null) inPairs.push({ first, second, sizes: own.together.paired });
      return ofPair(own, first, second, ofPairs, id);
    }),
  );
  const { together } = patterns;
  return {
    judges: marginals,
    categories: patterns.categories,
    scale,
    items: n,
    comparable,
    clusters: together === null ? null : withPairs(together),
    // Of two judges what one alone has labelled would only shift their marginals.
    all: ofAll(judges.length === 2 ? pairOf(patterns, 0, 1) : patterns, resolved),
    pairs,
    warnings: agreementWarnings(marginals, patterns.categories, {
      scale,
      declared: categories !== undefined,
      ...{ items: n, comparable },
      sizes: together?.paired ?? null,
      pairs: inPairs,
    }),
  };
}

function marginalsOf(patterns: Patterns, judge: string, j: number): JudgeMarginals {
  const n = sumOver(patterns.counts, (m) => (patterns.labels[m][j] >= 0 ? 1 : 0));
  return { judge, n, shares: n === 0 ? null : judgeMarginals(patterns, j) };
}

function ofAll(patterns: Patterns, options: Resolved): AllAgreement {
  const { level, identity, weights } = options;
  const plain = tally(patterns, identity);
  return {
    raw: rawAgreement(plain, level),
    fleissKappa: common(plain, level),
    ac1: gwet(plain, level),
    alpha: alphas(plain, options, 0),
    weighted: weights.map(([name, own]) => {
      const tallies = tally(patterns, own);
      return {
        weights: name,
        raw: rawAgreement(tallies, level),
        fleissKappa: common(tallies, level),
        ac2: gwet(tallies, level),
      };
    }),
  };
}

/** @param id of the first of its bootstraps */
function ofPair(patterns: Patterns, first: string, second: string, options: Resolved, id: number): PairAgreement {
  const { level, identity, weights } = options;
  const plain = tally(patterns, identity);
  const table = patterns.categories.map(() => patterns.categories.map(() => 0));
  patterns.labels.forEach(([a, b], m) => {
    table[a][b] += patterns.counts[m];
  });
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
    alpha: alphas(plain, options, id),
    weighted: weights.map(([name, own]) => {
      const tallies = tally(patterns, own);
      return {
        weights: name,
        raw: rawAgreement(tallies, level),
        cohenKappa: cohen(tallies, level),
        scottPi: common(tallies, level),
        ac2: gwet(tallies, level),
      };
    }),
  };
}

const weightNames: readonly WeightName[] = ["linear", "quadratic"];

function alphas(tallies: Tallies, { level, replicates, seed }: Resolved, id: number): Alphas {
  const on = (scale: Scale, own: number): Estimate => {
    const options: BootstrapOptions = { seed, id: own, replicates, level };
    return alpha(tallies, scale, options);
  };
  const { scale } = tallies.patterns;
  return {
    nominal: on("nominal", id),
    ordinal: scale === "nominal" ? null : on("ordinal", id + 1),
    interval: scale === "interval" ? on("interval", id + 2) : null,
  };
}
