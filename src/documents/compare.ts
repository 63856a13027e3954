import type { Whole } from "./whole.js";

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
