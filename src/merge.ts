import type { Sweep } from "./documents.js";
import { dataError, usageError } from "./errors.js";
import { checkedRows, type Row } from "./experiments/rows.js";
import { checkShard, type Shard, shardName, shardReplicates, wholeShard } from "./experiments/shard.js";
import { type SweepPlan, sweepOf, tableOf } from "./sweep.js";
import { check, fields, isAsyncIterable, list, number, show, text } from "./values.js";

/** A shard's part of a sweep: its plan, its rows replicate by replicate, and the seconds that it took. */
export interface SweepPart {
  readonly plan: SweepPlan;
  readonly rows: AsyncIterable<readonly Row[]>;
  readonly seconds: number;
  readonly workers: number | null;
  /** For messages. */
  readonly name?: string | undefined;
}

/**
 * The sweep of one source from all its shards, in any order: the same as if it had been run in one piece, but for the
 * seconds, which are added up.
 * @throws RatError (usage) for parts that are not the shards of one sweep, each once; (data) for rows that are not those of
 * a part's plan, or not all of them
 */
export async function mergeSweeps(parts: readonly SweepPart[]): Promise<Sweep> {
  const named = namedParts(parts);
  const ordered = inOrder(named);
  const [{ plan, workers }] = ordered;
  const table = tableOf(plan);
  for (const { plan: own, rows, name } of ordered) {
    let replicates = 0;
    for await (const replicate of checkedRows(rows, own, name)) {
      table.add(replicate);
      replicates++;
    }
    const expected = own.end - own.first;
    if (replicates < expected) {
      const message = `shard ${shardName(own.shard)} has ${replicates} of ${expected} replicates; --resume adds the others`;
      throw dataError(message, { file: name });
    }
  }
  const seconds = ordered.reduce((sum, part) => sum + part.seconds, 0);
  const same = ordered.every((part) => part.workers === workers);
  const refits = plan.replicates * plan.cells.length;
  const adapter = plan.adapter && [...new Set(ordered.map((part) => part.plan.adapter))].join("; ");
  return sweepOf({ ...wholePlan(plan), adapter }, table, { seconds, refits, workers: same ? workers : null });
}

/** The plan of the sweep that a shard is part of. */
export const wholePlan = (plan: SweepPlan): SweepPlan => ({
  ...plan,
  shard: wholeShard,
  ...shardReplicates(wholeShard, plan.replicates),
});

type NamedPart = SweepPart & { readonly name: string };

const partShape = fields(
  {
    plan: fields({
      cells: list(fields({ strategy: text, add: number }), "cells"),
      quantities: list(text, "names"),
      truth: list(() => null, "numbers"),
      replicates: number,
      first: number,
      end: number,
    }),
    rows: (value, place) => (isAsyncIterable(value) ? null : `${place} must be an async iterable, not ${show(value)}`),
    seconds: number,
  },
  { name: text },
);

function namedParts(parts: readonly SweepPart[]): NamedPart[] {
  check(list(partShape, "parts of a sweep"), parts, "parts");
  return parts.map((part, i) => ({ ...part, name: part.name ?? `parts[${i}]` }));
}

/** The one place that decides which parts make a sweep. @throws RatError (usage) */
function inOrder(parts: readonly NamedPart[]): NamedPart[] {
  if (parts.length === 0) throw usageError("there are no parts to merge");
  const [first] = parts;
  for (const part of parts) {
    checkShard(part.plan.shard);
    const difference = differenceOf(part.plan, first.plan);
    if (difference !== null) throw usageError(`${part.name} and ${first.name} are of different runs: ${difference}`);
  }
  const { replicates, shard } = first.plan;
  return Array.from({ length: shard.count }, (_, index) => partOf(parts, { index, count: shard.count }, replicates));
}

function partOf(parts: readonly NamedPart[], shard: Shard, replicates: number): NamedPart {
  const found = parts.filter(({ plan }) => plan.shard.index === shard.index);
  if (found.length === 0) throw usageError(`shard ${shardName(shard)} is missing`);
  if (found.length > 1) {
    throw usageError(`shard ${shardName(shard)} is there more than once: ${found.map(({ name }) => name).join(", ")}`);
  }
  const [{ plan, name }] = found;
  const { first, end } = shardReplicates(shard, replicates);
  if (plan.first !== first || plan.end !== end) {
    throw usageError(
      `${name}: shard ${shardName(shard)} of ${replicates} replicates is ${first} to ${end}, not ${plan.first} to ${plan.end}`,
    );
  }
  return found[0];
}

/** What two shards' plans may differ in; truth apart, since another machine may round it otherwise. */
const ownFields = ["shard", "first", "end", "adapter", "truth"];
const truthTolerance = 1e-9;

/** In what two plans are not those of one sweep, in words; null where they are. */
function differenceOf(one: SweepPlan, other: SweepPlan): string | null {
  if (one.shard.count !== other.shard.count) {
    return `one is shard ${shardName(one.shard)}, the other shard ${shardName(other.shard)}`;
  }
  const fieldsOf = ({ sampling, ...plan }: SweepPlan): Record<string, unknown> => ({ ...plan, ...sampling });
  const [a, b] = [fieldsOf(one), fieldsOf(other)];
  const name = [...new Set([...Object.keys(a), ...Object.keys(b)])].find(
    (field) => !ownFields.includes(field) && JSON.stringify(a[field]) !== JSON.stringify(b[field]),
  );
  if (name === "population") return "they were made from different records";
  if (name === undefined) return isSameTruth(one, other) ? null : "the truth differs, so their priors do";
  return `${name} is ${show(a[name])} in one and ${show(b[name])} in the other`;
}

const isSameTruth = ({ truth: a }: SweepPlan, { truth: b }: SweepPlan): boolean =>
  a.length === b.length &&
  a.every((value, q) => value === b[q] || Math.abs((value ?? Number.NaN) - (b[q] ?? Number.NaN)) <= truthTolerance);
