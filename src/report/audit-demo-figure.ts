/** A figure a panel of `rat audit demo`, and all of them on one sheet. */
import type { AuditDemoDocument } from "../documents.js";
import { demoPlots } from "./audit-demo-panels.js";
import { drawLegend } from "./legend.js";
import { drawPlotPanel } from "./plot-panel.js";
import { drawCaption, drawTitle, finishSheet, newSheet, type Sheet } from "./sheet.js";

const edge = 14;
const panelWidth = 420;
const frameHeight = 200;
const gap = 18;

type Name = keyof typeof demoPlots;
const names = Object.keys(demoPlots) as Name[];

const caption =
  "Simulated, with a planted truth: symbols with 99.9% intervals are ours; crosses, and the broken line in E, are what the article prints.";

/** SVG text by the figure's name. */
export async function demoFigures(document: AuditDemoDocument): Promise<Record<string, string>> {
  const figures: Record<string, string> = { "audit-demo": await wholeFigure(document) };
  for (const name of names) {
    const sheet = await newSheet(`rat audit demo, ${demoPlotTitle(name, document)}`, panelWidth + 2 * edge, edge);
    const bottom = drawDemoPanel(sheet, name, document, edge, edge);
    figures[`audit-demo-${name}`] = finishSheet(sheet, drawCaption(sheet, caption, bottom + 6));
  }
  return figures;
}

async function wholeFigure(document: AuditDemoDocument): Promise<string> {
  const title = `What a judge's verdicts are worth, simulated: seed ${document.seed}`;
  const sheet = await newSheet(title, 2 * panelWidth + gap + 2 * edge, edge);
  let top = drawTitle(sheet, title, 15) + 14;
  for (let row = 0; row < names.length; row += 2) {
    const ends = names
      .slice(row, row + 2)
      .map((name, column) => drawDemoPanel(sheet, name, document, edge + column * (panelWidth + gap), top));
    top = Math.max(...ends) + gap;
  }
  return finishSheet(sheet, drawCaption(sheet, caption, top));
}

const demoPlotTitle = (name: Name, { panels }: AuditDemoDocument): string =>
  panels.find(({ panel }) => panel.toLowerCase() === name)?.title ?? name;

/** Legend and plot; returns the y below. */
function drawDemoPanel(sheet: Sheet, name: Name, document: AuditDemoDocument, left: number, top: number): number {
  const { spec, legend } = demoPlots[name](sheet.Plot, document);
  const below = drawPlotPanel(sheet, spec, { left, top, width: panelWidth, frameHeight });
  return drawLegend(sheet.Plot, sheet.svg, legend, { x: left + 24, y: below + 8, width: panelWidth - 24 });
}
