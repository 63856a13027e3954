import { constantRange, splitChains } from "./chains.js";
import { essOfCentred, essOfChains, tailEss } from "./ess.js";
import { finiteOrNull, mean, variance } from "./moments.js";
import { quantileOfSorted } from "./quantile.js";
import { centredScores, foldedRhat, greaterRhat, rhatOfCentred } from "./rhat.js";
import { FloatScratch, IntegerScratch } from "./scratch.js";
import { type Ordered, sortWithPlaces } from "./sort.js";

/** What the draws of one quantity say. Every number is finite; null is what the draws can't tell. */
export interface Summary {
  readonly mean: number | null;
  /** Standard deviation, divisor n - 1; null for a single draw. */
  readonly sd: number | null;
  readonly median: number | null;
  /** Ends of the equal-tailed interval. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Monte Carlo standard error of the mean. */
  readonly mcse: number | null;
  readonly essBulk: number | null;
  readonly essTail: number | null;
  /** Rank-normalised split R-hat; null also where it is infinite: every half-chain constant (see `stuckChains`). */
  readonly rhat: number | null;
}

const noDiagnostics = { mcse: null, essBulk: null, essTail: null, rhat: null };
const unavailable: Summary = { mean: null, sd: null, median: null, lower: null, upper: null, ...noDiagnostics };

/** An `Ordered` kept between calls. */
class OrderedScratch {
  readonly #sorted = new FloatScratch();
  readonly #order = new IntegerScratch();

  take(size: number): Ordered {
    return { sorted: this.#sorted.take(size), order: this.#order.take(size) };
  }
}

const orderedScratch = new OrderedScratch();
const foldedScratch = new OrderedScratch();

/**
 * Summary of one quantity's draws, with the diagnostics of the R package posterior 1.4.0; one sort serves all of them.
 * Draws that aren't all finite give nothing but nulls; constant ones no diagnostics.
 *
 * @param draws [chains x draws], chain by chain; left as they are
 * @param level probability inside the interval, in (0, 1): 0.95 gives the 2.5% and 97.5% quantiles
 */
export function summarise(draws: Float64Array, chains: number, level: number): Summary {
  if (!(level > 0 && level < 1)) throw new RangeError(`level ${level}: expected a number between 0 and 1`);
  const split = splitChains(draws, chains);
  const ordered = sortWithPlaces(split.values, orderedScratch.take(split.values.length));
  // Halves of odd chains lack the middle draws, which still count for the quantiles.
  const sorted = split.values.length === draws.length ? ordered.sorted : sortWithPlaces(draws).sorted;
  const lowest = sorted[0];
  const highest = sorted[sorted.length - 1];
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return { ...unavailable };
  const average = mean(draws);
  const spread = variance(draws, average);
  const median = quantileOfSorted(sorted, 0.5);
  const location = {
    mean: finiteOrNull(average),
    sd: finiteOrNull(Math.sqrt(spread)),
    median: finiteOrNull(median),
    lower: finiteOrNull(quantileOfSorted(sorted, (1 - level) / 2)),
    upper: finiteOrNull(quantileOfSorted(sorted, (1 + level) / 2)),
  };
  if (highest - lowest < constantRange) return { ...location, ...noDiagnostics };

  const scores = centredScores(ordered, split.chains);
  const essBulk = scores === null ? null : essOfCentred(scores);
  const bulkRhat = scores === null ? null : rhatOfCentred(scores);
  const tailRhat = foldedRhat(ordered, median, split.chains, foldedScratch.take(split.values.length));
  const ratio = greaterRhat(bulkRhat, tailRhat);
  const essMean = essOfChains(split);
  return {
    ...location,
    mcse: essMean === null ? null : finiteOrNull(Math.sqrt(spread / essMean)),
    essBulk,
    essTail: tailEss(split, sorted),
    rhat: ratio === null ? null : finiteOrNull(ratio),
  };
}
