import { usageError } from "../errors.js";

/** One of `count` parts of an experiment's replicates, numbered from 0. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads `0/4`. @throws RatError (usage) */
export function parseShard(text: string): Shard {
  const match = /^(\d+)\/(\d+)$/.exec(text.trim());
  const [index, count] = match === null ? [0, 0] : [Number(match[1]), Number(match[2])];
  if (count < 1 || index >= count) {
    throw usageError(`--shard must be i/n with i from 0 to n - 1, as in 0/4, not ${JSON.stringify(text)}`);
  }
  return { index, count };
}

/** The replicates of a shard, [first, end): shards are contiguous, and together they are all replicates. */
export function shardReplicates({ index, count }: Shard, replicates: number): { first: number; end: number } {
  return { first: Math.floor((index * replicates) / count), end: Math.floor(((index + 1) * replicates) / count) };
}

export const wholeShard: Shard = { index: 0, count: 1 };
