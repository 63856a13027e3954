import { coreCount, openWorker } from "#spawn";
import * as layout from "../../generated/layout.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import { Pace } from "../../pace.js";
import type {
  Batch,
  ChainStatistics,
  Draws,
  DrawTrace,
  Engine,
  RunOptions,
  SamplerOptions,
  Summaries,
} from "../engine.js";
import { emptySummaries } from "../engine.js";
import { type Approximations, emptyApproximations } from "./approximations.js";
import { WorkerPool } from "./pool.js";
import type {
  ApproximationsResult,
  ChainsResult,
  OpenPort,
  RefitsResult,
  Sampling,
  Task,
  TaskResult,
} from "./protocol.js";
import { Setups } from "./setups.js";

/** Refits a task at most: large enough for messages not to show, small enough for progress and an even end. */
const sampledRefits = 32;
const approximatedRefits = 1024;

/**
 * The caller's own thread as a worker: nothing to start, but it is busy while it samples. Each task is a timer of its
 * own, so that in between the caller hears an abort and shows its progress. The kernel is loaded here only, so that a page
 * whose workers sample doesn't load it for itself.
 */
const openLocal: OpenPort = (listen, fail) => {
  const handler = import("./worker.js").then(({ requestHandler }) => requestHandler((response) => listen(response)));
  handler.catch(fail);
  let isOpen = true;
  return {
    send: (request) =>
      void handler.then(
        (handle) => setTimeout(() => isOpen && handle(request)),
        () => {},
      ),
    hold: () => {},
    close: async () => {
      isOpen = false;
    },
  };
};

/**
 * The f64 engine: the WebAssembly kernel on a pool of threads.
 * @param workers threads; 0: the caller's own; left out: one a core
 */
export class WasmEngine implements Engine {
  readonly name = "wasm";
  readonly adapter = null;
  readonly workers: number;
  readonly batchRefits = 512;
  private readonly pool: WorkerPool;
  private readonly setups: Setups;

  constructor({ workers = coreCount() }: { workers?: number } = {}) {
    this.workers = Math.max(1, workers);
    this.pool = new WorkerPool(this.workers, workers === 0 ? openLocal : openWorker);
    this.setups = new Setups(this.pool);
  }

  async prepare(network: CompiledNetwork, options: SamplerOptions): Promise<void> {
    await this.setups.use(network, samplingOf(options), async () => {});
  }

  run(batch: Batch, options: RunOptions): Promise<Summaries> {
    return this.setups.use(batch.network, samplingOf(options), async (setup) => {
      const summaries = emptySummaries(batch.ids.length, batch.network.quantities.length);
      const { seed, signal, onProgress } = options;
      let finished = 0;
      await this.share(
        batch,
        sampledRefits,
        signal,
        (counts, first, end) => ({ kind: "refits", setup, seed, counts, ids: batch.ids.slice(first, end) }),
        (result, first, end) => {
          unpack(result as RefitsResult, first, summaries);
          finished += end - first;
          onProgress?.(finished);
        },
      );
      return summaries;
    });
  }

  sample(network: CompiledNetwork, counts: Float64Array, id: number, options: RunOptions): Promise<Draws> {
    const lanes = options.sampler === "hmc" ? 2 : 1;
    return this.setups.use(network, samplingOf(options, lanes, options.trace === true), async (setup) => {
      const { seed, signal } = options;
      const tasks: Promise<ChainsResult>[] = [];
      for (let firstChain = 0; firstChain < options.chains; firstChain += lanes) {
        const task = { kind: "chains", setup, seed, counts: Float64Array.from(counts), id, firstChain } as const;
        tasks.push(this.pool.run(task, [], signal) as Promise<ChainsResult>);
      }
      return assemble(await allSettled(tasks), network, options);
    });
  }

  /** Laplace approximations of a batch's refits; no random numbers, so ids don't matter. */
  approximate(batch: Batch, { signal }: Pick<RunOptions, "signal"> = {}): Promise<Approximations> {
    return this.setups.use(batch.network, null, async (setup) => {
      const all = emptyApproximations(batch.ids.length, batch.network.rowNames.length);
      await this.share(
        batch,
        approximatedRefits,
        signal,
        (counts) => ({ kind: "approximations", setup, counts }),
        (result, first) => {
          const { approximations } = result as ApproximationsResult;
          for (const field of ["mode", "root", "success", "failure"] as const) {
            all[field].set(approximations[field], first * (all[field].length / batch.ids.length));
          }
        },
      );
      return all;
    });
  }

  async dispose(): Promise<void> {
    await this.pool.close();
  }

