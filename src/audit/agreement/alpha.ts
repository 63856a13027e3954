import { type BootstrapOptions, clusterBootstrap } from "../bootstrap.js";
import { bareEstimate, type Estimate, undefinedEstimate } from "../estimate.js";
import { oneCategory } from "./coefficient.js";
import { alphaOf, measureAlpha } from "./coincidences.js";
import { estimate, evenedEnds, fisherEnds, hull, type Spread, spreadOf } from "./interval.js";
import type { Scale } from "./labels.js";
import { sumOver, type Tallies } from "./tally.js";
import { sampledCoincidences, unitsOf } from "./units.js";

/** A replicate takes time in proportion to the sorts. Where there are more, items or clusters are many enough without. */
const mostSorts = 250;
const mostClusters = 5000;

/**
 * Krippendorff's alpha with the error of a bootstrap over items, or over whole clusters, and the widened interval of
 * Fisher's transformation: percentiles of the replicates cover too little where one label is rare. Without replicates, and
 * of more sorts of items than are worth them, the error is that of the delta method.
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
  const { value } = measure(tallies);
  if (patterns.together !== null && patterns.together.clusters.count < 2) return bareEstimate(value);
  const many = (patterns.together?.clusters.count ?? 0) > mostClusters;
  const units = many ? null : unitsOf(tallies);
  // No replicate of a sample in full agreement can differ from it.
  if (value === 1 || options.replicates === 0 || units === null || units.counts.length > mostSorts) {
    return estimate(measure, tallies, options.level, true, pairs);
  }
  const sampled = sampledCoincidences(units, patterns.categories.length);
  const { error, used } = clusterBootstrap(
    units.counts,
    (counts) => alphaOf(sampled(counts), scale, patterns.values),
    options,
  );
  if (error === null) return bareEstimate(value);
  const { half } = spreadOf(patterns, () => 0, options.level) as Spread;
  const ends = hull(fisherEnds(value, { error, half }), evenedEnds(measure, tallies, options.level, pairs));
  const interval = `bootstrap over ${units.name}, ${used} of ${options.replicates} replicates, Fisher's z, widened`;
  return { value, error, ...ends, interval, reason: null };
}
