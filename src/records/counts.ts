import { dataError, type ErrorPlace } from "../errors.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { isObject, jsonOf, show } from "../values.js";
import { type ColumnOptions, Columns, countColumn } from "./columns.js";
import { type ContradictionRule, Contradictions } from "./contradictions.js";
import { describeLabels, hasLevels01, labelReader, notALabel, notObserved } from "./labels.js";
import { type Observation, Observations } from "./observation.js";
import { Problems } from "./problems.js";
import { type RawRow, showList } from "./row.js";
import { Tally, type VariableCounts } from "./tally.js";
import { expectedCount, maxCount, readCount } from "./weight.js";

export interface CountOptions extends ColumnOptions {
  /** Default `refuse`. */
  readonly contradictions?: ContradictionRule | undefined;
  /** Name for messages. */
  readonly file?: string | undefined;
  /** Called with each row that is counted: the pattern that it shows, its group, and how many records it stands for. */
  readonly onRecord?: ((row: RawRow, pattern: number, group: string, records: number) => void) | undefined;
}

/** Records as a refit is given them, and what was seen on the way. */
export interface RecordCounts extends VariableCounts {
  /** How many records show each pattern of the network. */
  readonly counts: Float64Array;
  /** Their sum. */
  readonly records: number;
}

export interface CountedRecords extends RecordCounts {
  /** The records of each value of the column `by`, in order of appearance; null without `by`. */
  readonly groups: ReadonlyMap<string, RecordCounts> | null;
  /** Records that contradicted the model: dropped, or among the counts if they were read as failures. */
  readonly contradictions: number;
  readonly ignoredColumns: readonly string[];
  /** What a user should be told, one sentence each. */
  readonly notices: readonly string[];
}

/** The group of records whose group column is blank. */
const blankGroup = "(blank)";

const labelHint =
  "A 0/1 label is 0, 1, true, false, yes or no; blank, NA, NaN, null and none are not observed. " +
  "A score on another scale has to be cut at a threshold first.";

/**
 * Counts the rows of a file.
 * @throws RatError (data) for cells that can't be read, contradictions that are refused, no records, no labels;
 * (usage) for options that name no column. Cells are collected, so that one run shows several of them.
 */
export async function countRecords(
  rows: AsyncIterable<RawRow> | Iterable<RawRow>,
  network: CompiledNetwork,
  options: CountOptions = {},
): Promise<CountedRecords> {
  const counter = new RecordCounter(network, options);
  for await (const row of rows) counter.add(row);
  return counter.finish();
}

/** Counts rows one by one; what countRecords does, for rows that are at hand. */
export class RecordCounter {
  private readonly place: ErrorPlace;
  private readonly columns: Columns;
  private readonly problems: Problems;
  private readonly observations: Observations;
  private readonly contradictions: Contradictions;
  private readonly readers: readonly ((value: unknown) => number)[];
  private readonly levels: number[];
  private readonly tallies = new Map<string, Tally>();
  private rows = 0;
  private total = 0;

  constructor(
    private readonly network: CompiledNetwork,
    private readonly options: CountOptions = {},
  ) {
    this.place = options.file === undefined ? {} : { file: options.file };
    this.columns = new Columns(network, options, this.place);
    this.problems = new Problems(options.file);
    this.observations = new Observations(network);
    const rule = options.contradictions ?? "refuse";
    this.contradictions = new Contradictions(rule, network, this.observations, this.place);
    this.readers = network.variables.map(labelReader);
    this.levels = network.variables.map(() => notObserved);
  }

  add(row: RawRow): void {
    checkRow(row, this.place);
    this.rows++;
    const records = this.read(row);
    if (records === 0) return;
    if (records > maxCount - this.total) {
      throw dataError("there are more than 2^53 records up to here", { ...this.place, line: row.line });
    }
    this.total += records;
    let observation: Observation | null = this.observations.of(this.levels);
    if (observation.pattern < 0) observation = this.contradictions.resolve(observation, row.line, records);
    if (observation === null) return;
    const group = this.groupOf(row);
    this.tally(group).add(observation, records);
    this.options.onRecord?.(row, observation.pattern, group, records);
  }

