/** The allocation figure as SVG, and any figure as PNG. */
import { createRequire } from "node:module";
import type { Sweep } from "../documents.js";
import { RatError } from "../errors.js";
import { absent, bounded, counted, percent, range } from "./format.js";
import { drawLegend } from "./legend.js";
import { drawInto, drawPanel } from "./panel.js";
import { type Measure, type ValueScale, valueScale } from "./scale.js";
import { drawCaption, drawTitle, finishSheet, newSheet, type Sheet, softInk, textSize } from "./sheet.js";
import { baseStyle, type StrategyStyle, strategyStyles } from "./style.js";
import { append, fitText, setAttributes, textWidth } from "./svg.js";

export type { Measure } from "./scale.js";

const titles: Record<Measure, string> = {
  mae: "Error of the estimate, by what the additional records reveal",
  width: "Width of the interval, by what the additional records reveal",
};
const xTitle = "additional records (0 = base sample alone; square-root scale)";

const edge = 14;
const titleSize = 15;

/** Pixels of a band: one row of systems, each with all of its quantities. */
const band = {
  yTitle: 20,
  yLabels: 44,
  columnGap: 18,
  systemTitle: 20,
  panelTitle: 20,
  /** The frame of a panel, where the data are. */
  frameHeight: 170,
  rowGap: 14,
  /** Room above the frame for symbols and tick labels that reach out of it. */
  overhang: 8,
  xLabels: 22,
  xTitle: 20,
};

export interface FigureOptions {
  /** Of the intervals, named on the axis where known. */
  readonly level?: number;
}

/** What all parts of a figure are drawn with. */
interface Canvas extends Sheet {
  readonly plan: Plan;
}

/** What all parts of a figure agree on. */
interface Plan {
  readonly measure: Measure;
  readonly valueTitle: string;
  readonly quantities: readonly string[];
  readonly styles: ReadonlyMap<string, StrategyStyle>;
  readonly adds: readonly number[];
  /** One a quantity for all systems, so that the panels of a row compare. */
  readonly scales: ReadonlyMap<string, ValueScale>;
  readonly columns: number;
  readonly frameWidth: number;
  readonly width: number;
}

/**
 * Mean absolute error or interval width against additional records, as SVG text: a column a system, a row a quantity
 * (more than three systems wrap), a line a strategy, with error bars of one standard error.
 */
export async function allocationFigure(
  sweeps: readonly Sweep[],
  measure: Measure,
  options: FigureOptions = {},
): Promise<string> {
  const plan = planFigure(sweeps, measure, options);
  const title = `${titles[measure]}: ${sweeps.map(({ source }) => source).join(", ")}`;
  const sheet = await newSheet(title, plan.width, edge);
  const top = drawTitle(sheet, titles[measure], titleSize) + 12;
  const styles = [...plan.styles].map(([label, style]) => ({ label, style, line: true, symbol: true }));
  const base = { label: "base alone", style: baseStyle, line: false, symbol: true };
  let y = drawLegend(sheet.Plot, sheet.svg, [base, ...styles], { x: edge, y: top, width: plan.width - 2 * edge }) + 8;
  for (let first = 0; first < sweeps.length; first += plan.columns) {
    y = drawBand({ ...sheet, plan }, sweeps.slice(first, first + plan.columns), y) + 16;
  }
  return finishSheet(sheet, drawCaption(sheet, captionOf(plan, sweeps), y));
}

/** Open Sans has Latin, Greek, Cyrillic and Hebrew; names in other scripts get what fonts the machine has. */
export const needsSystemFonts = (svg: string): boolean => /[\u0600-\u1dff\u2e80-\ufffc\u{10000}-\u{10ffff}]/u.test(svg);

/** The figure at twice its size in pixels, with fonts of this package: a machine may have none. */
export async function toPng(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js").catch((cause: unknown) => {
    const message = "PNG figures need @resvg/resvg-js, which has no build for this platform; SVG figures don't";
    throw new RatError("unavailable", message, {}, { cause });
  });
  const { resolve } = createRequire(import.meta.url);
  const fontFiles = ["400Regular", "600SemiBold"].map((name) =>
    resolve(`@expo-google-fonts/open-sans/${name}/OpenSans_${name}.ttf`),
  );
  const image = new Resvg(svg, {
    fitTo: { mode: "zoom", value: 2 },
    font: {
      fontFiles,
      loadSystemFonts: needsSystemFonts(svg),
      defaultFontFamily: "Open Sans",
      sansSerifFamily: "Open Sans",
    },
    background: "#ffffff",
  });
  return image.render().asPng();
}

