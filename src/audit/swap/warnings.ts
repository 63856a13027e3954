import type { Clusters } from "../cluster.js";

/** Below so many clusters sandwich errors are rough. */
const fewClusters = 20;
/** Below so many, no p of all their signs is below 0.01. */
const tooFewToTell = 8;

/** What few clusters mean for intervals and tests. */
export function clusterWarnings(clusters: Clusters | null): string[] {
  if (clusters === null || clusters.count >= fewClusters) return [];
  const { count } = clusters;
  if (count < 2) return ["all pairs are of one cluster: nothing tells their errors, so that there are no intervals"];
  const least = count < tooFewToTell ? `, and no test of all their signs has a p below ${2 / 2 ** count}` : "";
  return [`intervals of ${count} clusters are rough${least}`];
}
