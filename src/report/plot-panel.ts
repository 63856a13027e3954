/** One panel with two numeric axes, drawn by Observable Plot: lines, dots and areas over them are the caller's. */
import type * as PlotModule from "@observablehq/plot";
import { drawInto, frameInk, gridInk, labelInk, tickSize } from "./panel.js";
import { tickFormat, type ValueScale } from "./scale.js";
import { type Sheet, softInk } from "./sheet.js";
import { append, fitText, textWidth } from "./svg.js";

export interface PlotAxis extends ValueScale {
  readonly label: string;
  /** Of the ticks; as many decimals as the longest needs where it isn't given. */
  readonly format?: (value: number) => string;
  readonly type?: "linear" | "log";
}

export interface PlotPanelSpec {
  /** Above the frame, in bold; "" for none. */
  readonly title: string;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  /** In the order in which they are drawn, above the grid. */
  readonly marks: readonly PlotModule.Markish[];
}

/** The whole panel, in pixels: title, axes and their labels included. */
export interface PlotPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  /** Of the frame alone, where the data are. */
  readonly frameHeight: number;
}

const margins = { right: 10, top: 8, xTicks: 20, xLabel: 18, yLabel: 18, title: 20 };
/** Room in the frame for symbols at its ends. */
const inset = 6;

/** Draws a panel and returns the y below it. */
export function drawPlotPanel({ Plot, svg }: Sheet, { title, x, y, marks }: PlotPanelSpec, place: PlotPlace): number {
  const { left, width, frameHeight } = place;
  const formatY = y.format ?? tickFormat(y.ticks);
  const marginLeft = margins.yLabel + 8 + Math.max(...y.ticks.map((tick) => textWidth(formatY(tick), tickSize)));
  const top = place.top + (title === "" ? 0 : margins.title);
  if (title !== "") {
    const text = fitText(title, 12, width - marginLeft);
    append(svg, "text", { x: left + marginLeft, y: place.top + 12, "font-weight": 600 }, text);
  }
  const look = { fill: labelInk, fontSize: tickSize, label: null };
  const drawn = Plot.plot({
    document: svg.ownerDocument,
    width,
    height: margins.top + frameHeight + margins.xTicks,
    marginLeft,
    marginRight: margins.right,
    marginTop: margins.top,
    marginBottom: margins.xTicks,
    x: { type: x.type ?? "linear", domain: [...x.domain], inset, axis: null },
    y: { type: y.type ?? "linear", domain: [...y.domain], inset, axis: null },
    marks: [
      Plot.ruleY(y.ticks, { stroke: gridInk }),
      Plot.frame({ anchor: "bottom", stroke: frameInk }),
      Plot.axisX([...x.ticks], {
        ...look,
        stroke: frameInk,
        tickSize: 4,
        tickPadding: 4,
        tickFormat: x.format ?? tickFormat(x.ticks),
      }),
      Plot.axisY([...y.ticks], { ...look, tickSize: 0, tickPadding: 6, tickFormat: formatY }),
      ...marks,
    ],
  });
  drawInto(svg, drawn, left, top).setAttribute("class", "panel");
  const centred = { "text-anchor": "middle", "font-size": tickSize, fill: softInk };
  const frameWidth = width - marginLeft - margins.right;
  const foot = top + margins.top + frameHeight + margins.xTicks;
  append(svg, "text", { x: left + marginLeft + frameWidth / 2, y: foot + 12, ...centred }, x.label);
  const turn = `translate(${left + 10},${top + margins.top + frameHeight / 2}) rotate(-90)`;
  append(svg, "text", { transform: turn, ...centred }, y.label);
  return foot + margins.xLabel;
}
