import { type Clusters, effectiveClusters, sizesOf } from "../cluster.js";
import { streamOf } from "../streams.js";
import type { ClusterStatistics } from "./cluster-tests.js";
import { logistic } from "./maps.js";
import { residualAt } from "./score.js";
import { simulatedP } from "./stopping.js";

/** Outcomes that a test may draw, and how many sets of them at least and at most. */
const budget = 5e6;
const [fewest, most] = [999, 9999];
/** More rows take too long to draw again: seconds. */
const mostRows = 30_000;

/**
 * p-values of cluster statistics where each outcome is 1 with the probability of its confidence, and outcomes of a cluster
 * are alike as far as those seen are. A row takes its cluster's uniform number with probability sqrt(share) and one of its
 * own otherwise, and is 1 where that is below its confidence: two rows then have a covariance of share (min(f, g) - f g),
 * which tells the share from the residuals' products. A p is the greater one of the share seen and of the greatest one that
 * the clusters may hide. The statistics allow for the errors of clusters whatever these are; this only finds how few and how
 * skewed ones are distributed.
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
  const [up, down] = [0, 1].map((y) => logits.map((logit) => residualAt(logit, 1 - y)));
  const stream = streamOf("clusteredScores", seed);
  const common = new Float64Array(clusters.count);
  const drawn = new Float64Array(n);
  const far = (statistic: number | null): number => Math.abs(statistic ?? Infinity) * (1 + 1e-9) + 1e-12;
  const sets = Math.round(Math.min(most, Math.max(fewest, budget / n)));
  const [seen, greater] = sharesOf(confidence, residuals, clusters).map((share) => {
    const alike = Math.sqrt(share);
    return simulatedP(sets, 3, () => {
      for (let g = 0; g < common.length; g++) common[g] = stream.uniform();
      for (let i = 0; i < n; i++) {
        const shared = alike > 0 && stream.uniform() < alike;
        const uniform = shared ? common[clusters.of[i]] : stream.uniform();
        drawn[i] = uniform < confidence[i] ? up[i] : down[i];
      }
      const own = statistics(drawn);
      // One that clusters are too alike for counts as far.
      return (["joint", "intercept", "slope"] as const).map((name) => far(own[name]) >= Math.abs(found[name] ?? 0));
    });
  });
  const [joint, intercept, slope] = seen.map((p, k) => Math.max(p, greater[k]));
  return { joint, intercept, slope };
}

/**
 * From 0 to 1: products of residuals of pairs of rows of a cluster, over what they would be on average were it 1; and the
 * greatest that the clusters may hide. They tell it roughly, to within the standard error of an intraclass correlation of
 * like clusters (Fisher 1925, "Statistical Methods for Research Workers", section 39), of which there are two, and of
 * confidences near 0 and 1 not at all until a cluster goes against them: so one more that does so is counted.
 */
function sharesOf(confidence: Float64Array, residuals: Float64Array, clusters: Clusters): readonly [number, number] {
  const { of, count } = clusters;
  // Pairs of a cluster from its rows by ascending confidence: min(f, g) is that of the one before.
  const order = Uint32Array.from(confidence.keys()).sort((i, j) => confidence[i] - confidence[j]);
  const [sums, seen] = [new Float64Array(count), new Float64Array(count)];
  let [products, greatest, against, spread] = [0, 0, 0, 0];
  for (const i of order) {
    const [f, g] = [confidence[i], of[i]];
    products += sums[g] * residuals[i];
    greatest += seen[g] * (1 - f);
    sums[g] += residuals[i];
    seen[g] += f;
    against += Math.max(f, 1 - f) ** 2 / confidence.length;
    spread += (f * (1 - f)) / confidence.length;
  }
  if (!(greatest > 0)) return [0, 0];
  const within = (share: number): number => Math.min(1, Math.max(0, share));
  const share = within(products / greatest);
  const effective = effectiveClusters(sizesOf(clusters));
  const size = confidence.length / effective;
  const pairs = (size * (size - 1)) / 2;
  const error = (1 - share) * (1 + (size - 1) * share) * Math.sqrt(1 / (pairs * Math.max(1, effective - 1)));
  const withOneMore = (Math.max(0, products) + pairs * against) / (greatest + pairs * spread);
  return [share, within(Math.max(share + 2 * error, withOneMore))];
}
