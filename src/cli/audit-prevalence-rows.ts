/** From rows of a file to counts of each system, and of its clusters. */
import { PrevalenceTally } from "../audit/prevalence/rows.js";
import type { AuditCounts, AuditSample, JudgedCounts, PrevalenceInput } from "../audit/prevalence.js";
import { dataError } from "../errors.js";
import { type AuditRow, checkColumns, clustersIn, nameOf, outcomeOf } from "./audit-rows.js";

export interface SystemCounts {
  readonly system: string;
  readonly input: PrevalenceInput;
  readonly audit: AuditCounts | null;
  readonly unaudited: JudgedCounts | null;
}

export interface PrevalenceColumns {
  gold?: string;
  judge?: string;
  by?: string;
  cluster?: string;
}

export interface ReadSystems {
  readonly systems: readonly SystemCounts[];
  /** Rows without a verdict. */
  readonly leftOut: number;
  readonly clusters: number | null;
}

/** @throws RatError (data) for cells that can't be read, and systems without judged records */
export function readSystems(
  rows: readonly AuditRow[],
  source: string,
  { gold = "gold", judge = "judge", by, cluster }: PrevalenceColumns,
  sample: AuditSample,
): ReadSystems {
  checkColumns(rows, { "--gold": gold, "--judge": judge, "--by": by, "--cluster": cluster });
  const clusters = clustersIn(rows, cluster);
  const found = new Map<string, PrevalenceTally>();
  let leftOut = 0;
  rows.forEach((row, i) => {
    const [truth, verdict] = [outcomeOf(row, gold), outcomeOf(row, judge)];
    const system = by === undefined ? source : nameOf(row, by, "the name of a system");
    const tally = found.get(system) ?? new PrevalenceTally();
    found.set(system, tally);
    if (verdict === null) leftOut++;
    else tally.add(truth, verdict, clusters?.of[i] ?? null);
  });
  const systems = [...found].map(([system, tally]) => {
    const { audit, judged: unaudited } = tally.counts();
    const audited = tally.totals.slice(0, 4).some((n) => n > 0);
    if (unaudited.positives + unaudited.negatives === 0 && !(sample === "random" && audited)) {
      const why = audited ? "every record is audited, and --sample separate needs others" : "no record has a verdict";
      throw dataError(`${system === source ? "" : `${system}: `}${why}`, { file: source });
    }
    return { system, audit, unaudited, input: tally.input(sample) };
  });
  return { systems, leftOut, clusters: clusters?.count ?? null };
}
