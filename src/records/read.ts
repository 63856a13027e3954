import { dataError } from "../errors.js";
import { CsvParser } from "./csv.js";
import { JsonArrayParser } from "./json.js";
import { JsonLinesParser } from "./jsonl.js";
import type { RawRow, RowParser } from "./row.js";

export type RecordFormat = "csv" | "tsv" | "jsonl" | "json";

export interface ReadOptions {
  /** Left out: told from the text itself (JSON, JSON lines or CSV with any delimiter). */
  readonly format?: RecordFormat | undefined;
  /** Name for messages. */
  readonly file?: string | undefined;
}

const formatsByExtension: ReadonlyMap<string, RecordFormat> = new Map([
  ["csv", "csv"],
  ["tsv", "tsv"],
  ["jsonl", "jsonl"],
  ["ndjson", "jsonl"],
  ["json", "json"],
]);

/** Chunks are cut to pieces of this size, so that a whole file in one chunk costs no more than its text. */
const pieceChars = 1 << 17;

/** The format that a file's name tells, with or without `.gz`; null where it tells none. */
export function formatOfName(name: string): RecordFormat | null {
  const extension = /\.(\w+)(?:\.gz)?$/.exec(name.toLowerCase())?.[1];
  return formatsByExtension.get(extension ?? "") ?? null;
}

/**
 * The rows of a file of records, read as they are asked for. Memory doesn't depend on the number of rows.
 * @param chunks decoded text, cut anywhere.
 * @throws RatError (data) naming the line that can't be read.
 */
export async function* readRows(
  chunks: AsyncIterable<string> | Iterable<string>,
  options: ReadOptions = {},
): AsyncGenerator<RawRow> {
  let parser: RowParser | null = null;
  let head = "";
  for await (const chunk of chunks) {
    if (parser === null) {
      head += chunk;
      // Blank includes a lone byte order mark: nothing to tell the format from yet.
      if (head.trim() === "") continue;
      parser = parserFor(head, options);
      yield* pushPieces(parser, withoutByteOrderMark(head));
      head = "";
    } else {
      yield* pushPieces(parser, chunk);
    }
  }
  if (parser !== null) yield* parser.end();
}

function* pushPieces(parser: RowParser, text: string): Generator<RawRow> {
  for (let start = 0; start < text.length; start += pieceChars) {
    yield* parser.push(text.slice(start, start + pieceChars));
  }
}

const withoutByteOrderMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

function parserFor(head: string, { format, file }: ReadOptions): RowParser {
  if (head.includes("\0")) {
    throw dataError("not UTF-8 text: it holds NUL characters (UTF-16, a spreadsheet or compressed?)", place(file));
  }
  switch (format ?? sniff(head)) {
    case "csv":
      return new CsvParser(null, file);
    case "tsv":
      return new CsvParser("\t", file);
    case "jsonl":
      return new JsonLinesParser(file);
    case "json":
      return new JsonArrayParser(file);
  }
}

function sniff(head: string): RecordFormat {
  const text = head.trimStart();
  if (text.startsWith("{")) return "jsonl";
  return text.startsWith("[") ? "json" : "csv";
}

const place = (file: string | undefined) => (file === undefined ? {} : { file });
