/** From records to counts of each system, and of its clusters. */
import { usageError } from "../../errors.js";
import { isIterable, isObject, show } from "../../values.js";
import { checkOptions } from "../arguments.js";
import {
  type AuditCounts,
  type AuditSample,
  type ClusterCounts,
  type CountsInput,
  checkSample,
  type JudgedCounts,
  sorts,
} from "./input.js";

/** A record that the judge has seen. */
export interface PrevalenceRow {
  readonly verdict: boolean | 0 | 1;
  /** What is true; null or left out where the record isn't audited. */
  readonly gold?: boolean | 0 | 1 | null | undefined;
  /** Of records that err together, as claims of one answer; all rows have one, or none. */
  readonly cluster?: string | number | undefined;
}

export interface PrevalenceRowsOptions {
  /** How the audited rows came about; default `random`. */
  readonly sample?: AuditSample | undefined;
}

/**
 * The input of `auditPrevalence` from rows.
 * @throws RatError (usage) for rows that can't be
 */
export function prevalenceInputOf(rows: Iterable<PrevalenceRow>, options: PrevalenceRowsOptions = {}): CountsInput {
  checkRowsOptions(options);
  const [only] = talliesOf(rows, () => "");
  if (only === undefined) throw usageError("rows must be at least one");
  return only[1].input(options.sample);
}

/**
 * The input of `orderSystems` from rows of several systems; a cluster of the same name is the same one in all of them.
 * @throws RatError (usage) for rows that can't be
 */
export function prevalenceSystemsOf(
  rows: Iterable<PrevalenceRow & { readonly system: string }>,
  options: PrevalenceRowsOptions = {},
): { readonly name: string; readonly input: CountsInput }[] {
  checkRowsOptions(options);
  const tallies = talliesOf(rows, ({ system }, place) => {
    if (typeof system === "string") return system;
    throw usageError(`${place}.system must be text, not ${show(system)}`);
  });
  return [...tallies].map(([name, tally]) => ({ name, input: tally.input(options.sample) }));
}

function checkRowsOptions(options: PrevalenceRowsOptions): void {
  checkOptions(options, ["sample"]);
  checkSample(options.sample ?? "random", "sample");
}

function talliesOf<Row extends PrevalenceRow>(
  rows: Iterable<Row>,
  systemOf: (row: Row, place: string) => string,
): Map<string, PrevalenceTally> {
  if (!isIterable(rows)) throw usageError(`rows must be a list of records, not ${show(rows)}`);
  const tallies = new Map<string, PrevalenceTally>();
  const clusters = new Map<string | number, number>();
  let clustered: boolean | null = null;
  let i = 0;
  for (const row of rows) {
    const place = `rows[${i++}]`;
    if (!isObject(row)) throw usageError(`${place} must be an object with verdict and gold, not ${show(row)}`);
    const { cluster } = row as Row;
    if (cluster !== undefined && typeof cluster !== "string" && !Number.isFinite(cluster)) {
      throw usageError(`${place}.cluster must be text or a number, not ${show(cluster)}`);
    }
    clustered ??= cluster !== undefined;
    if (clustered !== (cluster !== undefined)) {
      throw usageError(
        `${place} has ${clustered ? "no" : "a"} cluster, and rows before it ${clustered ? "do" : "don't"}`,
      );
    }
    const truth = (row as Row).gold;
    const gold = truth === undefined || truth === null ? null : bitOf(truth, `${place}.gold`, ", or null");
    const verdict = bitOf((row as Row).verdict, `${place}.verdict`);
    if (cluster !== undefined && !clusters.has(cluster)) clusters.set(cluster, clusters.size);
    const system = systemOf(row as Row, place);
    const tally = tallies.get(system) ?? new PrevalenceTally();
    tallies.set(system, tally);
    tally.add(gold, verdict, cluster === undefined ? null : (clusters.get(cluster) as number));
  }
  return tallies;
}

function bitOf(value: unknown, place: string, or = ""): 0 | 1 {
  if (value === 0 || value === 1) return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  throw usageError(`${place} must be true or false, 1 or 0${or}, not ${show(value)}`);
}

/** Records of one system. */
export class PrevalenceTally {
  readonly totals = new Array<number>(sorts.length).fill(0);
  /** Place of each cluster in the table. */
  private readonly places = new Map<number, number>();
  private readonly table: number[] = [];

  /** @param cluster a whole number from 0; null: records are independent */
  add(truth: 0 | 1 | null, verdict: 0 | 1, cluster: number | null): void {
    const sort = sortOf(truth, verdict);
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

  counts(): { audit: AuditCounts; judged: JudgedCounts } {
    const [truePositives, falseNegatives, falsePositives, trueNegatives, positives, negatives] = this.totals;
    return {
      audit: { truePositives, falseNegatives, falsePositives, trueNegatives },
      judged: { positives, negatives },
    };
  }

  input(sample: AuditSample = "random"): CountsInput {
    const own = this.places.size === 0 ? {} : { clusters: this.clusterCounts() };
    return { ...this.counts(), sample, ...own };
  }

  private clusterCounts(): ClusterCounts {
    return { count: this.places.size, table: Float64Array.from(this.table), ids: Int32Array.from(this.places.keys()) };
  }
}

/** The sort of a record, as in the columns of ClusterCounts. */
function sortOf(truth: 0 | 1 | null, verdict: 0 | 1): number {
  const first = sorts.indexOf(truth === null ? "positives" : truth === 1 ? "truePositives" : "falsePositives");
  return verdict === 1 ? first : first + 1;
}
