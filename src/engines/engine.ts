import type { CompiledNetwork } from "../network/compiled.js";

export type SamplerName = "nuts" | "hmc";
export type EngineName = "wasm" | "webgpu" | "exact";
/** `auto` is wasm, or webgpu where that pays; never exact. */
export type EngineChoice = "auto" | EngineName;

/** How every refit of a batch is sampled. */
export interface SamplerOptions {
  readonly sampler: SamplerName;
  readonly chains: number;
  /** Iterations a chain before the draws, for adaptation. */
  readonly warmup: number;
  /** Draws kept a chain. */
  readonly draws: number;
  /** Key of all random streams of the run: an integer in [0, 2^53). */
  readonly seed: number;
  /** Probability inside the equal-tailed intervals, e.g. 0.95. */
  readonly level: number;
}

/** Many refits of one network: what an engine is given. */
export interface Batch {
  readonly network: CompiledNetwork;
  /** Records a pattern: [refits x patterns], refit by refit. */
  readonly counts: Float64Array;
  /** Key of each refit's random stream, an integer in [0, 2^53). */
  readonly ids: Float64Array;
}

export interface PrepareOptions extends SamplerOptions {
  readonly signal?: AbortSignal;
}

export interface RunOptions extends PrepareOptions {
  /** Called with the number of refits finished so far. */
  readonly onProgress?: (finished: number) => void;
  /** Keep what the sampler did at each draw; `sample` only. */
  readonly trace?: boolean;
  /** Told in words what went otherwise than asked for, and what was done about it. */
  readonly onNotice?: (notice: string) => void;
}

/** A refit that another engine did than the one that was asked to. */
export interface Fallback {
  /** Its number in the batch. */
  readonly refit: number;
  readonly engine: EngineName;
  /** In words. */
  readonly reason: string;
}

/** Posterior summaries of a batch, struct of arrays; each array is [refits x quantities], refit by refit. */
export interface Summaries {
  readonly refits: number;
  readonly quantities: number;
  readonly mean: Float64Array;
  readonly sd: Float64Array;
  readonly median: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Split R-hat without ranks; NaN where it doesn't apply. */
  readonly rhat: Float64Array;
  /** Effective sample size by batch means; NaN where it doesn't apply. */
  readonly ess: Float64Array;
  /** [refits]. */
  readonly divergences: Float64Array;
  readonly leapfrogs: Float64Array;
  /** Refits that another engine did, in their order; mostly none. */
  readonly fallbacks: readonly Fallback[];
}

export function emptySummaries(refits: number, quantities: number): Summaries {
  const column = (): Float64Array => new Float64Array(refits * quantities);
  return {
    refits,
    quantities,
    mean: column(),
    sd: column(),
    median: column(),
    lower: column(),
    upper: column(),
    rhat: column(),
    ess: column(),
    divergences: new Float64Array(refits),
    leapfrogs: new Float64Array(refits),
    fallbacks: [],
  };
}

/** All draws of one refit. */
export interface Draws {
  readonly chains: number;
  readonly draws: number;
  /** One array a quantity: [chains x draws], chain by chain. */
  readonly values: readonly Float64Array[];
  readonly statistics: ChainStatistics | null;
  /** Where it was asked for and the draws are a Markov chain's. */
  readonly trace: DrawTrace | null;
  /** Wall seconds from the first kernel call to the last draw. */
  readonly seconds: number;
  /** Where another engine drew them. */
  readonly fallback?: Fallback;
}

/** What the sampler did at each draw; each array is [chains x draws], chain by chain. */
export interface DrawTrace {
  /** Log posterior density of the logits, up to a constant. */
  readonly logDensity: Float64Array;
  /** Mean acceptance of the transition, in [0, 1]. */
  readonly acceptance: Float64Array;
  readonly stepSize: Float64Array;
  /** Depth of the NUTS tree; 0 for hmc. */
  readonly depth: Float64Array;
  readonly leapfrogs: Float64Array;
  /** 0 complete, 1 met the depth limit, 2 divergent, 3 not finite. */
  readonly outcome: Float64Array;
  /** Hamiltonian of the draw. */
  readonly energy: Float64Array;
}

/** What the sampler did, one entry a chain (null members: not a Markov chain). */
export interface ChainStatistics {
  readonly stepSize: readonly number[];
  readonly divergences: readonly number[];
  readonly leapfrogs: readonly number[];
  readonly acceptance: readonly number[];
  /** Transitions that met the depth limit. */
  readonly maxDepth: readonly number[];
}

export interface Engine {
  readonly name: EngineName;
  /** The GPU adapter in words; null where there is none. */
  readonly adapter: string | null;
  /** Threads that sample; null where that says nothing. */
  readonly workers: number | null;
  /** Refits that a batch should have: enough to keep the engine busy, little to lose by an interruption. */
  readonly batchRefits: number;
  /** Starts and compiles what `run` with these options needs, so that its first batch is as fast as the others. */
  prepare(network: CompiledNetwork, options: PrepareOptions): Promise<void>;
  run(batch: Batch, options: RunOptions): Promise<Summaries>;
  sample(network: CompiledNetwork, counts: Float64Array, id: number, options: RunOptions): Promise<Draws>;
  dispose(): Promise<void>;
}
