import { RatError, usageError } from "../../errors.js";
import { show } from "../../values.js";
import { bareEstimate, type Estimate, shareEstimate, waldEstimate } from "../estimate.js";

/** Shares of the items with gold that are labelled right; where labels tie, each gets its part. */
export interface GoldComparison {
  readonly items: number;
  readonly fitted: Estimate;
  readonly majority: Estimate;
  /** fitted - majority, of the same items: the standard error is that of the mean of paired differences. */
  readonly difference: Estimate;
}

/**
 * @param gold [items] class, -1 or NaN where it isn't known
 * @param posterior, shares [item][class] through `at`, where an item's entries start
 */
export function compareWithGold(
  gold: ArrayLike<number>,
  items: number,
  classes: number,
  at: (item: number) => number,
  posterior: Float64Array,
  shares: Float64Array,
  level: number,
): GoldComparison | null {
  if (gold.length !== items) throw usageError(`${gold.length} gold labels for ${items} items`);
  let [n, fitted, majority, squares] = [0, 0, 0, 0];
  for (let i = 0; i < items; i++) {
    const truth = gold[i];
    if (truth === -1 || Number.isNaN(truth)) continue;
    if (!(Number.isInteger(truth) && truth >= 0 && truth < classes)) {
      throw new RatError("data", `gold of item ${i}: expected a class below ${classes} or -1, not ${show(truth)}`);
    }
    const [a, b] = [credit(posterior, at(i), classes, truth), credit(shares, at(i), classes, truth)];
    n++;
    fitted += a;
    majority += b;
    squares += (a - b) ** 2;
  }
  if (n === 0) return null;
  const difference = (fitted - majority) / n;
  const error = Math.sqrt(Math.max(0, squares / n - difference * difference) / (n - 1));
  return {
    items: n,
    fitted: shareEstimate(fitted / n, n, level),
    majority: shareEstimate(majority / n, n, level),
    difference: n > 1 ? waldEstimate(difference, error, level, -1, 1) : bareEstimate(difference),
  };
}

/** 1 if the truth alone has the most weight, a part of it if it shares that. */
function credit(weights: Float64Array, first: number, classes: number, truth: number): number {
  let most = 0;
  for (let c = 0; c < classes; c++) most = Math.max(most, weights[first + c]);
  let tied = 0;
  for (let c = 0; c < classes; c++) if (weights[first + c] >= most - 1e-12) tied++;
  return weights[first + truth] >= most - 1e-12 ? 1 / tied : 0;
}
