import { usageError } from "../../errors.js";
import { check, fields, isObject, number, show } from "../../values.js";
import { checkNames } from "../arguments.js";

/** Audited records by what is true and what the judge said. */
export interface AuditCounts {
  /** True, and the judge said yes. */
  readonly truePositives: number;
  /** True, and the judge said no. */
  readonly falseNegatives: number;
  /** False, and the judge said yes. */
  readonly falsePositives: number;
  /** False, and the judge said no. */
  readonly trueNegatives: number;
}

/** Records that only the judge has seen. */
export interface JudgedCounts {
  readonly positives: number;
  readonly negatives: number;
}

/**
 * How the audited records came about. `random`: a random sample of the very records that are judged, whatever they are,
 * so that they say how frequent truth is, too. `separate`: anything else, as so many of each kind, or records of another
 * source; they tell the judge's rates alone.
 */
export type AuditSample = "random" | "separate";

export interface CountsInput {
  readonly audit: AuditCounts;
  /** Without the audited records. */
  readonly judged: JudgedCounts;
  /** Default: `random`. */
  readonly sample?: AuditSample | undefined;
  /** The same records by cluster, where records of one err together: errors then allow for it. */
  readonly clusters?: ClusterCounts | undefined;
}

/** Sorts of records, in the order of the columns of `ClusterCounts`. */
export const sorts = [
  "truePositives",
  "falseNegatives",
  "falsePositives",
  "trueNegatives",
  "positives",
  "negatives",
] as const;

/** Records by cluster and sort. */
export interface ClusterCounts {
  readonly count: number;
  /** [count x 6]: true and false positives and so on as in AuditCounts (TP, FN, FP, TN), then judged yes and no. */
  readonly table: Float64Array;
  /** Whole numbers from 0 that tell clusters apart which several systems share; left out: none is shared. */
  readonly ids?: Int32Array | undefined;
}

/** The same as shares and how many records each rests on: a judge audited elsewhere (`separate`). */
export interface RatesInput {
  /** Share of judged records that the judge says yes to. */
  readonly observed: number;
  /** Judged records; without it there are no errors. */
  readonly n?: number | undefined;
  readonly sensitivity: number;
  /** Audited records that are true; without it the rate is taken for known. */
  readonly sensitivityN?: number | undefined;
  readonly specificity: number;
  /** Audited records that are false; without it the rate is taken for known. */
  readonly specificityN?: number | undefined;
}

export type PrevalenceInput = CountsInput | RatesInput;

/** A share and how many records it rests on; null: taken for known. */
export interface Rate {
  readonly value: number;
  readonly n: number | null;
}

/** What all estimates are made from. */
export interface Audit {
  /** Of all judged records; with a random sample the audited ones are among them. */
  readonly observed: Rate;
  /** null: no audited record is true, or none is false. */
  readonly sensitivity: Rate | null;
  readonly specificity: Rate | null;
  /** The counts, where the audited records are a random sample. */
  readonly random: CountsInput | null;
  /** The counts, whatever the sample; null where rates were given. */
  readonly counts: CountsInput | null;
}

const countNames = ["audit", "judged", "sample", "clusters"];
const rateNames = ["observed", "n", "sensitivity", "sensitivityN", "specificity", "specificityN"];

const counts = fields({ truePositives: number, falseNegatives: number, falsePositives: number, trueNegatives: number });
const judged = fields({ positives: number, negatives: number });

/** @param place for messages @throws RatError (usage) for what is no count or no share */
export function auditOf(input: PrevalenceInput, place = "input"): Audit {
  if (!isObject(input)) throw usageError(`${place} must be an object of counts or rates, not ${show(input)}`);
  const ofRecords = "audit" in input || "judged" in input;
  checkNames(input, ofRecords ? countNames : rateNames, place);
  return ofRecords ? ofCounts(input as CountsInput, place) : ofRates(input as RatesInput, place);
}

