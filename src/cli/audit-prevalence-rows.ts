/** From rows of a file to counts of each system, and of its clusters. */
import { type ClusterCounts, sorts } from "../audit/prevalence/input.js";
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

/** The sort of a record, as in the columns of ClusterCounts. */
function sortOf(truth: 0 | 1 | null, verdict: 0 | 1): number {
  const first = sorts.indexOf(truth === null ? "positives" : truth === 1 ? "truePositives" : "falsePositives");
  return verdict === 1 ? first : first + 1;
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
  const found = new Map<string, Tally>();
  let leftOut = 0;
  rows.forEach((row, i) => {
    const [truth, verdict] = [outcomeOf(row, gold), outcomeOf(row, judge)];
    const system = by === undefined ? source : nameOf(row, by, "the name of a system");
    const tally = found.get(system) ?? new Tally();
    found.set(system, tally);
    if (verdict === null) leftOut++;
    else tally.add(sortOf(truth, verdict), clusters?.of[i] ?? null);
  });
  const systems = [...found].map(([system, tally]) => {
    const { audit, unaudited } = tally.counts();
    const audited = tally.totals.slice(0, 4).some((n) => n > 0);
    if (unaudited.positives + unaudited.negatives === 0 && !(sample === "random" && audited)) {
      const why = audited ? "every record is audited, and --sample separate needs others" : "no record has a verdict";
      throw dataError(`${system === source ? "" : `${system}: `}${why}`, { file: source });
    }
    const own = clusters === null ? {} : { clusters: tally.clusterCounts() };
    return { system, audit, unaudited, input: { audit, judged: unaudited, sample, ...own } };
  });
  return { systems, leftOut, clusters: clusters?.count ?? null };
}

/** Records of one system. */
class Tally {
  readonly totals = new Array<number>(sorts.length).fill(0);
  /** Place of each cluster in the table. */
  private readonly places = new Map<number, number>();
  private readonly table: number[] = [];

  add(sort: number, cluster: number | null): void {
    this.totals[sort]++;
    if (cluster === null) return;
    let place = this.places.get(cluster);
    if (place === undefined) {
      place = this.places.size;
      this.places.set(cluster, place);
      for (let k = 0; k < sorts.length; k++) this.table.push(0);
    }
    this.table[place * sorts.length + sort]++;
  }

  counts(): { audit: AuditCounts; unaudited: JudgedCounts } {
    const [truePositives, falseNegatives, falsePositives, trueNegatives, positives, negatives] = this.totals;
    return {
      audit: { truePositives, falseNegatives, falsePositives, trueNegatives },
      unaudited: { positives, negatives },
    };
  }

  clusterCounts(): ClusterCounts {
    return { count: this.places.size, table: Float64Array.from(this.table), ids: Int32Array.from(this.places.keys()) };
  }
}
