/** Reliability diagrams as SVG: before a map and after each, and how many rows have which confidence. */
import type { CalibrationFigures } from "../audit/calibration.js";
import type { AuditCalibrationDocument } from "../documents.js";
import { counted, fixed, percent, whole } from "./format.js";
import { drawLegend } from "./legend.js";
import { dotMark, frameInk, lineMark, tickSize } from "./panel.js";
import { drawPlotPanel, type PlotAxis } from "./plot-panel.js";
import { tightScale } from "./scale.js";
import { columnWidth, drawCaption, drawTitle, finishSheet, newSheet, type Sheet, softInk } from "./sheet.js";
import { type StrategyStyle, seriesStyles } from "./style.js";
import { append, fitText, textWidth } from "./svg.js";

interface Diagram {
  readonly title: string;
  readonly figures: CalibrationFigures;
  readonly style: StrategyStyle;
}

const edge = 12;
/** Pixels. */
const layout = { gap: 10, diagram: 190, histogram: 52, rows: 12 };

/** @returns null where there are no outcomes, and so no diagram */
export async function calibrationFigure(document: AuditCalibrationDocument): Promise<string | null> {
  const diagrams = diagramsOf(document);
  if (diagrams.length === 0) return null;
  const width = 2 * edge + diagrams.length * (columnWidth - 80) + (diagrams.length - 1) * layout.gap;
  const sheet = await newSheet(`Reliability diagrams: ${document.source}`, width, edge);
  let y = drawTitle(sheet, "How often a stated confidence comes true", 14) + 8;
  const source = fitText(document.source, 12, width - 2 * edge);
  append(sheet.svg, "text", { x: edge, y: y + 11, fill: softInk }, source);
  const bins = { label: "share of outcome 1 and its interval", style: diagrams[0].style, line: false, symbol: true };
  const calibrated = { label: "calibrated", style: diagonal, line: true, symbol: false };
  y = drawLegend(sheet.Plot, sheet.svg, [bins, calibrated], { x: edge, y: y + 20, width: width - 2 * edge }) + 6;
  const room = (width - 2 * edge - (diagrams.length - 1) * layout.gap) / diagrams.length;
  const most = Math.max(...diagrams.flatMap(({ figures }) => figures.equalWidth.bins.map(({ rows }) => rows)));
  const bottoms = diagrams.map((diagram, i) => {
    const place = { left: edge + i * (room + layout.gap), top: y, width: room };
    return drawDiagram(sheet, diagram, place, most);
  });
  return finishSheet(sheet, drawCaption(sheet, captionOf(document), Math.max(...bottoms) + 4));
}

function diagramsOf({ report, applied }: AuditCalibrationDocument): Diagram[] {
  const named: (readonly [string, CalibrationFigures | null | undefined])[] =
    report === null
      ? [
          ["as they are", applied?.raw],
          [`${applied?.map.kind === "platt" ? "Platt" : "isotonic"} map applied`, applied?.mapped],
        ]
      : [
          ["as they are", report.raw],
          ["Platt, cross-validated", report.platt.crossValidated],
          ["isotonic, cross-validated", report.isotonic.crossValidated],
        ];
  const known = named.flatMap(([title, figures]) => (figures == null ? [] : [{ title, figures }]));
  return known.map(({ title, figures }) => ({ title, figures, style: seriesStyles(2)[1] }));
}

const diagonal: StrategyStyle = { colour: "#6b7480", symbol: "circle", open: false, dash: "4 3" };

const unit: PlotAxis = { label: "", domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] };

const shareLabels = unit.ticks.map((tick) => tick.toFixed(1));

/** A diagram with its histogram below; returns the y below both. */
function drawDiagram(
  sheet: Sheet,
  { title, figures, style }: Diagram,
  { left, top, width }: { readonly left: number; readonly top: number; readonly width: number },
  most: number,
): number {
  const { Plot } = sheet;
  const scale = tightScale([0, most], layout.histogram * 1.6, tickSize);
  const counts = { ...scale, ticks: scale.ticks.filter(Number.isInteger) };
  // Frames one above the other begin at the same place, whichever labels are longer.
  const [short, long] = [shareLabels, counts.ticks.map(whole)].map((labels) =>
    Math.max(...labels.map((label) => textWidth(label, tickSize))),
  );
  const placed = (own: number) => {
    const shift = Math.max(short, long) - own;
    return { left: left + shift, width: width - shift };
  };
  const { bins, ece } = figures.equalWidth;
  const points = bins.map((bin) => ({
    x: bin.meanConfidence,
    y: bin.frequency,
    lower: bin.frequencyLower,
    upper: bin.frequencyUpper,
    note:
      `${counted(whole(bin.rows), "row")} with confidence ${fixed(bin.lower, 2)} to ${fixed(bin.upper, 2)}: ` +
      `mean ${fixed(bin.meanConfidence, 3)}, outcome 1 in ${fixed(bin.frequency, 3)}`,
  }));
  const ends = [0, 1].map((x) => ({ x, y: x }));
  const bars = points.filter(({ lower }) => lower !== null);
  const below = drawPlotPanel(
    sheet,
    {
      title: `${title}: ECE ${fixed(ece.value, 3)}`,
      x: { ...unit, label: "mean confidence of the bin" },
      y: { ...unit, label: "share of outcome 1" },
      marks: [
        lineMark(Plot, "calibrated", diagonal, ends),
        Plot.ruleX(bars, { x: "x", y1: "lower", y2: "upper", stroke: style.colour, strokeWidth: 1.4 }),
        dotMark(Plot, title, style, points),
      ],
    },
    { ...placed(short), top, frameHeight: layout.diagram },
  );
  return drawPlotPanel(
    sheet,
    {
      title: "",
      x: { ...unit, label: "confidence" },
      y: { label: "rows", ...counts, format: whole },
      marks: [Plot.rectY(bins, { x1: "lower", x2: "upper", y: "rows", fill: "#c3cad3", stroke: frameInk, inset: 0.5 })],
    },
    { ...placed(long), top: below + layout.rows, frameHeight: layout.histogram },
  );
}

function captionOf({ level, clusters, report }: AuditCalibrationDocument): string {
  const how = clusters === null ? "Wilson's" : `clustered Wilson's, of ${counted(whole(clusters), "cluster")}`;
  const folds = report?.platt.crossValidated || report?.isotonic.crossValidated;
  return (
    `Points: bins of equal width, at the mean of their confidences. Bars: ${percent(level)} interval of a bin (${how}). ` +
    `${folds ? "Cross-validated: each row under a map fitted to the other folds. " : ""}Below: rows a bin.`
  );
}
