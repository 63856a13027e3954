import { openEngine } from "./engines/choose.js";
import type { Engine, EngineChoice, EngineName, SamplerName, Summaries } from "./engines/engine.js";
import { usageError } from "./errors.js";
import { compileOnce } from "./network/compile.js";
import type { CompiledNetwork } from "./network/compiled.js";
import type { NetworkDefinition } from "./network/definition.js";
import { resolveEngine, resolveSampling } from "./options.js";
import { type PieceOptions, pipeline } from "./pipeline.js";
import { expectedCount, isCount } from "./records/weight.js";
import { abortSignal, callback, check, fields, isAsyncIterable, isIterable, isObject, show } from "./values.js";

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
  /** Called with the number of refits finished so far, of a stream those of all its pieces. */
  onProgress?: ((finished: number) => void) | undefined;
}

const refitOptions = fields({}, { signal: abortSignal, onProgress: callback });

/** Summaries with the seed that made them. */
export interface RefitResults extends Summaries {
  readonly seed: number;
}

/** Opens an engine for thousands of refits. Call `dispose` when done with it. @throws RatError */
export async function createEngine(options: BackendOptions = {}): Promise<Backend> {
  check(fields({}), options, "options");
  return new Backend(await openEngine({ ...resolveEngine(options), sampler: "hmc" }));
}

/** The engine of a backend, for `fit`, which wants all draws. @throws RatError (usage) for anything else */
export let engineOf: (backend: unknown) => Engine;

/**
 * A high-throughput backend: counts in, posterior summaries out, both as flat typed arrays. Same seed and ids, same bits,
 * for any number of threads and however the refits are cut into calls.
 */
export class Backend {
  readonly #engine: Engine;

  static {
    engineOf = (backend) => {
      if (isObject(backend) && #engine in backend) return backend.#engine;
      throw usageError(`using must be an engine of createEngine, not ${show(backend)}`);
    };
  }

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get name(): EngineName {
    return this.#engine.name;
  }

  get adapter(): string | null {
    return this.#engine.adapter;
  }

  get workers(): number | null {
    return this.#engine.workers;
  }

  /**
   * Refits a network to each row of counts.
   * @param network compile it once and pass the compiled one where quantities or priors are your own
   * @param counts records a pattern, [refits x patterns], refit by refit; the patterns are `network.patterns`. They are
   * copied at once: the array may be used again while the call is under way
   * @returns struct of arrays, each [refits x quantities]
   * @throws RatError (usage) for counts that don't fit the network or are no whole numbers of records
   */
  async run(
    network: CompiledNetwork | NetworkDefinition,
    counts: Float64Array,
    options: RefitOptions = {},
  ): Promise<RefitResults> {
    check(refitOptions, options, "options");
    const compiled = compiledOf(network);
    return this.#refit(compiled, copyOf(counts, compiled), options);
  }

  /**
   * The same for streams larger than memory: yields the results of each piece of counts, in order. Two pieces are under
   * way at a time, so that no thread waits; ids go on from piece to piece. Leaving the loop ends what is under way.
   */
  async *stream(
    network: CompiledNetwork | NetworkDefinition,
    pieces: AsyncIterable<Float64Array> | Iterable<Float64Array>,
    options: RefitOptions = {},
  ): AsyncGenerator<RefitResults> {
    check(refitOptions, options, "options");
    const compiled = compiledOf(network);
    if (!isIterable(pieces) && !isAsyncIterable(pieces)) {
      throw usageError(`pieces must be an iterable of Float64Arrays, not ${show(pieces)}`);
    }
    const { seed } = resolveSampling("sweep", { seed: options.seed });
    let firstId = options.firstId ?? 0;
    const start = (counts: Float64Array, piece: PieceOptions): Promise<RefitResults> => {
      const copy = copyOf(counts, compiled);
      const results = this.#refit(compiled, copy, { ...options, ...piece, seed, firstId });
      firstId += copy.length / compiled.patterns.length;
      return results;
    };
    yield* pipeline(pieces, start, options);
  }

  /** Ends the engine's threads; what it is doing fails. */
  async dispose(): Promise<void> {
    await this.#engine.dispose();
  }

  async #refit(network: CompiledNetwork, counts: Float64Array, options: RefitOptions): Promise<RefitResults> {
    const { firstId = 0, signal, onProgress, ...sampling } = options;
    const refits = counts.length / network.patterns.length;
    // Beyond 2^53 - 1 two ids would be one, and two refits the same draws.
    if (!Number.isSafeInteger(firstId) || firstId < 0 || firstId > Number.MAX_SAFE_INTEGER - Math.max(0, refits - 1)) {
      throw usageError(
        `firstId must be a whole number, with ids up to 2^53 - 1 for ${refits} refits, not ${show(firstId)}`,
      );
    }
    const resolved = resolveSampling("sweep", { ...sampling, engine: this.#engine.name });
    const ids = Float64Array.from({ length: refits }, (_, i) => firstId + i);
    const run = { ...resolved, ...(signal && { signal }), ...(onProgress && { onProgress }) };
    return { ...(await this.#engine.run({ network, counts, ids }, run)), seed: resolved.seed };
  }
}

const compiledOf = (network: CompiledNetwork | NetworkDefinition): CompiledNetwork =>
  isObject(network) && "patternTable" in network
    ? (network as CompiledNetwork)
    : compileOnce(network as NetworkDefinition);

/** Counts that nobody else can change any more, checked. @throws RatError (usage) */
function copyOf(counts: Float64Array, network: CompiledNetwork): Float64Array {
  // By its name: an array of another window or worker context is none of this one's.
  if (Object.prototype.toString.call(counts) !== "[object Float64Array]") {
    throw usageError(`counts must be a Float64Array, not ${show(counts)}`);
  }
  const patterns = network.patterns.length;
  if (counts.length % patterns !== 0) {
    throw usageError(`counts has ${counts.length} numbers, which is no multiple of the network's ${patterns} patterns`);
  }
  const copy = counts.slice();
  const bad = copy.findIndex((n) => !isCount(n));
  if (bad >= 0) {
    const [refit, pattern] = [Math.floor(bad / patterns), bad % patterns];
    throw usageError(`counts of refit ${refit}, pattern ${pattern}: ${copy[bad]} is not ${expectedCount}`);
  }
  return copy;
}
