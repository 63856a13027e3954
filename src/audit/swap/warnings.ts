import { type Clusters, clusterWarnings } from "../cluster.js";

/** Below so many, no p of all their signs is below 0.01. */
const tooFewToTell = 8;

/** What few clusters mean for intervals and tests. */
export function swapWarnings(clusters: Clusters | null): string[] {
  const count = clusters?.count ?? null;
  const said = clusterWarnings(count, "pairs");
  if (count === null || count < 2 || count >= tooFewToTell) return said;
  return said.map((warning) => `${warning}, and no test of all their signs has a p below ${2 / 2 ** count}`);
}
