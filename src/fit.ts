import { type Backend, engineOf } from "./backend.js";
import type { Fit, FitDocument, FitQuantity, JudgeModel } from "./documents.js";
import { openEngine } from "./engines/choose.js";
import type { Draws, Engine, SamplerOptions } from "./engines/engine.js";
import type { ExactEngine } from "./engines/exact/index.js";
import { RatError, usageError } from "./errors.js";
import { heldNotice, type JudgeOptions, judgeModelOf, withJudgeOptions } from "./judge/rates.js";
import { judgeWarnings } from "./judge/warnings.js";
import { checkDefinition, checkQuantities } from "./network/check.js";
import {
  type CompiledNetwork,
  compileOnce,
  type Evidence,
  evidence,
  type NetworkDefinition,
  type PolicyOptions,
  policyOf,
  type QuantityDefinition,
  type QuantitySet,
  quantitiesIn,
  rat,
  withPolicyOptions,
} from "./network/index.js";
import { isCertain } from "./network/quantity.js";
import { resolveEngine, resolveSampling, type SamplingOptions, unusedOptions } from "./options.js";
import type { RecordCounts } from "./records/index.js";
import { checkSources, countSource, type Source, type SourceOptions } from "./source.js";
import { stuckChains, summarise } from "./statistics/index.js";
import { finiteOrNull } from "./statistics/moments.js";
import { abortSignal, callback, check, fields } from "./values.js";
import { warningsOf } from "./warnings.js";

export interface FitOptions extends SamplingOptions, SourceOptions, PolicyOptions, JudgeOptions {
  /** Default: the base network. */
  network?: NetworkDefinition | undefined;
  /** Beta or Dirichlet concentrations by row name, in the order of the levels: `{ "theta_A+": [9, 1] }`. */
  priors?: Readonly<Record<string, readonly number[]>> | undefined;
  /** Which of the network's own quantities: `base`, the default, or `all`. */
  quantitySet?: QuantitySet | undefined;
  /** Quantities beside the network's own. */
  quantities?: readonly QuantityDefinition[] | undefined;
  /** Whether the judge of network rat-judge needs its joint distributions, or an independent one would do. */
  compareJudges?: boolean | undefined;
  /** Fits again under three stated priors, and says what depends on them. */
  priorSensitivity?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** An engine of `createEngine` that is running already; it stays open. Default: one of its own. */
  using?: Backend | undefined;
  /** Keep what the sampler did at each draw, for `onFit`. */
  trace?: boolean | undefined;
  /** Called with each fit as it is finished, its draws, and the counts that it is of. */
  onFit?: ((fit: Fit, draws: Draws, records: RecordCounts) => void | Promise<void>) | undefined;
  onNotice?: ((notice: string) => void) | undefined;
}

const hooks = fields({}, { signal: abortSignal, onFit: callback, onNotice: callback });

/**
 * Posterior of each source's records: every quantity with its interval and its Monte Carlo error.
 * Each source is fitted by itself; a source's numbers don't depend on the others.
 * @throws RatError
 */
export async function fit(sources: readonly Source[], options: FitOptions = {}): Promise<FitDocument> {
  check(hooks, options, "options");
  checkSources(sources, options);
  const lent = options.using === undefined ? null : lentEngine(options);
  const sampling = resolveSampling("fit", lent === null ? options : { ...options, engine: lent.name });
  const network = networkOf(options);
  const judge = judgeModelOf(options.network ?? rat, options);
  if (options.compareJudges && options.judgeRates === "fixed") {
    throw usageError("--compare-judges learns both judges, which --judge-rates fixed doesn't: give one of them");
  }
  if (options.compareJudges) (await import("./judge/compare.js")).checkComparable(network);
  for (const note of [network.definition.policy?.note, heldNotice(judge)]) if (note) options.onNotice?.(note);
  const engine = lent ?? (await ownEngine(options, sampling));
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
        const job = { source: name, network, judge, records, engine, sampling, signal, trace, begin };
        const [own, draws] = await fitCounts(job);
        const result = { ...own, ...(await moreOf(own, job, options)) };
        fits.push(result);
        await options.onFit?.(result, draws, records);
      }
    }
  } finally {
    if (lent === null) await engine.dispose();
  }
  return { fits };
}

