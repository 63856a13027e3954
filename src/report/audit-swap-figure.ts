/** A swap test as SVG: what pairs of verdicts say, or how scores differ, and the slot bias below. */
import type { Estimate } from "../audit/estimate.js";
import type { AuditScoreSwap, AuditSwapDocument, AuditVerdictSwap } from "../documents.js";
import { counted, percent, signed, whole } from "./format.js";
import { drawIntervalPanel, type IntervalMark, inset, intervalRadius } from "./interval-panel.js";
import { drawInto, frameInk, tickSize } from "./panel.js";
import { drawPlotPanel } from "./plot-panel.js";
import { tightScale } from "./scale.js";
import { columnWidth, drawCaption, drawTitle, finishSheet, newSheet, type Sheet, softInk } from "./sheet.js";
import { seriesStyles } from "./style.js";
import { append, fitText, setAttributes, textWidth } from "./svg.js";

const edge = 10;
/** Pixels. */
const layout = { labels: 132, bar: 18, row: 20, foot: 20, gap: 14, histogram: 130 };

export async function swapFigure(document: AuditSwapDocument): Promise<string> {
  const sheet = await newSheet(`Slot bias: ${document.source}`, columnWidth, edge);
  let y = drawTitle(sheet, "Slot bias", 13) + 10;
  const of = document.clusters === null ? "" : `, ${counted(whole(document.clusters), "cluster")}`;
  const subtitle = `${document.source}: ${counted(whole(document.complete), "pair")}${of}`;
  append(sheet.svg, "text", { x: edge, y: y + 10, fill: softInk }, fitText(subtitle, 12, columnWidth - 2 * edge));
  y += 24;
  y = document.kind === "verdicts" ? drawVerdicts(sheet, document, y) : drawScores(sheet, document, y);
  const rows = document.kind === "verdicts" ? ofVerdicts(document) : ofScores(document);
  y = drawIntervals(sheet, rows, y);
  return finishSheet(sheet, drawCaption(sheet, captionOf(document), y));
}

function captionOf(document: AuditSwapDocument): string {
  const { kind, level } = document;
  const hasInterval = (kind === "verdicts" ? ofVerdicts(document) : ofScores(document)).some(isKnown);
  const intervals = hasInterval
    ? `Values and ${percent(level)} intervals; open symbols where the interval holds 0.`
    : "There are no intervals.";
  return kind === "verdicts"
    ? `Pairs by what both verdicts say. Below: shares of pairs, and the bias, from −1 (always second) to 1. ${intervals}`
    : `Pairs by the score in the first slot minus that in the second; 0 without an effect. ${intervals}`;
}

interface Bar {
  readonly label: string;
  readonly pairs: number;
  /** For a slot. */
  readonly isBiased: boolean;
}

function drawVerdicts({ Plot, svg }: Sheet, { counts }: AuditVerdictSwap, top: number): number {
  const bars: Bar[] = [
    { label: "same answer won", pairs: counts.consistent - counts.consistentTies, isBiased: false },
    { label: "tie both times", pairs: counts.consistentTies, isBiased: false },
    { label: "first slot both times", pairs: counts.firstSlot, isBiased: true },
    { label: "second slot both times", pairs: counts.secondSlot, isBiased: true },
    { label: "first slot and a tie", pairs: counts.firstSlotAndTie, isBiased: true },
    { label: "second slot and a tie", pairs: counts.secondSlotAndTie, isBiased: true },
  ];
  const [ink, light] = seriesStyles(5).map(({ colour }) => colour);
  const most = Math.max(1, ...bars.map(({ pairs }) => pairs));
  const left = edge + layout.labels;
  const numbers = Math.max(...bars.map(({ pairs }) => textWidth(whole(pairs), tickSize))) + 6;
  const width = columnWidth - edge - left - numbers;
  bars.forEach(({ label, pairs, isBiased }, i) => {
    const y = top + i * layout.bar;
    rowLabel(svg, label, y + layout.bar / 2);
    const length = (pairs / most) * width;
    const look = { height: layout.bar - 5, fill: isBiased ? light : ink, class: "bar", "data-outcome": label };
    append(svg, "rect", { x: left, y: y + 2.5, width: length, ...look });
    append(svg, "text", { x: left + length + 5, y: y + layout.bar / 2 + 4, "font-size": tickSize }, whole(pairs));
  });
  const foot = top + bars.length * layout.bar;
  const axis = Plot.plot({
    document: svg.ownerDocument,
    width: 4,
    height: foot - top,
    margin: 0,
    x: { type: "linear", domain: [0, 1], axis: null },
    y: { type: "linear", domain: [0, 1], axis: null },
    marks: [Plot.ruleX([0], { stroke: frameInk })],
  });
  drawInto(svg, axis, left, top);
  return foot + layout.gap;
}

