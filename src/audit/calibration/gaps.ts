import { type Clusters, clusteredError, degreesOf, sizesOf } from "../cluster.js";
import { halfWidthOfT, quantileOfMeanSquare } from "../distributions.js";
import { bareEstimate, type Estimate, normalWidth } from "../estimate.js";

/** The gap of a bin: mean of its confidences less the frequency of its outcomes. */
export interface Gap {
  /** Counted from 0, ascending. */
  readonly bin: number;
  /** Share of all rows. */
  readonly share: number;
  readonly gap: number;
  /** Of the gap's own error. */
  readonly variance: number;
  /** Of a normal error that strays as far: greater where clusters are few. */
  readonly farVariance: number;
}

/** What the rows of clusters do to the sums over bins. */
export interface ClusteredGaps {
  readonly clusters: Clusters;
  /** Sign of its bin's gap times (f - y), a row. */
  readonly signed: Float64Array;
  /** f - y, a row. */
  readonly plain: Float64Array;
  readonly binOf: Uint32Array;
}

interface GapOptions {
  /** Rows. */
  readonly n: number;
  readonly error: number;
  readonly level: number;
  /** Whether the borders of bins are where the rows put them. */
  readonly moving: boolean;
}

/**
 * Expected calibration error, the sum over bins of share |gap|, with an interval that holds the same sum of the true gaps at
 * least as often as said. The sum of finitely many rows is too large, most of all where the true one is 0: there the normal
 * interval around it all but never holds the truth. With gaps d that miss the true m by normal errors of variance v,
 *
 *   sum share |m| >= sum share |d| - sum share |d - m|, whose last sum is one of half-normal variates: here a gamma one of
 *   the same mean, sum share sqrt(2 v / pi), and variance, (1 - 2 / pi) sum share^2 v;
 *   sum share |m| = sum share sign(m) m <= sum share |d| - sum share sign(m) (d - m), whose last sum is normal.
 *
 * Both ends add the variance of the shares, (sum share d^2 - ece^2) / n, or that of `borderEffects` too. The standard error
 * holds bins and signs of gaps.
 */
export function calibrationError(
  gaps: readonly Gap[],
  { n, error, level, moving }: GapOptions,
  clustered: ClusteredGaps | null,
): Estimate {
  let [ece, mean, own, far, squares] = [0, 0, 0, 0, 0];
  for (const { share, gap, variance, farVariance } of gaps) {
    ece += share * Math.abs(gap);
    mean += share * Math.sqrt((2 * farVariance) / Math.PI);
    own += share ** 2 * variance;
    far += share ** 2 * farVariance;
    squares += share * gap ** 2;
  }
  if (n < 2 || (clustered !== null && clustered.clusters.count < 2)) return bareEstimate(ece);
  const effects = moving ? borderEffects(gaps) : gaps.map(() => 0);
  const shares = Math.max(squares - ece ** 2, movingVariance(gaps, effects), 0) / n;
  let [signed, common, shown, half] = [own + shares, far, error, normalWidth(level)];
  if (clustered !== null) {
    const { clusters } = clustered;
    const sizes = sizesOf(clusters);
    const student = halfWidthOfT(level, degreesOf(sizes));
    const variance = (terms: Float64Array, centre: number): number =>
      (clusteredError(
        terms.map((term) => (term - centre) / n),
        clusters,
        sizes,
      ) as number) ** 2;
    const own1 = variance(clustered.signed, ece);
    const moved = movedTerms(clustered, gaps, effects);
    const mean1 = clustered.plain.reduce((sum, term) => sum + term, 0) / n;
    // Errors of gaps that share clusters rise and fall together: at most as those of the plain sum do.
    signed = Math.max(signed, own1, variance(moved.terms, moved.mean));
    common = Math.max(common, variance(clustered.plain, mean1) * (student / half) ** 2);
    [shown, half] = [Math.sqrt(own1), student];
  }
  const spread = (1 - 2 / Math.PI) * common;
  const excess = spread > 0 ? mean * (quantileOfMeanSquare((1 + level) / 2, (2 * mean ** 2) / spread) - 1) : 0;
  const down = mean + Math.sqrt(excess ** 2 + half ** 2 * shares);
  return {
    value: ece,
    error: shown,
    lower: Math.max(0, ece - down),
    upper: Math.min(1, ece + half * Math.sqrt(signed)),
    interval: clustered === null ? "conservative" : "clustered conservative",
    reason: null,
  };
}

/**
 * What a row does to the sum by moving the borders of equal-mass bins, a bin: one more row below a border moves it down, past
 * rows that then count with the sign of the bin above, so that of the sum over borders above the row of
 * (sign below - sign above) gap there. The gap at a border is taken for the greater one beside it.
 */
function borderEffects(gaps: readonly Gap[]): number[] {
  const effects = gaps.map(() => 0);
  for (let k = gaps.length - 2; k >= 0; k--) {
    const [below, above] = [gaps[k].gap, gaps[k + 1].gap];
    const atBorder = Math.abs(below) > Math.abs(above) ? below : above;
    effects[k] = effects[k + 1] + (Math.sign(below) - Math.sign(above)) * atBorder;
  }
  return effects;
}

/** Variance over rows of what their bin and the borders that they move add to the sum. */
function movingVariance(gaps: readonly Gap[], effects: readonly number[]): number {
  let [mean, squares] = [0, 0];
  gaps.forEach(({ share, gap }, k) => {
    const term = Math.abs(gap) - effects[k];
    mean += share * term;
    squares += share * term ** 2;
  });
  return squares - mean ** 2;
}

/** The same row by row, each with its own error. */
function movedTerms({ signed, binOf }: ClusteredGaps, gaps: readonly Gap[], effects: readonly number[]) {
  const effectOf = new Map(gaps.map(({ bin }, k) => [bin, effects[k]]));
  const terms = signed.map((term, i) => term - (effectOf.get(binOf[i]) as number));
  return { terms, mean: terms.reduce((sum, term) => sum + term, 0) / terms.length };
}