/** What is told beside the posterior where it was asked for. */
async function moreOf({ warnings: told }: Fit, job: Job, options: FitOptions) {
  const { network, judge, records, sampling } = job;
  const isHeld = judge?.held != null;
  const plain = { ...job, judge: null, trace: false };
  const judges = options.compareJudges && (await import("./judge/compare.js"));
  const priors = options.priorSensitivity && (await import("./sensitivity.js"));
  return {
    ...(judges && { judgeComparison: judges.compareJudges(network, records.counts, sampling.seed) }),
    ...(priors && {
      priorSensitivity: await priors.priorSensitivity(network, { isHeld, told }, (other) =>
        fitCounts({ ...plain, network: other }),
      ),
    }),
  };
}

/** The options' network with their judge, policy, priors and quantities, compiled. */
export function networkOf(options: FitOptions): CompiledNetwork {
  const { network = rat, priors, quantities = [], quantitySet } = options;
  checkDefinition(network);
  checkQuantities(quantities);
  const definition = withPolicyOptions(withJudgeOptions(network, options), options);
  return compileOnce(definition, { priors, quantities: [...quantitiesIn(definition, quantitySet), ...quantities] });
}

/** @throws RatError (usage) for no engine, or beside options that would choose another one */
function lentEngine({ using, engine, workers }: FitOptions): Engine {
  if (engine !== undefined || workers !== undefined) {
    throw usageError("using lends an engine that has been chosen already: leave engine and workers out");
  }
  return engineOf(using);
}

/** An engine for this call alone. Left to itself it has a thread a chain, for a fit has no more work than that. */
async function ownEngine(options: FitOptions, { sampler, chains }: SamplerOptions): Promise<Engine> {
  const { engine, workers } = resolveEngine(options);
  if (workers !== undefined) return openEngine({ engine, sampler, workers });
  const { coreCount } = await import("#spawn");
  return openEngine({
    engine,
    sampler,
    workers: Math.min(coreCount(), sampler === "hmc" ? Math.ceil(chains / 2) : chains),
  });
}

/** One set of records to fit, and how. */
interface Job {
  readonly source: string;
  readonly network: CompiledNetwork;
  /** null: none, or nothing is to be said about it. */
  readonly judge: JudgeModel | null;
  readonly records: RecordCounts;
  readonly engine: Engine;
  readonly sampling: SamplerOptions;
  readonly signal: AbortSignal | undefined;
  readonly trace: boolean;
  /** Of the clock, in milliseconds, when the work on the source began. */
  readonly begin: number;
}

async function fitCounts(job: Job): Promise<[Fit, Draws]> {
  const { source, network, judge, records, engine, sampling } = job;
  const common = {
    source,
    network: network.name,
    policy: policyOf(network.definition),
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
  const { fallback } = draws;
  const elsewhere = fallback && { engine: fallback.engine, adapter: null, fallback: fallback.reason };
  const about = judge && { network, counts: records.counts, quantities: own.quantities, model: judge };
  const warnings = [...own.warnings, ...(about ? judgeWarnings(about) : [])];
  return [{ ...common, ...elsewhere, ...own, warnings, ...(judge && { judge }) }, draws];
}

/** What differs between a sampled fit and an exact one. */
type OwnPart = Pick<Fit, "sampler" | "chains" | "warmup" | "draws" | "quantities" | "diagnostics" | "warnings">;

async function exactFit({ network, records, engine, sampling, signal, begin }: Job): Promise<[OwnPart, Draws]> {
  const seen = evidence(network, records.counts, records.implied);
  const started = performance.now();
  const exact = await (engine as ExactEngine).summarise(network, records.counts, { ...sampling, signal, id: 0 });
  const seconds = since(started);
  const quantities = network.quantities.map(({ name }, q) => ({
    name,
    mean: finiteOrNull(exact.mean[q]),
    sd: finiteOrNull(exact.sd[q]),
    median: finiteOrNull(exact.median[q]),
    lower: finiteOrNull(exact.lower[q]),
    upper: finiteOrNull(exact.upper[q]),
    mcse: finiteOrNull(exact.mcse[q]),
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
  const stuck = network.quantities.map((quantity, q) =>
    isCertain(quantity) ? [] : stuckChains(draws.values[q], draws.chains),
  );
  const warnings = warningsOf({ quantities, statistics, stuck, draws: kept });
  const { sampler, chains, warmup } = sampling;
  return [{ sampler, chains, warmup, draws: sampling.draws, quantities, diagnostics, warnings }, draws];
}

const since = (begin: number): number => (performance.now() - begin) / 1000;

function shown({ counted, nObserved, nMissing, noData }: Evidence) {
  return { counted, nObserved, nMissing, ...(noData ? { noData: true as const } : {}) };
}
