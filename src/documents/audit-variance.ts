import type { VarianceAudit } from "../audit/variance.js";

/** What `rat audit variance --json` prints and audit-variance.json holds. */
export interface AuditVarianceDocument extends VarianceAudit {
  readonly source: string;
  /** Probability inside the intervals. */
  readonly level: number;
  /** What the audit takes for granted and can't show. */
  readonly notes: readonly string[];
}