  /**
   * Shares a batch's refits out over the threads and waits until all are done.
   * @param most refits a task at most
   * @param taskOf the task of refits first to end - 1, with counts of its own, which go with it to its thread
   * @param keep takes in a task's result
   */
  private async share(
    batch: Batch,
    most: number,
    signal: AbortSignal | undefined,
    taskOf: (counts: Float64Array<ArrayBuffer>, first: number, end: number) => Task,
    keep: (result: TaskResult, first: number, end: number) => void,
  ): Promise<void> {
    const refits = batch.ids.length;
    const patterns = batch.network.patterns.length;
    const size = Math.max(1, Math.min(most, Math.ceil(refits / (4 * this.workers))));
    const tasks: Promise<void>[] = [];
    const pace = new Pace(signal);
    for (let first = 0; first < refits; first += size) {
      const end = Math.min(first + size, refits);
      const counts = batch.counts.slice(first * patterns, end * patterns);
      const task = this.pool.run(taskOf(counts, first, end), [counts.buffer], signal);
      const kept = task.then((result) => keep(result, first, end));
      kept.catch(() => {}); // thrown where it is waited for
      tasks.push(kept);
      if (pace.isDue()) await pace.rest();
    }
    await allSettled(tasks);
  }
}

/** What a worker is told of how to sample. @param chains chains a task */
function samplingOf(options: SamplerOptions, chains = options.chains, trace = false): Sampling {
  const { sampler, warmup, draws, level, seed } = options;
  return { options: { sampler, chains, warmup, draws, level, seed }, chains, trace };
}

/** Waits for all, so that no task is left running, then throws the first error if there was one. */
async function allSettled<T>(tasks: Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(tasks);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<T>).value);
}

function unpack(result: RefitsResult, first: number, into: Summaries): void {
  const rows = result.summaries.length / layout.SUMMARY_FIELDS;
  const start = first * into.quantities;
  const fields = [
    [layout.SUMMARY_MEAN, into.mean],
    [layout.SUMMARY_SD, into.sd],
    [layout.SUMMARY_MEDIAN, into.median],
    [layout.SUMMARY_LOWER, into.lower],
    [layout.SUMMARY_UPPER, into.upper],
    [layout.SUMMARY_RHAT, into.rhat],
    [layout.SUMMARY_ESS, into.ess],
  ] as const;
  for (const [field, array] of fields) {
    for (let row = 0; row < rows; row++) array[start + row] = result.summaries[row * layout.SUMMARY_FIELDS + field];
  }
  into.divergences.set(result.divergences, first);
  into.leapfrogs.set(result.leapfrogs, first);
}

function assemble(parts: ChainsResult[], network: CompiledNetwork, options: SamplerOptions): Draws {
  const { chains, draws } = options;
  const values = network.quantities.map((_, q) =>
    joined(
      parts.map((part) => part.values[q]),
      chains * draws,
    ),
  );
  const results = joined(
    parts.map((part) => part.results),
    chains * layout.CHAIN_FIELDS,
  );
  const field = (index: number): number[] =>
    Array.from({ length: chains }, (_, chain) => results[chain * layout.CHAIN_FIELDS + index]);
  const statistics: ChainStatistics = {
    stepSize: field(layout.CHAIN_STEP_SIZE),
    divergences: field(layout.CHAIN_DIVERGENCES),
    leapfrogs: field(layout.CHAIN_LEAPFROGS),
    acceptance: field(layout.CHAIN_ACCEPTANCE),
    maxDepth: field(layout.CHAIN_MAX_DEPTH),
  };
  const seconds = (Math.max(...parts.map((part) => part.end)) - Math.min(...parts.map((part) => part.begin))) / 1000;
  return { chains, draws, values, statistics, trace: traceOf(parts, chains * draws), seconds };
}

function traceOf(parts: ChainsResult[], kept: number): DrawTrace | null {
  const traces = parts.flatMap(({ trace }) => (trace === null ? [] : [trace]));
  if (traces.length === 0) return null;
  const all = joined(traces, kept * layout.TRACE_FIELDS);
  const field = (index: number): Float64Array =>
    Float64Array.from({ length: kept }, (_, draw) => all[draw * layout.TRACE_FIELDS + index]);
  return {
    logDensity: field(layout.TRACE_LOG_DENSITY),
    acceptance: field(layout.TRACE_ACCEPTANCE),
    stepSize: field(layout.TRACE_STEP_SIZE),
    depth: field(layout.TRACE_DEPTH),
    leapfrogs: field(layout.TRACE_LEAPFROGS),
    outcome: field(layout.TRACE_OUTCOME),
    energy: field(layout.TRACE_ENERGY),
  };
}

/** Arrays one behind the other, chain by chain; an odd last chain of hmc leaves half of its pair unused. */
function joined(parts: readonly Float64Array[], size: number): Float64Array {
  const all = new Float64Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part.subarray(0, size - at), at);
    at += part.length;
  }
  return all;
}
