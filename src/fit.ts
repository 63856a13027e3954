import type { Fit, FitDocument, FitQuantity } from "./documents.js";
import { openEngine } from "./engines/choose.js";
import type { Draws, Engine, SamplerOptions } from "./engines/engine.js";
import { RatError } from "./errors.js";
import {
  type CompiledNetwork,
  compileOnce,
  type Evidence,
  evidence,
  type NetworkDefinition,
  type QuantityDefinition,
  rat,
} from "./network/index.js";
import { resolveSampling, type SamplingOptions, unusedOptions } from "./options.js";
import type { RecordCounts } from "./records/index.js";
import { checkSourceOptions, countSource, type Source, type SourceOptions } from "./source.js";
import { stuckChains, summarise } from "./statistics/index.js";
import { warningsOf } from "./warnings.js";

export interface FitOptions extends SamplingOptions, SourceOptions {
  /** Default: the base network. */
  network?: NetworkDefinition | undefined;
  /** Beta or Dirichlet concentrations by row name, in the order of the levels: `{ "theta_A+": [9, 1] }`. */
  priors?: Readonly<Record<string, readonly number[]>> | undefined;
  /** Quantities beside the network's own. */
  quantities?: readonly QuantityDefinition[] | undefined;
  signal?: AbortSignal | undefined;
  /** An engine that is running already; it stays open. Default: one of its own. */
  using?: Engine | undefined;
  /** Keep what the sampler did at each draw, for `onFit`. */
  trace?: boolean | undefined;
  /** Called with each fit as it is finished, and its draws. */
  onFit?: ((fit: Fit, draws: Draws) => void | Promise<void>) | undefined;
  onNotice?: ((notice: string) => void) | undefined;
}

/**
 * Posterior of each source's records: every quantity with its interval and its Monte Carlo error.
 * Each source is fitted by itself; a source's numbers don't depend on the others.
 * @throws RatError
 */
export async function fit(sources: readonly Source[], options: FitOptions = {}): Promise<FitDocument> {
  const sampling = resolveSampling("fit", options);
  checkSourceOptions(sources, options);
  const network = networkOf(options);
  const engine =
    options.using ??
    (await openEngine({
      engine: options.engine ?? "auto",
      sampler: sampling.sampler,
      workers: await workersFor(options, sampling),
    }));
  const unused = unusedOptions(engine.name, options);
  if (unused !== null) options.onNotice?.(unused);
  const fits: Fit[] = [];
  try {
    for (const source of sources) {
      const begin = performance.now();
      const counted = await countSource(source, network, options);
      for (const notice of counted.notices) options.onNotice?.(`${source.name}: ${notice}`);
      const groups: [string, RecordCounts][] = counted.groups
        ? [...counted.groups].map(([value, records]) => [`${source.name} [${options.by}=${value}]`, records])
        : [[source.name, counted]];
      for (const [name, records] of groups) {
        const { signal, trace = false } = options;
        const job = { source: name, network, records, engine, sampling, signal, trace, begin };
        const [result, draws] = await fitCounts(job);
        fits.push(result);
        await options.onFit?.(result, draws);
      }
    }
  } finally {
    if (options.using === undefined) await engine.dispose();
  }
  return { fits };
}

/** The options' network with their priors and quantities, compiled. */
export function networkOf({ network = rat, priors, quantities = [] }: FitOptions): CompiledNetwork {
  return compileOnce(network, {
    ...(priors === undefined ? {} : { priors }),
    quantities: [...network.quantities, ...quantities],
  });
}

/** A fit has as much work as it has chains. */
async function workersFor(options: FitOptions, { sampler, chains }: SamplerOptions): Promise<number> {
  if (options.workers !== undefined) return options.workers;
  const { coreCount } = await import("#spawn");
  return Math.min(coreCount(), sampler === "hmc" ? Math.ceil(chains / 2) : chains);
}

