import { STREAM_LATENT } from "../../generated/layout.js";
import { Stream } from "../../random/stream.js";

interface Rows {
  readonly outcome: Uint8Array;
  readonly group: ArrayLike<number> | null;
}

/**
 * The fold of each row, from 0, by a stream of the seed: rows are shuffled within each outcome and dealt in turn, so that
 * folds hold alike shares of both (stratified: Kohavi 1995, "A study of cross-validation and bootstrap for accuracy
 * estimation and model selection", IJCAI). With groups, groups are shuffled and dealt whole. In words: why there are none.
 */
export function foldsOf({ outcome, group }: Rows, wanted: number, seed: number): Uint8Array | string {
  const stream = new Stream(seed, 0, STREAM_LATENT);
  return group === null ? byOutcome(outcome, wanted, stream) : byGroup(outcome, group, wanted, stream);
}

function byOutcome(outcome: Uint8Array, wanted: number, stream: Stream): Uint8Array | string {
  const positives = outcome.reduce((sum, y) => sum + y, 0);
  const rarer = Math.min(positives, outcome.length - positives);
  const count = Math.min(wanted, rarer);
  if (count < 2) return `the rarer outcome has ${rarer} row${rarer === 1 ? "" : "s"}: cross-validation needs 2`;
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

function byGroup(outcome: Uint8Array, group: ArrayLike<number>, wanted: number, stream: Stream): Uint8Array | string {
  const numbers = new Map<number, number>();
  const own = Uint32Array.from(group, (name) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  });
  const count = Math.min(wanted, numbers.size);
  if (count < 2) return "all rows are of one group: cross-validation needs 2";
  const order = Uint32Array.from({ length: numbers.size }, (_, i) => i);
  shuffle(order, stream);
  const foldOfGroup = new Uint8Array(numbers.size);
  order.forEach((g, k) => {
    foldOfGroup[g] = k % count;
  });
  return Uint8Array.from(outcome, (_, i) => foldOfGroup[own[i]]);
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
