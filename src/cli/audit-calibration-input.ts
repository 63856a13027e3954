import { type CalibrationMap, confidenceOfLogProbabilities } from "../audit/calibration/maps.js";
import type { Clusters } from "../audit/cluster.js";
import { dataError } from "../errors.js";
import type { AuditRow } from "./audit-rows.js";
import * as cells from "./audit-rows.js";
import type { AuditFlags } from "./audit-run.js";

export interface CalibrationFlags extends AuditFlags {
  confidence?: string;
  logprobYes?: string;
  logprobNo?: string;
  outcome?: string;
  group?: string;
  bins?: string;
  folds?: string;
  over?: "logit" | "confidence";
  smooth?: boolean;
  seed?: string;
  map?: CalibrationMap["kind"];
  save?: string;
  apply?: string;
}

/** Confidences of rows, and the outcome of those that have one. */
export interface CalibrationInput {
  readonly rows: readonly AuditRow[];
  readonly confidence: Float64Array;
  readonly logits: Float64Array | null;
  readonly outcome: readonly (0 | 1 | null)[];
  readonly clusters: Clusters | null;
  readonly leftOut: number;
}

/** @returns what finds the columns that the options name, and reads them. @throws RatError (data) */
export function readerOf(flags: CalibrationFlags): (all: readonly AuditRow[]) => CalibrationInput {
  const { confidence = "confidence", logprobYes: yes = "logprob_yes", logprobNo: no = "logprob_no" } = flags;
  const { outcome = "outcome", cluster, apply } = flags;
  const wantsLogs = (columns: readonly string[]): boolean => {
    if (flags.logprobYes !== undefined || flags.logprobNo !== undefined) return true;
    return (
      flags.confidence === undefined && !columns.includes(confidence) && columns.includes(yes) && columns.includes(no)
    );
  };
  const confidenceIn = (row: AuditRow): number | null => {
    const value = cells.numberOf(row, confidence);
    if (value === null || (value >= 0 && value <= 1)) return value;
    const remedy = value > 1 && value <= 100 ? "; divide percentages by 100" : "";
    return cells.refuse(row, confidence, `expected a confidence from 0 to 1${remedy}`);
  };
  const logIn = (row: AuditRow, column: string): number | null => {
    const cell = cells.cellOf(row, column);
    if (typeof cell === "string" && /^-inf(?:inity)?$/i.test(cell)) return -Infinity;
    const value = cells.numberOf(row, column);
    // Rounding of sums over tokens may leave them a little above 0.
    if (value === null || value <= 1e-6) return value;
    return cells.refuse(row, column, "expected a log probability, at most 0");
  };
  const outcomeIn = (row: AuditRow): 0 | 1 | null => {
    const cell = cells.cellOf(row, outcome);
    const graded = cell === null ? Number.NaN : Number(cell);
    if (!(graded > 0 && graded < 1)) return cells.outcomeOf(row, outcome);
    return cells.refuse(row, outcome, "expected 1 or 0; a blank leaves out what is neither, as a tie");
  };
  return (all) => {
    const columns = cells.columnsOf(all);
    const logs = wantsLogs(columns);
    const needsOutcome = apply === undefined || flags.outcome !== undefined;
    cells.checkColumns(all, {
      ...(logs ? { "--logprob-yes": yes, "--logprob-no": no } : { "--confidence": confidence }),
      "--outcome": needsOutcome ? outcome : undefined,
      "--cluster": cluster,
    });
    const hasOutcome = columns.includes(outcome);
    const rows: AuditRow[] = [];
    const outcomes: (0 | 1 | null)[] = [];
    const [first, second]: [number[], number[]] = [[], []];
    for (const row of all) {
      const [a, b] = logs ? [logIn(row, yes), logIn(row, no)] : [confidenceIn(row), 0];
      const truth = hasOutcome ? outcomeIn(row) : null;
      if (a === null || b === null || (truth === null && apply === undefined)) continue;
      if (a === -Infinity && b === -Infinity) {
        throw dataError("neither Yes nor No has any probability: leave both blank", cells.placeOf(row, yes));
      }
      rows.push(row);
      outcomes.push(truth);
      first.push(a);
      second.push(b);
    }
    const found = logs
      ? confidenceOfLogProbabilities(first, second)
      : { confidence: Float64Array.from(first), logits: null };
    const leftOut = all.length - rows.length;
    const clusters = rows.length === 0 ? null : cells.clustersIn(rows, cluster);
    return { rows, ...found, outcome: outcomes, clusters, leftOut };
  };
}
