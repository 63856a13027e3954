import type { EngineName, SamplerName } from "../engines/engine.js";
import type { JudgeModel } from "./judge.js";
import type { Whole } from "./whole.js";

/** What `rat sweep --json` and `rat merge --json` print, sweep.json holds and `sweep` returns. */
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
  /** What counts as adherent, each share of adherence as `--policy` reads it; null where the network has no policy. */
  readonly policy: string | null;
  /** Key of all random numbers of the run. */
  readonly seed: Whole;
  /** What `add` counts; of labels a record with R and T costs two. */
  readonly budget: "records" | "labels";
  /** Whether labels that are known already cost nothing, so that others were bought instead. */
  readonly skipImplied: boolean;
  /** Share of the labels of T alone that fall on records of which A tells T; null where none are bought or they are skipped. */
  readonly impliedShare: number | null;
  /** Posterior mean on the full data, by quantity. */
  readonly truth: Readonly<Record<string, number | null>>;
  /** Base first, then by strategy as given, add ascending, quantity. */
  readonly cells: readonly SweepCell[];
  readonly paired: readonly SweepPaired[];
  /** Cells times replicates. */
  readonly refits: Whole;
  /** First batch to last summary; compilation and worker start excluded. */
  readonly seconds: number;
  readonly refitsPerSecond: number | null;
  /** Threads; null where that says nothing. */
  readonly workers: Whole | null;
  /** Of the shipped networks with a judge. */
  readonly judge?: JudgeModel;
}

/** Averages over replicates; every `...Se` is the Monte Carlo standard error of the average before it. */
export interface SweepCell {
  /** "base" is the base sample alone, with `add` 0. */
  readonly strategy: string;
  readonly base: Whole;
  readonly add: Whole;
  readonly replicates: Whole;
  readonly quantity: string;
  /** Mean absolute error of the posterior mean against `truth`. */
  readonly mae: number | null;
  readonly maeSe: number | null;
  /** Mean error. */
  readonly bias: number | null;
  readonly biasSe: number | null;
  /** Root mean square error. */
  readonly rmse: number | null;
  /** Of the intervals. */
  readonly width: number | null;
  readonly widthSe: number | null;
  /** Share of the intervals that hold the truth. */
  readonly coverage: number | null;
  readonly coverageSe: number | null;
  /** Worst of all replicates. */
  readonly maxRhat: number | null;
  readonly minEss: number | null;
}

/** A strategy minus another one on the same replicates, which cancels most of the Monte Carlo error. */
export interface SweepPaired {
  readonly strategy: string;
  readonly versus: string;
  readonly add: Whole;
  readonly quantity: string;
  readonly maeDifference: number | null;
  readonly maeDifferenceSe: number | null;
  readonly widthDifference: number | null;
  readonly widthDifferenceSe: number | null;
}
