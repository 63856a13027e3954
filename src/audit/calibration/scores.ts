import { type Clusters, clusterSums, degreesOf, effectiveClusters, errorOfSums, sizesOf } from "../cluster.js";
import { halfWidthOfT } from "../distributions.js";
import { bareEstimate, type Estimate, undefinedEstimate } from "../estimate.js";

/*
 * Mean scores of confidences against outcomes, each with its standard error.
 */

/** In intervals alone, so near to 0 and 1 are confidences whose outcome is taken for the other one. */
const nearest = 1e-6;

/** What a row scores. @param f its confidence */
type Term = (f: number, outcome: number) => number;

/** Mean of (f - y)^2 (Brier 1950, "Verification of forecasts expressed in terms of probability", Monthly Weather Review). */
export const brierScore = (
  confidence: Float64Array,
  outcome: Uint8Array,
  level: number,
  clusters: Clusters | null,
): Estimate => meanScore(confidence, outcome, (f, y) => (f - y) ** 2, { level, clusters, most: 1 });

/**
 * Mean of -log(f) where the outcome is 1 and -log(1 - f) where it is 0 (Good 1952, "Rational decisions", J. Royal
 * Statistical Society B 14, 107-114). Infinite, hence null, where a row is certain and wrong.
 * @param clip confidences are first moved into [clip, 1 - clip]; 0: not at all
 */
export function logLoss(
  confidence: Float64Array,
  outcome: Uint8Array,
  clip: number,
  level: number,
  clusters: Clusters | null,
): Estimate {
  const held = (f: number): number => Math.min(1 - clip, Math.max(clip, f));
  let infinite = 0;
  for (let i = 0; i < confidence.length; i++) if (held(confidence[i]) === 1 - outcome[i]) infinite++;
  if (infinite > 0) {
    return undefinedEstimate("infinite", `${infinite} of ${confidence.length} rows are certain and wrong`);
  }
  const term: Term = (f, y) => (y === 1 ? -Math.log(held(f)) : -Math.log1p(-held(f)));
  return meanScore(confidence, outcome, term, { level, clusters, most: Infinity });
}

/**
 * Mean of the rows' terms with the standard error of a mean, or of clusters' sums. Terms are skewed where a judge is rarely
 * wrong, and few rows may show none that is wrong at all. So the interval is Student's after Hall's transformation, which
 * takes skewness out (Hall 1992, "On the removal of skewness by transformation", J. Royal Statistical Society B 54,
 * 221-228), and holds also that of these rows and one more that scores what rows do on average under the other outcome.
 */
function meanScore(
  confidence: Float64Array,
  outcome: Uint8Array,
  term: Term,
  { level, clusters, most }: { level: number; clusters: Clusters | null; most: number },
): Estimate {
  const n = confidence.length;
  const first = term(confidence[0], outcome[0]);
  const offsets = new Float64Array(n);
  let [sum, other] = [0, 0];
  for (let i = 0; i < n; i++) {
    const f = confidence[i];
    offsets[i] = term(f, outcome[i]) - first;
    sum += offsets[i];
    other += term(Math.min(1 - nearest, Math.max(nearest, f)), 1 - outcome[i]);
  }
  const value = first + sum / n;
  const sizes = clusters === null ? new Float64Array(n).fill(1) : sizesOf(clusters);
  const sums = clusters === null ? offsets : clusterSums(offsets, clusters);
  for (let g = 0; g < sums.length; g++) sums[g] -= sizes[g] * (sum / n);
  if (sums.length < 2) return bareEstimate(value);
  const half = halfWidthOfT(level, degreesOf(sizes));
  const more = n / effectiveClusters(sizes);
  const ends = [endsOfSkewed(sums, sizes, half), endsWithOneMore(sums, sizes, more, other / n - value, half)];
  return {
    value,
    error: (errorOfSums(sums, sizes) as number) / n,
    lower: Math.max(0, value + Math.min(0, ...ends.map(([lower]) => lower))),
    upper: Math.min(most, value + Math.max(0, ...ends.map(([, upper]) => upper))),
    interval: clusters === null ? "skewness-corrected t" : "clustered skewness-corrected t",
    reason: null,
  };
}

/**
 * Ends of the interval for a mean of rows about their own mean, by the inverse of Hall's cubic transformation.
 * @param sums of each cluster's deviations, or each row's @param sizes rows of each @param half Student's quantile
 */
function endsOfSkewed(sums: Float64Array, sizes: Float64Array, half: number): [lower: number, upper: number] {
  let [n, squares, cubes] = [0, 0, 0];
  for (let g = 0; g < sums.length; g++) {
    n += sizes[g];
    squares += sums[g] ** 2;
    cubes += sums[g] ** 3;
  }
  // Neither 0 nor a square that underflows has a skewness.
  if (!(squares > 1e-200)) return [0, 0];
  const error = (errorOfSums(sums, sizes) as number) / n;
  const third = cubes / squares ** 1.5 / 3;
  const inverse = (x: number): number =>
    Math.abs(third) < 1e-9 ? x : (Math.cbrt(1 + 3 * third * (x - third / 2)) - 1) / third;
  return [-inverse(half) * error, -inverse(-half) * error];
}

/** The same with one more cluster. @param size its rows @param deviation of their mean */
function endsWithOneMore(
  sums: Float64Array,
  sizes: Float64Array,
  size: number,
  deviation: number,
  half: number,
): [lower: number, upper: number] {
  const n = sizes.reduce((sum, own) => sum + own, 0);
  const shift = (size * deviation) / (n + size);
  const [allSums, allSizes] = [new Float64Array(sums.length + 1), new Float64Array(sizes.length + 1)];
  for (let g = 0; g < sums.length; g++) [allSums[g], allSizes[g]] = [sums[g] - sizes[g] * shift, sizes[g]];
  [allSums[sums.length], allSizes[sums.length]] = [size * (deviation - shift), size];
  const [lower, upper] = endsOfSkewed(allSums, allSizes, half);
  return [lower + shift, upper + shift];
}