function planFigure(sweeps: readonly Sweep[], measure: Measure, { level }: FigureOptions): Plan {
  const cells = sweeps.flatMap((sweep) => sweep.cells);
  const quantities = [...new Set(cells.map((cell) => cell.quantity))];
  const strategies = new Set(cells.map((cell) => cell.strategy));
  strategies.delete("base");
  const columns = sweeps.length === 4 ? 2 : Math.max(1, Math.min(3, sweeps.length));
  const frameWidth = [440, 296, 260][columns - 1];
  const sides = 2 * edge + band.yTitle + band.yLabels;
  const interval = level === undefined ? "interval" : `${percent(level)} interval`;
  return {
    measure,
    valueTitle: `${measure === "mae" ? "mean absolute error" : `${interval} width`} (probability)`,
    quantities,
    styles: strategyStyles([...strategies]),
    adds: [...new Set([0, ...cells.map((cell) => cell.add)])].sort((a, b) => a - b),
    scales: new Map(
      quantities.map((quantity) => [
        quantity,
        valueScale(
          cells.filter((cell) => cell.quantity === quantity),
          measure,
        ),
      ]),
    ),
    columns,
    frameWidth,
    width: sides + columns * frameWidth + (columns - 1) * band.columnGap,
  };
}

/** Draws one row of systems and returns the y below it. */
function drawBand(canvas: Canvas, sweeps: readonly Sweep[], top: number): number {
  const { svg, plan } = canvas;
  const { frameWidth, quantities } = plan;
  const left = edge + band.yTitle + band.yLabels;
  const rowHeight = band.panelTitle + band.frameHeight + band.rowGap;
  const bottom = top + band.systemTitle + quantities.length * rowHeight - band.rowGap;
  sweeps.forEach((sweep, column) => {
    const x = left + column * (frameWidth + band.columnGap);
    const title = fitText(sweep.source, 13, frameWidth);
    append(svg, "text", { x, y: top + 12, "font-size": 13, "font-weight": 600 }, title);
    quantities.forEach((quantity, row) => {
      const y = top + band.systemTitle + row * rowHeight;
      const place = { x, y, showY: column === 0, showX: row === quantities.length - 1 };
      drawCell(canvas, sweep, quantity, place);
    });
  });
  const across = sweeps.length * (frameWidth + band.columnGap) - band.columnGap;
  const centred = { "text-anchor": "middle", fill: softInk };
  append(svg, "text", { x: left + across / 2, y: bottom + band.xLabels + 14, ...centred }, xTitle);
  const middle = (top + band.systemTitle + band.panelTitle + bottom) / 2;
  const turn = `translate(${edge + 10},${middle}) rotate(-90)`;
  append(svg, "text", { transform: turn, ...centred }, plan.valueTitle);
  return bottom + band.xLabels + band.xTitle;
}

interface CellPlace {
  /** Left end of the frame. */
  readonly x: number;
  readonly y: number;
  readonly showX: boolean;
  readonly showY: boolean;
}

/** One panel with the name of its quantity and its full-data value above. */
function drawCell({ Plot, svg, plan }: Canvas, sweep: Sweep, quantity: string, place: CellPlace): void {
  const { x, y, showX, showY } = place;
  const margins = { marginLeft: band.yLabels, marginRight: 1, marginTop: band.overhang, marginBottom: band.xLabels };
  const drawn = drawPanel(Plot, svg.ownerDocument, {
    cells: sweep.cells.filter((cell) => cell.quantity === quantity),
    measure: plan.measure,
    styles: plan.styles,
    adds: plan.adds,
    scale: plan.scales.get(quantity)!,
    box: {
      width: plan.frameWidth + margins.marginLeft + margins.marginRight,
      height: band.frameHeight + margins.marginTop + margins.marginBottom,
      ...margins,
    },
    showX,
    showY,
  });
  const group = drawInto(svg, drawn, x - band.yLabels, y + band.panelTitle - band.overhang);
  setAttributes(group, { class: "panel", "data-system": sweep.source, "data-quantity": quantity });
  const truth = bounded(sweep.truth[quantity] ?? null, 3);
  const note = truth === absent ? "" : `${truth} on the full data`;
  const name = fitText(quantity, textSize, plan.frameWidth - textWidth(note, 11) - 12);
  append(svg, "text", { x, y: y + 13, "font-weight": 600 }, name);
  const noteLook = { "font-size": 11, "text-anchor": "end", fill: softInk };
  append(svg, "text", { x: x + plan.frameWidth, y: y + 13, ...noteLook }, note);
}

/** What the bars are and what the averages are of. */
function captionOf(plan: Plan, sweeps: readonly Sweep[]): string {
  const cells = sweeps.flatMap((sweep) => sweep.cells);
  const scope =
    cells.length === 0
      ? ""
      : ` Averages over ${counted(range(cells.map((c) => c.replicates)), "replicate")} of ` +
        `${counted(range(cells.map((c) => c.base)), "base record")} plus the additional ones.`;
  const dodged = plan.styles.size > 1 ? "; points are moved sideways to tell them apart" : "";
  return `Error bars: ±1 standard error (hidden where smaller than the symbol)${dodged}.${scope}`;
}
