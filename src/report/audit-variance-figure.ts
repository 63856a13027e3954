/** The mean score's error as SVG: over the number of queries, a line a number of judges, each with its floor. */
import { judgeFloor, standardErrorOfMean, type Variances } from "../audit/variance/error.js";
import type { AuditVarianceDocument } from "../documents.js";
import { many, short } from "./audit-variance.js";
import { counted, whole } from "./format.js";
import { drawLegend, type LegendEntry } from "./legend.js";
import { dotMark, lineMark, tickSize } from "./panel.js";
import { drawPlotPanel } from "./plot-panel.js";
import { tickFormat, tightScale, type ValueScale } from "./scale.js";
import { columnWidth, drawCaption, drawTitle, finishSheet, newSheet, softInk } from "./sheet.js";
import { type StrategyStyle, seriesStyles } from "./style.js";
import { append, fitText } from "./svg.js";

const edge = 10;
/** Pixels. */
const frameHeight = 190;
/** More lines nobody could tell apart. */
const mostLines = 5;
/** Of the queries' axis. */
const mostDecades = 3;
const mostTicks = 7;
const steps = 60;

const marked: StrategyStyle = { colour: "#101c38", symbol: "star", open: false, dash: null };
const here: StrategyStyle = { colour: "#101c38", symbol: "circle", open: true, dash: null };

export async function varianceFigure(document: AuditVarianceDocument): Promise<string> {
  const { source, queries, judges, components, plan } = document;
  const variances = {
    query: components.query.value,
    judge: components.judge.value,
    error: components.error.value,
  };
  const sheet = await newSheet(`Standard error of the mean: ${source}`, columnWidth, edge);
  const { svg, Plot } = sheet;
  const room = columnWidth - 2 * edge;
  let y = drawTitle(sheet, "Standard error of the mean score", 13) + 10;
  const subtitle = `${source}: ${whole(queries)} queries, ${counted(whole(judges), "judge")}`;
  append(svg, "text", { x: edge, y: y + 10, fill: softInk }, fitText(subtitle, 12, room));
  y += 22;
  const panels = panelsOf(document);
  const styles = seriesStyles(panels.length);
  const best = plan === null ? null : plan.best;
  const entries: LegendEntry[] = [
    ...panels.map((n, i) => ({ label: counted(whole(n), "judge"), style: styles[i], line: true, symbol: false })),
    { label: "as audited", style: here, line: false, symbol: true },
    ...(best === null ? [] : [{ label: "best for the budget", style: marked, line: false, symbol: true }]),
  ];
  y = drawLegend(Plot, svg, entries, { x: edge, y, width: room }) + 2;
  const x = queryScale(Math.min(queries, best?.queries ?? queries), Math.max(queries, best?.queries ?? 0));
  const least = x.domain[0];
  const most = errorOf(variances, least, 1);
  const errorScale =
    most === 0 ? { domain: [0, 1] as const, ticks: [0] } : tightScale([0, most], frameHeight * 1.6, tickSize);
  const marks = panels.flatMap((n, i) => [
    floorLine(Plot, styles[i], x.domain, judgeFloor(variances.judge, n)),
    lineMark(Plot, counted(whole(n), "judge"), styles[i], curveOf(variances, x.domain, n)),
  ]);
  const point = (q: number, j: number) => {
    const error = errorOf(variances, q, j);
    return { x: q, y: error, note: `${whole(q)} queries, ${counted(whole(j), "judge")}: ${short(error)}` };
  };
  marks.push(dotMark(Plot, "as audited", here, [point(queries, judges)], 4.5));
  if (best !== null) marks.push(dotMark(Plot, "best", marked, [point(best.queries, best.judges)], 5));
  const axes = {
    x: { ...x, label: "queries", type: "log" as const, format: shortCount },
    y: { ...errorScale, label: "standard error", format: most >= 1e15 ? short : tickFormat(errorScale.ticks) },
  };
  y = drawPlotPanel(sheet, { title: "", ...axes, marks }, { left: edge, top: y, width: room, frameHeight });
  return finishSheet(sheet, drawCaption(sheet, captionOf(document), y + 8));
}

function captionOf({ plan, mean }: AuditVarianceDocument): string {
  if (mean.error === 0) return "All scores are equal: an error of 0 follows from that and proves nothing.";
  const text = "Thin lines: each panel's floor, sqrt(variance of judges / judges), which no number of queries lowers.";
  if (plan === null) return text;
  const { judges, queries, error } = plan.best;
  return `${text} Best for the budget: ${counted(whole(judges), "judge")} and ${many(queries)} queries, ${short(error)}.`;
}

const errorOf = (variances: Variances, queries: number, judges: number): number =>
  standardErrorOfMean(variances, queries, judges);

/** Numbers of judges to show, ascending: one, those audited, the plan's best, and some between. */
function panelsOf({ judges, plan }: AuditVarianceDocument): number[] {
  const wanted = [1, judges, ...(plan === null ? [] : [plan.best.judges]), 2, 3, 5, 10];
  const most = Math.max(judges, plan?.best.judges ?? 1, 3);
  const chosen = [...new Set(wanted)].filter((n) => n <= most).slice(0, mostLines);
  return chosen.sort((a, b) => a - b);
}

/** Of what is marked, all, and to where floors are seen; ticks at 1, 2 and 5 times powers of ten, or at these powers alone. */
function queryScale(least: number, most: number): ValueScale {
  const end = 10 * most;
  const ticks: number[] = [];
  for (let power = 0; 10 ** power <= end; power++) {
    for (const factor of [1, 2, 5]) if (factor * 10 ** power <= end) ticks.push(factor * 10 ** power);
  }
  const last = ticks[ticks.length - 1];
  const widest = last / 10 ** mostDecades;
  const first = ticks.findLast((tick) => tick <= Math.min(least, Math.max(1, widest))) ?? 1;
  const inside = ticks.filter((tick) => tick >= first);
  const powers = inside.filter((tick) => Number.isInteger(Math.log10(tick)));
  const every = Math.ceil(powers.length / mostTicks);
  return {
    domain: [first, last],
    ticks: inside.length > mostTicks ? powers.filter((_, i) => i % every === 0) : inside,
  };
}

/** 1000000 as 1M: labels of a log axis have little room. */
function shortCount(n: number): string {
  if (n >= 1e12) return n.toExponential(0).replace("+", "");
  if (n >= 1e9) return `${n / 1e9}G`;
  if (n >= 1e6) return `${n / 1e6}M`;
  return n >= 1e4 ? `${n / 1e3}k` : whole(n);
}

function curveOf(variances: Variances, [first, last]: readonly [number, number], judges: number) {
  return Array.from({ length: steps + 1 }, (_, i) => {
    const x = first * (last / first) ** (i / steps);
    return { x, y: errorOf(variances, x, judges) };
  });
}

function floorLine(
  Plot: Parameters<typeof lineMark>[0],
  { colour }: StrategyStyle,
  [first, last]: readonly [number, number],
  floor: number,
) {
  const ends = [first, last].map((x) => ({ x, y: floor }));
  const look = { stroke: colour, strokeWidth: 0.8, strokeDasharray: "1 2", className: "floor" };
  return Plot.line(ends, { x: "x", y: "y", ...look });
}
