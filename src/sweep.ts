import type { Sweep, SweepDocument } from "./documents.js";
import { openEngine } from "./engines/choose.js";
import type { Engine, EngineName, SamplerOptions } from "./engines/engine.js";
import { usageError } from "./errors.js";
import { runAllocation } from "./experiments/allocation.js";
import { type Cell, type Design, makeDesign, populationCounts, populationOf } from "./experiments/design.js";
import { defaultStrategies, parseStrategies } from "./experiments/purchase.js";
import type { Row } from "./experiments/rows.js";
import { type Shard, shardReplicates, wholeShard } from "./experiments/shard.js";
import { SweepTable } from "./experiments/table.js";
import { compileOnce, type NetworkDefinition, type QuantityDefinition, rat } from "./network/index.js";
import { resolveSampling, type SamplingOptions, unusedOptions } from "./options.js";
import { checkSourceOptions, countSource, type Source, type SourceOptions } from "./source.js";
import { sweepWarnings } from "./warnings.js";

export interface SweepOptions extends SamplingOptions, Omit<SourceOptions, "by"> {
  network?: NetworkDefinition | undefined;
  priors?: Readonly<Record<string, readonly number[]>> | undefined;
  /** Default: P(G=1) and P(T=1). */
  quantities?: readonly QuantityDefinition[] | undefined;
  /** Fully labelled records that every refit starts from. Default 100. */
  base?: number | undefined;
  /** Numbers of additional records. Default 60, 100, 200, 500. */
  add?: readonly number[] | undefined;
  /** As on the command line: names and definitions, separated by commas. */
  strategies?: string | undefined;
  /** Default 500. */
  replicates?: number | undefined;
  /** Only a part of the replicates; `mergeSweeps` puts the parts together. */
  shard?: Shard | undefined;
  /** Rows of an earlier run of the same plan, replicate by replicate from its first: they are not run again. */
  finished?: ((plan: SweepPlan) => AsyncIterable<readonly Row[]>) | undefined;
  signal?: AbortSignal | undefined;
  /** Before the refits of a source. */
  onStart?: ((plan: SweepPlan) => void | Promise<void>) | undefined;
  onProgress?: ((finished: number) => void) | undefined;
  /** Rows of each replicate, in order; awaited, so that a slow disk slows the sweep down instead of filling memory. */
  onRows?: ((rows: readonly Row[]) => void | Promise<void>) | undefined;
  onSweep?: ((sweep: Sweep) => void | Promise<void>) | undefined;
  onNotice?: ((notice: string) => void) | undefined;
}

/** What one source's part of a run will do: enough to make its table from rows alone. */
export interface SweepPlan {
  readonly source: string;
  readonly network: string;
  readonly engine: EngineName;
  readonly adapter: string | null;
  readonly sampling: SamplerOptions;
  readonly base: number;
  readonly cells: readonly Cell[];
  readonly quantities: readonly string[];
  /** One number a quantity; null where there is none. */
  readonly truth: readonly (number | null)[];
  /** Replicates of this run, [first, end): all, or those of its shard. */
  readonly first: number;
  readonly end: number;
}

const defaultQuantities = ["P(G=1)", "P(T=1)"];

/**
 * The allocation experiment on each source: how well P(G=1) and P(T=1) are estimated from a base sample and additional
 * records whose labels are bought by each strategy.
 * @throws RatError
 */
export async function sweep(sources: readonly Source[], options: SweepOptions = {}): Promise<SweepDocument> {
  const sampling = resolveSampling("sweep", options);
  checkSourceOptions(sources, options);
  const { base, adds, replicates, purchases } = readDesign(options);
  const definition = options.network ?? rat;
  const quantities =
    options.quantities ?? defaultQuantities.flatMap((name) => definition.quantities.filter((q) => q.name === name));
  if (quantities.length === 0) {
    throw usageError(`network ${definition.name} has no ${defaultQuantities.join(" and no ")}: name the quantities`);
  }
  const network = compileOnce(definition, {
    ...(options.priors === undefined ? {} : { priors: options.priors }),
    quantities,
  });
  const choice = options.engine ?? "auto";
  const engine = await openEngine({ engine: choice, sampler: sampling.sampler, workers: options.workers });
  const unused = unusedOptions(engine.name, options);
  if (unused !== null) options.onNotice?.(unused);
  const sweeps: Sweep[] = [];
  try {
    // What is wrong with any source is told before the work on the first one begins.
    const designs: [string, Design][] = [];
    for (const source of sources) {
      const { name } = source;
      const records = await countSource(source, network, options);
      const { population, partial } = populationOf(network, records.counts);
      for (const notice of records.notices) options.onNotice?.(`${name}: ${notice}`);
      if (partial > 0) options.onNotice?.(`${name}: ${partial} records lack a label and are not sampled`);
      const { seed } = sampling;
      designs.push([name, makeDesign(network, population, { base, purchases, adds, seed, source: name })]);
    }
    for (const [name, design] of designs) {
      const result = await sweepOne(name, design, replicates, engine, sampling, options);
      sweeps.push(result);
      await options.onSweep?.(result);
    }
  } finally {
    await engine.dispose();
  }
  return { sweeps };
}

