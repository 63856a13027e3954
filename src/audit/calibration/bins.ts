import type { Clusters } from "../cluster.js";
import { type Estimate, wilson } from "../estimate.js";
import { type ClusteredBin, clusteredBins } from "./clustered-bins.js";
import { calibrationError, type Gap } from "./gaps.js";

/*
 * Reliability diagrams and what is read off them. Every mean is of the confidences in the bin, never the bin's centre.
 */

export interface ReliabilityBin {
  /** Counted from 0; bins without rows are left out. */
  readonly bin: number;
  /** Edges of an equal-width bin; least and greatest confidence of an equal-mass one. */
  readonly lower: number;
  readonly upper: number;
  readonly rows: number;
  readonly positives: number;
  readonly meanConfidence: number;
  /** Share of outcomes that are 1, with its Wilson interval; ends are null where all rows are of one cluster. */
  readonly frequency: number;
  readonly frequencyLower: number | null;
  readonly frequencyUpper: number | null;
}

/**
 * Brier score = reliability - resolution + uncertainty + withinVariance - withinCovariance.
 *
 * The first three: Murphy 1973, "A new vector partition of the probability score", J. Applied Meteorology 12, 595-600.
 * They add up to the score only where the rows of a bin share one confidence; the other two make up the rest (Stephenson,
 * Coelho and Jolliffe 2008, "Two extra components in the Brier score decomposition", Weather and Forecasting 23, 752-757).
 * With bins k of n_k rows, mean confidence f_k, frequency o_k, and frequency o of all n rows:
 */
export interface BrierDecomposition {
  /** sum n_k (f_k - o_k)^2 / n. */
  readonly reliability: number;
  /** sum n_k (o_k - o)^2 / n. */
  readonly resolution: number;
  /** o (1 - o). */
  readonly uncertainty: number;
  /** Sum over rows of (f - f_k)^2 / n. */
  readonly withinVariance: number;
  /** Twice the sum over rows of (f - f_k)(y - o_k) / n. */
  readonly withinCovariance: number;
}

export interface BinnedCalibration {
  readonly binning: "equal-width" | "equal-mass";
  readonly bins: readonly ReliabilityBin[];
  /**
   * Expected calibration error, sum n_k |f_k - o_k| / n (Naeini, Cooper and Hauskrecht 2015, "Obtaining well calibrated
   * probabilities using Bayesian binning", AAAI). Its standard error: with the bins and the signs s_k of f_k - o_k held,
   * the ECE is the mean over rows of s (f - y). It is too large of finitely many rows, by about `eceIfCalibrated` where the
   * true one is 0; its interval allows for that.
   */
  readonly ece: Estimate;
  /**
   * About what the ECE of these confidences would be were they calibrated: it is never 0 of finitely many rows. Gaps are
   * then normal with mean 0, and the mean of |N(0, v)| is sqrt(2 v / pi); v is the mean of f (1 - f) in the bin / n_k.
   */
  readonly eceIfCalibrated: number;
  /** Maximum calibration error, max |f_k - o_k|, whatever n_k. */
  readonly mce: number;
  readonly brier: BrierDecomposition;
  /** With ties "divide": rows whose equals in confidence the border of an equal-mass bin divides, by their order. */
  readonly dividedTies: number;
}

/** Running sums of bins; confidences relative to the first of their bin, which keeps digits. */
class Bins {
  readonly rows: Float64Array;
  readonly positives: Float64Array;
  readonly first: Float64Array;
  private readonly sum: Float64Array;
  private readonly squares: Float64Array;
  private readonly products: Float64Array;
  private readonly noise: Float64Array;

  constructor(readonly count: number) {
    const zeros = (): Float64Array => new Float64Array(count);
    [this.rows, this.positives, this.first, this.sum] = [zeros(), zeros(), zeros(), zeros()];
    [this.squares, this.products, this.noise] = [zeros(), zeros(), zeros()];
  }

  add(bin: number, confidence: number, outcome: number): void {
    if (this.rows[bin]++ === 0) this.first[bin] = confidence;
    const offset = confidence - this.first[bin];
    this.positives[bin] += outcome;
    this.sum[bin] += offset;
    this.squares[bin] += offset * offset;
    this.products[bin] += offset * outcome;
    this.noise[bin] += confidence * (1 - confidence);
  }

