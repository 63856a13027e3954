import { dataError, usageError } from "../../errors.js";
import { show } from "../../values.js";
import {
  type Clusters,
  clusteredError,
  clusteredShare,
  clustersOf,
  degreesOf,
  effectiveClusters,
  sizesOf,
} from "../cluster.js";
import { halfWidthOfT } from "../distributions.js";
import { adjustedWald, bareEstimate, type Estimate, normalWidth, shareEstimate } from "../estimate.js";
import { type Renaming, renamingOf } from "./renaming.js";
import type { Patterns } from "./votes.js";

/** Shares of the items with gold that are labelled right; where labels tie, each gets its part. */
export interface GoldComparison {
  readonly items: number;
  /** Clusters of these items; null where items are independent. */
  readonly clusters: number | null;
  readonly fitted: Estimate;
  readonly majority: Estimate;
  /** fitted - majority, of the same items: the standard error is that of the mean of paired differences. */
  readonly difference: Estimate;
}

/** Gold, and what of it belongs to no class or speaks for other names of the classes. */
export interface HeldAgainstGold {
  readonly comparison: GoldComparison | null;
  /** Items with gold for which no judge has a label. */
  readonly unknown: number;
  readonly renaming: Renaming | null;
}

/**
 * @param gold [items] class, `classes` for none of them, -1 or NaN where it isn't known
 * @param posterior, shares [pattern][class] the fit's, and those of the votes
 */
export function compareWithGold(
  gold: ArrayLike<number>,
  { items, classes, patternOf }: Patterns,
  { posterior, shares }: { readonly posterior: Float64Array; readonly shares: Float64Array },
  level: number,
  clusters: Clusters | null,
): HeldAgainstGold {
  if (gold.length !== items) throw usageError(`gold must have a class for each of ${items} items, not ${gold.length}`);
  const fitted: number[] = [];
  const majority: number[] = [];
  const [truths, firsts, keys]: [number[], number[], number[]] = [[], [], []];
  let unknown = 0;
  for (let i = 0; i < items; i++) {
    const truth = gold[i];
    if (truth === -1 || Number.isNaN(truth)) continue;
    if (!(Number.isInteger(truth) && truth >= 0 && truth <= classes)) {
      throw dataError(
        `gold[${i}]: expected a class below ${classes}, ${classes} for another, or -1, not ${show(truth)}`,
      );
    }
    const first = patternOf[i] * classes;
    if (truth === classes) unknown++;
    fitted.push(credit(posterior, first, classes, truth));
    majority.push(credit(shares, first, classes, truth));
    truths.push(truth);
    firsts.push(first);
    if (clusters !== null) keys.push(clusters.of[i]);
  }
  if (fitted.length === 0) return { comparison: null, unknown, renaming: null };
  const own = clusters === null ? null : clustersOf(keys);
  const comparison = {
    items: fitted.length,
    clusters: own?.count ?? null,
    fitted: shareOf(fitted, level, own),
    majority: shareOf(majority, level, own),
    difference: pairedDifference(
      fitted.map((credit, k) => credit - majority[k]),
      level,
      own,
    ),
  };
  const creditOf = (k: number, truth: number): number => credit(posterior, firsts[k], classes, truth);
  return { comparison, unknown, renaming: renamingOf(truths, fitted, creditOf, classes, own) };
}

/** 1 if the truth alone has the most weight, a part of it if it shares that. */
function credit(weights: Float64Array, first: number, classes: number, truth: number): number {
  if (truth === classes) return 0;
  let most = 0;
  for (let c = 0; c < classes; c++) most = Math.max(most, weights[first + c]);
  let tied = 0;
  for (let c = 0; c < classes; c++) if (weights[first + c] >= most - 1e-12) tied++;
  return weights[first + truth] >= most - 1e-12 ? 1 / tied : 0;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function shareOf(credits: readonly number[], level: number, clusters: Clusters | null): Estimate {
  const share = Math.min(1, meanOf(credits));
  if (clusters === null) return shareEstimate(share, credits.length, level);
  return clusteredShare(share, influencesOf(credits), clusters, level);
}

const influencesOf = (values: readonly number[]): Float64Array => {
  const mean = meanOf(values);
  return Float64Array.from(values, (value) => (value - mean) / values.length);
};

/**
 * A mean of differences from -1 to 1, with the interval that adds one item on which the one is right and the other wrong
 * and one the other way round (adjusted Wald: Bonett and Price 2012): two that never differ leave it a width. With clusters
 * for as many independent items as tell as much, and Student's t.
 */
function pairedDifference(differences: readonly number[], level: number, clusters: Clusters | null): Estimate {
  const n = differences.length;
  const value = meanOf(differences);
  if (n < 2 || (clusters !== null && clusters.count < 2)) return bareEstimate(value);
  const squares = differences.reduce((sum, d) => sum + d * d, 0);
  if (clusters === null) {
    const error = Math.sqrt(Math.max(0, squares / n - value * value) / (n - 1));
    const ends = adjustedWald(value, squares / n, n, normalWidth(level));
    return { value, error, ...ends, interval: "adjusted Wald", reason: null };
  }
  const error = clusteredError(influencesOf(differences), clusters) ?? 0;
  const spread = squares / n - value * value;
  // As many independent items as tell as much; two that never differ say nothing of how alike a cluster's items are.
  const sizes = sizesOf(clusters);
  const size = error > 0 ? Math.min(n, spread / error ** 2) : effectiveClusters(sizes);
  const half = halfWidthOfT(level, degreesOf(sizes));
  return {
    value,
    error,
    ...adjustedWald(value, squares / n, size, half),
    interval: "clustered adjusted Wald",
    reason: null,
  };
}
