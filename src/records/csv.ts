import Papa from "papaparse";
import { dataError, type RatError } from "../errors.js";
import { show } from "../values.js";
import { maxRowChars, type RawRow, type RowParser } from "./row.js";

/** Delimiters that are looked for where the file's name doesn't say. */
const delimiters = [",", "\t", ";"];

/** Enough text for the header; a shorter file is looked at as a whole. */
const headChars = 1 << 16;

interface Parsed {
  data: string[][];
  errors: { code: string; row: number }[];
  meta: { cursor: number };
}

const quoteProblems: Readonly<Record<string, string>> = {
  MissingQuotes: "a quoted cell begins in this row and is never closed",
  InvalidQuotes: "a quoted cell goes on after its closing quote; double the quotes inside a quoted cell",
};

/**
 * CSV and TSV with a header line. Blank lines are skipped, ragged rows refused.
 *
 * Papa Parse's core parser is called piece by piece, the way its own streams do: told that more follows, it leaves
 * the last row for the next call. (Its streams themselves need Node or the DOM and call back instead of waiting.)
 */
export class CsvParser implements RowParser {
  private parser: { parse(text: string, base: number, ignoreLastRow: boolean): Parsed } | null = null;
  private newline: "\n" | "\r" = "\n";
  private columns: readonly string[] | null = null;
  private pending = "";
  private line = 1;
  private wantedChars = headChars;

  /** @param delimiter null: the one of `,`, tab and `;` that cuts the header line into the most columns. */
  constructor(
    private readonly delimiter: string | null,
    private readonly file: string | undefined,
  ) {}

  push(text: string): RawRow[] {
    this.pending += text;
    return this.pending.length < this.wantedChars ? [] : this.parse(false);
  }

  end(): RawRow[] {
    // Half of a CRLF at the very end would otherwise count as text after a closing quote.
    if (this.pending.endsWith("\r")) this.pending = this.pending.slice(0, -1);
    return this.parse(true);
  }

  private parse(isLast: boolean): RawRow[] {
    this.parser ??= this.createParser();
    const { data, errors, meta } = this.parser.parse(this.pending, 0, !isLast);
    // Quotes of a row whose end is still to come look broken; that row is parsed again with the next piece.
    const error = errors.find(({ row }) => isLast || row < data.length);
    const rows: RawRow[] = [];
    const mayHoldNewlines = this.pending.includes('"');
    for (let r = 0; r < data.length; r++) {
      if (r === error?.row) throw this.error(quoteProblems[error.code] ?? "quotes that can't be read");
      this.addRow(data[r], rows);
      this.line += 1 + (mayHoldNewlines ? this.newlinesIn(data[r]) : 0);
    }
    this.pending = this.pending.slice(meta.cursor);
    if (this.pending.length > maxRowChars) {
      throw this.error(`the row is longer than ${maxRowChars} characters; is a quoted cell never closed?`);
    }
    // Doubling keeps a long row linear, as each attempt starts at its beginning again.
    this.wantedChars = Math.min(2 * this.pending.length, maxRowChars + 1);
    return rows;
  }

  private addRow(cells: string[], rows: RawRow[]): void {
    const last = cells.length - 1;
    // The newline is LF for CRLF files too, so that files that mix both are read.
    if (cells[last].endsWith("\r")) cells[last] = cells[last].slice(0, -1);
    if (last === 0 && cells[0].trim() === "") return;
    if (this.columns === null) {
      this.columns = this.header(cells);
      return;
    }
    if (cells.length !== this.columns.length) {
      const hint = cells.length > this.columns.length ? "; quote cells that hold the delimiter" : "";
      throw this.error(`the row has ${cells.length} cells, the header ${this.columns.length}${hint}`);
    }
    const values: Record<string, unknown> = {};
    for (let c = 0; c < cells.length; c++) values[this.columns[c]] = cells[c];
    rows.push({ line: this.line, values });
  }

  private header(cells: readonly string[]): readonly string[] {
    const names = cells.map((cell) => cell.trim());
    const repeated = names.find((name, i) => name !== "" && names.indexOf(name) < i);
    if (repeated !== undefined) {
      throw this.error(`the header names column ${show(repeated)} twice; is the header line missing?`);
    }
    if (names.includes("__proto__")) throw this.error("a column can't be named __proto__");
    return names;
  }

  private createParser() {
    this.newline = !this.pending.includes("\n") && this.pending.includes("\r") ? "\r" : "\n";
    const delimiter = this.delimiter ?? this.detectDelimiter();
    return new Papa.Parser({ delimiter, newline: this.newline });
  }

  /** The header line alone decides: it names columns and, unlike the rows, rarely holds any other text. */
  private detectDelimiter(): string {
    const text = this.pending.replace(/^(?:\s*[\r\n])+/, "");
    let end = -1;
    do end = text.indexOf(this.newline, end + 1);
    while (end >= 0 && text.slice(0, end).split('"').length % 2 === 0);
    const header = end < 0 ? text : text.slice(0, end);
    return Papa.parse(header, { delimitersToGuess: delimiters, newline: this.newline }).meta.delimiter;
  }

  private newlinesIn(cells: readonly string[]): number {
    let count = 0;
    for (const cell of cells) {
      for (let at = cell.indexOf(this.newline); at >= 0; at = cell.indexOf(this.newline, at + 1)) count++;
    }
    return count;
  }

  private error(message: string): RatError {
    return dataError(message, { ...(this.file === undefined ? {} : { file: this.file }), line: this.line });
  }
}