function ofCounts(input: CountsInput, place: string): Audit {
  check(counts, input.audit, `${place}.audit`);
  check(judged, input.judged, `${place}.judged`);
  const { sample = "random" } = input;
  checkSample(sample, `${place}.sample`);
  for (const [k, sort] of sorts.entries()) {
    const part = k < 4 ? "audit" : "judged";
    checkCount({ ...input.audit, ...input.judged }[sort], `${place}.${part}.${sort}`);
  }
  const { truePositives, falseNegatives, falsePositives, trueNegatives } = input.audit;
  const random = sample === "random";
  const positives = input.judged.positives + (random ? truePositives + falsePositives : 0);
  const n = positives + input.judged.negatives + (random ? falseNegatives + trueNegatives : 0);
  if (n === 0) throw usageError(`${place} has no judged records: a prevalence needs at least one`);
  checkClusters(input, place);
  return {
    observed: { value: positives / n, n },
    sensitivity: shareOf(truePositives, falseNegatives),
    specificity: shareOf(trueNegatives, falsePositives),
    random: random && truePositives + falseNegatives + falsePositives + trueNegatives > 0 ? input : null,
    counts: input,
  };
}

const shareOf = (hits: number, misses: number): Rate | null =>
  hits + misses === 0 ? null : { value: hits / (hits + misses), n: hits + misses };

function ofRates(input: RatesInput, place: string): Audit {
  const rate = (
    name: "observed" | "sensitivity" | "specificity",
    size: "n" | "sensitivityN" | "specificityN",
  ): Rate => {
    const value = input[name];
    const n = input[size] ?? null;
    if (!(typeof value === "number" && value >= 0 && value <= 1)) {
      throw usageError(`${place}.${name} must be a share from 0 to 1, not ${show(value)}`);
    }
    if (n !== null && !(Number.isFinite(n) && n > 0)) {
      throw usageError(`${place}.${size} must be a number of records above 0, or left out, not ${show(n)}`);
    }
    return { value, n };
  };
  return {
    observed: rate("observed", "n"),
    sensitivity: rate("sensitivity", "sensitivityN"),
    specificity: rate("specificity", "specificityN"),
    random: null,
    counts: null,
  };
}

function checkClusters({ audit, judged, clusters }: CountsInput, place: string): void {
  if (clusters === undefined) return;
  if (!isClusterCounts(clusters)) {
    throw usageError(
      `${place}.clusters must be an object of count and table, as prevalenceInputOf(rows) makes it, not ${show(clusters)}`,
    );
  }
  const { count, table, ids } = clusters;
  const totals = sorts.map(() => 0);
  for (let i = 0; i < table.length; i++) totals[i % sorts.length] += table[i];
  const counted = sorts.map((sort) => ({ ...audit, ...judged })[sort]);
  const fits = table.length === count * sorts.length && totals.every((n, k) => n === counted[k]);
  if (ids !== undefined && (ids.length !== count || new Set(ids).size < count || ids.some((id) => id < 0))) {
    throw usageError(`${place}.clusters.ids must be ${count} different whole numbers from 0, one a cluster`);
  }
  if (fits && table.every((n) => Number.isSafeInteger(n) && n >= 0)) return;
  throw usageError(`${place}.clusters must be the records of audit and judged, ${sorts.length} numbers a cluster`);
}

const isClusterCounts = (value: unknown): value is ClusterCounts =>
  isObject(value) &&
  Number.isSafeInteger(value.count) &&
  value.table instanceof Float64Array &&
  (value.ids === undefined || value.ids instanceof Int32Array);

/** @throws RatError (usage) */
export function checkSample(sample: unknown, place: string): void {
  if (sample === "random" || sample === "separate") return;
  throw usageError(`${place} must be "random" or "separate", not ${show(sample)}`);
}

function checkCount(n: number, place: string): void {
  if (Number.isSafeInteger(n) && n >= 0) return;
  throw usageError(`${place} must be a whole number of records, 0 or more, not ${show(n)}`);
}
