import { counted } from "../counted.js";
import { logTailOfNormal } from "../distributions.js";
import { CopyEm } from "./copying.js";
import { Em, type Smoothing } from "./em.js";
import { busiestJudges, isIdentical, type Residual, residualsOf, someItems } from "./independence.js";
import { votesOf } from "./simulate.js";
import { voteShares } from "./starts.js";
import type { Patterns } from "./votes.js";

/** Two judges that share errors, or of which one copies the other. */
export interface SharedErrors {
  readonly first: number;
  readonly second: number;
  /** Others whose votes are the same as theirs on all common items. */
  readonly alike: readonly number[];
  /** Items that both voted on. */
  readonly items: number;
  readonly agreement: number;
  /** Share of these items on which one repeats the other, as fitted. */
  readonly share: number;
  readonly identical: boolean;
  /** Another pair that fits all but as well, so that it may be this one; null where there is none. */
  readonly rival: readonly [number, number] | null;
  /**
   * One-sided, of the pair that is the furthest off, times the number of pairs (Bonferroni), of identical ones that of
   * identical pairs; natural logarithm.
   */
  readonly logP: number;
}

/** Judges up to which all pairs are fitted; of more those that agree the most beyond the model. */
const allPairsUpTo = 8;
const mostPairs = 30;
/** Votes of distinct patterns that are gone through in each iteration; of more items some stand for all. */
const mostCodes = 20_000;
const mostFound = 10;
const nullEffort = { tolerance: 1e-8, iterations: 2000 };
/** Of the log-likelihood, by which the pair that is named leads all others. */
const clearLead = 1;
/** Of the log-likelihood: what EM could still add makes the test no less strict. */
const effort = { tolerance: 1e-2, iterations: 200 };

/**
 * Pairs of judges that share errors: likelihood-ratio tests of one that repeats the other now and then (CopyEm) against
 * independence, of all pairs. Half of the statistics are 0 without such pairs, for the share can't be below 0, the others
 * chi-squared (Self and Liang 1987, "Asymptotic properties of maximum likelihood estimators and likelihood ratio tests under
 * nonstandard conditions", J. American Statistical Association 82, 605-610). The copy is fitted from the majority of the
 * others, too: independence often takes two that copy for the truth, and residuals then accuse the others. Once a pair is
 * found, one of the two is left out and the rest tested again.
 *
 * @param level at which a pair is found
 */
export function sharedErrors(patterns: Patterns, smoothing: Smoothing, level: number): SharedErrors[] {
  const { judges, classes } = patterns;
  const whole = patterns.codes.length <= mostCodes;
  const items = whole ? Uint32Array.from({ length: patterns.items }, (_, i) => i) : someItems(patterns);
  const chosen = busiestJudges(patterns);
  const left = new Set(Array.from({ length: judges }, (_, j) => j).filter((j) => !chosen.includes(j)));
  const found: SharedErrors[] = [];
  const rest = (): Patterns => (whole && left.size === 0 ? patterns : votesOf(patterns, items, left));
  const alike = dropAlike(rest(), chosen, left);
  while (found.length < mostFound) {
    const active = chosen.filter((j) => !left.has(j));
    // One more parameter than independence has must leave something over.
    const free = freeParameters(active.length, classes);
    if (classes ** active.length - 1 <= free + 1) break;
    const voted = rest();
    if (tooFewItems(active.length, classes, voted.voted)) break;
    const pair = furthestPair(voted, active, smoothing);
    if (pair === null || pair.logP >= Math.log(level)) break;
    const group = pair.identical ? [...(alike.get(pair.first) ?? []), ...(alike.get(pair.second) ?? [])] : [];
    found.push({ ...pair, alike: group });
    if (pair.rival !== null) break;
    left.add(pair.second);
  }
  return found;
}

const freeParameters = (judges: number, classes: number): number => classes - 1 + judges * classes * (classes - 1);

/** Whether items are too few for the parameters of more than two classes: tests of pairs mean nothing then. */
const tooFewItems = (judges: number, classes: number, items: number): boolean =>
  classes > 2 && freeParameters(judges, classes) > items;

/** Why pairs aren't tested; null where they are. @param inClusters whether items come in clusters */
export function whyNoPairs(patterns: Patterns, inClusters: boolean): string | null {
  const { classes, codes, voted } = patterns;
  const judges = busiestJudges(patterns).length;
  const items = codes.length <= mostCodes ? voted : Math.min(voted, someItems(patterns).length);
  const parameters = freeParameters(judges, classes);
  const not = "pairs of judges that share errors aren't looked for";
  if (inClusters) return `${not}: the test takes items for independent, and those of a cluster aren't`;
  if (classes ** judges - 1 <= parameters + 1) {
    return `${not}: votes of ${counted(judges, "judge")} fit the ${parameters} rates and shares whatever they are`;
  }
  if (!tooFewItems(judges, classes, items)) return null;
  return `${not}: ${items} items are too few to tell them from the ${parameters} rates and shares of ${classes} classes`;
}

