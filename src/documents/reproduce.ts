import type { Sweep } from "./sweep.js";
import type { Whole } from "./whole.js";

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
