/** The legend that all panels share: each entry shows its line, dash and symbol together. */
import type * as PlotModule from "@observablehq/plot";
import { dotMark, drawInto, lineMark } from "./panel.js";
import type { StrategyStyle } from "./style.js";
import { append, fitText, textWidth } from "./svg.js";

export interface LegendEntry {
  readonly label: string;
  readonly style: StrategyStyle;
  /** What a sample shows: a line with its dash, a symbol, or both. */
  readonly line: boolean;
  readonly symbol: boolean;
}

interface LegendBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const textSize = 12;
const lineSample = 40;
const pointSample = 12;
const sampleHeight = 14;
const lineHeight = 20;
const gap = 18;

/** Draws the entries in as many lines as they need and returns the y below them. */
export function drawLegend(
  Plot: typeof PlotModule,
  svg: Element,
  entries: readonly LegendEntry[],
  box: LegendBox,
): number {
  const group = append(svg, "g", { class: "legend" });
  let [x, y] = [box.x, box.y];
  for (const one of entries) {
    const room = sampleWidth(one) + 6;
    const label = fitText(one.label, textSize, box.width - room);
    const width = room + textWidth(label, textSize);
    if (x > box.x && x + width > box.x + box.width) [x, y] = [box.x, y + lineHeight];
    const entry = append(group, "g", { class: "legend-entry" });
    drawInto(entry, drawSample(Plot, svg.ownerDocument, one), x, y);
    append(entry, "text", { x: x + room, y: y + 11.5, "font-size": textSize }, label);
    x += width + gap;
  }
  return y + lineHeight;
}

const sampleWidth = ({ line }: LegendEntry): number => (line ? lineSample : pointSample);

function drawSample(Plot: typeof PlotModule, document: Document, entry: LegendEntry): Element {
  const { label, style, line, symbol } = entry;
  const ends = [0, 1].map((x) => ({ x, y: 0.5 }));
  return Plot.plot({
    document,
    width: sampleWidth(entry),
    height: sampleHeight,
    margin: 0,
    x: { type: "linear", domain: [0, 1], axis: null },
    y: { type: "linear", domain: [0, 1], axis: null },
    marks: [
      line ? lineMark(Plot, label, style, ends) : null,
      symbol ? dotMark(Plot, label, style, [{ x: 0.5, y: 0.5, note: label }]) : null,
    ],
  });
}
