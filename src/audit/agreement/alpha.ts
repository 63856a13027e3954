import { type BootstrapOptions, clusterBootstrap } from "../bootstrap.js";
import { bareEstimate, type Estimate, undefinedEstimate } from "../estimate.js";
import { oneCategory } from "./coefficient.js";
import { alphaOf, measureAlpha } from "./coincidences.js";
import { estimate, evenedEnds, fisherEnds, hull, rounding, type Spread, spreadOf, unevenness } from "./interval.js";
import { type Scale, withPairs } from "./labels.js";
import { sumOver, type Tallies } from "./tally.js";
import { sampledCoincidences, unitsOf } from "./units.js";

/** A replicate takes time in proportion to the sorts. Where there are more, items or clusters are many enough without. */
const mostSorts = 250;
const mostClusters = 5000;

/**
 * Krippendorff's alpha with the error of a bootstrap over items, or over whole clusters, and the widened interval of
 * Fisher's transformation: percentiles of the replicates cover too little where one label is rare. Without two replicates
 * that have a value, and of more sorts of items than are worth them, the error is that of the delta method.
 */
export function alpha(tallies: Tallies, scale: Scale, options: BootstrapOptions): Estimate {
  const { patterns, comparable } = tallies;
  if (comparable === 0) return undefinedEstimate("no pairs", "no item has labels of two judges");
  const seen = tallies.given.find((row) => row.length >= 2)?.[0];
  const alike = (row: readonly number[], m: number) => patterns.counts[m] === 0 || row.every((k) => k === seen);
  if (tallies.given.every((row, m) => row.length < 2 || alike(row, m))) return oneCategory(tallies);
  const measure = measureAlpha(scale);
  // Items count by their labels here.
  const pairs =
    sumOver(patterns.counts, (m) => (tallies.given[m].length < 2 ? 0 : tallies.given[m].length / 2)) / comparable;
  const { value, influence } = measure(tallies);
  const clusters = patterns.together === null ? null : withPairs(patterns.together);
  if (clusters !== null && clusters < 2) return bareEstimate(value);
  const many = (clusters ?? 0) > mostClusters;
  const units = many ? null : unitsOf(tallies);
  // No replicate of a sample in full agreement can differ from it.
  if (value === 1 || options.replicates === 0 || units === null || units.counts.length > mostSorts) {
    return estimate(measure, tallies, options.level, pairs);
  }
  const sampled = sampledCoincidences(units, patterns.categories.length);
  const { error: drawn, used } = clusterBootstrap(
    units.counts,
    (counts) => alphaOf(sampled(counts), scale, patterns.values),
    options,
  );
  if (drawn === null) return estimate(measure, tallies, options.level, pairs);
  const found = drawn * unevenness(tallies, influence);
  // What rounding leaves of samples that are all alike.
  const error = found < rounding ? 0 : found;
  const { half } = spreadOf(tallies, () => 0, options.level) as Spread;
  const ends = hull(fisherEnds(value, { error, half }), evenedEnds(measure, tallies, options.level, pairs));
  const interval = `bootstrap over ${units.name}, ${used} of ${options.replicates} replicates, Fisher's z, widened`;
  return { value, error, ...ends, interval, reason: null };
}
