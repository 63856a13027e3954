import { Variates } from "../random/variates.js";
import { quantileOfSorted } from "../statistics/index.js";
import { streamOf } from "./streams.js";

export interface BootstrapOptions {
  readonly seed: number;
  /** Which bootstrap of this seed; those of different ids are independent. Below 2^24. */
  readonly id: number;
  readonly replicates: number;
  /** Probability inside the interval. */
  readonly level: number;
}

export interface Bootstrap {
  /** Standard deviation of the replicates. */
  readonly error: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** Replicates that had a value. */
  readonly used: number;
}

/**
 * Percentile interval of a statistic of whole clusters, drawn with replacement (Efron and Tibshirani 1993, "An Introduction
 * to the Bootstrap", chapters 8 and 13). Clusters that are alike are given once, with how often they occur: a replicate
 * costs as much as there are different ones.
 *
 * @param counts how often each sort of cluster occurs
 * @param statistic of such counts, whole again; null where it is undefined
 */
export function clusterBootstrap(
  counts: ArrayLike<number>,
  statistic: (counts: Float64Array) => number | null,
  { seed, id, replicates, level }: BootstrapOptions,
): Bootstrap {
  const variates = new Variates(streamOf("bootstrap", seed, id));
  const resample = resampler(counts, variates);
  const values: number[] = [];
  for (let i = 0; i < replicates; i++) {
    const value = statistic(resample());
    if (value !== null && Number.isFinite(value)) values.push(value);
  }
  if (values.length < 2) return { error: null, lower: null, upper: null, used: values.length };
  const sorted = Float64Array.from(values).sort();
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    error: Math.sqrt(squares / (sorted.length - 1)),
    lower: quantileOfSorted(sorted, (1 - level) / 2),
    upper: quantileOfSorted(sorted, (1 + level) / 2),
    used: sorted.length,
  };
}

/** As many clusters as there are, drawn with replacement: a multinomial. What it returns is overwritten by the next. */
export function resampler(counts: ArrayLike<number>, variates: Variates): () => Float64Array {
  const total = Array.from(counts).reduce((sum, n) => sum + n, 0);
  const drawn = new Float64Array(counts.length);
  return () => {
    let [left, rest] = [total, total];
    for (let i = 0; i < counts.length; i++) {
      // Given what the ones before took: rest are the clusters of this sort and those after it.
      drawn[i] = left === 0 || counts[i] === 0 ? 0 : variates.binomial(left, counts[i] / rest);
      left -= drawn[i];
      rest -= counts[i];
    }
    return drawn;
  };
}