/** One set of records to fit, and how. */
interface Job {
  readonly source: string;
  readonly network: CompiledNetwork;
  readonly records: RecordCounts;
  readonly engine: Engine;
  readonly sampling: SamplerOptions;
  readonly signal: AbortSignal | undefined;
  readonly trace: boolean;
  /** Of the clock, in milliseconds, when the work on the source began. */
  readonly begin: number;
}

async function fitCounts(job: Job): Promise<[Fit, Draws]> {
  const { source, network, records, engine, sampling } = job;
  const common = {
    source,
    network: network.name,
    engine: engine.name,
    adapter: engine.adapter,
    fallback: null,
    seed: sampling.seed,
    records: records.records,
    observed: records.observed,
    implied: records.implied,
    level: sampling.level,
  };
  const [own, draws] = await (engine.name === "exact" ? exactFit(job) : sampledFit(job));
  return [{ ...common, ...own }, draws];
}

/** What differs between a sampled fit and an exact one. */
type OwnPart = Pick<Fit, "sampler" | "chains" | "warmup" | "draws" | "quantities" | "diagnostics" | "warnings">;

async function exactFit({ network, records, sampling, signal, begin }: Job): Promise<[OwnPart, Draws]> {
  const { exactSummary } = await import("./engines/exact/index.js");
  const seen = evidence(network, records.counts, records.implied);
  const started = performance.now();
  const exact = await exactSummary(network, records.counts, { ...sampling, ...(signal && { signal }), id: 0 });
  const seconds = since(started);
  const quantities = network.quantities.map(({ name }, q) => ({
    name,
    mean: finite(exact.mean[q]),
    sd: finite(exact.sd[q]),
    median: finite(exact.median[q]),
    lower: finite(exact.lower[q]),
    upper: finite(exact.upper[q]),
    mcse: finite(exact.mcse[q]),
    essBulk: null,
    essTail: null,
    rhat: null,
    ...shown(seen[q]),
  }));
  const diagnostics = { divergences: null, meanLeapfrogs: null, stepSize: null, seconds, totalSeconds: since(begin) };
  const warnings = warningsOf({ quantities, statistics: null, stuck: [], draws: 0 });
  const draws = sampling.draws * sampling.chains;
  return [{ sampler: null, chains: null, warmup: null, draws, quantities, diagnostics, warnings }, exact.draws];
}

async function sampledFit({
  network,
  records,
  engine,
  sampling,
  signal,
  trace,
  begin,
}: Job): Promise<[OwnPart, Draws]> {
  const run = { ...sampling, trace, ...(signal && { signal }) };
  const seen = evidence(network, records.counts, records.implied);
  const draws = await engine.sample(network, records.counts, 0, run);
  const { statistics } = draws;
  if (statistics === null) throw new RatError("internal", `engine ${engine.name} gave no sampler statistics`);
  const quantities: FitQuantity[] = network.quantities.map(({ name }, q) => ({
    name,
    ...summarise(draws.values[q], draws.chains, sampling.level),
    ...shown(seen[q]),
  }));
  const kept = draws.chains * draws.draws;
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const diagnostics = {
    divergences: sum(statistics.divergences),
    meanLeapfrogs: sum(statistics.leapfrogs) / kept,
    stepSize: statistics.stepSize,
    seconds: draws.seconds,
    totalSeconds: since(begin),
  };
  const stuck = network.quantities.map((_, q) => stuckChains(draws.values[q], draws.chains));
  const warnings = warningsOf({ quantities, statistics, stuck, draws: kept });
  const { sampler, chains, warmup } = sampling;
  return [{ sampler, chains, warmup, draws: sampling.draws, quantities, diagnostics, warnings }, draws];
}

const since = (begin: number): number => (performance.now() - begin) / 1000;

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function shown({ counted, nObserved, nMissing, noData }: Evidence) {
  return { counted, nObserved, nMissing, ...(noData ? { noData: true as const } : {}) };
}
