/** One record as the file has it. */
export interface RawRow {
  /** Where it begins, counted from 1; header and blank lines count. */
  readonly line: number;
  /** By column, as read: text from CSV, any JSON value from JSON. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Turns text that arrives in pieces into rows. A piece may end anywhere, also inside a row. */
export interface RowParser {
  /** The rows that this piece completes. */
  push(text: string): RawRow[];
  /** The rows that only the end of the text completes. */
  end(): RawRow[];
}

/** A longer row is refused: most likely a quote or bracket is never closed, and the rest of the file would pile up. */
export const maxRowChars = 1 << 24;

/** The first names of a list and how many more there are. */
export function showList(names: readonly string[], most = 10): string {
  if (names.length === 0) return "none";
  const shown = names.slice(0, most).join(", ");
  return names.length <= most ? shown : `${shown} and ${names.length - most} more`;
}
