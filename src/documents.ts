/**
 * The JSON documents of `rat fit` and `rat sweep`: what `--json` prints, `--out` writes and the library returns.
 * Their field names are a contract: add to them, but change or drop none. Numbers are finite, or null where they
 * don't apply. The JSON Schemas in schemas/ are made from these types (npm run generate).
 */
import type { Choice } from "./engines/auto.js";
import type { EngineName, SamplerName } from "./engines/engine.js";
import type { AdapterReport } from "./engines/webgpu/device.js";

/** A whole number, at most 2^53. @asType integer @minimum 0 */
export type Whole = number;

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

/** What is taken for known about a judge before any record. */
export interface JudgeModel {
  readonly rates: "learn" | "fixed";
  /** TPR_R, FPR_R, TPR_T and FPR_T as they are held; null where they are learnt. */
  readonly held: Readonly<Record<string, number>> | null;
  /** Of the Dirichlet prior over both labels in each state; null where labels are independent given R and T. */
  readonly concentration: number | null;
}

/** Whether the simple judge, whose label of R depends on R alone and of T on T alone, is enough. */
export interface JudgeComparison {
  /** Records with all of R, A, T, R_J and T_J, which alone are looked at. */
  readonly records: Whole;
  /** Natural logarithm of how much likelier the labels are under the judge with a joint distribution in each state. */
  readonly logBayesFactor: number;
  readonly checks: readonly PairCheck[];
  /** What both say, in words. */
  readonly verdict: string;
}

/** A pair of events that an independent judge lets come together by chance only. */
export interface PairCheck {
  readonly pair: string;
  /** Records in 1,000 in which both happen beyond chance. */
  readonly observed: number;
  /** Where 95 % of data sets lie that are drawn from the independent judge's posterior. */
  readonly lower: number;
  readonly upper: number;
  /** Two-sided posterior predictive p-value, at least 1/2000. */
  readonly p: number;
}

/** The same records under other priors; lists a prior have the order of `priors`. */
export interface PriorSensitivity {
  readonly priors: readonly StatedPrior[];
  readonly quantities: readonly QuantitySensitivity[];
  readonly conclusions: readonly ConclusionSensitivity[];
  /** What the samplers of these posteriors have to tell, beyond the fit's own warnings. */
  readonly warnings: readonly string[];
}

/** Beta(c, c) on every row; of more than two levels Dirichlet with c a level. */
export interface StatedPrior {
  readonly name: string;
  readonly concentration: number;
}

export interface QuantitySensitivity {
  readonly name: string;
  readonly under: readonly Pick<FitQuantity, "mean" | "sd" | "lower" | "upper" | "mcse">[];
  /** Largest difference between two of the means, in posterior standard deviations under the first prior. */
  readonly shift: number | null;
  /** Whether that is more than half a standard deviation. */
  readonly moves: boolean;
}

