/** Judges' rates of the right label with their intervals: a row a judge, a series a class. */
import type { AuditLatentClassDocument } from "../documents.js";
import { counted, fixed, percent, whole } from "./format.js";
import { drawIntervalPanel, type IntervalMark, inset, type Series } from "./interval-panel.js";
import { drawLegend } from "./legend.js";
import { shortNames } from "./names.js";
import { drawInto, tickSize } from "./panel.js";
import { tightScale } from "./scale.js";
import { drawCaption, drawTitle, finishSheet, newSheet, type Sheet, softInk } from "./sheet.js";
import { seriesStyles } from "./style.js";
import { append, fitText, textWidth } from "./svg.js";

/** More judges, and classes, make no figure that can be read. */
const mostJudgesShown = 40;
const mostClassesShown = 5;

/** Pixels. */
const layout = { width: 520, edge: 14, names: 150, foot: 20, label: 18, seriesHeight: 11 };

export async function latentClassFigure(document: AuditLatentClassDocument): Promise<string> {
  const { judges, classes, level, source } = document;
  const shown = judges.slice(0, mostJudgesShown);
  const classesShown = classes.slice(0, mostClassesShown);
  const sheet = await newSheet("Judges' rates of the right label, from votes alone", layout.width, layout.edge);
  const { Plot, svg, width, edge } = sheet;
  const top = drawTitle(sheet, "What judges are worth, from their votes alone", 15) + 10;
  const styles = seriesStyles(classesShown.length);
  const entries = classesShown.map(({ name }, c) => ({
    ...{ label: headOf(name, c, classes.length), style: styles[c], line: false, symbol: true },
  }));
  const y = drawLegend(Plot, svg, entries, { x: edge, y: top, width: width - 2 * edge }) + 6;
  const series = classesShown.map(
    ({ name }, c): Series => ({ name, style: styles[c], marks: shown.flatMap((judge, row) => markOf(judge, c, row)) }),
  );
  const longest = Math.max(...shown.map(({ judge }) => textWidth(judge, tickSize)));
  const names = Math.min(layout.names, longest + 2) + 8;
  const rowHeight = layout.seriesHeight * (classesShown.length + 0.6);
  const box = { x: edge + names, y, width: width - 2 * edge - names, height: rowHeight * shown.length };
  drawNames(sheet, shown, names, y, rowHeight);
  const ends = series.flatMap(({ marks }) => marks.flatMap(({ lower, upper }) => [lower, upper]));
  const drawn = drawIntervalPanel(Plot, svg.ownerDocument, {
    series,
    rows: shown.length,
    breaks: shown.map((_, row) => row),
    scale: tightScale([...ends, 1], box.width - 16 - 2 * inset, tickSize),
    zero: null,
    box: {
      ...{ width: box.width, height: box.height + layout.foot },
      ...{ marginLeft: 8, marginRight: 8, marginTop: 0, marginBottom: layout.foot },
    },
  });
  drawInto(svg, drawn, box.x, y).setAttribute("class", "panel");
  const foot = y + box.height + layout.foot;
  const axis = { "text-anchor": "middle", "font-size": tickSize, fill: softInk };
  append(svg, "text", { x: box.x + box.width / 2, y: foot + 12, ...axis }, "P(says the class | it is the class)");
  const text = captionOf(document, source, level, shown.length, classesShown.length);
  return finishSheet(sheet, drawCaption(sheet, text, foot + layout.label + 4));
}

type Judge = AuditLatentClassDocument["judges"][number];

function markOf({ judge, confusion, lower, upper }: Judge, c: number, row: number): IntervalMark[] {
  const value = confusion[c][c];
  const [low, high] = [lower[c][c], upper[c][c]];
  const ends = low === null || high === null ? "" : ` [${fixed(low, 4)}, ${fixed(high, 4)}]`;
  const note = `${judge}: ${fixed(value, 4)}${ends}`;
  return [{ row, value, lower: low ?? value, upper: high ?? value, open: false, note }];
}

function headOf(name: string, c: number, classes: number): string {
  if (classes > 2) return `class ${name}`;
  return c === 1 ? `sensitivity (class ${name})` : `specificity (class ${name})`;
}

function drawNames({ svg, edge }: Sheet, shown: readonly Judge[], width: number, top: number, rowHeight: number): void {
  const names = shown.map(({ judge }) => judge);
  const short = shortNames(names, (name) => fitText(name, tickSize, width - 8));
  names.forEach((name, row) => {
    const text = short.get(name);
    const place = { x: edge + width - 6, y: top + (row + 0.5) * rowHeight + 4, "text-anchor": "end" };
    append(svg, "text", { ...place, "font-size": tickSize, fill: softInk }, text);
  });
}

function captionOf(
  { items, judges, classes, errorMethod, clusters }: AuditLatentClassDocument,
  source: string,
  level: number,
  shown: number,
  classesShown: number,
): string {
  const within = clusters === null ? "" : ` in ${counted(whole(clusters), "cluster")}`;
  const lines =
    errorMethod === null ? "No intervals: there are no standard errors." : `Lines are ${percent(level)} intervals.`;
  const judgesLeft = judges.length - shown;
  const classesLeft = classes.length - classesShown;
  return [
    `${source}: ${counted(whole(items), "item")}${within}. ${lines}`,
    ...(judgesLeft > 0 ? [`The first ${shown} of ${judges.length} judges.`] : []),
    ...(classesLeft > 0 ? [`The first ${classesShown} of ${classes.length} classes.`] : []),
    "Judges are taken for independent given the class; no gold label is used.",
  ].join(" ");
}
