import type { Agreement } from "../audit/agreement.js";

/** What `rat audit agreement --json` prints and audit-agreement.json holds. */
export interface AuditAgreementDocument extends Agreement {
  readonly source: string;
  /** Probability inside the intervals. */
  readonly level: number;
  /** Of the bootstrap of Krippendorff's alpha. */
  readonly seed: number;
  readonly replicates: number;
  /** What the audit takes for granted and can't show. */
  readonly notes: readonly string[];
}
