import { usageError } from "../errors.js";
import { isObject, show } from "../values.js";

/** One of `count` parts of an experiment's replicates, numbered from 0. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads `0/4`. @throws RatError (usage) */
export function parseShard(text: string): Shard {
  const match = /^(\d+)\/(\d+)$/.exec(text.trim());
  const shard = match === null ? null : { index: Number(match[1]), count: Number(match[2]) };
  if (!isShard(shard)) throw usageError(`--shard must be i/n with i from 0 to n - 1, as in 0/4, not ${show(text)}`);
  return shard;
}

/** @throws RatError (usage) */
export function checkShard(value: unknown): asserts value is Shard {
  if (isShard(value)) return;
  throw usageError(`shard must be { index, count } with index from 0 to count - 1, not ${show(value)}`);
}

const isShard = (value: unknown): value is Shard =>
  isObject(value) &&
  Number.isSafeInteger(value.index) &&
  Number.isSafeInteger(value.count) &&
  (value.index as number) >= 0 &&
  (value.index as number) < (value.count as number);

export const shardName = ({ index, count }: Shard): string => `${index}/${count}`;

/** The replicates of a shard, [first, end): shards are contiguous, and together they are all replicates. */
export function shardReplicates({ index, count }: Shard, replicates: number): { first: number; end: number } {
  return { first: Math.floor((index * replicates) / count), end: Math.floor(((index + 1) * replicates) / count) };
}

export const wholeShard: Shard = { index: 0, count: 1 };
