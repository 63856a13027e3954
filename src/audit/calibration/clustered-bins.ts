import { type Clusters, clusteredShare, degreesOf, errorOfSums, sizesOf } from "../cluster.js";
import { halfWidthOfT } from "../distributions.js";
import { normalWidth } from "../estimate.js";
import type { ClusteredGaps } from "./gaps.js";

/** Of a bin whose rows come in clusters; null where they are all of one. */
export interface ClusteredBin {
  /** Ends of the interval of the outcomes' frequency. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Of the mean of f - y. */
  readonly gapVariance: number | null;
  /** The same, as large as few clusters may hide: of a normal error that strays as far as Student's, and as the frequency's. */
  readonly farVariance: number | null;
}

interface Rows {
  readonly confidence: Float64Array;
  readonly outcome: Uint8Array;
  readonly binOf: Uint32Array;
}

/** Each bin's frequency and gap with errors of whole clusters, in time proportional to the rows. */
export function clusteredBins(
  { confidence, outcome, binOf }: Rows,
  clusters: Clusters,
  count: number,
  level: number,
): ClusteredGaps & { readonly bins: readonly ClusteredBin[] } {
  const n = binOf.length;
  const plain = new Float64Array(n);
  const gap = new Float64Array(count);
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < n; i++) {
    plain[i] = confidence[i] - outcome[i];
    gap[binOf[i]] += plain[i];
    starts[binOf[i] + 1]++;
  }
  for (let bin = 0; bin < count; bin++) starts[bin + 1] += starts[bin];
  const next = starts.slice();
  const order = new Uint32Array(n);
  const signed = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    order[next[binOf[i]]++] = i;
    signed[i] = Math.sign(gap[binOf[i]]) * plain[i];
  }
  // The clusters of a bin, counted anew from 0; those of the bins before are told by their bin.
  const [lastBin, number] = [new Int32Array(clusters.count).fill(-1), new Int32Array(clusters.count)];
  const bins = Array.from({ length: count }, (_, bin): ClusteredBin => {
    const [start, end] = [starts[bin], starts[bin + 1]];
    const rows = end - start;
    const of = new Int32Array(rows);
    let [own, positives] = [0, 0];
    for (let k = start; k < end; k++) {
      const cluster = clusters.of[order[k]];
      if (lastBin[cluster] !== bin) [lastBin[cluster], number[cluster]] = [bin, own++];
      of[k - start] = number[cluster];
      positives += outcome[order[k]];
    }
    if (own < 2) return { lower: null, upper: null, gapVariance: null, farVariance: null };
    const [frequency, centre] = [positives / rows, gap[bin] / rows];
    const sums = new Float64Array(own);
    const influence = new Float64Array(rows);
    for (let k = 0; k < rows; k++) {
      const i = order[start + k];
      influence[k] = (outcome[i] - frequency) / rows;
      sums[of[k]] += (plain[i] - centre) / rows;
    }
    const together = { of, count: own };
    const sizes = sizesOf(together);
    const { lower, upper } = clusteredShare(frequency, influence, together, level, sizes);
    const gapVariance = (errorOfSums(sums, sizes) as number) ** 2;
    // A bin whose few clusters nearly all agree doesn't show how alike their rows are, which the frequency's interval allows for.
    const far = Math.max(frequency - Number(lower), Number(upper) - frequency) / normalWidth(level);
    const student = halfWidthOfT(level, degreesOf(sizes)) / normalWidth(level);
    return { lower, upper, gapVariance, farVariance: Math.max(gapVariance * student ** 2, far ** 2) };
  });
  return { clusters, signed, plain, binOf, bins };
}
