/**
 * Quantile of type 7 (Hyndman and Fan 1996, "Sample Quantiles in Statistical Packages"; R's default): linear between
 * the order statistics, at the place (S - 1) p counted from 0.
 *
 * @param sorted at least one value, ascending
 * @param probability in [0, 1]
 */
export function quantileOfSorted(sorted: Float64Array, probability: number): number {
  checkProbability(probability);
  const place = (sorted.length - 1) * probability;
  const below = Math.floor(place);
  const fraction = place - below;
  const low = sorted[below];
  // Also spares equal neighbours the rounding of a weighted mean, which would move x <= quantile.
  if (fraction === 0 || sorted[below + 1] === low) return low;
  return (1 - fraction) * low + fraction * sorted[below + 1];
}

/** Quantiles of type 7, one a probability; null each where the draws aren't all finite numbers. */
export function quantiles(draws: Float64Array, probabilities: readonly number[]): (number | null)[] {
  if (draws.length === 0) throw new RangeError("quantiles of no draws: expected at least one");
  const sorted = draws.slice().sort();
  // A numeric sort puts -Infinity first, Infinity and then NaN last.
  const finite = Number.isFinite(sorted[0]) && Number.isFinite(sorted[sorted.length - 1]);
  return probabilities.map((probability) => {
    const quantile = quantileOfSorted(sorted, probability);
    return finite ? quantile : null;
  });
}

export function checkProbability(probability: number): void {
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(`probability ${probability}: expected a number from 0 to 1`);
  }
}
