import { usageError } from "../errors.js";
import { show } from "../values.js";
import { type Budget, budgetUnits } from "./budget.js";
import { defaultStrategies, type Purchase, parseStrategies } from "./purchase.js";
import { checkShard, type Shard } from "./shard.js";

/** What callers may say about an allocation experiment; everything has a default. */
export interface DesignOptions {
  /** Fully labelled records that every refit starts from. Default 100. */
  base?: number | undefined;
  /** Numbers of additional records. Default 60, 100, 200, 500. */
  add?: readonly number[] | undefined;
  /** As on the command line: names and definitions, separated by commas. */
  strategies?: string | undefined;
  /** What `add` counts: records, the default, or labels, of which a record with R and T costs two. */
  budget?: Budget["unit"] | undefined;
  /** Buy another label instead of one that is known already, such as T of an abstention. Default false. */
  skipImplied?: boolean | undefined;
  /** Default 500. */
  replicates?: number | undefined;
  /** Only a part of the replicates; `mergeSweeps` puts the parts together. All parts need the same seed. */
  shard?: Shard | undefined;
}

/** The options with their defaults. */
export interface ReadDesign {
  readonly base: number;
  readonly adds: readonly number[];
  readonly budget: Budget;
  readonly replicates: number;
  readonly purchases: readonly Purchase[];
}

/** @throws RatError (usage) */
export function readDesign(options: DesignOptions & { readonly seed?: number | undefined }): ReadDesign {
  const base = options.base ?? 100;
  const adds = options.add ?? [60, 100, 200, 500];
  const replicates = options.replicates ?? 500;
  if (options.shard !== undefined) {
    checkShard(options.shard);
    if (options.shard.count > 1 && options.seed === undefined) {
      throw usageError("--shard needs --seed, the same for every shard: shards of different seeds can't be merged");
    }
  }
  whole("--base", base, 0);
  for (const add of adds) whole("--add", add, 0);
  whole("--replicates", replicates, 1);
  const unit = options.budget ?? "records";
  if (!budgetUnits.includes(unit)) {
    throw usageError(`--budget must be one of ${budgetUnits.join(", ")}, not ${show(unit)}`);
  }
  const budget: Budget = { unit, skipImplied: options.skipImplied ?? false };
  return { base, adds, budget, replicates, purchases: parseStrategies(options.strategies ?? defaultStrategies) };
}

function whole(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw usageError(`${name} must be a whole number of at least ${least}, not ${value}`);
}
