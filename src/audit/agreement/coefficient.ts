import { clusteredShare } from "../cluster.js";
import { bareEstimate, type Estimate, scoreEnds, undefinedEstimate, wilson } from "../estimate.js";
import { type Chance, cohenChance, commonChance, gwetChance } from "./chance.js";
import {
  addedError,
  addedWeight,
  changesOf,
  estimate,
  hull,
  type Measure,
  rounding,
  type Spread,
  spreadOf,
} from "./interval.js";
import { type Together, withPairs } from "./labels.js";
import { evened, sumOver, type Tallies, tally } from "./tally.js";

const noPair = (): Estimate => undefinedEstimate("no pairs", "no item has labels of two judges");

/** Why chance agreement of 1 leaves nothing to agree on beyond it. */
export function oneCategory({ marginals, patterns }: Tallies): Estimate {
  const k = marginals.findIndex((share) => share > 0.5);
  const name = patterns.categories[k] ?? "";
  return undefinedEstimate("one category", `every label is "${name}", which leaves chance agreement at 1`);
}

/**
 * Share of pairs of judges that agree, with Wilson's interval: of as many items as there are for two judges; of more, whose
 * pairs on one item belong together, of as many as would have the error of this mean.
 */
export function rawAgreement(tallies: Tallies, level: number): Estimate {
  const { observed, comparable, patterns, agreement, given } = tallies;
  if (observed === null) return noPair();
  const influence = (m: number): number => (given[m].length < 2 ? 0 : (agreement[m] - observed) / comparable);
  const { together } = patterns;
  if (together !== null) {
    if (withPairs(together) < 2) return bareEstimate(observed);
    return clusteredAgreement(tallies, observed, influence, level);
  }
  const error = Math.sqrt(sumOver(patterns.counts, (m) => influence(m) ** 2));
  const binomial = observed * (1 - observed);
  if (patterns.judges === 2 || error === 0) {
    return { value: observed, error, ...wilson(observed, comparable, level), interval: "Wilson", reason: null };
  }
  const { half } = spreadOf(tallies, influence, level) ?? { half: 0 };
  const ends = scoreEnds(observed, binomial / error ** 2, half);
  return { value: observed, error, ...ends, interval: "Wilson, as many items as tell as much", reason: null };
}

/** Widened as coefficients are: few clusters may hold too little disagreement to tell how it clusters. */
function clusteredAgreement(
  tallies: Tallies,
  observed: number,
  influence: (m: number) => number,
  level: number,
): Estimate {
  const { patterns, comparable, weights } = tallies;
  const together = patterns.together as Together;
  const changes = changesOf(together, patterns.labels.length, influence);
  const own = clusteredShare(observed, changes, together.clusters, level, together.paired);
  if (patterns.categories.length < 2) return own;
  const weight = addedWeight(tallies, { influence, singles: false }, level);
  const more = tally(evened(patterns, weight), weights);
  const share = more.observed ?? observed;
  const moved = (m: number): number =>
    more.given[m].length < 2 ? 0 : (more.agreement[m] - share) / (comparable + 2 * weight);
  const { error, half } = spreadOf(tallies, moved, level) as Spread;
  const squares = error ** 2 + addedError(more, tallies, moved, weight) ** 2;
  const other = scoreEnds(share, (share * (1 - share)) / squares, half);
  return {
    ...own,
    ...hull({ lower: own.lower ?? 1, upper: own.upper ?? 0 }, other),
    interval: `${own.interval}, widened`,
  };
}

/** Agreement is of items with two labels, chance of those with one too: if they differ much, no coefficient is left. */
const beyondRange = undefinedEstimate(
  "below -1",
  "labels of items that one judge alone has labelled differ too much from those that can be compared",
);

/**
 * (p_a - p_e) / (1 - p_e) with the delta method over items: the influence of an item is [(a_i - p_a) n / n' - (1 - kappa)
 * d p_e] / (1 - p_e) / n, with n items that have a label and n' that have two. For two judges without missing labels the
 * error is the multinomial one: Fleiss, Cohen and Everitt (1969, "Large sample standard errors of kappa and weighted kappa",
 * Psych. Bull. 72, 323-327) for Cohen's kappa, and Gwet (2008, "Computing inter-rater reliability and its variance in the
 * presence of high agreement", BJMSP 61, 29-48) for the others, up to his n - 1 for n.
 */
const beyondChance =
  (chanceOf: (tallies: Tallies) => Chance): Measure =>
  (tallies) => {
    const { comparable, items, given, agreement } = tallies;
    const observed = tallies.observed ?? 0;
    const { expected, influence } = chanceOf(tallies);
    const value = (observed - expected) / (1 - expected);
    const own = (m: number): number => (given[m].length < 2 ? 0 : ((agreement[m] - observed) * items) / comparable);
    return {
      value,
      influence: (m) => (own(m) - (1 - value) * influence(m)) / (1 - expected) / items,
      chance: expected,
      singles: true,
    };
  };

function coefficient(chanceOf: (tallies: Tallies) => Chance, tallies: Tallies, level: number): Estimate {
  if (tallies.comparable === 0) return noPair();
  if (1 - chanceOf(tallies).expected < rounding) return oneCategory(tallies);
  const measure = beyondChance(chanceOf);
  if (measure(tallies).value < -1 - rounding) return beyondRange;
  return estimate(measure, tallies, level);
}

/** AC1, or AC2 with weights; undefined unless two categories are declared or seen. */
export function gwet(tallies: Tallies, level: number): Estimate {
  if (tallies.comparable === 0) return noPair();
  if (tallies.marginals.length < 2) {
    return undefinedEstimate("one category", "a category that never occurs must be declared for AC1 to have a value");
  }
  return coefficient(gwetChance, tallies, level);
}

/** Scott's pi, or Fleiss' kappa. */
export const common = (tallies: Tallies, level: number): Estimate => coefficient(commonChance, tallies, level);

/** Cohen's kappa. @param tallies of two judges, and of items that both have labelled */
export const cohen = (tallies: Tallies, level: number): Estimate => coefficient(cohenChance, tallies, level);
