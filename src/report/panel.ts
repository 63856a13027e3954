/** One panel of the allocation figure: a system and a quantity, a line a strategy, drawn by Observable Plot. */
import type * as PlotModule from "@observablehq/plot";
import type { SweepCell } from "../documents.js";
import { fixed, withError } from "./format.js";
import { averageOf, errorOf, type Measure, tickFormat, type ValueScale } from "./scale.js";
import { baseStyle, type StrategyStyle } from "./style.js";
import { append, textWidth } from "./svg.js";

/** Pixels; the frame is what lies within the margins. */
export interface PanelBox {
  readonly width: number;
  readonly height: number;
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly marginTop: number;
  readonly marginBottom: number;
}

export interface PanelSpec {
  /** Of one system and quantity. */
  readonly cells: readonly SweepCell[];
  readonly measure: Measure;
  readonly styles: ReadonlyMap<string, StrategyStyle>;
  /** Additional records of all panels, ascending, 0 included. */
  readonly adds: readonly number[];
  readonly scale: ValueScale;
  readonly box: PanelBox;
  readonly showX: boolean;
  readonly showY: boolean;
}

/** A point as drawn: x in axis units, dodged. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly error: number | null;
  /** What a reader's pointer shows. */
  readonly note: string;
}

export const tickSize = 11;
/** Room in the frame beside the first and the last budget, for dodged symbols. */
const inset = 18;
const symbolRadius = 3.3;
export const frameInk = "#8a929c";
export const gridInk = "#dfe3e8";
export const labelInk = "#3c444d";

/**
 * The axis goes by the square root of the additional records: budgets are usually spaced so that small ones crowd, and
 * errors shrink in proportion to one over the square root of all records.
 */
const position = (add: number): number => Math.sqrt(add);

export function drawPanel(Plot: typeof PlotModule, document: Document, spec: PanelSpec): Element {
  const { box, adds, styles, measure } = spec;
  const end = Math.max(...adds.map(position)) || 1;
  const unitsPerPixel = end / (box.width - box.marginLeft - box.marginRight - 2 * inset);
  const pointsOf = (strategy: string, shift: number): Point[] =>
    spec.cells
      .filter((cell) => cell.strategy === strategy)
      .sort((a, b) => a.add - b.add)
      .flatMap((cell) => {
        const [y, error] = [averageOf(cell, measure), errorOf(cell, measure)];
        if (y === null) return [];
        const note = `${strategy}, ${addLabel(cell.add)} additional records: ${withError(fixed(y, 5), error, 5)}`;
        return [{ x: position(cell.add) + shift * unitsPerPixel, y, error, note }];
      });
  const base = pointsOf("base", 0);
  const dodge = dodgeStep(adds, styles.size, unitsPerPixel);
  const marks: PlotModule.Markish[] = [...axes(Plot, spec)];
  const symbols: PlotModule.Markish[] = [];
  [...styles].forEach(([strategy, style], i) => {
    const points = pointsOf(strategy, (i - (styles.size - 1) / 2) * dodge);
    if (points.length === 0) return;
    marks.push(lineMark(Plot, strategy, style, [...base, ...points]));
    symbols.push(...errorMarks(Plot, strategy, style, points, unitsPerPixel), dotMark(Plot, strategy, style, points));
  });
  symbols.push(...errorMarks(Plot, "base", baseStyle, base, unitsPerPixel), dotMark(Plot, "base", baseStyle, base));
  return Plot.plot({
    document,
    ...box,
    x: { type: "linear", domain: [0, end], inset, axis: null },
    y: { type: "linear", domain: [...spec.scale.domain], axis: null },
    marks: [...marks, ...symbols],
  });
}

/**
 * Moves what Plot drew into a parent, at a place. A group takes the place of its svg element, which would clip, and of
 * its style sheet, whose rules only concern pages.
 */
export function drawInto(parent: Element, drawn: Element, x: number, y: number): Element {
  const group = append(parent, "g", {
    transform: `translate(${x},${y})`,
    "text-anchor": "middle",
    "font-size": tickSize,
  });
  for (const child of [...drawn.children]) if (child.localName !== "style") group.appendChild(child);
  return group;
}

