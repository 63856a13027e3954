/** The systems of the paper's first two tables as dots with intervals: a panel a quantity, a row a retriever. */
import type { SystemIntervals } from "../reproduce/systems.js";
import { fixed } from "./format.js";
import { drawIntervalPanel, type IntervalMark, inset, type Series } from "./interval-panel.js";
import { drawLegend } from "./legend.js";
import { drawInto, frameInk, tickSize } from "./panel.js";
import { tightScale } from "./scale.js";
import { columnWidth, drawCaption, drawTitle, finishSheet, newSheet, type Sheet, softInk } from "./sheet.js";
import { type StrategyStyle, seriesStyles } from "./style.js";
import { append, fitText, setAttributes } from "./svg.js";

const edge = 10;
const title = "27 systems: posterior means and 95% intervals";

/** Pixels. */
const layout = {
  columns: 2,
  columnGap: 14,
  /** Of the data sets' names, which stand upright, and of the retrievers'. */
  groupLabels: 16,
  rowLabels: 44,
  /** Name of the quantity, and what it is in words. */
  head: 32,
  foot: 20,
  rowGap: 12,
  seriesHeight: 6.5,
};

export interface SystemQuantity {
  readonly name: string;
  readonly words: string;
}

const quantities: readonly SystemQuantity[] = [
  { name: "P(R=1)", words: "retrieval succeeds" },
  { name: "P(A=1)", words: "abstains" },
  { name: "P(T=1)", words: "task is solved" },
  { name: "P(G=1)", words: "behaves as it should" },
  { name: "theta_A-", words: "P(A=1 | R=0)" },
  { name: "theta_A+", words: "P(A=1 | R=1)" },
  { name: "theta_T-", words: "P(T=1 | A=0, R=0)" },
  { name: "theta_T+", words: "P(T=1 | A=0, R=1)" },
];

interface Plan {
  readonly systems: readonly SystemIntervals[];
  /** Data set and retriever of each row. */
  readonly rows: readonly (readonly [string, string])[];
  /** Rows with which a data set begins. */
  readonly starts: readonly number[];
  readonly generators: readonly string[];
  readonly styles: readonly StrategyStyle[];
  readonly frameWidth: number;
  readonly frameHeight: number;
  readonly rowHeight: number;
}

/** As SVG text, as wide as a column. */
export async function systemsFigure(systems: readonly SystemIntervals[]): Promise<string> {
  const plan = planFigure(systems);
  const sheet = await newSheet(`${title}: ${quantities.map(({ name }) => name).join(", ")}`, columnWidth, edge);
  const top = drawTitle(sheet, title, 13) + 10;
  const entries = plan.generators.map((label, i) => ({ label, style: plan.styles[i], line: false, symbol: true }));
  let y = drawLegend(sheet.Plot, sheet.svg, entries, { x: edge, y: top, width: columnWidth - 2 * edge }) + 4;
  const left = edge + layout.groupLabels + layout.rowLabels;
  for (let first = 0; first < quantities.length; first += layout.columns) {
    drawRowLabels(sheet, plan, y + layout.head);
    quantities.slice(first, first + layout.columns).forEach((quantity, column) => {
      drawQuantity(sheet, plan, quantity, left + column * (plan.frameWidth + layout.columnGap), y);
    });
    y += layout.head + plan.frameHeight + layout.foot + layout.rowGap;
  }
  const caption =
    "Each panel has an axis of its own. Lines are intervals, hidden where shorter than the symbol. " +
    "Retrieval is the same for the three generators.";
  return finishSheet(sheet, drawCaption(sheet, caption, y - 2));
}

function planFigure(systems: readonly SystemIntervals[]): Plan {
  const keys = [...new Set(systems.map(({ dataset, retriever }) => JSON.stringify([dataset, retriever])))];
  const rows = keys.map((key) => JSON.parse(key) as [string, string]);
  const starts = rows.flatMap(([dataset], i) => (rows[i - 1]?.[0] === dataset ? [] : [i]));
  const generators = [...new Set(systems.map(({ generator }) => generator))];
  const rowHeight = layout.seriesHeight * (generators.length + 0.5);
  const sides = 2 * edge + layout.groupLabels + layout.rowLabels;
  const frameWidth = (columnWidth - sides - (layout.columns - 1) * layout.columnGap) / layout.columns;
  const styles = seriesStyles(generators.length);
  return { systems, rows, starts, generators, styles, frameWidth, frameHeight: rowHeight * rows.length, rowHeight };
}

function drawRowLabels({ svg }: Sheet, { rows, starts, rowHeight }: Plan, top: number): void {
  const look = { "font-size": tickSize, fill: softInk };
  rows.forEach(([, retriever], i) => {
    const x = edge + layout.groupLabels + layout.rowLabels - 6;
    const text = fitText(retriever, tickSize, layout.rowLabels - 6);
    append(svg, "text", { x, y: top + (i + 0.5) * rowHeight + 4, "text-anchor": "end", ...look }, text);
  });
  starts.forEach((start, i) => {
    const height = ((starts[i + 1] ?? rows.length) - start) * rowHeight;
    const turn = `translate(${edge + 9},${top + start * rowHeight + height / 2}) rotate(-90)`;
    const text = fitText(rows[start][0], tickSize, height);
    append(svg, "text", { transform: turn, "text-anchor": "middle", ...look, "font-weight": 600 }, text);
    const line = { x1: edge + 14, x2: edge + 14, stroke: frameInk };
    append(svg, "line", { ...line, y1: top + start * rowHeight + 3, y2: top + start * rowHeight + height - 3 });
  });
}

function drawQuantity({ Plot, svg }: Sheet, plan: Plan, { name, words }: SystemQuantity, x: number, y: number): void {
  const { systems, rows, starts, generators, styles, frameWidth, frameHeight } = plan;
  append(svg, "text", { x, y: y + 12, "font-weight": 600 }, name);
  append(svg, "text", { x, y: y + 25, "font-size": 10.5, fill: softInk }, words);
  const series = generators.map((generator, i): Series => {
    const marks = systems.flatMap((system): IntervalMark[] => {
      const interval = system.intervals.get(name);
      if (system.generator !== generator || interval === undefined) return [];
      const { mean: value, lower, upper } = interval;
      const row = rows.findIndex(([d, r]) => d === system.dataset && r === system.retriever);
      const note = `${system.dataset}, ${system.retriever}, ${generator}: ${fixed(value, 4)} [${fixed(lower, 4)}, ${fixed(upper, 4)}]`;
      return [{ row, value, lower, upper, open: false, note }];
    });
    return { name: generator, style: styles[i], marks };
  });
  const ends = series.flatMap(({ marks }) => marks.flatMap(({ lower, upper }) => [lower, upper]));
  const margins = { marginLeft: 8, marginRight: 8, marginTop: 0, marginBottom: layout.foot };
  const drawn = drawIntervalPanel(Plot, svg.ownerDocument, {
    series,
    rows: rows.length,
    breaks: starts,
    scale: tightScale(ends, frameWidth - 2 * inset, tickSize),
    zero: null,
    box: { width: frameWidth + 16, height: frameHeight + layout.foot, ...margins },
  });
  setAttributes(drawInto(svg, drawn, x - 8, y + layout.head), { class: "panel", "data-quantity": name });
}