function drawScores(sheet: Sheet, { distribution }: AuditScoreSwap, top: number): number {
  const { Plot } = sheet;
  if (distribution.length === 0) return top;
  const most = Math.max(...distribution.map(({ pairs }) => pairs));
  const ends = [0, distribution[0].from, distribution[distribution.length - 1].to];
  const x = tightScale(ends, columnWidth - 2 * edge - 60, tickSize);
  const ticks = tightScale([0, most], layout.histogram * 2, tickSize).ticks.filter(Number.isInteger);
  const [ink] = seriesStyles(2).map(({ colour }) => colour);
  const y = { domain: [0, most] as const, ticks, label: "pairs", format: whole };
  const marks = [
    Plot.rect(distribution, {
      ...{ x1: "from", x2: "to", y1: 0, y2: "pairs", fill: ink, fillOpacity: 0.75, stroke: "white", strokeWidth: 0.6 },
      ...{ className: "bins", title: ({ from, to, pairs }) => `${from} to ${to}: ${pairs}` },
    }),
    Plot.ruleX([0], { stroke: frameInk, strokeWidth: 1.4, className: "zero" }),
  ];
  const place = { left: edge, top, width: columnWidth - 2 * edge, frameHeight: layout.histogram };
  const label = "score in the first slot minus score in the second";
  return drawPlotPanel(sheet, { title: "", x: { ...x, label }, y, marks }, place) + layout.gap;
}

interface Row {
  readonly label: string;
  readonly estimate: Estimate;
}

/** Whether there is an interval. */
const isKnown = ({ estimate }: Pick<Row, "estimate">): boolean => estimate.lower !== null && estimate.upper !== null;

const ofVerdicts = ({ firstSlot, secondSlot, bias }: AuditVerdictSwap): Row[] => [
  { label: "first slot both times", estimate: firstSlot },
  { label: "second slot both times", estimate: secondSlot },
  { label: "slot bias", estimate: bias },
];

const ofScores = ({ difference, bias }: AuditScoreSwap): Row[] => [
  { label: "first minus second", estimate: difference },
  { label: "slot bias (half of it)", estimate: bias },
];

function drawIntervals({ Plot, svg }: Sheet, rows: readonly Row[], top: number): number {
  const marks = rows.flatMap(({ label, estimate }, row): IntervalMark[] => {
    const { value, lower, upper } = estimate;
    if (value === null) return [];
    const [from, to] = [lower ?? value, upper ?? value];
    const isOpen = isKnown({ estimate }) && from <= 0 && to >= 0;
    const ends = isKnown({ estimate }) ? ` [${signed(from, 4)}, ${signed(to, 4)}]` : ", no interval";
    return [{ row, value, lower: from, upper: to, open: isOpen, note: `${label}: ${signed(value, 4)}${ends}` }];
  });
  rows.forEach(({ label }, i) => {
    rowLabel(svg, label, top + (i + 0.5) * layout.row);
  });
  const left = edge + layout.labels;
  const margin = 8 + intervalRadius;
  const width = columnWidth - edge - left - margin;
  const ends = [0, ...marks.flatMap(({ value, lower, upper }) => [value, lower, upper])];
  const drawn = drawIntervalPanel(Plot, svg.ownerDocument, {
    series: [{ name: "estimates", style: seriesStyles(1)[0], marks }],
    rows: rows.length,
    breaks: [],
    scale: tightScale(ends, width - 2 * inset, tickSize),
    zero: 0,
    box: {
      width: width + 2 * margin,
      height: rows.length * layout.row + layout.foot,
      ...{ marginLeft: margin, marginRight: margin, marginTop: 0, marginBottom: layout.foot },
    },
  });
  setAttributes(drawInto(svg, drawn, left - margin, top), { class: "panel" });
  return top + rows.length * layout.row + layout.foot + layout.gap;
}

function rowLabel(svg: Element, label: string, middle: number): void {
  const look = { "font-size": tickSize, fill: softInk, "text-anchor": "end" };
  const place = { x: edge + layout.labels - 7, y: middle + 4 };
  append(svg, "text", { ...place, ...look }, fitText(label, tickSize, layout.labels - 8));
}
