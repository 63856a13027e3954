import { coreCount, openWorker } from "#spawn";
import * as layout from "../../generated/layout.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import type { Batch, ChainStatistics, Draws, Engine, RunOptions, SamplerOptions, Summaries } from "../engine.js";
import { emptySummaries } from "../engine.js";
import { WorkerPool } from "./pool.js";
import type { ChainsResult, OpenPort, RefitsResult } from "./protocol.js";
import { requestHandler } from "./worker.js";

/** Refits a task at most: large enough for messages not to show, small enough for progress and an even end. */
const taskRefits = 32;

/**
 * The caller's own thread as a worker: nothing to start, but it is busy while it samples. Each task is a timer of its
 * own, so that in between the caller hears an abort and shows its progress.
 */
const openLocal: OpenPort = (listen) => {
  const handle = requestHandler((response) => listen(response));
  let isOpen = true;
  return {
    send: (request) => void setTimeout(() => isOpen && handle(request)),
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
  private readonly pool: WorkerPool;
  private readonly prepared: { key: readonly unknown[]; setup: Promise<number> }[] = [];

  constructor({ workers = coreCount() }: { workers?: number } = {}) {
    this.workers = Math.max(1, workers);
    this.pool = new WorkerPool(this.workers, workers === 0 ? openLocal : openWorker);
  }

  async prepare(network: CompiledNetwork, options: SamplerOptions): Promise<void> {
    await this.setup(network, options, options.chains);
  }

  async run(batch: Batch, options: RunOptions): Promise<Summaries> {
    const setup = await this.setup(batch.network, options, options.chains);
    const refits = batch.ids.length;
    const patterns = batch.network.patterns.length;
    const summaries = emptySummaries(refits, batch.network.quantities.length);
    const size = Math.max(1, Math.min(taskRefits, Math.ceil(refits / (4 * this.workers))));
    let finished = 0;
    const tasks: Promise<void>[] = [];
    for (let first = 0; first < refits; first += size) {
      const ids = batch.ids.slice(first, first + size);
      const counts = batch.counts.slice(first * patterns, (first + ids.length) * patterns);
      const task = this.pool.run({ kind: "refits", setup, counts, ids }, [counts.buffer, ids.buffer], options.signal);
      tasks.push(
        task.then((result) => {
          unpack(result as RefitsResult, first, summaries);
          finished += ids.length;
          options.onProgress?.(finished);
        }),
      );
    }
    await allSettled(tasks);
    return summaries;
  }

  async sample(network: CompiledNetwork, counts: Float64Array, id: number, options: RunOptions): Promise<Draws> {
    const lanes = options.sampler === "hmc" ? 2 : 1;
    const setup = await this.setup(network, options, lanes);
    const tasks: Promise<ChainsResult>[] = [];
    for (let firstChain = 0; firstChain < options.chains; firstChain += lanes) {
      const task = { kind: "chains", setup, counts: Float64Array.from(counts), id, firstChain } as const;
      tasks.push(this.pool.run(task, [], options.signal) as Promise<ChainsResult>);
    }
    return assemble(await allSettled(tasks), network, options);
  }

  async dispose(): Promise<void> {
    await this.pool.close();
  }

  /** A worker keeps its memory for a setup: the last two are kept, so that alternating batches don't set up anew. */
  private setup(network: CompiledNetwork, options: SamplerOptions, chains: number): Promise<number> {
    const { sampler, warmup, draws, seed, level } = options;
    const key = [network, sampler, chains, warmup, draws, seed, level];
    const known = this.prepared.find((entry) => entry.key.every((value, i) => value === key[i]));
    if (known) return known.setup;
    const setup = this.pool.prepare({ network, chains, options: { sampler, chains, warmup, draws, seed, level } });
    const entry = { key, setup };
    this.prepared.push(entry);
    if (this.prepared.length > 2) this.prepared.shift()?.setup.then((number) => this.pool.forget(number), ignore);
    setup.catch(() => {
      const at = this.prepared.indexOf(entry);
      if (at >= 0) this.prepared.splice(at, 1);
    });
    return setup;
  }
}

/** For a failure that whoever asked for the setup is told. */
const ignore = (): void => {};

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
  const values = network.quantities.map((_, q) => {
    const all = new Float64Array(chains * draws);
    const lanes = parts[0].values[q].length / draws;
    parts.forEach((part, i) => {
      // An odd last chain leaves half of its pair unused.
      all.set(part.values[q].subarray(0, Math.min(lanes, chains - i * lanes) * draws), i * lanes * draws);
    });
    return all;
  });
  const field = (index: number): number[] =>
    parts
      .flatMap((part) =>
        Array.from(
          { length: part.results.length / layout.CHAIN_FIELDS },
          (_, c) => part.results[c * layout.CHAIN_FIELDS + index],
        ),
      )
      .slice(0, chains);
  const statistics: ChainStatistics = {
    stepSize: field(layout.CHAIN_STEP_SIZE),
    divergences: field(layout.CHAIN_DIVERGENCES),
    leapfrogs: field(layout.CHAIN_LEAPFROGS),
    acceptance: field(layout.CHAIN_ACCEPTANCE),
    maxDepth: field(layout.CHAIN_MAX_DEPTH),
  };
  const seconds = (Math.max(...parts.map((part) => part.end)) - Math.min(...parts.map((part) => part.begin))) / 1000;
  return { chains, draws, values, statistics, seconds };
}
