/** Tables of the reproduction as HTML. */
import type { ReproducedRow, ReproducedTable } from "../documents.js";
import { element, escapeHtml, richText } from "./html.js";
import { differenceText, type Grid, type GridRow, gridOf, oursText } from "./reproduce-cells.js";

export function tableHtml(table: ReproducedTable): string {
  if (table.rows.length === 0) return "";
  const html = table.layout === "matrix" ? matrixHtml(table) : listHtml(table);
  // Wide tables scroll by themselves; by keyboard only what can be focused does.
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": table.title }, html);
}

/** Columns side by side: in a cell the printed number, and under it ours and the difference. */
function matrixHtml({ heads, rows }: ReproducedTable): string {
  const grid = gridOf(
    rows,
    ({ labels }) => labels,
    ({ column }) => column,
  );
  const head = [
    ...heads.map(textHead),
    ...grid.columns.map((column) => element("th", { scope: "col" }, richText(column))),
  ];
  const body = grid.rows.map((row, r) => {
    const labels = row.labels.flatMap((_, l) => labelHtml(grid, r, l));
    const cells = grid.columns.flatMap((column) => {
      const cell = row.cells.get(column);
      // A number that is printed once stands for all lines below it that lack it.
      return cell === undefined ? [] : [matrixCell(cell, missingBelow(grid.rows, r, column))];
    });
    return element("tr", {}, [...labels, ...cells].join(""));
  });
  return wholeTable(element("tr", {}, head.join("")), body);
}

function matrixCell(row: ReproducedRow, below: number): string {
  const attributes = { class: row.met === false ? "miss" : null, rowspan: below > 0 ? below + 1 : null };
  if (row.printed === null) return element("td", attributes, escapeHtml(oursText(row)));
  const printed = `${printedHtml(row)}${metHtml(row)}`;
  if (row.ours === null) {
    return element("td", attributes, printed + element("span", { class: "ours" }, "not recomputed"));
  }
  const ours = `${escapeHtml(oursText(row))} (${minus(differenceText(row))})`;
  return element("td", attributes, printed + element("span", { class: "ours" }, ours));
}

/** A line a number, with the answers of each variant side by side. */
function listHtml({ heads, rows }: ReproducedTable): string {
  const variants = [...new Set(rows.map(({ variant }) => variant ?? ""))];
  const grid = gridOf(
    rows,
    ({ labels, column }) => [...labels, column],
    ({ variant }) => variant ?? "",
  );
  const isCompared = rows.some(({ ours }) => ours !== null);
  const names = [...heads, isCompared ? "number" : "setting"];
  const span = variants.length > 1 ? 2 : null;
  const groups = variants.map((variant) => element("th", { class: "group", colspan: 2 }, escapeHtml(variant)));
  const own = variants.flatMap(() => [
    element("th", { class: "first", scope: "col" }, "ours"),
    element("th", { scope: "col" }, "difference"),
  ]);
  const tops = [
    ...names.map((name) => element("th", { class: "text", scope: "col", rowspan: span }, escapeHtml(name))),
    element("th", { scope: "col", rowspan: span, class: isCompared ? null : "text" }, "printed"),
  ];
  const head = !isCompared
    ? element("tr", {}, tops.join(""))
    : span === null
      ? element("tr", {}, [...tops, ...own].join(""))
      : element("tr", {}, [...tops, ...groups].join("")) + element("tr", {}, own.join(""));
  const body = grid.rows.map((line, r) => {
    const labels = line.labels.flatMap((_, l) => labelHtml(grid, r, l));
    const [first] = line.cells.values();
    const printed = element("td", { class: isCompared ? null : "text" }, printedHtml(first));
    const ours = isCompared ? variants.flatMap((variant) => oursCells(line.cells.get(variant))) : [];
    return element("tr", {}, [...labels, printed, ...ours].join(""));
  });
  return wholeTable(head, body);
}

function oursCells(row: ReproducedRow | undefined): string[] {
  if (row === undefined) return [element("td", { class: "first" }, ""), "<td></td>"];
  return [
    element("td", { class: "first printed" }, escapeHtml(oursText(row))),
    element(
      "td",
      { class: row.met === false ? "miss printed" : "printed" },
      `${minus(differenceText(row))}${metHtml(row)}`,
    ),
  ];
}

function printedHtml({ printed, mark }: ReproducedRow): string {
  const text = escapeHtml(printed ?? "–");
  if (mark === null) return element("span", { class: "printed" }, text);
  const words = mark === "best" ? "highest" : "lowest";
  return element("span", { class: `printed ${mark}`, title: `${words} of its column` }, text);
}

function metHtml({ met }: ReproducedRow): string {
  if (met === null) return "";
  const [sign, words] = met ? ["✓", "met"] : ["✗", "not met"];
  const shown = element("span", { class: met ? "met" : "missed", "aria-hidden": "true" }, sign);
  return ` ${shown}${element("span", { class: "hidden" }, words)}`;
}

/** With a true minus sign. */
const minus = (text: string): string => escapeHtml(text.replace(/^-/, "−"));

const textHead = (text: string): string => element("th", { class: "text", scope: "col" }, escapeHtml(text));

/** A label, once for all lines that share it and those before it. */
function labelHtml({ rows }: Grid, r: number, l: number): string[] {
  const shares = (other: GridRow | undefined): boolean =>
    other?.labels.slice(0, l + 1).every((label, i) => label === rows[r].labels[i]) ?? false;
  const isLast = l === rows[r].labels.length - 1;
  if (!isLast && shares(rows[r - 1])) return [];
  let span = 1;
  while (!isLast && shares(rows[r + span])) span++;
  return [element("th", { scope: "row", rowspan: span > 1 ? span : null }, richText(rows[r].labels[l]))];
}

function missingBelow(rows: readonly GridRow[], r: number, column: string): number {
  let below = 0;
  while (r + below + 1 < rows.length && !rows[r + below + 1].cells.has(column)) below++;
  return below;
}

const wholeTable = (head: string, body: readonly string[]): string =>
  element("table", {}, `${element("thead", {}, head)}\n${element("tbody", {}, body.join("\n"))}`);
