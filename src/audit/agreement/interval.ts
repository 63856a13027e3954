import { clusteredError } from "../cluster.js";
import { halfWidthOfT } from "../distributions.js";
import { bareEstimate, type Estimate, endsAround, scoreEnds } from "../estimate.js";
import type { Patterns, Together } from "./labels.js";
import { evened, sumOver, type Tallies, tally } from "./tally.js";

/** A coefficient of some items. */
export interface Measured {
  readonly value: number;
  /** [pattern]: what the value moves by for one more such item, so that all items together move it by 0. */
  readonly influence: (m: number) => number;
  /** Agreement by chance, below 1. */
  readonly chance: number;
}

export type Measure = (tallies: Tallies) => Measured;

/** How far a value may be off for the items' sake. */
export interface Spread {
  readonly error: number;
  /** Half-width of an interval in standard errors. */
  readonly half: number;
}

const rounding = 1e-12;

/**
 * Standard error by the delta method over items, sqrt(sum of squared influences); of clusters over their sums. Null of
 * fewer than two clusters.
 */
export function spreadOf(patterns: Patterns, influence: (m: number) => number, level: number): Spread | null {
  const { together, counts } = patterns;
  if (together === null) {
    const n = sumOver(counts, () => 1);
    const error = Math.sqrt(sumOver(counts, (m) => influence(m) ** 2));
    return { error, half: halfWidthOfT(level, Math.max(1, n - 1)) };
  }
  const { clusters } = together;
  const error = clusteredError(changesOf(together, patterns.labels.length, influence), clusters);
  return error === null ? null : { error, half: halfWidthOfT(level, clusters.count - 1) };
}

/** What the value moves by for each item's sake. The next use overwrites it. */
export function changesOf({ n, pattern, room }: Together, patterns: number, influence: (m: number) => number) {
  const of = Float64Array.from({ length: patterns }, (_, m) => influence(m));
  for (let i = 0; i < n.length; i++) room[i] = n[i] * of[pattern[i]];
  return room;
}

/**
 * A coefficient with the interval of Fisher's transformation, tanh(atanh(value) -+ t error / (1 - value^2)): its error
 * shrinks towards 1 as 1 - value^2 does, which a normal interval knows nothing of. Widened, it reaches as far as that of
 * the `evened` items: where one label is rare, few items may hold none that judges agree on, and then seem to know kappa
 * well.
 *
 * Where no item tells an error, as in full agreement, few items may all be alike by chance: the interval is then Wilson's
 * of the raw agreement, with chance agreement held.
 *
 * @param pairs how many pairs of labels an item counts for
 */
export function estimate(measure: Measure, tallies: Tallies, level: number, widen: boolean, pairs = 1): Estimate {
  const measured = measure(tallies);
  const { value } = measured;
  const spread = spreadOf(tallies.patterns, measured.influence, level);
  if (spread === null) return bareEstimate(value);
  const clustered = tallies.patterns.together === null ? "" : "clustered ";
  if (spread.error < rounding) {
    const ends = heldEnds(measured, tallies, spread.half);
    return { value, error: 0, ...ends, interval: `${clustered}Wilson, chance held`, reason: null };
  }
  const { error } = spread;
  const own = fisherEnds(value, spread);
  if (!widen) return { value, error, ...own, interval: `${clustered}Fisher's z`, reason: null };
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
  // With missing labels the value itself may be below -1, of which there is no transformation.
  if (Math.abs(value) > 1 - rounding) return endsAround(value, half * error, Math.min(-1, value), 1);
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
  const weight = pairs * addedWeight(tallies, measure(tallies).influence, level);
  const more = tally(evened(patterns, weight), weights);
  const { value, influence } = measure(more);
  const { error, half } = spreadOf(patterns, influence, level) as Spread;
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
export function addedWeight({ patterns }: Tallies, influence: (m: number) => number, level: number): number {
  const { together, counts } = patterns;
  if (together === null) return 1;
  const size = sumOver(counts, () => 1) / together.clusters.count;
  const independent = sumOver(counts, (m) => influence(m) ** 2);
  const { error } = spreadOf(patterns, influence, level) as Spread;
  const effect = independent === 0 ? size : Math.min(size, Math.max(1, error ** 2 / independent));
  return size * (effect / size) ** 0.25;
}

function heldEnds({ value, chance }: Measured, { observed, comparable, patterns }: Tallies, half: number): Ends {
  const least = Math.min(-1, value);
  const independent = patterns.together?.clusters.count ?? comparable;
  const { lower, upper } = scoreEnds(observed ?? 0, independent, half);
  const beyond = (raw: number): number => Math.max(least, (raw - chance) / (1 - chance));
  return { lower: Math.min(value, beyond(lower)), upper: Math.max(value, beyond(upper)) };
}