/** Pixels between neighbouring strategies: as far as the closest two budgets and the inset leave room, 6 at most. */
function dodgeStep(adds: readonly number[], strategies: number, unitsPerPixel: number): number {
  const gaps = adds.slice(1).map((add, i) => (position(add) - position(adds[i])) / unitsPerPixel);
  const room = (2 * (inset - symbolRadius - 1)) / Math.max(1, strategies - 1);
  return Math.min(6, room, ...gaps.map((gap) => (0.85 * gap) / Math.max(1, strategies)));
}

function axes(Plot: typeof PlotModule, spec: PanelSpec): PlotModule.Markish[] {
  const { box, adds } = spec;
  const { domain, ticks } = spec.scale;
  const labels = new Set(spec.showX ? spacedLabels(adds, box) : []);
  const marks: PlotModule.Markish[] = [
    Plot.ruleY(ticks, { stroke: gridInk }),
    Plot.ruleY([domain[0]], { stroke: frameInk }),
    Plot.axisX(adds.map(position), {
      stroke: frameInk,
      fill: labelInk,
      tickSize: 4,
      tickPadding: 4,
      label: null,
      tickFormat: (_x: number, i: number) => (labels.has(adds[i]) ? addLabel(adds[i]) : ""),
    }),
  ];
  if (spec.showY) {
    const look = { fill: labelInk, tickSize: 0, tickPadding: 6, label: null };
    marks.push(Plot.axisY(ticks, { ...look, tickFormat: tickFormat(ticks) }));
  }
  return marks;
}

const addLabel = (add: number): string => add.toLocaleString("en-US");

/** The budgets whose labels have room; the first and the last have right of way. */
function spacedLabels(adds: readonly number[], box: PanelBox): number[] {
  const end = Math.max(...adds.map(position)) || 1;
  const pixels = (add: number) => (position(add) / end) * (box.width - box.marginLeft - box.marginRight - 2 * inset);
  const half = (add: number) => textWidth(addLabel(add), tickSize) / 2 + 2;
  const clear = (a: number, b: number) => Math.abs(pixels(a) - pixels(b)) >= half(a) + half(b);
  const kept: number[] = [];
  for (const add of [...new Set([adds[0], adds[adds.length - 1], ...adds])]) {
    if (kept.every((other) => clear(add, other))) kept.push(add);
  }
  return kept.sort((a, b) => a - b);
}

export function lineMark(
  Plot: typeof PlotModule,
  strategy: string,
  style: StrategyStyle,
  points: readonly Pick<Point, "x" | "y">[],
): PlotModule.Markish {
  return Plot.line(points, {
    x: "x",
    y: "y",
    stroke: style.colour,
    strokeWidth: 1.7,
    ...(style.dash === null ? {} : { strokeDasharray: style.dash }),
    className: "line",
    ariaLabel: () => strategy,
  });
}

/** Bars of one standard error to each side, with caps. */
function errorMarks(
  Plot: typeof PlotModule,
  strategy: string,
  style: StrategyStyle,
  points: readonly Point[],
  unitsPerPixel: number,
): PlotModule.Markish[] {
  const bars = points.flatMap(({ x, y, error }) => (error === null ? [] : [{ x, y1: y - error, y2: y + error }]));
  const caps = bars.flatMap(({ x, y1, y2 }) => [y1, y2].map((y) => ({ x, y })));
  const look = { stroke: style.colour, strokeWidth: 1.2 };
  return [
    Plot.ruleX(bars, { x: "x", y1: "y1", y2: "y2", ...look, className: "error-bars", ariaLabel: () => strategy }),
    Plot.link(caps, {
      x1: (cap: { x: number }) => cap.x - 2 * unitsPerPixel,
      x2: (cap: { x: number }) => cap.x + 2 * unitsPerPixel,
      y1: "y",
      y2: "y",
      ...look,
      className: "error-caps",
    }),
  ];
}

export function dotMark(
  Plot: typeof PlotModule,
  strategy: string,
  style: StrategyStyle,
  points: readonly Omit<Point, "error">[],
  radius = symbolRadius,
): PlotModule.Markish {
  return Plot.dot(points, {
    x: "x",
    y: "y",
    r: radius,
    symbol: style.symbol,
    fill: style.open ? "white" : style.colour,
    stroke: style.colour,
    strokeWidth: 1.4,
    className: "symbols",
    ariaLabel: () => strategy,
    title: "note",
  });
}