export interface ConclusionSensitivity {
  readonly statement: string;
  readonly expression: string;
  /** Posterior probability that it holds, and its Monte Carlo standard error. */
  readonly under: readonly { readonly probability: number | null; readonly mcse: number | null }[];
  /** Whether it is 0.95 or more under one prior and less under another. */
  readonly moves: boolean;
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
  /** Effective sample size for the middle of the posterior. */
  readonly essBulk: number | null;
  /** Effective sample size for its tails. */
  readonly essTail: number | null;
  /** Rank-normalised split R-hat: near 1 where the chains agree. */
  readonly rhat: number | null;
  /** The raw fraction k / n where the quantity is a plain proportion of seen labels. */
  readonly counted: { readonly k: Whole; readonly n: Whole } | null;
  /** Records that show the quantity; null for arithmetic over several probabilities. */
  readonly nObserved: Whole | null;
  /** Records that might show it, but lack a label. */
  readonly nMissing: Whole | null;
  /** Nothing seen informs the quantity beyond the prior. */
  readonly noData?: true;
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

/** What `rat doctor --json` prints and `examine` returns. */
export interface DoctorDocument {
  readonly version: string;
  /** Threads that the wasm engine uses by default. */
  readonly cores: Whole;
  /** Whether WebAssembly SIMD is there, without which nothing runs. */
  readonly simd: boolean;
  /** What WebGPU offers; none where the package `webgpu`, a driver or a GPU is missing. */
  readonly adapters: readonly AdapterReport[];
  /** What `auto` takes for a sweep of the usual size. */
  readonly auto: Choice;
  /** Exact mean of P(G=1) given the records of the self-test. */
  readonly exact: number;
  readonly engines: readonly EngineCheck[];
  /** What is missing or wrong, in words. */
  readonly problems: readonly string[];
}

/** An engine's self-test: many refits of one posterior, against the exact answer. */
export interface EngineCheck {
  readonly engine: EngineName;
  readonly adapter: string | null;
  /** Until the first batch can begin: threads, shaders. */
  readonly startSeconds: number;
  readonly refitsPerSecond: number;
  /** Effective draws a refit. */
  readonly ess: number | null;
  /** Of P(G=1) over all refits, and its Monte Carlo standard error. */
  readonly mean: number | null;
  readonly mcse: number | null;
  /** From the exact mean, in standard errors. */
  readonly deviation: number | null;
  readonly agrees: boolean;
}

/** What `rat gain --json` prints, gain.json holds and `gain` returns. */
export interface GainDocument {
  /** One a source and quantity, P(G=1) first. */
  readonly gains: readonly Gain[];
}

/** What labels tell about one uncertain event of a record whose abstention is seen. */
export interface Gain {
  readonly source: string;
  readonly quantity: string;
  /** Bits that are uncertain once A is seen. */
  readonly base: number;
  readonly strategies: readonly GainStrategy[];
  /** Joint probabilities of R and A. */
  readonly cells: readonly GainCell[];
  readonly warnings: readonly string[];
}

export interface GainStrategy {
  readonly strategy: string;
  /** Bits a record, at the posterior mean of the cells. */
  readonly gain: number;
  /** Ends of its credible interval. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Of the gain of all-joint; null where that is no strategy. */
  readonly shareOfJoint: number | null;
}

export interface GainCell {
  readonly R: string;
  readonly A: string;
  /** Share of the event in the cell; null where it depends on more than R and A. */
  readonly G: number | null;
  readonly p: number;
}

/** What `rat compare --json` prints, compare.json holds and `compare` returns. */
export interface CompareDocument {
  /** One a pair of systems and quantity. */
  readonly comparisons: readonly Comparison[];
  /** One a quantity. */
  readonly rankings: readonly Ranking[];
  readonly gate: Gate | null;
  readonly warnings: readonly string[];
}

/** Posterior of the difference second - first. */
export interface Comparison {
  readonly first: string;
  readonly second: string;
  readonly quantity: string;
  /** Mean. */
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  readonly pSecondGreater: number;
  /** Monte Carlo standard error of the difference. */
  readonly mcse: number | null;
  /** Whether both were fitted to the same questions, record by record. */
  readonly paired: boolean;
}

/** Who is best at a quantity, where more is better. */
export interface Ranking {
  readonly quantity: string;
  readonly systems: readonly RankedSystem[];
}

export interface RankedSystem {
  readonly system: string;
  readonly mean: number;
  readonly pBest: number;
  /** Of its rank, 1 the best: ends of the interval at the level. */
  readonly rankLower: Whole;
  readonly rankUpper: Whole;
}

/** A condition on the difference of the last system from the first one. */
export interface Gate {
  /** As given. */
  readonly condition: string;
  readonly quantity: string;
  /** Posterior probability that the difference is on the wanted side. */
  readonly probability: number;
  readonly wanted: number;
  readonly passed: boolean;
}

/** What `rat reproduce --json` prints, reproduce.json holds and `reproduce` returns. */
export interface ReproduceDocument {
  readonly version: string;
  /** Key of all random numbers of the run. */
  readonly seed: Whole;
  /** Fewer replicates than the paper has. */
  readonly quick: boolean;
  /** Tables, figures and claims that were asked for. */
  readonly parts: readonly string[];
  readonly tables: readonly ReproducedTable[];
  readonly claims: readonly ReproducedClaim[];
  readonly contradictions: readonly Contradiction[];
  /** The simulations behind them. */
  readonly experiments: readonly ReproducedExperiment[];
  /** Wall time of all. */
  readonly seconds: number;
}

export interface ReproducedExperiment {
  /** Also the folder of its rows. */
  readonly name: string;
  /** What is done, in words. */
  readonly about: string;
  /** Replicates here, and in the paper or, where it doesn't say, in a full run. */
  readonly replicates: Whole;
  readonly fullReplicates: Whole;
  readonly sweeps: readonly Sweep[];
}

/**
 * How much a table proves: `construction`: the shipped counts were solved from its numbers; `independent`: nothing of it
 * went into the counts; `none`: nothing here is recomputed.
 */
export type EvidenceKind = "construction" | "independent" | "none";

export interface ReproducedTable {
  /** As `--only` names it: table1, fig2. */
  readonly id: string;
  readonly title: string;
  /** What it shows, in words. */
  readonly about: string;
  readonly evidence: EvidenceKind;
  /** Where our numbers come from, in words. */
  readonly basis: string;
  /** Heads of what `labels` of a row holds. */
  readonly heads: readonly string[];
  /** Whether columns stand side by side, or each number has a line. */
  readonly layout: "matrix" | "list";
  readonly figure: "network" | "mae" | "width" | null;
  readonly rows: readonly ReproducedRow[];
  /** Of contradictions that show here. */
  readonly contradictions: readonly string[];
  readonly notes: readonly string[];
}

/** One number of the paper, and ours. */
export interface ReproducedRow {
  readonly labels: readonly string[];
  /** Labels and column in one. */
  readonly label: string;
  readonly column: string;
  /** Where one printed number has several answers: by what. */
  readonly variant: string | null;
  /** With the paper's digits; null where it prints none. */
  readonly printed: string | null;
  /** null: not recomputed. */
  readonly ours: number | null;
  /** Monte Carlo standard error of ours; null: exact, or nothing is. */
  readonly se: number | null;
  /** Ours minus the printed one. */
  readonly difference: number | null;
  /**
   * Of exact numbers whether the printed one is ours, rounded; of estimated ones whether it is within three standard
   * errors of that; null where there is nothing to compare.
   */
  readonly met: boolean | null;
  /** Of its column, by the paper's numbers. */
  readonly mark: "best" | "worst" | null;
}

/** A sentence of the paper, in our words, and what decides whether it holds. */
export interface ReproducedClaim {
  readonly id: string;
  /** Of the paper. */
  readonly section: string;
  readonly claim: string;
  /** What was looked at, in words. */
  readonly decidedBy: string;
  readonly measure: "posterior probability" | "paired difference" | "difference" | "count";
  readonly value: number | null;
  /** Monte Carlo standard error. */
  readonly se: number | null;
  readonly verdict: "holds" | "does not hold" | "undecided";
  readonly contradiction: string | null;
}

/** Where the paper's numbers or sentences don't go together. */
export interface Contradiction {
  readonly id: string;
  readonly where: string;
  readonly text: string;
}