  finish(): CountedRecords {
    if (this.rows === 0) throw dataError("no records", this.place);
    this.columns.check();
    const error = this.problems.error() ?? this.contradictions.error();
    if (error !== null) throw error;
    const all = this.union();
    if (all.records === 0) throw dataError(this.whyNoRecords(), this.place);
    const result = all.result(this.network);
    const names = this.network.variables.map(({ name }) => name);
    if (names.every((name) => result.observed[name] === 0)) {
      throw dataError(`no labels: ${names.join(", ")} are blank in all records`, this.place);
    }
    const groups = [...this.tallies].map(([value, tally]) => [value, tally.result(this.network)] as const);
    return {
      ...result,
      groups: this.options.by === undefined ? null : new Map(groups),
      contradictions: this.contradictions.records,
      ignoredColumns: this.columns.ignoredColumns,
      notices: this.notices(),
    };
  }

  /** Puts the row's labels in `levels`. Returns how many records it stands for; 0 also if it can't be read. */
  private read(row: RawRow): number {
    const { values } = row;
    this.levels.fill(notObserved);
    let records = 1;
    let isReadable = true;
    for (const column in values) {
      const role = this.columns.roleOf(column);
      if (role >= 0) {
        const level = this.readers[role](values[column]);
        if (level === notALabel) isReadable = this.reject(row, column, role);
        else this.levels[role] = level;
      } else if (role === countColumn) {
        const count = readCount(values[column]);
        if (count === null) isReadable = this.reject(row, column, role);
        else records = count;
      }
    }
    return isReadable ? records : 0;
  }

  private reject({ line, values }: RawRow, field: string, role: number): false {
    const value = values[field];
    if (role === countColumn) {
      this.problems.add({ line, field, value, expected: expectedCount });
    } else {
      const variable = this.network.variables[role];
      const problem = { line, field, value, expected: describeLabels(variable) };
      this.problems.add(problem, hasLevels01(variable) ? labelHint : undefined);
    }
    return false;
  }

  /** Of the column `by`; without one all are of one group. */
  private groupOf({ line, values }: RawRow): string {
    const { by } = this.options;
    const group = by === undefined ? "" : groupName(values[by]);
    if (group === null) throw dataError(`${by} can't be read as a group`, { ...this.place, line });
    return group;
  }

  private tally(group: string): Tally {
    let tally = this.tallies.get(group);
    if (tally === undefined) {
      tally = new Tally();
      this.tallies.set(group, tally);
    }
    return tally;
  }

  private union(): Tally {
    const all = new Tally();
    for (const tally of this.tallies.values()) all.addAll(tally);
    return all;
  }

  private whyNoRecords(): string {
    const dropped = this.contradictions.records;
    return dropped > 0 ? `no records left: all ${dropped} contradict the model` : "no records: n is 0 in every row";
  }

  private notices(): string[] {
    const { ignoredColumns } = this.columns;
    const { variables } = this.network;
    const unobserved = variables.filter((_, v) => this.columns.columnName(v) === undefined).map(({ name }) => name);
    const contradiction = this.contradictions.notice();
    return [
      ...(ignoredColumns.length > 0 ? [`ignored columns: ${showList(ignoredColumns)}`] : []),
      ...(unobserved.length > 0 ? [`not observed, as there is no such column: ${unobserved.join(", ")}`] : []),
      ...(contradiction === null ? [] : [contradiction]),
    ];
  }
}

/** Rows come from callers of the library too, who may hand over anything. */
function checkRow(row: unknown, place: ErrorPlace): void {
  const [values, line] = isObject(row) ? [row.values, row.line] : [row, undefined];
  if (isObject(values)) return;
  const message = `a record must be an object of labels, such as { R: 1, A: 0, T: 1 }, not ${show(values)}`;
  throw dataError(message, { ...place, ...(typeof line === "number" && { line }) });
}

/** null: it has no text that would tell it from others. */
function groupName(value: unknown): string | null {
  const text = typeof value === "object" && value !== null ? jsonOf(value) : String(value ?? "").trim();
  return text === "" ? blankGroup : text;
}
