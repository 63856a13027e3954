import type { Alarm } from "../audit/alarm.js";
import type {
  AuditCounts,
  AuditSample,
  BayesianPrevalence,
  JudgedCounts,
  Prevalence,
  SystemOrder,
} from "../audit/prevalence.js";
import type { Whole } from "./whole.js";

/** What `rat audit prevalence --json` prints and audit-prevalence.json holds. */
export interface AuditPrevalenceDocument {
  /** The file; null where rates were given. */
  readonly source: string | null;
  /** How the audited records came about. */
  readonly sample: AuditSample;
  /** Clusters of all records; null without --cluster. */
  readonly clusters: number | null;
  /** Probability inside the intervals. */
  readonly level: number;
  /** Of the Markov chains and drawn orders. */
  readonly seed: Whole;
  /** One a value of the column of --by; without it one. */
  readonly systems: readonly AuditPrevalenceSystem[];
  /** Of more than one system: their order as judged, and corrected; else null. */
  readonly order: SystemOrder | null;
  /** Judges that say yes more often, or less often, than there is truth; of several systems each p counts for all. */
  readonly alarms: readonly Alarm[];
  readonly warnings: readonly string[];
  /** What the estimates take for granted and no record can show. */
  readonly notes: readonly string[];
}

export interface AuditPrevalenceSystem extends Omit<Prevalence, "alarms" | "warnings"> {
  readonly system: string;
  /** Records with gold and verdict, by both; null where rates were given. */
  readonly audit: AuditCounts | null;
  /** Records with a verdict alone; null where rates were given. */
  readonly unaudited: JudgedCounts | null;
  /** From the network of truth and verdict. */
  readonly bayesian: BayesianPrevalence;
}