  /** @param placed what else is needed where rows come in clusters */
  summarise(binning: BinnedCalibration["binning"], edges: Edges, level: number, placed: Placed, dividedTies = 0) {
    let [n, ones] = [0, 0];
    for (let bin = 0; bin < this.count; bin++) [n, ones] = [n + this.rows[bin], ones + this.positives[bin]];
    const rate = ones / n;
    const together = placed.clusters === null ? null : clusteredBins(placed, placed.clusters, this.count, level);
    const bins: ReliabilityBin[] = [];
    const gaps: Gap[] = [];
    let [ece, mce, calibrated, squaredError] = [0, 0, 0, 0];
    let [reliability, resolution, withinVariance, withinCovariance] = [0, 0, 0, 0];
    for (let bin = 0; bin < this.count; bin++) {
      const rows = this.rows[bin];
      if (rows === 0) continue;
      const positives = this.positives[bin];
      const meanConfidence = this.first[bin] + this.sum[bin] / rows;
      const frequency = positives / rows;
      const gap = meanConfidence - frequency;
      const spread = Math.max(0, this.squares[bin] - (this.sum[bin] * this.sum[bin]) / rows);
      const shared = 2 * (this.products[bin] - this.sum[bin] * frequency);
      ece += (rows / n) * Math.abs(gap);
      mce = Math.max(mce, Math.abs(gap));
      calibrated += Math.sqrt((2 / Math.PI) * this.noise[bin]) / n;
      reliability += (rows / n) * gap * gap;
      resolution += (rows / n) * (frequency - rate) ** 2;
      withinVariance += spread / n;
      withinCovariance += shared / n;
      squaredError += rows * (gap * gap + frequency * (1 - frequency)) + spread - shared;
      // One more row of either outcome: where all rows of a bin have the same one, that is no proof of no variance.
      const fuller = (positives + 1) / (rows + 2);
      const own = Math.max(0, fuller * (1 - fuller) + (spread - shared) / rows) / rows;
      // Rows of one cluster alone may all say the same.
      const alike = together === null ? 0 : own * rows;
      const variance = Math.max(own, together?.bins[bin].gapVariance ?? alike);
      const farVariance = Math.max(own, together?.bins[bin].farVariance ?? alike);
      gaps.push({ bin, share: rows / n, gap, variance, farVariance });
      const { lower, upper } = together === null ? wilson(frequency, rows, level) : endsOf(together.bins[bin]);
      const [from, to] = edges(bin);
      const ends = { frequencyLower: lower, frequencyUpper: upper };
      bins.push({ bin, lower: from, upper: to, rows, positives, meanConfidence, frequency, ...ends });
    }
    const error = Math.sqrt(Math.max(0, squaredError / n - ece * ece) / (n - 1));
    const uncertainty = rate * (1 - rate);
    const result: BinnedCalibration = {
      binning,
      bins,
      ece: calibrationError(gaps, { n, error, level, moving: binning === "equal-mass" }, together),
      eceIfCalibrated: calibrated,
      mce,
      brier: { reliability, resolution, uncertainty, withinVariance, withinCovariance },
      dividedTies,
    };
    return result;
  }
}

const endsOf = (bin: ClusteredBin | undefined) => ({ lower: bin?.lower ?? null, upper: bin?.upper ?? null });

/** Rows, and, where they come in clusters, those and the bin of each row. */
interface Placed {
  readonly confidence: Float64Array;
  readonly outcome: Uint8Array;
  readonly binOf: Uint32Array;
  readonly clusters: Clusters | null;
}

/** Bins are in memory. */
export const mostBins = 100_000;

/** What becomes of rows of equal confidence at the borders of equal-mass bins. */
export type Ties = "whole" | "divide";

type Edges = (bin: number) => readonly [number, number];

/** Bins [k / count, (k + 1) / count), the last one closed on both sides; exact at every edge. */
export function equalWidth(
  confidence: Float64Array,
  outcome: Uint8Array,
  count: number,
  level: number,
  clusters: Clusters | null = null,
): BinnedCalibration {
  const bins = new Bins(count);
  const binOf = new Uint32Array(clusters === null ? 0 : confidence.length);
  for (let i = 0; i < confidence.length; i++) {
    const value = confidence[i];
    let bin = Math.floor(value * count);
    // The product rounds: (1 / 49) * 49 is below 1.
    if (value >= (bin + 1) / count) bin++;
    else if (value < bin / count) bin--;
    bin = Math.min(count - 1, bin);
    bins.add(bin, value, outcome[i]);
    if (clusters !== null) binOf[i] = bin;
  }
  const placed = { confidence, outcome, binOf, clusters };
  return bins.summarise("equal-width", (bin) => [bin / count, (bin + 1) / count], level, placed);
}

/**
 * The sorted rows in parts whose sizes differ by one at most, larger ones first, as numpy.array_split has them. Rows of equal
 * confidence are `whole`: all are in the part that their middle lies in, so that their order in the data doesn't matter, and
 * parts differ more in size. `divide` leaves them where that order puts them, and counts those that a border divides.
 * @param order rows by ascending confidence, equal ones in order
 */
export function equalMass(
  confidence: Float64Array,
  outcome: Uint8Array,
  order: Uint32Array,
  count: number,
  level: number,
  ties: Ties,
  clusters: Clusters | null,
): BinnedCalibration {
  const n = order.length;
  const size = Math.floor(n / count);
  const larger = n % count;
  const startOf = (bin: number): number => bin * size + Math.min(bin, larger);
  const bins = new Bins(count);
  const binOf = new Uint32Array(clusters === null ? 0 : n);
  const [least, greatest] = [new Float64Array(count), new Float64Array(count)];
  let [bin, dividedTies] = [0, 0];
  for (let start = 0; start < n; ) {
    const value = confidence[order[start]];
    let [end, divides] = [start, false];
    while (end < n && confidence[order[end]] === value) end++;
    for (let k = start; k < end; k++) {
      const before = bin;
      const place = ties === "whole" ? (start + end - 1) / 2 : k;
      while (place >= startOf(bin + 1)) bin++;
      // A border at the start of equal confidences doesn't divide them.
      if (bin !== before && k > start) divides = true;
      if (bins.rows[bin] === 0) least[bin] = value;
      greatest[bin] = value;
      bins.add(bin, value, outcome[order[k]]);
      if (clusters !== null) binOf[order[k]] = bin;
    }
    if (divides) dividedTies += end - start;
    start = end;
  }
  const edges: Edges = (b) => [least[b], greatest[b]];
  return bins.summarise("equal-mass", edges, level, { confidence, outcome, binOf, clusters }, dividedTies);
}
