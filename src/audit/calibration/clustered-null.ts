import type { Clusters } from "../cluster.js";
import { streamOf } from "../streams.js";
import type { ClusterStatistics } from "./cluster-tests.js";
import { logistic } from "./maps.js";
import { residualAt } from "./score.js";

/** Outcomes that a test may draw, and how many sets of them at least and at most. */
const budget = 1e7;
const [fewest, most] = [999, 9999];
/** More rows take too long to draw again: seconds. */
const mostRows = 30_000;
/** So many sets as far from 0 are enough. */
const enough = 400;

/**
 * p-values of cluster statistics where each outcome is 1 with the probability of its confidence, and outcomes of a cluster
 * are alike as far as those seen are. A row takes its cluster's uniform number with probability sqrt(share) and one of its
 * own otherwise, and is 1 where that is below its confidence: two rows then have a covariance of share (min(f, g) - f g),
 * which tells the share from the residuals' products. The statistics allow for the errors of clusters whatever these are;
 * this only finds how few and how skewed ones are distributed.
 * @returns null where there are too many rows to draw again
 */
export function clusteredNull(
  logits: Float64Array,
  residuals: Float64Array,
  clusters: Clusters,
  statistics: (residuals: Float64Array) => ClusterStatistics,
  found: ClusterStatistics,
  seed: number,
) {
  const n = logits.length;
  if (n > mostRows || clusters.count < 2) return null;
  const confidence = logits.map(logistic);
  const alike = Math.sqrt(shareOf(confidence, residuals, clusters));
  const [up, down] = [0, 1].map((y) => logits.map((logit) => residualAt(logit, 1 - y)));
  const stream = streamOf("clusteredScores", seed);
  const common = new Float64Array(clusters.count);
  const drawn = new Float64Array(n);
  const far = (statistic: number | null): number => Math.abs(statistic ?? Infinity) * (1 + 1e-9) + 1e-12;
  const reached = { joint: 0, intercept: 0, slope: 0 };
  const main = found.joint === null ? "intercept" : "joint";
  const sets = Math.round(Math.min(most, Math.max(fewest, budget / n)));
  let set = 0;
  for (; set < sets && reached[main] < enough; set++) {
    for (let g = 0; g < common.length; g++) common[g] = stream.uniform();
    for (let i = 0; i < n; i++) {
      const shared = alike > 0 && stream.uniform() < alike;
      const uniform = shared ? common[clusters.of[i]] : stream.uniform();
      drawn[i] = uniform < confidence[i] ? up[i] : down[i];
    }
    const own = statistics(drawn);
    for (const name of ["joint", "intercept", "slope"] as const) {
      // One that clusters are too alike for counts as far.
      if (far(own[name]) >= Math.abs(found[name] ?? 0)) reached[name]++;
    }
  }
  const p = (name: keyof typeof reached): number =>
    name === main && reached[name] >= enough ? enough / set : (1 + reached[name]) / (1 + set);
  return { joint: p("joint"), intercept: p("intercept"), slope: p("slope") };
}

/** From 0 to 1: products of residuals of pairs of rows of a cluster, over what they would be on average were it 1. */
function shareOf(confidence: Float64Array, residuals: Float64Array, { of, count }: Clusters): number {
  // Pairs of a cluster from its rows by ascending confidence: min(f, g) is that of the one before.
  const order = Uint32Array.from(confidence.keys()).sort((i, j) => confidence[i] - confidence[j]);
  const [sums, seen] = [new Float64Array(count), new Float64Array(count)];
  let [products, greatest] = [0, 0];
  for (const i of order) {
    const g = of[i];
    products += sums[g] * residuals[i];
    greatest += seen[g] * (1 - confidence[i]);
    sums[g] += residuals[i];
    seen[g] += confidence[i];
  }
  return greatest > 0 ? Math.min(1, Math.max(0, products / greatest)) : 0;
}
