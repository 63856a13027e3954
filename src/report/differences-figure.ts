/** Differences of systems as SVG: every quantity's difference and interval, by pair of systems. */
import type { CompareDocument, Comparison } from "../documents.js";
import { counted, percent, signed } from "./format.js";
import { drawIntervalPanel, type IntervalMark, inset, intervalRadius, type Series } from "./interval-panel.js";
import { drawLegend } from "./legend.js";
import { shortNames } from "./names.js";
import { drawInto, tickSize } from "./panel.js";
import { tightScale, type ValueScale } from "./scale.js";
import { columnWidth, drawCaption, drawTitle, finishSheet, newSheet, type Sheet, softInk } from "./sheet.js";
import { seriesStyles } from "./style.js";
import { append, fitText, setAttributes, textWidth } from "./svg.js";

/** Two systems, with the difference of each quantity. */
interface Pair {
  readonly first: string;
  readonly second: string;
  readonly comparisons: readonly Comparison[];
}

/** So many pairs share one panel; more have a panel each. */
const mostTogether = 3;
/** So many panels a reader may still want to look at. */
const mostPanels = 26;

const edge = 10;
/** Pixels. */
const layout = { columns: 2, columnGap: 14, head: 32, foot: 20, rowGap: 12, mostLabels: 130, lineHeight: 15 };

export interface DifferencesOptions {
  /** Of the intervals, named where known. */
  readonly level?: number;
}

/** As SVG text, as wide as a column. */
export async function differencesFigure(
  { comparisons }: Pick<CompareDocument, "comparisons">,
  { level }: DifferencesOptions = {},
): Promise<string> {
  const all = pairsOf(comparisons);
  const pairs = shownPairs(all);
  const quantities = [...new Set(comparisons.map(({ quantity }) => quantity))];
  const names = pairs.map(nameOf);
  const sheet = await newSheet(`Differences: ${names.join("; ")}`, columnWidth, edge);
  const together = pairs.length <= mostTogether;
  let y = drawTitle(sheet, "Differences between systems", 13) + 10;
  if (together) {
    const styles = seriesStyles(pairs.length);
    const fitted = fittedNames(pairs);
    for (const [i, pair] of pairs.entries()) {
      const entry = { label: fitted(pair), style: styles[i], line: false, symbol: true };
      y = drawLegend(sheet.Plot, sheet.svg, [entry], { x: edge, y, width: columnWidth - 2 * edge });
    }
  }
  const panels = together ? [pairs] : pairs.map((pair) => [pair]);
  y = drawPanels(sheet, panels, quantities, together, y + 4);
  const interval = level === undefined ? "intervals" : `${percent(level)} intervals`;
  const left =
    pairs.length === all.length
      ? ""
      : ` ${pairs.length} of ${counted(String(all.length), "pair")}: of the first system with others.`;
  const caption = `Posterior means and ${interval}; open symbols where the interval holds 0.${left}`;
  return finishSheet(sheet, drawCaption(sheet, caption, y));
}

function pairsOf(comparisons: readonly Comparison[]): Pair[] {
  const pairs = new Map<string, Pair & { comparisons: Comparison[] }>();
  for (const comparison of comparisons) {
    const { first, second } = comparison;
    const key = JSON.stringify([first, second]);
    const pair = pairs.get(key) ?? { first, second, comparisons: [] };
    pair.comparisons.push(comparison);
    pairs.set(key, pair);
  }
  return [...pairs.values()];
}

const shownPairs = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.length <= mostPanels ? pairs : pairs.filter(({ first }) => first === pairs[0].first).slice(0, mostPanels);

const nameOf = ({ first, second }: Pair): string => `${second} − ${first}`;

/** Names of pairs on one line each, cut where a pair has no room for them. */
function fittedNames(pairs: readonly Pair[]): (pair: Pair) => string {
  const room = columnWidth - 2 * edge - 18 - textWidth(" − ", 12);
  const fits = pairs.every(({ first, second }) => textWidth(first, 12) + textWidth(second, 12) <= room);
  if (fits) return nameOf;
  const names = pairs.flatMap(({ first, second }) => [first, second]);
  const short = shortNames(names, (name) => fitText(name, 12, room / 2));
  return ({ first, second }) => `${short.get(second)} − ${short.get(first)}`;
}

