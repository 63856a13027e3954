import { clusteredError, clusterSums, degreesOf, effectiveClusters } from "../cluster.js";
import { halfWidthOfT } from "../distributions.js";
import { bareEstimate, type Estimate, endsAround, scoreEnds } from "../estimate.js";
import { type Together, withPairs } from "./labels.js";
import { evened, sumOver, type Tallies, tally } from "./tally.js";

/** A coefficient of some items. */
export interface Measured {
  readonly value: number;
  /** [pattern]: what the value moves by for one more such item, so that all items together move it by 0. */
  readonly influence: (m: number) => number;
  /** Agreement by chance, below 1. */
  readonly chance: number;
  /** Whether items with one label tell of it too, as they do of the marginals of more than two judges. */
  readonly singles: boolean;
}

export type Measure = (tallies: Tallies) => Measured;

/** How far a value may be off for the items' sake. */
export interface Spread {
  readonly error: number;
  /** Half-width of an interval in standard errors. */
  readonly half: number;
}

export const rounding = 1e-12;

/**
 * Standard error by the delta method over items, sqrt(sum of squared influences); of clusters over their sums. Degrees of
 * freedom are of items with a pair of labels: no others tell of agreement. Null of fewer than two clusters with such items.
 */
export function spreadOf(
  { patterns, comparable }: Tallies,
  influence: (m: number) => number,
  level: number,
  singles = false,
): Spread | null {
  const { together, counts, labels } = patterns;
  if (together === null) {
    const error = Math.sqrt(sumOver(counts, (m) => influence(m) ** 2));
    return { error, half: halfWidthOfT(level, Math.max(1, comparable - 1)) };
  }
  const { clusters, paired, labelled } = together;
  if (withPairs(together) < 2) return null;
  const error = clusteredError(changesOf(together, labels.length, influence), clusters, singles ? labelled : paired);
  return error === null ? null : { error, half: halfWidthOfT(level, degreesOf(paired)) };
}

/** How much greater clusters' different sizes make the error than draws of whole clusters show; 1 of one size. */
export function unevenness({ patterns }: Tallies, influence: (m: number) => number): number {
  const { together, labels } = patterns;
  if (together === null) return 1;
  const { clusters, paired } = together;
  const changes = changesOf(together, labels.length, influence);
  const error = clusteredError(changes, clusters, paired) ?? 0;
  const count = withPairs(together);
  const squares = clusterSums(changes, clusters).reduce((sum, own) => sum + own * own, 0);
  return error < rounding ? 1 : error / Math.sqrt((squares * count) / (count - 1));
}

/** What the value moves by for each item's sake. The next use overwrites it. */
export function changesOf({ n, pattern, room }: Together, patterns: number, influence: (m: number) => number) {
  const of = Float64Array.from({ length: patterns }, (_, m) => influence(m));
  for (let i = 0; i < n.length; i++) room[i] = n[i] * of[pattern[i]];
  return room;
}

/**
 * A coefficient with the interval of Fisher's transformation, tanh(atanh(value) -+ t error / (1 - value^2)): its error
 * shrinks towards 1 as 1 - value^2 does, which a normal interval knows nothing of. It reaches as far as that of the `evened`
 * items, too: where one label, or agreement, is rare, few items may hold none, and then seem to know the coefficient well.
 *
 * Where no item tells an error, as in full agreement, few items may all be alike by chance: the interval is then Wilson's
 * of the raw agreement, with chance agreement held.
 *
 * @param pairs how many pairs of labels an item counts for
 */
export function estimate(measure: Measure, tallies: Tallies, level: number, pairs = 1): Estimate {
  const measured = measure(tallies);
  // Rounding may leave it.
  const value = Math.min(1, Math.max(-1, measured.value));
  const spread = spreadOf(tallies, measured.influence, level, measured.singles);
  if (spread === null) return bareEstimate(value);
  const clustered = tallies.patterns.together === null ? "" : "clustered ";
  if (spread.error < rounding) {
    const ends = heldEnds(measured, tallies, spread.half);
    return { value, error: 0, ...ends, interval: `${clustered}Wilson, chance held`, reason: null };
  }
  const { error } = spread;
  const own = fisherEnds(value, spread);
  const ends = hull(own, evenedEnds(measure, tallies, level, pairs));
  return { value, error, ...ends, interval: `${clustered}Fisher's z, widened`, reason: null };
}

interface Ends {
  readonly lower: number;
  readonly upper: number;
}

export const hull = (a: Ends, b: Ends): Ends => ({
  lower: Math.min(a.lower, b.lower),
  upper: Math.max(a.upper, b.upper),
});

export function fisherEnds(value: number, { error, half }: Spread): Ends {
  // There is no transformation of -1 and 1, nor of what is below, as evened items' value may be.
  if (Math.abs(value) > 1 - rounding) return endsAround(Math.max(-1, value), half * error, -1, 1);
  const centre = Math.atanh(value);
  const reach = (half * error) / (1 - value * value);
  return { lower: Math.min(value, Math.tanh(centre - reach)), upper: Math.max(value, Math.tanh(centre + reach)) };
}

/**
 * Ends of the interval of the evened items, of which each of the added ones is a cluster of its own.
 * @param pairs how many pairs of labels an item counts for; an added one has one
 */
export function evenedEnds(measure: Measure, tallies: Tallies, level: number, pairs = 1): Ends {
  const { patterns, weights } = tallies;
  const weight = pairs * addedWeight(tallies, measure(tallies), level);
  const more = tally(evened(patterns, weight), weights);
  const { value, influence, singles } = measure(more);
  const { error, half } = spreadOf(tallies, influence, level, singles) as Spread;
  return fisherEnds(value, { error: Math.hypot(error, addedError(more, tallies, influence, weight)), half });
}

/** Error that the items added by `evened` stand for. */
export function addedError(more: Tallies, { patterns }: Tallies, influence: (m: number) => number, weight: number) {
  const first = patterns.labels.length;
  return Math.sqrt(
    more.patterns.counts.reduce((sum, n, m) => (m < first ? sum : sum + n * weight * influence(m) ** 2), 0),
  );
}

/**
 * How many items an added one stands for: 1 of independent items. In clusters as many items as a cluster has tell as much
 * as one if they are all alike, and as many as the design effect says by its estimate, which few clusters with a rare
 * label make too small. This mean of both covers (found by simulation), and costs less than whole clusters would where
 * their items are hardly alike.
 */
export function addedWeight(
  tallies: Tallies,
  { influence, singles }: Pick<Measured, "influence" | "singles">,
  level: number,
): number {
  const { patterns, comparable } = tallies;
  const { together, counts } = patterns;
  if (together === null) return 1;
  const size = comparable / effectiveClusters(together.paired);
  const independent = sumOver(counts, (m) => influence(m) ** 2);
  const { error } = spreadOf(tallies, influence, level, singles) as Spread;
  const effect = independent === 0 ? size : Math.min(size, Math.max(1, error ** 2 / independent));
  return size * (effect / size) ** 0.25;
}

function heldEnds({ value, chance }: Measured, { observed, comparable, patterns }: Tallies, half: number): Ends {
  const independent = patterns.together === null ? comparable : effectiveClusters(patterns.together.paired);
  const { lower, upper } = scoreEnds(observed ?? 0, independent, half);
  const beyond = (raw: number): number => Math.max(-1, (raw - chance) / (1 - chance));
  return { lower: Math.min(value, beyond(lower)), upper: Math.max(value, beyond(upper)) };
}