/**
 * What the statistic is divided by: of few items a parameter it runs above chi-squared, by about 1 + parameters / items (of
 * the form of Bartlett 1937, "Properties of sufficiency and statistical tests", Proc. Royal Society A 160, 268-282; found by
 * simulation). Of two classes, whose parameters are few, it doesn't.
 */
const inflation = (judges: number, { classes, voted }: Patterns): number =>
  classes > 2 ? 1 + freeParameters(judges, classes) / voted : 1;

/**
 * Of three judges or more that never differ all but two are left out: together they would pass for the truth.
 * @returns those left out, by one that stays
 */
function dropAlike(patterns: Patterns, chosen: Uint32Array, left: Set<number>): Map<number, number[]> {
  const alike = new Map<number, number[]>();
  const leader = new Map<number, number>();
  const size = new Map<number, number>();
  for (const pair of residualsOf(patterns, null, chosen)) {
    if (!isIdentical(pair) || left.has(pair.first) || left.has(pair.second)) continue;
    const first = leader.get(pair.first) ?? pair.first;
    if (leader.has(pair.second)) continue;
    leader.set(pair.second, first);
    const members = (size.get(first) ?? 1) + 1;
    size.set(first, members);
    if (members <= 2) continue;
    left.add(pair.second);
    alike.set(first, [...(alike.get(first) ?? []), pair.second]);
  }
  return alike;
}

function furthestPair(
  patterns: Patterns,
  active: Uint32Array,
  smoothing: Smoothing,
): Omit<SharedErrors, "alike"> | null {
  const em = new Em(patterns, smoothing);
  const independent = em.fromPosterior(voteShares(patterns), nullEffort);
  const pairs = residualsOf(patterns, independent.model, active);
  if (pairs.length === 0) return null;
  const ranked = pairs.toSorted((a, b) => b.z - a.z);
  const candidates = active.length <= allPairsUpTo ? ranked : ranked.slice(0, mostPairs);
  const fits: { pair: Residual; share: number; gain: number; start: Float64Array }[] = [];
  for (const pair of candidates) {
    const start = sharesWithout(patterns, pair.first, pair.second);
    const copying = new CopyEm(patterns, smoothing, pair.second, pair.first);
    const two = [start, independent.posterior].map((from) => copying.fromPosterior(from, effort));
    const fit = two[0].logLikelihood >= two[1].logLikelihood ? two[0] : two[1];
    fits.push({ pair, share: fit.share, gain: fit.logLikelihood - independent.logLikelihood, start });
  }
  const [best, runnerUp] = fits.sort((one, other) => other.gain - one.gain);
  // Independence from the same start, lest a poor maximum of its likelihood pass for a pair.
  const again = em.fromPosterior(best.start, nullEffort);
  const better = Math.max(0, again.logLikelihood - independent.logLikelihood);
  const z = Math.sqrt((2 * Math.max(0, best.gain - better)) / inflation(active.length, patterns));
  const { first, second, items, agreement } = best.pair;
  const identical = isIdentical(best.pair);
  const tests = identical ? pairs.filter(isIdentical).length : pairs.length;
  const logP = Math.min(0, logTailOfNormal(z) + Math.log(tests));
  const close = !identical && runnerUp !== undefined && best.gain - runnerUp.gain < clearLead;
  const rival = close ? ([runnerUp.pair.first, runnerUp.pair.second] as const) : null;
  return { first, second, items, agreement, share: best.share, identical, rival, logP };
}

/** [pattern][class] shares of the labels of all judges but two; even where there are none. */
function sharesWithout({ count, classes, starts, codes }: Patterns, first: number, second: number): Float64Array {
  const shares = new Float64Array(count * classes);
  for (let p = 0; p < count; p++) {
    let votes = 0;
    for (let v = starts[p]; v < starts[p + 1]; v++) {
      const judge = Math.floor(codes[v] / classes);
      if (judge === first || judge === second) continue;
      shares[p * classes + (codes[v] % classes)]++;
      votes++;
    }
    for (let c = 0; c < classes; c++) {
      const at = p * classes + c;
      shares[at] = votes > 0 ? shares[at] / votes : 1 / classes;
    }
  }
  return shares;
}
