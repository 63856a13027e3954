import { dataError } from "../errors.js";
import { show } from "../values.js";
import { maxRowChars, type RawRow, type RowParser } from "./row.js";

/** JSON lines: one object a line, blank lines skipped. */
export class JsonLinesParser implements RowParser {
  private pending = "";
  private line = 1;

  constructor(private readonly file: string | undefined) {}

  push(text: string): RawRow[] {
    const rows: RawRow[] = [];
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.addLine(this.pending + text.slice(start, end), rows);
      this.pending = "";
      this.line++;
      start = end + 1;
    }
    this.pending += text.slice(start);
    if (this.pending.length > maxRowChars) {
      throw dataError(`the line is longer than ${maxRowChars} characters`, placeOf(this.file, this.line));
    }
    return rows;
  }

  end(): RawRow[] {
    const rows: RawRow[] = [];
    this.addLine(this.pending, rows);
    return rows;
  }

  private addLine(text: string, rows: RawRow[]): void {
    if (text.trim() === "") return;
    rows.push({ line: this.line, values: parseObject(text, this.file, this.line, "one object a line") });
  }
}

/** @param expected what should have been there, for messages. */
export function parseObject(
  text: string,
  file: string | undefined,
  line: number,
  expected: string,
): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(longIntegers.test(text) ? quoteLongIntegers(text) : text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw dataError(`not valid JSON, expected ${expected}: ${reason}`, placeOf(file, line));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw dataError(`${show(value)} is not an object, expected ${expected}`, placeOf(file, line));
  }
  return value as Record<string, unknown>;
}

const longIntegers = /\d{16}/;
const stringsAndNumbers = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Integers of 16 digits and more as strings: JSON.parse would round 2^53 + 1 to 2^53, and a count that is too large
 * has to be refused rather than changed.
 */
function quoteLongIntegers(text: string): string {
  return text.replace(stringsAndNumbers, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token));
}

export const placeOf = (file: string | undefined, line: number) => (file === undefined ? { line } : { file, line });
