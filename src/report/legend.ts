/** The legend that all panels share: each entry shows its line, dash and symbol together. */
import type * as PlotModule from "@observablehq/plot";
import { dotMark, drawInto, lineMark } from "./panel.js";
import { baseStyle, type StrategyStyle } from "./style.js";
import { append, fitText, textWidth } from "./svg.js";

interface LegendBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const textSize = 12;
const lineSample = 40;
/** The base sample is a point, where all lines begin. */
const pointSample = 12;
const sampleHeight = 14;
const lineHeight = 20;
const gap = 18;

/** Draws the entries in as many lines as they need and returns the y below them. */
export function drawLegend(
  Plot: typeof PlotModule,
  svg: Element,
  styles: ReadonlyMap<string, StrategyStyle>,
  box: LegendBox,
): number {
  const group = append(svg, "g", { class: "legend" });
  let [x, y] = [box.x, box.y];
  for (const [strategy, style] of [["base", baseStyle] as const, ...styles]) {
    const room = (strategy === "base" ? pointSample : lineSample) + 6;
    const label = fitText(strategy === "base" ? "base alone" : strategy, textSize, box.width - room);
    const width = room + textWidth(label, textSize);
    if (x > box.x && x + width > box.x + box.width) [x, y] = [box.x, y + lineHeight];
    const entry = append(group, "g", { class: "legend-entry" });
    drawInto(entry, drawSample(Plot, svg.ownerDocument, strategy, style), x, y);
    append(entry, "text", { x: x + room, y: y + 11.5, "font-size": textSize }, label);
    x += width + gap;
  }
  return y + lineHeight;
}

function drawSample(Plot: typeof PlotModule, document: Document, strategy: string, style: StrategyStyle): Element {
  const ends = [0, 1].map((x) => ({ x, y: 0.5 }));
  const line = strategy === "base" ? null : lineMark(Plot, strategy, style, ends);
  return Plot.plot({
    document,
    width: strategy === "base" ? pointSample : lineSample,
    height: sampleHeight,
    margin: 0,
    x: { type: "linear", domain: [0, 1], axis: null },
    y: { type: "linear", domain: [0, 1], axis: null },
    marks: [line, dotMark(Plot, strategy, style, [{ x: 0.5, y: 0.5, note: strategy }])],
  });
}