async function sweepOne(
  source: string,
  design: Design,
  replicates: number,
  engine: Engine,
  sampling: SamplerOptions,
  options: SweepOptions,
): Promise<Sweep> {
  const { network, base, cells } = design;
  const { posteriorMeans } = await import("./engines/exact/index.js");
  const truth = await posteriorMeans(network, populationCounts(network, design.population));
  const plan: SweepPlan = {
    source,
    network: network.name,
    engine: engine.name,
    adapter: engine.adapter,
    sampling,
    base,
    cells,
    quantities: network.quantities.map(({ name }) => name),
    truth: Array.from(truth, (value) => (Number.isFinite(value) ? value : null)),
    ...shardReplicates(options.shard ?? wholeShard, replicates),
  };
  await options.onStart?.(plan);
  await engine.prepare(network, sampling);
  const table = tableOf(plan);
  let first = plan.first;
  for await (const rows of options.finished?.(plan) ?? []) {
    table.add(rows);
    first++;
  }
  const before = (first - plan.first) * cells.length;
  const { signal } = options;
  const onProgress = (finished: number): void => options.onProgress?.(before + finished);
  onProgress(0);
  const begin = performance.now();
  for await (const rows of runAllocation(engine, design, { first, end: plan.end, sampling, signal, onProgress })) {
    table.add(rows);
    await options.onRows?.(rows);
  }
  const seconds = (performance.now() - begin) / 1000;
  const result = sweepOf(plan, table, { seconds, refits: (plan.end - first) * cells.length, workers: engine.workers });
  for (const warning of sweepWarnings(result.cells)) options.onNotice?.(`${source}: ${warning}`);
  return result;
}

const tableOf = ({ cells, base, quantities, truth }: SweepPlan): SweepTable =>
  new SweepTable(
    cells,
    base,
    quantities,
    truth.map((value) => value ?? Number.NaN),
  );

/** The document of a plan whose table is complete. @param work what was done in how long, for the rate */
function sweepOf(
  plan: SweepPlan,
  table: SweepTable,
  work: { seconds: number; refits: number; workers: number | null },
): Sweep {
  const { source, network, engine, adapter, sampling, quantities, truth, cells, first, end } = plan;
  return {
    source,
    network,
    engine,
    adapter,
    sampler: engine === "exact" ? null : sampling.sampler,
    seed: sampling.seed,
    truth: Object.fromEntries(quantities.map((name, q) => [name, truth[q]])),
    ...table.finish(),
    refits: (end - first) * cells.length,
    seconds: work.seconds,
    refitsPerSecond: work.seconds > 0 ? work.refits / work.seconds : null,
    workers: work.workers,
  };
}

/** A shard's part of a sweep: its plan, its rows replicate by replicate, and the seconds that it took. */
export interface SweepPart {
  readonly plan: SweepPlan;
  readonly rows: AsyncIterable<readonly Row[]>;
  readonly seconds: number;
  readonly workers: number | null;
}

/**
 * The sweep of one source from its shards, in the order of their replicates: the same as if it had been run in one piece,
 * but for the seconds, which are added up.
 */
export async function mergeSweeps(parts: readonly SweepPart[]): Promise<Sweep> {
  const [{ plan, workers }] = parts;
  const whole = { ...plan, end: parts[parts.length - 1].plan.end };
  const table = tableOf(plan);
  for (const part of parts) for await (const rows of part.rows) table.add(rows);
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  const refits = (whole.end - whole.first) * whole.cells.length;
  const same = parts.every((part) => part.workers === workers);
  return sweepOf(whole, table, { seconds, refits, workers: same ? workers : null });
}

function readDesign(options: SweepOptions) {
  const base = options.base ?? 100;
  const adds = options.add ?? [60, 100, 200, 500];
  const replicates = options.replicates ?? 500;
  const whole = (name: string, value: number, least: number): void => {
    if (!Number.isInteger(value) || value < least) {
      throw usageError(`${name} must be a whole number of at least ${least}, not ${value}`);
    }
  };
  whole("--base", base, 0);
  for (const add of adds) whole("--add", add, 0);
  whole("--replicates", replicates, 1);
  return { base, adds, replicates, purchases: parseStrategies(options.strategies ?? defaultStrategies) };
}
