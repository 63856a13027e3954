import { openEngine } from "./engines/choose.js";
import type { Engine, EngineChoice, SamplerName, Summaries } from "./engines/engine.js";
import { usageError } from "./errors.js";
import { compileOnce } from "./network/compile.js";
import type { CompiledNetwork } from "./network/compiled.js";
import type { NetworkDefinition } from "./network/definition.js";
import { resolveSampling } from "./options.js";

export interface BackendOptions {
  /** Default `auto`. */
  engine?: EngineChoice | undefined;
  /** Threads; left out: one a core; 0: the caller's own thread. */
  workers?: number | undefined;
}

/** How the refits of a call are sampled; what is left out has the defaults of `sweep`. */
export interface RefitOptions {
  seed?: number | undefined;
  sampler?: SamplerName | undefined;
  chains?: number | undefined;
  warmup?: number | undefined;
  draws?: number | undefined;
  level?: number | undefined;
  /** Key of the first refit's random stream; the others follow. Default 0. */
  firstId?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the number of refits finished so far. */
  onProgress?: ((finished: number) => void) | undefined;
}

/** Summaries with the seed that made them. */
export interface RefitResults extends Summaries {
  readonly seed: number;
}

/** Opens an engine for thousands of refits. Call `dispose` when done with it. @throws RatError */
export async function createEngine({ engine = "auto", workers }: BackendOptions = {}): Promise<Backend> {
  return new Backend(await openEngine({ engine, sampler: "hmc", workers }));
}

/**
 * A high-throughput backend: counts in, posterior summaries out, both as flat typed arrays. Same seed and ids, same bits,
 * for any number of threads and however the refits are cut into calls.
 */
export class Backend {
  private readonly engine: Engine;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  get name(): string {
    return this.engine.name;
  }

  get adapter(): string | null {
    return this.engine.adapter;
  }

  get workers(): number | null {
    return this.engine.workers;
  }

  /**
   * Refits a network to each row of counts.
   * @param network compile it once and pass the compiled one where quantities or priors are your own
   * @param counts records a pattern, [refits x patterns], refit by refit; the patterns are `network.patterns`
   * @returns struct of arrays, each [refits x quantities]
   * @throws RatError (usage) for counts that don't fit the network or are no whole numbers of records
   */
  async run(
    network: CompiledNetwork | NetworkDefinition,
    counts: Float64Array,
    options: RefitOptions = {},
  ): Promise<RefitResults> {
    const compiled = compiledOf(network);
    const patterns = compiled.patterns.length;
    if (counts.length % patterns !== 0) {
      throw usageError(
        `counts has ${counts.length} numbers, which is no multiple of the network's ${patterns} patterns`,
      );
    }
    const bad = counts.findIndex((n) => !Number.isSafeInteger(n) || n < 0);
    if (bad >= 0) {
      const [refit, pattern] = [Math.floor(bad / patterns), bad % patterns];
      throw usageError(`counts of refit ${refit}, pattern ${pattern}: ${counts[bad]} is no whole number of records`);
    }
    const { firstId = 0, signal, onProgress, ...sampling } = options;
    if (!Number.isSafeInteger(firstId) || firstId < 0) throw usageError(`firstId ${firstId} is no whole number`);
    const resolved = resolveSampling("sweep", sampling);
    const ids = Float64Array.from({ length: counts.length / patterns }, (_, i) => firstId + i);
    const run = { ...resolved, ...(signal && { signal }), ...(onProgress && { onProgress }) };
    return { ...(await this.engine.run({ network: compiled, counts, ids }, run)), seed: resolved.seed };
  }

  /**
   * The same for streams larger than memory: yields the results of each piece of counts, in order. Two pieces are under
   * way at a time, so that no thread waits; ids go on from piece to piece.
   */
  async *stream(
    network: CompiledNetwork | NetworkDefinition,
    pieces: AsyncIterable<Float64Array> | Iterable<Float64Array>,
    options: RefitOptions = {},
  ): AsyncGenerator<RefitResults> {
    const compiled = compiledOf(network);
    const { seed } = resolveSampling("sweep", { seed: options.seed });
    let firstId = options.firstId ?? 0;
    const waiting: Promise<RefitResults>[] = [];
    for await (const counts of pieces) {
      const results = this.run(compiled, counts, { ...options, seed, firstId });
      results.catch(() => {}); // thrown where it is waited for
      waiting.push(results);
      firstId += counts.length / compiled.patterns.length;
      if (waiting.length === 2) yield await (waiting.shift() as Promise<RefitResults>);
    }
    for (const results of waiting) yield await results;
  }

  /** Ends the engine's threads; what it is doing fails. */
  async dispose(): Promise<void> {
    await this.engine.dispose();
  }
}

const compiledOf = (network: CompiledNetwork | NetworkDefinition): CompiledNetwork =>
  "patternTable" in network ? network : compileOnce(network);
