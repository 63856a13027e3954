/** One panel of points with their intervals along a value axis: a line a row, a style a series, drawn by Observable Plot. */
import type * as PlotModule from "@observablehq/plot";
import { dotMark, frameInk, gridInk, labelInk, type PanelBox, tickSize } from "./panel.js";
import { tickFormat, type ValueScale } from "./scale.js";
import type { StrategyStyle } from "./style.js";

/** A point and its interval. */
export interface IntervalMark {
  /** Counted from the top. */
  readonly row: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  /** White inside. */
  readonly open: boolean;
  /** What a reader's pointer shows. */
  readonly note: string;
}

export interface Series {
  readonly name: string;
  readonly style: StrategyStyle;
  readonly marks: readonly IntervalMark[];
}

export interface IntervalPanelSpec {
  readonly series: readonly Series[];
  readonly rows: number;
  /** Rows above which a line is drawn. */
  readonly breaks: readonly number[];
  readonly scale: ValueScale;
  /** A value to tell from others. */
  readonly zero: number | null;
  readonly box: PanelBox;
}

/** Room in the frame for symbols at its ends. */
export const inset = 6;
export const intervalRadius = 2.6;

export function drawIntervalPanel(Plot: typeof PlotModule, document: Document, spec: IntervalPanelSpec): Element {
  const { series, rows, breaks, box } = spec;
  const marks: PlotModule.Markish[] = [Plot.ruleY(breaks, { y: (row: number) => row - 0.5, stroke: gridInk })];
  marks.push(...valueAxis(Plot, spec.scale, spec.zero));
  series.forEach(({ name, style, marks: own }, i) => {
    // Series share a row, one below the other.
    const shift = (i + 1) / (series.length + 1) - 0.5;
    const points = own.map(({ row, value, ...rest }) => ({ ...rest, x: value, y: row + shift }));
    marks.push(...intervalMarks(Plot, name, style, points));
  });
  return Plot.plot({
    document,
    ...box,
    x: { type: "linear", domain: [...spec.scale.domain], insetLeft: inset, insetRight: inset, axis: null },
    y: { type: "linear", domain: [rows - 0.5, -0.5], axis: null },
    marks,
  });
}

/** Lines and labels of the values along the foot of a panel. */
export function valueAxis(Plot: typeof PlotModule, { ticks }: ValueScale, zero: number | null): PlotModule.Markish[] {
  return [
    Plot.ruleX(ticks, { stroke: gridInk }),
    zero === null ? null : Plot.ruleX([zero], { stroke: frameInk, strokeWidth: 1.4, className: "zero" }),
    Plot.axisX([...ticks], {
      stroke: frameInk,
      fill: labelInk,
      fontSize: tickSize,
      tickSize: 3,
      tickPadding: 3,
      label: null,
      tickFormat: tickFormat(ticks),
    }),
    Plot.frame({ anchor: "bottom", stroke: frameInk }),
  ];
}

interface PlacedInterval extends Omit<IntervalMark, "row" | "value"> {
  readonly x: number;
  readonly y: number;
}

/** Intervals as lines, and symbols on them. */
export function intervalMarks(
  Plot: typeof PlotModule,
  name: string,
  style: StrategyStyle,
  points: readonly PlacedInterval[],
): PlotModule.Markish[] {
  const lines = { x1: "lower", x2: "upper", y: "y", stroke: style.colour, strokeWidth: 1.5 };
  return [
    Plot.ruleY(points, { ...lines, className: "intervals", ariaLabel: () => name }),
    ...[false, true].map((open) => {
      const own = points.filter((point) => point.open === open);
      return own.length === 0 ? null : dotMark(Plot, name, { ...style, open }, own, intervalRadius);
    }),
  ];
}
