/** Prevalence of each system, as judged and by every estimate; below, of several systems, their order raw and corrected. */
import type { Estimate } from "../audit/estimate.js";
import type { AuditPrevalenceDocument, AuditPrevalenceSystem } from "../documents.js";
import { fixed, percent } from "./format.js";
import { drawIntervalPanel, type IntervalMark, inset, type Series } from "./interval-panel.js";
import { drawLegend } from "./legend.js";
import { shortNames } from "./names.js";
import { drawInto, gridInk, tickSize } from "./panel.js";
import { tightScale } from "./scale.js";
import { drawCaption, drawTitle, finishSheet, newSheet, type Sheet, softInk } from "./sheet.js";
import { seriesStyles } from "./style.js";
import { append, fitText, setAttributes, textWidth } from "./svg.js";

const edge = 12;
const width = 520;
const title = "How frequent truth is";

/** Pixels. */
const layout = { mostLabel: 150, seriesHeight: 13, foot: 22, place: 22, gap: 22, mostName: 150 };

interface Shown {
  readonly name: string;
  readonly of: (system: AuditPrevalenceSystem) => Pick<Estimate, "value" | "lower" | "upper">;
}

const estimates: readonly Shown[] = [
  { name: "judge says yes", of: ({ observed }) => observed },
  { name: "Rogan-Gladen", of: ({ roganGladen }) => roganGladen },
  { name: "Bayesian", of: ({ bayesian }) => bayesian },
  { name: "prediction-powered", of: ({ predictionPowered }) => predictionPowered },
];

/** As SVG text. */
export async function prevalenceFigure(document: AuditPrevalenceDocument): Promise<string> {
  const { systems, order, level } = document;
  const sheet = await newSheet(`${title}: ${systems.map(({ system }) => system).join(", ")}`, width, edge);
  const top = drawTitle(sheet, title, 15) + 12;
  const styles = seriesStyles(estimates.length);
  const shown = estimates.flatMap(({ name, of }, e) => {
    const marks = systems.flatMap((system, row) => markOf(system, row, name, of(system)));
    return marks.length === 0 ? [] : [{ name, style: styles[e], marks }];
  });
  const entries = shown.map(({ name, style }) => ({ label: name, style, line: false, symbol: true }));
  const from = drawLegend(sheet.Plot, sheet.svg, entries, { x: edge, y: top, width: width - 2 * edge }) + 6;
  let bottom = drawSystems(sheet, systems, shown, from);
  const crossing = order !== null && order.corrected.length > 0 ? order : null;
  if (crossing !== null) bottom = drawOrder(sheet, crossing, bottom + layout.gap);
  return finishSheet(sheet, drawCaption(sheet, captionOf(crossing !== null, level), bottom + 8));
}

function markOf(
  { system }: AuditPrevalenceSystem,
  row: number,
  name: string,
  { value, lower, upper }: Pick<Estimate, "value" | "lower" | "upper">,
): IntervalMark[] {
  if (value === null) return [];
  const note = `${system}, ${name}: ${fixed(value, 4)} [${fixed(lower, 4)}, ${fixed(upper, 4)}]`;
  return [{ row, value, lower: lower ?? value, upper: upper ?? value, open: false, note }];
}

/** Returns the y below. */
function drawSystems(
  { Plot, svg }: Sheet,
  systems: readonly AuditPrevalenceSystem[],
  series: readonly Series[],
  top: number,
): number {
  const all = systems.map(({ system }) => system);
  const short = shortNames(all, (name) => fitText(name, tickSize, layout.mostLabel));
  const names = all.length > 1 ? all.map((name) => short.get(name) as string) : [];
  const labels = Math.max(0, ...names.map((name) => textWidth(name, tickSize) + 8));
  const left = edge + labels;
  const frameWidth = width - edge - left - 10;
  const rowHeight = layout.seriesHeight * (series.length + 1);
  const frameHeight = rowHeight * systems.length;
  names.forEach((name, row) => {
    const place = { x: left - 8, y: top + (row + 0.5) * rowHeight + 4, "text-anchor": "end" };
    append(svg, "text", { ...place, "font-size": tickSize, fill: softInk }, name);
  });
  const ends = series.flatMap(({ marks }) => marks.flatMap(({ lower, upper, value }) => [lower, upper, value]));
  const drawn = drawIntervalPanel(Plot, svg.ownerDocument, {
    series,
    rows: systems.length,
    breaks: systems.flatMap((_, row) => (row === 0 ? [] : [row])),
    scale: tightScale(ends, frameWidth - 2 * inset, tickSize),
    zero: null,
    box: {
      ...{ width: frameWidth + 20, height: frameHeight + layout.foot },
      ...{ marginLeft: 10, marginRight: 10, marginTop: 0, marginBottom: layout.foot },
    },
  });
  setAttributes(drawInto(svg, drawn, left - 10, top), { class: "panel" });
  const look = { "text-anchor": "middle", "font-size": tickSize, fill: softInk };
  append(svg, "text", { x: left + frameWidth / 2, y: top + frameHeight + layout.foot + 12, ...look }, "share");
  return top + frameHeight + layout.foot + 14;
}

type Order = NonNullable<AuditPrevalenceDocument["order"]>;

/** Two columns of places with a line from each system's to its other one: lines that cross are pairs out of order. */
function drawOrder({ svg }: Sheet, { raw, corrected, estimator }: Order, top: number): number {
  const [before, after] = [edge + layout.mostName + 60, width - edge - layout.mostName - 60];
  const heading = { y: top + 12, "font-weight": 600 };
  append(svg, "text", { ...heading, x: before - 10, "text-anchor": "end" }, "order as judged");
  append(svg, "text", { ...heading, x: after + 10 }, `corrected (${estimator})`);
  const short = shortNames(
    raw.map(({ system }) => system),
    (name) => fitText(name, tickSize, layout.mostName),
  );
  const label = (place: number, system: string, value: number): string =>
    `${place + 1}. ${short.get(system)}: ${fixed(value, 3)}`;
  const yOf = (place: number): number => top + 34 + place * layout.place;
  raw.forEach(({ system, value }, place) => {
    const to = corrected.findIndex((other) => other.system === system);
    const falls = to > place;
    const moved = to !== place;
    append(svg, "line", {
      ...{ class: "place", x1: before, y1: yOf(place), x2: after, y2: yOf(to) },
      stroke: moved ? (falls ? "#7a1f0d" : "#1f5fa6") : gridInk,
      "stroke-width": moved ? 2 : 1.5,
      ...(falls ? { "stroke-dasharray": "7 3" } : {}),
    });
    const at = { x: before - 10, y: yOf(place) + 4, "text-anchor": "end", "font-size": tickSize };
    append(svg, "text", at, label(place, system, value));
  });
  corrected.forEach(({ system, value }, place) => {
    append(svg, "text", { x: after + 10, y: yOf(place) + 4, "font-size": tickSize }, label(place, system, value));
  });
  return yOf(raw.length - 1) + 12;
}

function captionOf(ordered: boolean, level: number): string {
  const lines = `Lines are ${percent(level)} intervals.`;
  return ordered
    ? `${lines} Lines that cross are systems whose order the correction turns round; dashed: falls.`
    : lines;
}
