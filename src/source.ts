import { usageError } from "./errors.js";
import type { CompiledNetwork } from "./network/compiled.js";
import {
  type ContradictionRule,
  type CountedRecords,
  countRecords,
  presetCounts,
  type RawRow,
  RecordCounter,
} from "./records/index.js";

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
}

const contradictionRules: readonly ContradictionRule[] = ["refuse", "drop", "as-failure"];

/** @throws RatError (usage) for options that have no meaning, or none for these sources */
export function checkSourceOptions(sources: readonly Source[], { map, by, abstainedSuccess }: SourceOptions): void {
  if (abstainedSuccess !== undefined && !contradictionRules.includes(abstainedSuccess)) {
    const rules = contradictionRules.join(", ");
    throw usageError(`--abstained-success must be one of ${rules}, not ${JSON.stringify(abstainedSuccess)}`);
  }
  const preset = sources.find((source) => "preset" in source);
  if (preset === undefined) return;
  if (by !== undefined) throw usageError(`--by ${by}: preset ${preset.name} has no columns to group by`);
  if (map !== undefined && sources.every((source) => "preset" in source)) {
    throw usageError("--map names columns of files, but there are only presets");
  }
}

/** Reads a source to the end. @throws RatError */
export async function countSource(
  source: Source,
  network: CompiledNetwork,
  options: SourceOptions,
): Promise<CountedRecords> {
  if ("preset" in source) return presetCounts(source.preset, network);
  const { map, by, abstainedSuccess } = options;
  const counting = {
    file: source.name,
    ...(map === undefined ? {} : { map }),
    ...(by === undefined ? {} : { by }),
    ...(abstainedSuccess === undefined ? {} : { contradictions: abstainedSuccess }),
  };
  if ("rows" in source) return countRecords(source.rows, network, counting);
  const counter = new RecordCounter(network, counting);
  let line = 0;
  for (const values of source.records) counter.add({ line: ++line, values });
  return counter.finish();
}
