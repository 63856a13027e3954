/**
 * The JSON documents of `rat fit` and `rat sweep`: what `--json` prints, `--out` writes and the library returns.
 * Their field names are a contract: add to them, but change or drop none. Numbers are finite, or null where they
 * don't apply.
 */
import type { EngineName, SamplerName } from "./engines/engine.js";

export interface FitDocument {
  readonly fits: readonly Fit[];
}

/** One posterior of one set of records. */
export interface Fit {
  /** File as typed, preset, or file and group: what a reader calls the system. */
  readonly source: string;
  readonly network: string;
  readonly engine: EngineName;
  /** The GPU adapter in words; null where there is none. */
  readonly adapter: string | null;
  /** Why another engine than the one asked for did this fit; null if none did. */
  readonly fallback: string | null;
  /** null: not a Markov chain. */
  readonly sampler: SamplerName | null;
  readonly seed: number | null;
  readonly records: number;
  /** Records that hold the variable's value, by variable; implied ones not included. */
  readonly observed: Readonly<Record<string, number>>;
  /** Values that the model implies where the record is blank, by variable. */
  readonly implied: Readonly<Record<string, number>>;
  readonly chains: number | null;
  /** A chain. */
  readonly warmup: number | null;
  /** A chain. */
  readonly draws: number | null;
  /** Probability inside the equal-tailed intervals. */
  readonly level: number;
  readonly quantities: readonly FitQuantity[];
  readonly diagnostics: FitDiagnostics;
  readonly warnings: readonly string[];
}

export interface FitQuantity {
  readonly name: string;
  readonly mean: number | null;
  readonly sd: number | null;
  readonly median: number | null;
  /** Ends of the equal-tailed interval at the fit's level. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Monte Carlo standard error of the mean. */
  readonly mcse: number | null;
  readonly essBulk: number | null;
  readonly essTail: number | null;
  readonly rhat: number | null;
  /** The raw fraction k / n where the quantity is a plain proportion of seen labels. */
  readonly counted: { readonly k: number; readonly n: number } | null;
  readonly nObserved: number | null;
  readonly nMissing: number | null;
  /** Nothing seen informs the quantity beyond the prior. */
  readonly noData?: true;
}

export interface FitDiagnostics {
  readonly divergences: number | null;
  /** Leapfrog steps a draw. */
  readonly meanLeapfrogs: number | null;
  /** One a chain. */
  readonly stepSize: readonly number[] | null;
  /** Wall time from the first kernel call to the last draw of all chains. */
  readonly seconds: number;
  /** The same with reading, compiling, worker start and summaries. */
  readonly totalSeconds: number;
}

export interface SweepDocument {
  readonly sweeps: readonly Sweep[];
}

/** The allocation experiment of one system. */
export interface Sweep {
  readonly source: string;
  readonly network: string;
  readonly engine: EngineName;
  readonly adapter: string | null;
  readonly sampler: SamplerName | null;
  readonly seed: number;
  /** Posterior mean on the full data, by quantity. */
  readonly truth: Readonly<Record<string, number | null>>;
  /** Base first, then by strategy as given, add ascending, quantity. */
  readonly cells: readonly SweepCell[];
  readonly paired: readonly SweepPaired[];
  readonly refits: number;
  /** First batch to last summary; compilation and worker start excluded. */
  readonly seconds: number;
  readonly refitsPerSecond: number | null;
  readonly workers: number | null;
}

/** Averages over replicates; every `...Se` is the Monte Carlo standard error of the average before it. */
export interface SweepCell {
  /** "base" is the base sample alone, with `add` 0. */
  readonly strategy: string;
  readonly base: number;
  readonly add: number;
  readonly replicates: number;
  readonly quantity: string;
  readonly mae: number | null;
  readonly maeSe: number | null;
  readonly bias: number | null;
  readonly biasSe: number | null;
  readonly rmse: number | null;
  readonly width: number | null;
  readonly widthSe: number | null;
  readonly coverage: number | null;
  readonly coverageSe: number | null;
  readonly maxRhat: number | null;
  readonly minEss: number | null;
}

/** A strategy minus another one on the same replicates, which cancels most of the Monte Carlo error. */
export interface SweepPaired {
  readonly strategy: string;
  readonly versus: string;
  readonly add: number;
  readonly quantity: string;
  readonly maeDifference: number | null;
  readonly maeDifferenceSe: number | null;
  readonly widthDifference: number | null;
  readonly widthDifferenceSe: number | null;
}
