import type { LatentClassReport } from "../audit/latent-class.js";
import type { Whole } from "./whole.js";

/** What `rat audit latent-class --json` prints and audit-latent-class.json holds. */
export interface AuditLatentClassDocument extends Omit<LatentClassReport, "posterior" | "independence"> {
  readonly source: string;
  /** Probability inside the intervals. */
  readonly level: number;
  /** Of the random starts and the check of independence. */
  readonly seed: Whole;
  readonly independence: JudgeIndependence | null;
  /** One an item, in their order in the file. */
  readonly posteriors: readonly ItemPosterior[];
}

/** Whether any two judges agree more or less often than independent ones would. */
export interface JudgeIndependence {
  /** Of the pair that is the furthest off, all pairs taken together. */
  readonly p: number;
  /** The chance that judges who are independent fail. */
  readonly falseAlarm: number;
  readonly fails: boolean;
  /** Pairs that were looked at. */
  readonly pairs: Whole;
  /** Data sets that were simulated. */
  readonly replicates: Whole;
  /** Furthest off first, ten at most. */
  readonly worst: readonly JudgePair[];
}

export interface JudgePair {
  readonly first: string;
  readonly second: string;
  /** Items that both voted on. */
  readonly items: Whole;
  readonly agreement: number;
  /** Of judges who are independent given the class. */
  readonly expected: number;
  readonly residualCorrelation: number;
  readonly p: number;
}

export interface ItemPosterior {
  readonly item: string;
  /** The most probable class. */
  readonly label: string;
  /** Of each class, in the order of `classes`. */
  readonly probabilities: readonly number[];
  /** As in the file; null where it isn't known. */
  readonly gold: string | null;
}
