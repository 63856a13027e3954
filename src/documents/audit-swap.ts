import type { ScoreSwap, VerdictSwap } from "../audit/swap.js";

/** What `rat audit swap --json` prints and audit-swap.json holds. */
export type AuditSwapDocument = AuditVerdictSwap | AuditScoreSwap;

/** Of verdicts in both orders; winners are in the order of the rows. */
export interface AuditVerdictSwap extends VerdictSwap {
  readonly kind: "verdicts";
  readonly source: string;
  /** Probability inside the intervals. */
  readonly level: number;
  /** What the audit can't show. */
  readonly notes: readonly string[];
}

/** Of scores in both slots; debiased scores are in the order of the rows. */
export interface AuditScoreSwap extends ScoreSwap {
  readonly kind: "scores";
  readonly source: string;
  /** Probability inside the intervals. */
  readonly level: number;
  /** What the audit can't show. */
  readonly notes: readonly string[];
}
