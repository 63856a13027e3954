import { untilAborted } from "../../abort.js";
import { RatError, usageError } from "../../errors.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import { Pace } from "../../pace.js";
import {
  type Batch,
  type Draws,
  type Engine,
  emptySummaries,
  type Fallback,
  type PrepareOptions,
  type RunOptions,
  type SamplerOptions,
  type Summaries,
} from "../engine.js";
import { WasmEngine } from "../wasm/engine.js";
import { drawsOf, enterSummaries, statisticsOf } from "./answers.js";
import { Card } from "./card.js";
import { layoutOf } from "./layout.js";
import { Piece, type StageTimes } from "./piece.js";
import { countsOutOfRange, networkOutOfRange, packRecords, type Records } from "./record.js";

/**
 * The f32 engine: thousands of refits at once on a GPU, many chains each. Modes and scales of the refits come from the
 * WASM engine, which also does what f32 can't be trusted with.
 */
export class WebGpuEngine implements Engine {
  readonly name = "webgpu";
  readonly workers = null;
  /** Where set, the time of each stage is added up there; the GPU then waits for the host after each dispatch. */
  times: StageTimes | undefined;
  private readonly life = new AbortController();

  private constructor(
    /** Open to tests, which take its device away. */
    readonly card: Card,
    private readonly wasm: WasmEngine,
  ) {}

  /**
   * @param workers threads that prepare refits; 0: the caller's own
   * @throws RatError (unavailable) where there is no adapter
   */
  static async open({ workers }: { workers?: number | undefined } = {}): Promise<WebGpuEngine> {
    const card = await Card.open();
    return new WebGpuEngine(card, new WasmEngine(workers === undefined ? {} : { workers }));
  }

  get adapter(): string {
    return this.card.words;
  }

  get batchRefits(): number {
    return this.card.isSoftware ? 64 : 4096;
  }

  async prepare(network: CompiledNetwork, { chains, signal }: PrepareOptions): Promise<void> {
    let isLost = false;
    const preparing = this.card.prepare(network, chains, () => {
      isLost = true;
    });
    await this.whileWanted(preparing, signal).catch((error) => {
      // Of a GPU that is lost for good `run` tells, which goes on without it.
      if (!isLost || !isUnavailable(error)) throw error;
    });
  }

  async run(batch: Batch, options: RunOptions): Promise<Summaries> {
    checkSampler(options);
    return this.whileWanted(this.runBatch(batch, options), options.signal);
  }

  async sample(network: CompiledNetwork, counts: Float64Array, id: number, options: RunOptions): Promise<Draws> {
    checkSampler(options);
    return this.whileWanted(this.sampleOne(network, counts, id, options), options.signal);
  }

  async dispose(): Promise<void> {
    this.life.abort(new RatError("interrupted", "the engine was disposed of while it worked"));
    this.card.dispose();
    await this.wasm.dispose();
  }

