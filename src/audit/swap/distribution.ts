/** So many pairs differ by `from` up to `to`: the end nearer 0 is of the bin, the other isn't; of that around 0 neither is. */
export interface DifferenceBin {
  readonly from: number;
  readonly to: number;
  readonly pairs: number;
}

const mostBins = 40;
/** What is smaller has no bins of a width that doubles hold. */
const leastReach = 1e-290;
/** In widths of a bin: decimals of one difference that rounding sets apart share a bin. */
const rounding = 1e-9;

/**
 * How differences are spread: bins of one width, one of them around 0, so that pairs without a difference are seen apart
 * from those of either side, and exchanged slots mirror them. As wide as Freedman and Diaconis 1981 ("On the histogram as a density estimator", Zeitschrift
 * für Wahrscheinlichkeitstheorie 57, 453-476) have it, rounded up to 1, 2 or 5 times a
 * power of ten.
 */
export function distributionOf(differences: readonly number[]): DifferenceBin[] {
  if (differences.length === 0) return [];
  const sorted = Float64Array.from(differences).sort();
  const [least, most] = [sorted[0], sorted[sorted.length - 1]];
  const reach = Math.max(Math.abs(least), Math.abs(most));
  if (reach < leastReach) return [{ from: -0.5, to: 0.5, pairs: differences.length }];
  const quarter = Math.floor(0.25 * sorted.length);
  const rule = (2 * (sorted[sorted.length - 1 - quarter] - sorted[quarter])) / Math.cbrt(sorted.length);
  const width = roundWidth(Math.max(rule, (2 * reach) / mostBins));
  const bins = new Map<number, number>();
  const binOf = (difference: number): number =>
    Math.sign(difference) * Math.floor(Math.abs(difference) / width + 0.5 + rounding);
  for (const difference of sorted) {
    const bin = binOf(difference);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  const [first, last] = [binOf(least), binOf(most)];
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    from: Number(((first + i - 0.5) * width).toPrecision(12)),
    to: Number(((first + i + 0.5) * width).toPrecision(12)),
    pairs: bins.get(first + i) ?? 0,
  }));
}

/** The least of 1, 2 and 5 times a power of ten that is as large. */
function roundWidth(atLeast: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(atLeast));
  return ([1, 2, 5].find((factor) => factor * magnitude >= atLeast * (1 - 1e-9)) ?? 10) * magnitude;
}
