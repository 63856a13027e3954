/** Posterior densities as SVG: a small panel a quantity, the curves of several fits over one another. */
import type { Fit } from "../documents.js";
import { type Density, kernelDensity } from "../statistics/kernel-density.js";
import { counted, fixed, percent } from "./format.js";
import { intervalMarks, valueAxis } from "./interval-panel.js";
import { drawLegend } from "./legend.js";
import { drawInto, lineMark, tickSize } from "./panel.js";
import { tightScale } from "./scale.js";
import { columnWidth, drawCaption, drawTitle, finishSheet, newSheet, type Sheet, softInk } from "./sheet.js";
import { type StrategyStyle, seriesStyles } from "./style.js";
import { append, fitText, setAttributes } from "./svg.js";

/** The curves of one fit: its draws need not be kept for the figure. */
export interface FitDensities {
  readonly fit: Fit;
  /** In the order of the fit's quantities; null where all draws are the same. */
  readonly densities: readonly (Density | null)[];
}

/** @param values draws by quantity */
export const fitDensities = (fit: Fit, values: readonly Float64Array[]): FitDensities => ({
  fit,
  densities: values.map(kernelDensity),
});

/** More over one another nobody could tell apart. */
export const mostFits = 8;

const edge = 10;
/** Pixels. */
const layout = { columns: 2, columnGap: 18, head: 18, curve: 54, strip: 7, foot: 20, rowGap: 8, inset: 4 };
/** Share of a curve's height below which nothing is to be seen. */
const visible = 0.003;

/**
 * @param fits the first of them; those beyond `mostFits` are left out
 * @param count of all fits
 */
export async function densitiesFigure(fits: readonly FitDensities[], count = fits.length): Promise<string> {
  const shown = fits.slice(0, mostFits);
  const styles = seriesStyles(shown.length);
  const names = shown.map(({ fit }) => fit.source);
  const sheet = await newSheet(`Posterior densities: ${names.join(", ")}`, columnWidth, edge);
  const room = columnWidth - 2 * edge;
  let y = drawTitle(sheet, "Posterior densities", 13) + 10;
  if (names.length === 1) {
    append(sheet.svg, "text", { x: edge, y: y + 10, fill: softInk }, fitText(names[0], 12, room));
    y += 20;
  } else {
    const entries = names.map((label, i) => ({ label, style: styles[i], line: true, symbol: true }));
    y = drawLegend(sheet.Plot, sheet.svg, entries, { x: edge, y, width: room }) + 2;
  }
  const quantities = [...new Set(shown.flatMap(({ fit }) => fit.quantities.map(({ name }) => name)))];
  const frameWidth = (room - (layout.columns - 1) * layout.columnGap) / layout.columns;
  const height = layout.head + layout.curve + layout.strip * shown.length + layout.foot + layout.rowGap;
  quantities.forEach((quantity, i) => {
    const x = edge + (i % layout.columns) * (frameWidth + layout.columnGap);
    const top = y + Math.floor(i / layout.columns) * height;
    drawQuantity(sheet, { fits: shown, styles, quantity, frameWidth }, x, top);
  });
  y += Math.ceil(quantities.length / layout.columns) * height;
  return finishSheet(sheet, drawCaption(sheet, captionOf(shown, count), y));
}

function captionOf(shown: readonly FitDensities[], count: number): string {
  const levels = [...new Set(shown.map(({ fit }) => percent(fit.level)))];
  const left = count > shown.length ? ` The first ${shown.length} of ${counted(String(count), "fit")}.` : "";
  return (
    `Curves: density of the draws, by a Gaussian kernel. Below them: mean and ${levels.join(" or ")} interval. ` +
    `Each panel has axes of its own.${left}`
  );
}

interface QuantityPlan {
  readonly fits: readonly FitDensities[];
  readonly styles: readonly StrategyStyle[];
  readonly quantity: string;
  readonly frameWidth: number;
}

interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

/** The part of a density that can be seen. */
function curveOf(density: Density | null | undefined): CurvePoint[] {
  if (density == null) return [];
  const { from, step, values } = density;
  const least = visible * Math.max(...values);
  const first = Math.max(0, values.findIndex((value) => value >= least) - 1);
  const last = Math.min(values.length - 1, values.findLastIndex((value) => value >= least) + 1);
  return Array.from(values.subarray(first, last + 1), (y, i) => ({ x: from + (first + i) * step, y }));
}

function drawQuantity({ Plot, svg }: Sheet, plan: QuantityPlan, x: number, y: number): void {
  const { fits, styles, quantity, frameWidth } = plan;
  append(svg, "text", { x, y: y + 12, "font-weight": 600 }, fitText(quantity, 12, frameWidth));
  const parts = fits.map(({ fit, densities }) => {
    const at = fit.quantities.findIndex(({ name }) => name === quantity);
    return { fit, curve: curveOf(densities[at]), own: fit.quantities[at] };
  });
  const ends = parts.flatMap(({ curve, own }) => [
    ...curve.map((point) => point.x),
    ...[own?.lower, own?.mean, own?.upper].filter((end) => end != null),
  ]);
  const peak = 1.04 * Math.max(...parts.flatMap(({ curve }) => curve.map((point) => point.y)), Number.MIN_VALUE);
  const most = peak > Number.MIN_VALUE * 2 ? peak : 1;
  const scale = tightScale(ends, frameWidth - 2 * layout.inset, tickSize);
  const stripHeight = layout.strip * fits.length;
  const unit = most / layout.curve;
  const marks = parts.flatMap(({ fit, curve, own }, i) => {
    const name = fit.source;
    const { mean, lower, upper } = own ?? {};
    const note = `${name}: ${fixed(mean, 4)} [${fixed(lower, 4)}, ${fixed(upper, 4)}]`;
    const below = -(i + 0.5) * layout.strip * unit;
    const interval =
      mean == null || lower == null || upper == null
        ? []
        : [{ x: mean, y: below, lower, upper, open: styles[i].open, note }];
    return [
      fits.length === 1
        ? Plot.areaY(curve, { x: "x", y1: 0, y2: "y", fill: styles[i].colour, fillOpacity: 0.12 })
        : null,
      curve.length === 0 ? null : lineMark(Plot, name, styles[i], curve),
      // Without a spread, all of it lies at one place.
      curve.length > 0 || mean == null
        ? null
        : lineMark(Plot, name, styles[i], [
            { x: mean, y: 0 },
            { x: mean, y: most },
          ]),
      ...intervalMarks(Plot, name, styles[i], interval),
    ];
  });
  const drawn = Plot.plot({
    document: svg.ownerDocument,
    width: frameWidth + 16,
    height: layout.curve + stripHeight + layout.foot,
    marginLeft: 8,
    marginRight: 8,
    marginTop: 0,
    marginBottom: layout.foot,
    x: {
      type: "linear",
      domain: [...scale.domain],
      insetLeft: layout.inset,
      insetRight: layout.inset,
      axis: null,
    },
    y: { type: "linear", domain: [-stripHeight * unit, most], axis: null },
    marks: [...valueAxis(Plot, scale, null), ...marks],
  });
  setAttributes(drawInto(svg, drawn, x - 8, y + layout.head), { class: "panel", "data-quantity": quantity });
}