/** Panels side by side with the quantities' names at the left; returns the y below. */
function drawPanels(
  sheet: Sheet,
  panels: readonly (readonly Pair[])[],
  quantities: readonly string[],
  together: boolean,
  top: number,
): number {
  const { svg } = sheet;
  const columns = Math.min(layout.columns, panels.length);
  const labels = Math.min(layout.mostLabels, Math.max(0, ...quantities.map((name) => textWidth(name, tickSize)))) + 8;
  const frameWidth = (columnWidth - 2 * edge - labels - (columns - 1) * layout.columnGap) / Math.max(1, columns);
  const rowHeight = Math.max(layout.lineHeight, 8 * Math.max(0, ...panels.map((pairs) => pairs.length)) + 4);
  const frameHeight = rowHeight * quantities.length;
  const head = together ? 4 : layout.head;
  const marks = panels.flat().flatMap(({ comparisons }) => comparisons);
  const ends = [0, ...marks.flatMap(({ lower, upper }) => [lower, upper])];
  const scale = tightScale(ends, frameWidth - 2 * inset, tickSize);
  const systems = panels.flat().flatMap(({ first, second }) => [first, second]);
  const titles = shortNames(systems, (name) => fitText(name, 11, frameWidth - 12));
  let y = top;
  for (let begin = 0; begin < panels.length; begin += columns) {
    quantities.forEach((name, i) => {
      const look = { "font-size": tickSize, fill: softInk, "text-anchor": "end" };
      const place = { x: edge + labels - 6, y: y + head + (i + 0.5) * rowHeight + 4 };
      append(svg, "text", { ...place, ...look }, fitText(name, tickSize, labels - 8));
    });
    panels.slice(begin, begin + columns).forEach((pairs, column) => {
      const x = edge + labels + column * (frameWidth + layout.columnGap);
      if (!together) drawPairTitle(sheet, pairs[0], titles, x, y);
      drawPairs(sheet, pairs, quantities, { x, y: y + head, frameWidth, frameHeight, scale });
    });
    y += head + frameHeight + layout.foot + layout.rowGap;
  }
  return y;
}

function drawPairTitle(
  { svg }: Sheet,
  { first, second }: Pair,
  titles: ReadonlyMap<string, string>,
  x: number,
  y: number,
): void {
  append(svg, "text", { x, y: y + 12, "font-size": 11, "font-weight": 600 }, titles.get(second));
  append(svg, "text", { x, y: y + 26, "font-size": 11, fill: softInk }, `− ${titles.get(first)}`);
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly frameWidth: number;
  readonly frameHeight: number;
  readonly scale: ValueScale;
}

function drawPairs({ Plot, svg }: Sheet, pairs: readonly Pair[], quantities: readonly string[], place: Place): void {
  const { x, y, frameWidth, frameHeight, scale } = place;
  const styles = seriesStyles(pairs.length);
  const series = pairs.map((pair, i): Series => {
    const marks = pair.comparisons.flatMap((comparison): IntervalMark[] => {
      const { quantity, difference: value, lower, upper } = comparison;
      if (![value, lower, upper].every(Number.isFinite)) return [];
      const note = `${quantity}, ${nameOf(pair)}: ${signed(value, 4)} [${signed(lower, 4)}, ${signed(upper, 4)}]`;
      return [{ row: quantities.indexOf(quantity), value, lower, upper, open: lower <= 0 && upper >= 0, note }];
    });
    return { name: nameOf(pair), style: styles[i], marks };
  });
  const margin = 8 + intervalRadius;
  const drawn = drawIntervalPanel(Plot, svg.ownerDocument, {
    series,
    rows: quantities.length,
    breaks: [],
    scale,
    zero: 0,
    box: {
      width: frameWidth + 2 * margin,
      height: frameHeight + layout.foot,
      ...{ marginLeft: margin, marginRight: margin, marginTop: 0, marginBottom: layout.foot },
    },
  });
  const group = drawInto(svg, drawn, x - margin, y);
  setAttributes(group, { class: "panel", "data-pairs": pairs.map(nameOf).join("; ") });
}
