/** A plain table of aligned columns: a rule under the heads, two blanks between columns, no boxes. */
import Table from "cli-table3";
import { absent, decimalsFor, shorten, withError } from "./format.js";
import { shortNames } from "./names.js";

export interface Column<Item> {
  readonly head: string;
  readonly align: "left" | "right";
  readonly cells: (items: readonly Item[]) => string[];
}

type Read<Item, Value> = (item: Item) => Value;

const longestText = 20;

/** Names: left-aligned, long ones cut so that they can still be told apart. */
export function textColumn<Item>(head: string, read: Read<Item, string>): Column<Item> {
  const cells = (items: readonly Item[]): string[] => {
    const names = items.map(read);
    const short = shortNames(names, (name) => shorten(name, longestText));
    return names.map((name) => short.get(name) as string);
  };
  return { head, align: "left", cells };
}

export function numberColumn<Item>(head: string, read: Read<Item, string>): Column<Item> {
  return { head, align: "right", cells: (items) => items.map(read) };
}

/** "first/second" with the separators in line; absent where both are. */
export function pairColumn<Item>(
  head: string,
  read: Read<Item, readonly [string, string] | string>,
  [open, separator, close]: readonly [string, string, string] = ["", "/", ""],
): Column<Item> {
  return {
    head,
    align: "right",
    cells: (items) => {
      const pairs = items.map(read);
      const known = pairs.filter((pair) => typeof pair !== "string");
      const widths = [0, 1].map((end) => Math.max(0, ...known.map((pair) => pair[end].length)));
      return pairs.map((pair) => {
        if (typeof pair === "string") return pair;
        if (pair[0] === absent && pair[1] === absent) return absent;
        return `${open}${pair[0].padStart(widths[0])}${separator}${pair[1].padStart(widths[1])}${close}`;
      });
    },
  };
}

/** Averages with their standard errors, in decimals that show the smallest of the errors. */
export function averageColumn<Item>(
  head: string,
  read: Read<Item, readonly [value: number | null, error: number | null]>,
  format: (value: number | null, decimals: number) => string,
  leastDecimals = 4,
): Column<Item> {
  return {
    head,
    align: "right",
    cells: (items) => {
      const averages = items.map(read);
      const errors = averages.map(([, error]) => error);
      const decimals = decimalsFor(errors, 1, leastDecimals, 6);
      return averages.map(([value, error]) => withError(format(value, decimals), error, decimals));
    },
  };
}

const noBox = {
  ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
  ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
  ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: "  " },
};

/** The table as text, without a line break at its end and without blanks at the ends of lines. */
export function drawGrid<Item>(columns: readonly Column<Item>[], items: readonly Item[], paint: Painter): string {
  const table = new Table({
    chars: noBox,
    colAligns: columns.map(({ align }) => align),
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
  });
  const cells = columns.map((column) => column.cells(items));
  const widths = columns.map(({ head }, i) => Math.max(head.length, ...cells[i].map((cell) => cell.length)));
  table.push(
    columns.map(({ head }) => paint.bold(head)),
    widths.map((width) => paint.faint("─".repeat(width))),
    ...items.map((_, row) => cells.map((column) => column[row])),
  );
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

export interface Painter {
  readonly bold: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly warn: (text: string) => string;
}

/** Escape codes where they are wanted; text as it is elsewhere (pipes, files, NO_COLOR). */
export function painter(colour: boolean): Painter {
  const style = (on: number, off: number) => (text: string) => (colour ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  return { bold: style(1, 22), faint: style(2, 22), warn: style(33, 39) };
}
