import { interruption, usageError } from "./errors.js";
import type { CompiledNetwork } from "./network/compiled.js";
import {
  type ContradictionRule,
  type CountedRecords,
  presetCounts,
  type RawRow,
  RecordCounter,
} from "./records/index.js";
import { check, dictionary, fields, isAsyncIterable, isIterable, show, text } from "./values.js";

/** Records under a name: rows of a reader, plain objects such as `{ R: 1, A: 0, T: 1 }`, or a shipped preset. */
export type Source =
  | { readonly name: string; readonly rows: AsyncIterable<RawRow> | Iterable<RawRow> }
  | { readonly name: string; readonly records: Iterable<Readonly<Record<string, unknown>>> }
  | { readonly name: string; readonly preset: string };

export const presetSource = (preset: string): Source => ({ name: preset, preset });

export interface SourceOptions {
  /** Column of each variable, where it isn't the variable's name. */
  map?: Readonly<Record<string, string>> | undefined;
  /** Column whose values are taken apart. */
  by?: string | undefined;
  /** What to do with records that contradict the model, such as A = 1 with T = 1. Default: refuse. */
  abstainedSuccess?: ContradictionRule | undefined;
  /** Called with each row that is counted: its source, the pattern that it shows, its group and how many records it is. */
  onRecord?: ((source: string, row: RawRow, pattern: number, group: string, records: number) => void) | undefined;
}

const contradictionRules: readonly ContradictionRule[] = ["refuse", "drop", "as-failure"];

const optionShape = fields({}, { map: dictionary(text, "columns by variable"), by: text });

const sourceContents: Readonly<Record<string, (value: unknown) => string | null>> = {
  records: (value) =>
    isIterable(value)
      ? null
      : `records must be a list of objects such as { R: 1, A: 0, T: 1 }, not ${show(value)}; what comes bit by bit is ` +
        "rows of { line, values }",
  rows: (value) =>
    isIterable(value) || isAsyncIterable(value) ? null : `rows must be those of readRows, not ${show(value)}`,
  preset: (value) => text(value, "preset"),
};

/** @throws RatError (usage) */
function checkSource(source: unknown, place: string): void {
  check(fields({ name: text }), source, place);
  const given = source as Readonly<Record<string, unknown>>;
  const name = show(given.name);
  const contents = Object.keys(sourceContents).filter((content) => content in given);
  if (contents.length !== 1) {
    const found = contents.length === 0 ? "it has none" : `it has ${contents.join(" and ")}`;
    throw usageError(`source ${name} must have one of ${Object.keys(sourceContents).join(", ")}: ${found}`);
  }
  const fault = sourceContents[contents[0]](given[contents[0]]);
  if (fault !== null) throw usageError(`source ${name}: ${fault}`);
}

/** @throws RatError (usage) for what are no sources, for options that have no meaning, or none for these sources */
export function checkSources(sources: readonly Source[], options: SourceOptions): void {
  if (!Array.isArray(sources)) throw usageError(`sources must be a list of sources, not ${show(sources)}`);
  for (const [i, source] of sources.entries()) checkSource(source, `sources[${i}]`);
  check(optionShape, options, "options");
  const { map, by, abstainedSuccess } = options;
  if (abstainedSuccess !== undefined && !contradictionRules.includes(abstainedSuccess)) {
    const rules = contradictionRules.join(", ");
    throw usageError(`--abstained-success must be one of ${rules}, not ${show(abstainedSuccess)}`);
  }
  const preset = sources.find((source) => "preset" in source);
  if (preset === undefined) return;
  if (by !== undefined) throw usageError(`--by ${by}: preset ${preset.name} has no columns to group by`);
  if (map !== undefined && sources.every((source) => "preset" in source)) {
    throw usageError("--map names columns of files, but there are only presets");
  }
}

/** Reads a source to the end, or until the signal is aborted: a source that waits is not waited for. @throws RatError */
export async function countSource(
  source: Source,
  network: CompiledNetwork,
  options: SourceOptions & { readonly signal?: AbortSignal | undefined },
): Promise<CountedRecords> {
  if ("preset" in source) return presetCounts(source.preset, network);
  const { map, by, abstainedSuccess, signal, onRecord } = options;
  const counting = {
    file: source.name,
    ...(map === undefined ? {} : { map }),
    ...(by === undefined ? {} : { by }),
    ...(abstainedSuccess === undefined ? {} : { contradictions: abstainedSuccess }),
    ...(onRecord && {
      onRecord: (row: RawRow, pattern: number, group: string, records: number) =>
        onRecord(source.name, row, pattern, group, records),
    }),
  };
  const counter = new RecordCounter(network, counting);
  if ("rows" in source) {
    await untilAborted(addRows(source.rows, counter, signal), signal);
  } else {
    let line = 0;
    for (const values of source.records) counter.add({ line: ++line, values });
  }
  return counter.finish();
}

async function addRows(
  rows: AsyncIterable<RawRow> | Iterable<RawRow>,
  counter: RecordCounter,
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const row of rows) {
    if (signal?.aborted) return; // nobody waits any more
    counter.add(row);
  }
}

/** @throws RatError (interrupted) where the signal is aborted before the promise is settled */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let abort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(interruption(signal));
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
