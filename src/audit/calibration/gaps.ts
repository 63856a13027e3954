import { type Clusters, clusteredError } from "../cluster.js";
import { halfWidthOfT, quantileOfMeanSquare } from "../distributions.js";
import { bareEstimate, type Estimate, normalWidth } from "../estimate.js";

/** The gap of a bin: mean of its confidences less the frequency of its outcomes. */
export interface Gap {
  /** Share of all rows. */
  readonly share: number;
  readonly gap: number;
  /** Of the gap's own error. */
  readonly variance: number;
}

/** What the rows of clusters do to the sums over bins. */
export interface ClusteredGaps {
  readonly clusters: Clusters;
  /** Sign of its bin's gap times (f - y), a row. */
  readonly signed: Float64Array;
  /** f - y, a row. */
  readonly plain: Float64Array;
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
 * Both ends add the variance of the shares, (sum share d^2 - ece^2) / n. The standard error holds bins and signs of gaps.
 */
export function calibrationError(
  gaps: readonly Gap[],
  n: number,
  error: number,
  level: number,
  clustered: ClusteredGaps | null,
): Estimate {
  let [ece, mean, own, squares] = [0, 0, 0, 0];
  for (const { share, gap, variance } of gaps) {
    ece += share * Math.abs(gap);
    mean += share * Math.sqrt((2 * variance) / Math.PI);
    own += share ** 2 * variance;
    squares += share * gap ** 2;
  }
  if (n < 2 || (clustered !== null && clustered.clusters.count < 2)) return bareEstimate(ece);
  const shares = Math.max(0, squares - ece ** 2) / n;
  let [signed, common, shown, half] = [own + shares, own, error, normalWidth(level)];
  if (clustered !== null) {
    const { clusters } = clustered;
    const variance = (terms: Float64Array, centre: number): number =>
      (clusteredError(
        terms.map((term) => (term - centre) / n),
        clusters,
      ) as number) ** 2;
    const own1 = variance(clustered.signed, ece);
    const mean1 = clustered.plain.reduce((sum, term) => sum + term, 0) / n;
    // Errors of gaps that share clusters rise and fall together: at most as those of the plain sum do.
    [signed, common] = [Math.max(signed, own1), Math.max(common, variance(clustered.plain, mean1))];
    [shown, half] = [Math.sqrt(own1), halfWidthOfT(level, clusters.count - 1)];
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
