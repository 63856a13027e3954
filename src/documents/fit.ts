import type { EngineName, SamplerName } from "../engines/engine.js";
import type { JudgeComparison, JudgeModel } from "./judge.js";
import type { FitQuantity } from "./quantity.js";
import type { PriorSensitivity } from "./sensitivity.js";
import type { Whole } from "./whole.js";

/** What `rat fit --json` prints, fit.json holds and `fit` returns. */
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
  /** What counts as adherent, each share of adherence as `--policy` reads it; null where the network has no policy. */
  readonly policy: string | null;
  /** Key of all random numbers of the run. */
  readonly seed: Whole | null;
  /** How many records there are, those without any label included. */
  readonly records: Whole;
  /** Records that hold the variable's value, by variable; implied ones not included. */
  readonly observed: Readonly<Record<string, Whole>>;
  /** Values that the model implies where the record is blank, by variable. */
  readonly implied: Readonly<Record<string, Whole>>;
  readonly chains: Whole | null;
  /** Iterations a chain before the draws, for adaptation. */
  readonly warmup: Whole | null;
  /** Draws kept a chain; independent ones in all where nothing is a chain. */
  readonly draws: Whole | null;
  /** Probability inside the equal-tailed intervals. */
  readonly level: number;
  readonly quantities: readonly FitQuantity[];
  readonly diagnostics: FitDiagnostics;
  readonly warnings: readonly string[];
  /** Of the shipped networks with a judge. */
  readonly judge?: JudgeModel;
  /** Where it was asked for. */
  readonly judgeComparison?: JudgeComparison;
  /** Where it was asked for. */
  readonly priorSensitivity?: PriorSensitivity;
}

export interface FitDiagnostics {
  readonly divergences: Whole | null;
  /** Leapfrog steps a draw. */
  readonly meanLeapfrogs: number | null;
  /** One a chain. */
  readonly stepSize: readonly number[] | null;
  /** Wall time from the first kernel call to the last draw of all chains. */
  readonly seconds: number;
  /** The same with reading, compiling, worker start and summaries. */
  readonly totalSeconds: number;
}
