import type { Stream } from "../../random/stream.js";
import type { Clusters } from "../cluster.js";
import { counted } from "../counted.js";
import { streamOf } from "../streams.js";

/**
 * The fold of each row, from 0, by a stream of the seed: rows are shuffled within each outcome and dealt in turn, so that
 * folds hold alike shares of both (stratified: Kohavi 1995, "A study of cross-validation and bootstrap for accuracy
 * estimation and model selection", IJCAI). Clusters are shuffled and dealt whole. In words: why there are none.
 */
export function foldsOf(
  outcome: Uint8Array,
  clusters: Clusters | null,
  wanted: number,
  seed: number,
): Uint8Array | string {
  const stream = streamOf("folds", seed);
  return clusters === null ? byOutcome(outcome, wanted, stream) : byCluster(clusters, wanted, stream);
}

function byOutcome(outcome: Uint8Array, wanted: number, stream: Stream): Uint8Array | string {
  let positives = 0;
  for (const y of outcome) positives += y;
  const rarer = Math.min(positives, outcome.length - positives);
  const count = Math.min(wanted, rarer);
  if (count < 2) return `the rarer outcome has ${counted(rarer, "row")}: cross-validation needs 2`;
  const folds = new Uint8Array(outcome.length);
  let next = 0;
  for (const y of [0, 1]) {
    const places = new Uint32Array(y === 1 ? positives : outcome.length - positives);
    for (let i = 0, k = 0; i < outcome.length; i++) if (outcome[i] === y) places[k++] = i;
    shuffle(places, stream);
    for (const i of places) folds[i] = next++ % count;
  }
  return folds;
}

function byCluster(clusters: Clusters, wanted: number, stream: Stream): Uint8Array | string {
  const count = Math.min(wanted, clusters.count);
  if (count < 2) return "all rows are of one cluster: cross-validation needs 2";
  const order = Uint32Array.from({ length: clusters.count }, (_, i) => i);
  shuffle(order, stream);
  const foldOfCluster = new Uint8Array(clusters.count);
  order.forEach((cluster, k) => {
    foldOfCluster[cluster] = k % count;
  });
  return Uint8Array.from(clusters.of, (cluster) => foldOfCluster[cluster]);
}

/** Fisher and Yates's. */
function shuffle(values: Uint32Array, stream: Stream): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = stream.integerBelow(i + 1);
    const value = values[i];
    values[i] = values[j];
    values[j] = value;
  }
}
