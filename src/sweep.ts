import type { JudgeModel, Sweep, SweepDocument } from "./documents.js";
import { openEngine } from "./engines/choose.js";
import type { Engine, EngineName, Fallback, SamplerOptions } from "./engines/engine.js";
import { usageError } from "./errors.js";
import { runAllocation } from "./experiments/allocation.js";
import { type Budget, impliedShareOf } from "./experiments/budget.js";
import { type Cell, type Design, makeDesign, populationCounts, populationOf } from "./experiments/design.js";
import { type DesignOptions, readDesign } from "./experiments/design-options.js";
import { checkedRows, type Row } from "./experiments/rows.js";
import { type Shard, shardReplicates, wholeShard } from "./experiments/shard.js";
import { SweepTable } from "./experiments/table.js";
import { heldNotice, type JudgeOptions, judgeModelOf, withJudgeOptions } from "./judge/rates.js";
import { checkDefinition } from "./network/check.js";
import {
  type CompiledNetwork,
  compileOnce,
  type NetworkDefinition,
  type PolicyOptions,
  policyOf,
  type QuantityDefinition,
  rat,
  withPolicyOptions,
} from "./network/index.js";
import { resolveEngine, resolveSampling, type SamplingOptions, unusedOptions } from "./options.js";
import { checkSources, countSource, type Source, type SourceOptions } from "./source.js";
import { abortSignal, callback, check, fields, list, number, text } from "./values.js";
import { sweepWarnings } from "./warnings.js";

export interface SweepOptions
  extends SamplingOptions,
    PolicyOptions,
    JudgeOptions,
    DesignOptions,
    Omit<SourceOptions, "by" | "onRecord"> {
  network?: NetworkDefinition | undefined;
  priors?: Readonly<Record<string, readonly number[]>> | undefined;
  /** Default: P(G=1) and P(T=1). */
  quantities?: readonly QuantityDefinition[] | undefined;
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
  readonly policy: string | null;
  /** null: the network has none of the shipped judges. */
  readonly judge: JudgeModel | null;
  readonly engine: EngineName;
  readonly adapter: string | null;
  readonly sampling: SamplerOptions;
  readonly base: number;
  readonly budget: Budget;
  /** Share of the records of which A tells T; null where no strategy buys labels of T alone, or it skips those. */
  readonly impliedShare: number | null;
  readonly cells: readonly Cell[];
  readonly quantities: readonly string[];
  /** Records of each cell of the network, with every label: what samples are drawn from. */
  readonly population: readonly number[];
  /** One number a quantity; null where there is none. */
  readonly truth: readonly (number | null)[];
  /** Replicates of the sweep, and the part of them that this run does. */
  readonly replicates: number;
  readonly shard: Shard;
  /** The shard's replicates, [first, end). */
  readonly first: number;
  readonly end: number;
}

const optionShape = fields(
  {},
  {
    strategies: text,
    add: list(number, "numbers"),
    signal: abortSignal,
    ...Object.fromEntries(
      ["finished", "onStart", "onProgress", "onRows", "onSweep", "onNotice"].map((hook) => [hook, callback]),
    ),
  },
);

const defaultQuantities = ["P(G=1)", "P(T=1)"];

/**
 * The allocation experiment on each source: how well P(G=1) and P(T=1) are estimated from a base sample and additional
 * records whose labels are bought by each strategy.
 * @throws RatError
 */
export async function sweep(sources: readonly Source[], options: SweepOptions = {}): Promise<SweepDocument> {
  check(optionShape, options, "options");
  if ("using" in options) throw usageError("sweep takes no engine that is running already: leave using out");
  checkSources(sources, options);
  const { base, adds, budget, replicates, purchases } = readDesign(options);
  const given = options.network ?? rat;
  checkDefinition(given);
  const definition = withPolicyOptions(withJudgeOptions(given, options), options);
  const quantities =
    options.quantities ?? defaultQuantities.flatMap((name) => definition.quantities.filter((q) => q.name === name));
  if (quantities.length === 0) {
    throw usageError(`network ${definition.name} has no ${defaultQuantities.join(" and no ")}: name the quantities`);
  }
  const network = compileOnce(definition, { priors: options.priors, quantities });
  const cells = 1 + purchases.length * adds.length;
  const chosen = await engineFor(options, network, sources.length * cells * replicates);
  const sampling = resolveSampling("sweep", { ...options, engine: chosen });
  const engine = await openEngine({ ...resolveEngine({ ...options, engine: chosen }), sampler: sampling.sampler });
  const unused = unusedOptions(engine.name, options);
  if (unused !== null) options.onNotice?.(unused);
  const judge = judgeModelOf(given, options);
  for (const note of [definition.policy?.note, heldNotice(judge)]) if (note) options.onNotice?.(note);
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
      designs.push([name, makeDesign(network, population, { base, purchases, adds, budget, seed, source: name })]);
    }
    checkRefits(designs, replicates);
    for (const [name, design] of designs) {
      const result = await sweepOne(name, design, { judge, replicates, engine, sampling, options });
      sweeps.push(result);
      await options.onSweep?.(result);
    }
  } finally {
    await engine.dispose();
  }
  return { sweeps };
}