  /** Work that is waited for until it is aborted, or the engine disposed of: the GPU can't be stopped, only left. */
  private whileWanted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.life.signal.aborted ? work : untilAborted(work, signal, this.life.signal);
  }

  private async runBatch(batch: Batch, options: RunOptions): Promise<Summaries> {
    const { network, ids, counts } = batch;
    const patterns = network.patterns.length;
    const summaries = emptySummaries(ids.length, network.quantities.length);
    const fallbacks: Fallback[] = [];
    const leave = (refit: number, reason: string): number => fallbacks.push({ refit, engine: "wasm", reason });
    const own: number[] = [];
    const pace = new Pace(options.signal);
    const always = networkOutOfRange(network);
    for (let refit = 0; refit < ids.length; refit++) {
      const reason = always ?? countsOutOfRange(counts.subarray(refit * patterns, (refit + 1) * patterns));
      if (reason === null) own.push(refit);
      else leave(refit, reason);
      if (pace.isDue()) await pace.rest();
    }
    const capacity = this.card.capacity(layoutOf(network, options.chains), options.draws);
    const prepare = (first: number): Promise<Prepared> | null => {
      if (first >= own.length) return null;
      const refits = own.slice(first, first + capacity);
      const prepared = this.prepared(partOf(batch, refits), options);
      prepared.catch(() => {}); // thrown where it is waited for
      return prepared;
    };
    let told = 0;
    const tell = (finished: number): void => {
      if (finished <= told) return; // what a lost device had begun is begun anew
      told = finished;
      // What is only left, not stopped, has nothing to tell any more.
      if (!options.signal?.aborted && !this.life.signal.aborted) options.onProgress?.(finished);
    };
    let next = prepare(0);
    for (let first = 0; next !== null; first += capacity) {
      const prepared = await next;
      next = prepare(first + capacity); // threads prepare the next piece while the GPU works on this one
      const refits = own.slice(first, first + capacity);
      const onShare = (share: number): void => tell(first + Math.floor(share * refits.length));
      const lost = await this.runPiece(prepared, refits, summaries, { ...options, onShare });
      if (lost === null) continue;
      for (const refit of own.slice(first)) leave(refit, lost);
      options.onNotice?.(`${lost}; the rest goes on with the engine wasm`);
      break;
    }
    fallbacks.sort((a, b) => a.refit - b.refit);
    await this.runElsewhere(batch, fallbacks, summaries, options);
    tell(ids.length);
    return { ...summaries, fallbacks };
  }

  private async sampleOne(
    network: CompiledNetwork,
    counts: Float64Array,
    id: number,
    options: RunOptions,
  ): Promise<Draws> {
    const reason = networkOutOfRange(network) ?? countsOutOfRange(counts);
    const sampled = reason ?? (await this.sampleBatch({ network, counts, ids: Float64Array.of(id) }, options));
    if (typeof sampled !== "string") return sampled[0];
    const draws = await this.wasm.sample(network, counts, id, options);
    return { ...draws, fallback: { refit: 0, engine: "wasm", reason: sampled } };
  }

  /** Samples refits on the GPU and takes their summaries in; why the GPU is lost for good, or null. */
  private async runPiece(
    prepared: Prepared,
    refits: readonly number[],
    into: Summaries,
    options: RunOptions & { onShare: (share: number) => void },
  ): Promise<string | null> {
    const { network } = prepared;
    const results = await this.onCard(prepared, options, async (piece, { words }) => {
      await piece.sample(words);
      return piece.summarise();
    });
    if (typeof results === "string") return results;
    const layout = layoutOf(network, options.chains);
    const { references } = prepared.records;
    await enterSummaries(into, refits, network, layout, results, references, new Pace(options.signal));
    return null;
  }

  /** Draws of refits that fit at once and that f32 is good for, or why the GPU is lost for good; open to tests. */
  async sampleBatch(batch: Batch, options: RunOptions): Promise<Draws[] | string> {
    const { network } = batch;
    const { chains, draws } = options;
    const layout = layoutOf(network, chains);
    return this.onCard(await this.prepared(batch, options), options, async (piece, { words, references }) => {
      const begin = performance.now();
      await piece.sample(words);
      const seconds = (performance.now() - begin) / 1000;
      const [results, states, changes] = [await piece.summarise(), await piece.readStates(), await piece.readDraws()];
      return Array.from(batch.ids, (_, refit) => {
        const own = <A extends Float32Array | Float64Array>(all: A): A => {
          const size = all.length / batch.ids.length;
          return all.subarray(refit * size, (refit + 1) * size) as A;
        };
        const values = drawsOf(network, chains, own(changes), own(references));
        const statistics = statisticsOf(layout, own(states), draws, own(results)[layout.RESULT_STEP_SIZE]);
        return { chains, draws, values, statistics, trace: null, seconds };
      });
    });
  }

  /** Refits with their modes and scales, as the GPU reads them. */
  private async prepared(part: Batch, { chains, draws, signal }: RunOptions): Promise<Prepared> {
    const { network, ids } = part;
    const layout = layoutOf(network, chains);
    this.card.capacity(layout, draws); // refuses what doesn't fit before anything is done
    const approximations = await this.wasm.approximate(part, signal && { signal });
    const records = await packRecords(network, layout, part, approximations, new Pace(signal));
    return { network, refits: ids.length, records };
  }

  /** Works on refits with the GPU, or tells why it is lost for good. */
  private async onCard<T>(
    { network, refits, records }: Prepared,
    options: RunOptions & { onShare?: (share: number) => void },
    work: (piece: Piece, records: Records) => Promise<T>,
  ): Promise<T | string> {
    const { chains, draws, onNotice } = options;
    const { times } = this;
    let lost: string | null = null;
    const onLost = (reason: string): void => {
      lost = `the GPU was lost (${reason})`;
    };
    const wanted = { network, chains, draws, refits };
    try {
      const result = await this.card.use(
        wanted,
        ({ device, buffers, size }) =>
          work(new Piece(device, buffers, refits, size, { ...options, ...(times && { times }) }), records),
        onLost,
      );
      if (lost !== null) onNotice?.(`${lost}; a new device went on from the last finished batch`);
      return result;
    } catch (error) {
      if (lost !== null && isUnavailable(error)) return lost;
      throw error;
    }
  }

  private async runElsewhere(
    batch: Batch,
    fallbacks: readonly Fallback[],
    into: Summaries,
    options: RunOptions,
  ): Promise<void> {
    if (fallbacks.length === 0) return;
    const refits = fallbacks.map(({ refit }) => refit);
    const { onProgress: _, ...quiet } = options;
    const part = await this.wasm.run(partOf(batch, refits), quiet);
    const { quantities } = into;
    refits.forEach((refit, i) => {
      into.divergences[refit] = part.divergences[i];
      into.leapfrogs[refit] = part.leapfrogs[i];
      for (const field of ["mean", "sd", "median", "lower", "upper", "rhat", "ess"] as const) {
        into[field].set(part[field].subarray(i * quantities, (i + 1) * quantities), refit * quantities);
      }
    });
  }
}

/** @throws RatError (usage) */
function checkSampler({ sampler }: SamplerOptions): void {
  if (sampler !== "hmc") throw usageError(`engine webgpu samples with hmc, not ${sampler}; engine wasm has both`);
}

const isUnavailable = (error: unknown): boolean => error instanceof RatError && error.kind === "unavailable";

interface Prepared {
  readonly network: CompiledNetwork;
  readonly refits: number;
  readonly records: Records;
}

/** Some refits of a batch. */
function partOf({ network, counts, ids }: Batch, refits: readonly number[]): Batch {
  const patterns = network.patterns.length;
  const part = new Float64Array(refits.length * patterns);
  refits.forEach((refit, i) => {
    part.set(counts.subarray(refit * patterns, (refit + 1) * patterns), i * patterns);
  });
  return { network, counts: part, ids: Float64Array.from(refits, (refit) => ids[refit]) };
}
