import type { Sweep, SweepDocument } from "./documents.js";
import { openEngine } from "./engines/choose.js";
import type { Engine, SamplerOptions } from "./engines/engine.js";
import { usageError } from "./errors.js";
import { runAllocation } from "./experiments/allocation.js";
import { type Design, makeDesign, populationCounts, populationOf } from "./experiments/design.js";
import { defaultStrategies, parseStrategies } from "./experiments/purchase.js";
import type { Row } from "./experiments/rows.js";
import { SweepTable } from "./experiments/table.js";
import { compileOnce, type NetworkDefinition, type QuantityDefinition, rat } from "./network/index.js";
import { resolveSampling, type SamplingOptions } from "./options.js";
import { checkSourceOptions, countSource, type Source, type SourceOptions } from "./source.js";

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
  signal?: AbortSignal | undefined;
  /** Before the refits of a source. */
  onStart?: ((plan: SweepPlan) => void | Promise<void>) | undefined;
  onProgress?: ((finished: number) => void) | undefined;
  /** Rows of each replicate, in order; awaited, so that a slow disk slows the sweep down instead of filling memory. */
  onRows?: ((rows: readonly Row[]) => void | Promise<void>) | undefined;
  onSweep?: ((sweep: Sweep) => void | Promise<void>) | undefined;
  onNotice?: ((notice: string) => void) | undefined;
}

export interface SweepPlan {
  readonly source: string;
  readonly refits: number;
  readonly quantities: readonly string[];
  readonly sampling: SamplerOptions;
  readonly engine: string;
  readonly adapter: string | null;
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
  const network = compileOnce(definition, {
    ...(options.priors === undefined ? {} : { priors: options.priors }),
    quantities,
  });
  const choice = options.engine ?? "auto";
  const engine = await openEngine({ engine: choice, sampler: sampling.sampler, workers: options.workers });
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
  const { network } = design;
  const names = network.quantities.map(({ name }) => name);
  const { posteriorMeans } = await import("./engines/exact/index.js");
  const truth = await posteriorMeans(network, populationCounts(network, design.population));
  const refits = replicates * design.cells.length;
  await options.onStart?.({
    source,
    refits,
    quantities: names,
    sampling,
    engine: engine.name,
    adapter: engine.adapter,
  });
  await engine.prepare(network, sampling);
  const table = new SweepTable(design.cells, design.base, names, truth);
  const begin = performance.now();
  const { signal, onProgress } = options;
  for await (const rows of runAllocation(engine, design, { replicates, sampling, signal, onProgress })) {
    table.add(rows);
    await options.onRows?.(rows);
  }
  const seconds = (performance.now() - begin) / 1000;
  return {
    source,
    network: network.name,
    engine: engine.name,
    adapter: engine.adapter,
    sampler: engine.name === "exact" ? null : sampling.sampler,
    seed: sampling.seed,
    truth: Object.fromEntries(names.map((name, q) => [name, Number.isFinite(truth[q]) ? truth[q] : null])),
    ...table.finish(),
    refits,
    seconds,
    refitsPerSecond: seconds > 0 ? refits / seconds : null,
    workers: engine.workers,
  };
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
