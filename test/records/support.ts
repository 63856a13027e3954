import { readFile } from "node:fs/promises";
import { RatError } from "../../src/errors.js";
import type { CompiledNetwork } from "../../src/network/compiled.js";
import { compileNetwork, patternIndex, rat, ratJudge } from "../../src/network/index.js";
import {
  type CountedRecords,
  type CountOptions,
  countRecords,
  formatOfName,
  type RawRow,
  type RecordCounts,
  type RecordFormat,
  readRows,
} from "../../src/records/index.js";

export const base = compileNetwork(rat);
export const judge = compileNetwork(ratJudge());

const caseFolder = new URL("../data/cases/", import.meta.url);

export const caseText = (name: string): Promise<string> => readFile(new URL(name, caseFolder), "utf8");

export async function countCase(
  name: string,
  network: CompiledNetwork = base,
  options: CountOptions = {},
): Promise<CountedRecords> {
  const rows = readRows([await caseText(name)], { format: formatOfName(name) ?? undefined, file: name });
  return countRecords(rows, network, { file: name, ...options });
}

export function countText(
  text: string,
  format: RecordFormat = "csv",
  options: CountOptions & { network?: CompiledNetwork } = {},
): Promise<CountedRecords> {
  const file = `file.${format}`;
  return countRecords(readRows([text], { format, file }), options.network ?? base, { file, ...options });
}

export async function rowsOf(chunks: Iterable<string>, format?: RecordFormat): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  for await (const row of readRows(chunks, { format, file: "f" })) rows.push(row);
  return rows;
}

/** The counts that aren't 0, by what their patterns show: `R1A0T.` for R = 1, A = 0 and T not observed. */
export function shown({ counts }: RecordCounts, network: CompiledNetwork = base): Record<string, number> {
  const label = (levels: readonly number[]) =>
    network.variables.map(({ name, levels: names }, v) => name + (levels[v] < 0 ? "." : names[levels[v]])).join("");
  return Object.fromEntries(
    network.patterns.flatMap(({ levels }, p) => (counts[p] === 0 ? [] : [[label(levels), counts[p]]])),
  );
}

/** The entry of the pattern with these levels; -1 = not observed. */
export const countOf = ({ counts }: RecordCounts, network: CompiledNetwork, ...levels: number[]): number =>
  counts[patternIndex(network)(levels)];

export async function failure(work: Promise<unknown> | (() => unknown)): Promise<RatError> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (error) {
    if (error instanceof RatError) return error;
    throw error;
  }
  throw new Error("expected a RatError, but nothing was thrown");
}