/** The engine that was asked for; where none was, the one that does so many refits soonest. */
async function engineFor(options: SweepOptions, network: CompiledNetwork, refits: number): Promise<EngineName> {
  const { engine, workers } = resolveEngine(options);
  const of = (name: EngineName): SamplerOptions => resolveSampling("sweep", { ...options, engine: name });
  of("wasm"); // what is wrong with the options is told before anything is measured
  if (engine !== "auto") return engine;
  if (options.shard !== undefined) return "wasm"; // shards from different machines are to be merged
  const { chooseEngine } = await import("./engines/auto.js");
  const job = {
    network,
    refits,
    sampler: options.samplerPreset === "paper" ? "nuts" : options.sampler,
    workers,
  } as const;
  const choice = await chooseEngine(job, { wasm: of("wasm"), webgpu: of("webgpu") });
  if (choice.engine === "webgpu") options.onNotice?.(`engine webgpu: ${choice.why}`);
  return choice.engine;
}

async function sweepOne(
  source: string,
  design: Design,
  run: {
    judge: JudgeModel | null;
    replicates: number;
    engine: Engine;
    sampling: SamplerOptions;
    options: SweepOptions;
  },
): Promise<Sweep> {
  const { judge, replicates, engine, sampling, options } = run;
  const { network, base, cells } = design;
  const { posteriorMeans } = await import("./engines/exact/index.js");
  const { signal } = options;
  const truth = await posteriorMeans(network, populationCounts(network, design.population), { signal });
  const shard = options.shard ?? wholeShard;
  const plan: SweepPlan = {
    source,
    network: network.name,
    policy: policyOf(network.definition),
    judge,
    engine: engine.name,
    adapter: engine.adapter,
    sampling,
    base,
    budget: design.budget,
    cells,
    quantities: network.quantities.map(({ name }) => name),
    population: [...design.population],
    truth: Array.from(truth, (value) => (Number.isFinite(value) ? value : null)),
    impliedShare: impliedShareOf(design),
    replicates,
    shard,
    ...shardReplicates(shard, replicates),
  };
  await options.onStart?.(plan);
  await engine.prepare(network, { ...sampling, ...(signal && { signal }) });
  const table = tableOf(plan);
  let first = plan.first;
  if (options.finished !== undefined) {
    for await (const rows of checkedRows(options.finished(plan), plan, source)) {
      table.add(rows);
      first++;
    }
  }
  const before = (first - plan.first) * cells.length;
  const onProgress = (finished: number): void => options.onProgress?.(before + finished);
  onProgress(0);
  const begin = performance.now();
  const { onNotice } = options;
  const fallbacks = new Map<string, number>();
  const onFallback = ({ engine, reason }: Fallback): void => {
    const words = `engine ${engine}, not ${plan.engine}: ${reason}`;
    fallbacks.set(words, (fallbacks.get(words) ?? 0) + 1);
  };
  const allocation = { first, end: plan.end, sampling, signal, onProgress, onNotice, onFallback };
  for await (const rows of runAllocation(engine, design, allocation)) {
    table.add(rows);
    await options.onRows?.(rows);
  }
  const seconds = (performance.now() - begin) / 1000;
  for (const [words, refits] of fallbacks) options.onNotice?.(`${source}: ${refits} refits were done by ${words}`);
  const result = sweepOf(plan, table, { seconds, refits: (plan.end - first) * cells.length, workers: engine.workers });
  for (const warning of sweepWarnings(result.cells)) options.onNotice?.(`${source}: ${warning}`);
  return result;
}

/** The plan's table, without rows yet. */
export const tableOf = ({ cells, base, quantities, truth }: SweepPlan): SweepTable =>
  new SweepTable(
    cells,
    base,
    quantities,
    truth.map((value) => value ?? Number.NaN),
  );

/** The document of a plan whose table is complete. @param work what was done in how long, for the rate */
export function sweepOf(
  plan: SweepPlan,
  table: SweepTable,
  work: { seconds: number; refits: number; workers: number | null },
): Sweep {
  const { source, network, policy, judge, engine, adapter, sampling, quantities, truth, cells, first, end } = plan;
  return {
    source,
    network,
    engine,
    adapter,
    sampler: engine === "exact" ? null : sampling.sampler,
    policy,
    seed: sampling.seed,
    budget: plan.budget.unit,
    skipImplied: plan.budget.skipImplied,
    impliedShare: plan.impliedShare,
    truth: Object.fromEntries(quantities.map((name, q) => [name, truth[q]])),
    ...table.finish(),
    refits: (end - first) * cells.length,
    seconds: work.seconds,
    refitsPerSecond: work.seconds > 0 ? work.refits / work.seconds : null,
    workers: work.workers,
    ...(judge && { judge }),
  };
}

/** A refit's place in the whole sweep is the key of its random stream. @throws RatError (usage) where two would be one */
function checkRefits(designs: readonly [string, Design][], replicates: number): void {
  const cells = Math.max(0, ...designs.map(([, design]) => design.cells.length));
  if (cells * replicates <= Number.MAX_SAFE_INTEGER) return;
  throw usageError(`--replicates ${replicates} of ${cells} cells are more than 2^53 - 1 refits`);
}
