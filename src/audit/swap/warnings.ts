import { type Clusters, clusterWarnings, sizesOf } from "../cluster.js";
import type { Estimate } from "../estimate.js";

/** Below so many pairs, or clusters, no p of all their signs is below 0.01, so that none raises an alarm. */
export const tooFewToTell = 8;

/**
 * What a reader has to know of intervals and tests, in sentences.
 * @param complete pairs with both verdicts, or scores @param what they have both of @param clusters of these pairs
 * @param means what must say why it has no interval, by its name
 */
export function swapWarnings(
  complete: number,
  what: string,
  clusters: Clusters | null,
  means: Readonly<Record<string, Estimate>> = {},
): string[] {
  if (complete === 0) return [`no pair has both ${what}: nothing could be tested`];
  if (clusters !== null && clusters.count < 2) return ofClusters(clusters);
  const bare = Object.keys(means).filter((name) => means[name].lower === null);
  if (bare.length > 0 && complete === 1)
    return [...ofClusters(clusters), "one pair tells no error: there are no intervals"];
  const rows = clusters === null ? "pairs" : "clusters";
  const few = clusters === null && what === "verdicts" && complete < tooFewToTell;
  return [
    ...ofClusters(clusters),
    ...(few ? [`no test of so few pairs has a p below ${2 / 2 ** complete}`] : []),
    ...bare.map((name) => `${name} is the same in all ${rows}: nothing tells its error, so that it has no interval`),
  ];
}

function ofClusters(clusters: Clusters | null): string[] {
  if (clusters === null) return [];
  const { count } = clusters;
  const said = clusterWarnings(sizesOf(clusters), "pairs");
  if (count < 2) return said.map((warning) => `${warning}, and nothing could be tested`);
  if (count >= tooFewToTell) return said;
  return said.map((warning) => `${warning}, and no test of all their signs has a p below ${2 / 2 ** count}`);
}
