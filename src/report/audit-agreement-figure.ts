/** Kappa and AC1 of pairs of judges over how frequent a label is, at the raw agreement that they have. */
import { labelGroups } from "../audit/agreement/shared-labels.js";
import { type AgreementAt, agreementOverPrevalence, type PairAgreement } from "../audit/agreement.js";
import type { AuditAgreementDocument } from "../documents.js";
import { fixed, shorten } from "./format.js";
import { drawLegend } from "./legend.js";
import { shortNames } from "./names.js";
import { dotMark, lineMark } from "./panel.js";
import { drawPlotPanel } from "./plot-panel.js";
import type { ValueScale } from "./scale.js";
import { drawCaption, drawTitle, finishSheet, newSheet, type Sheet, softInk } from "./sheet.js";
import { type StrategyStyle, seriesStyles } from "./style.js";
import { append, fitText } from "./svg.js";

const edge = 12;
const mostPairs = 6;
const panelWidth = 300;
const columnGap = 16;
const frameHeight = 190;

/** Scott's pi is hardly told from kappa unless shares differ much. */
const names = ["Gwet's AC1", "Cohen's kappa"] as const;
const coefficients: Readonly<Record<(typeof names)[number], (at: AgreementAt) => number | null>> = {
  "Gwet's AC1": ({ ac1 }) => ac1,
  "Cohen's kappa": ({ kappa }) => kappa,
};

/** What a panel shows: two judges as far as one category and the others go. */
interface Pair {
  readonly first: string;
  readonly second: string;
  readonly raw: number;
  readonly curve: readonly AgreementAt[];
  readonly observed: AgreementAt;
}

/**
 * As SVG text, a panel a pair of judges: those whose kappa and AC1 differ most, where there are more than six. Of more than
 * two categories the most frequent one against the others. Null where `undrawn` says why.
 */
export async function agreementFigure(document: AuditAgreementDocument): Promise<string | null> {
  const { categories, source } = document;
  if (undrawn(document) !== null) return null;
  const { drawn, left } = drawnPairs(document);
  const most = mostFrequent(drawn);
  const known = drawn.map((pair) => collapsed(pair, most));
  const shown = known.length > mostPairs ? [...known].sort((a, b) => gapOf(b) - gapOf(a)).slice(0, mostPairs) : known;
  const scale = scaleOf(shown);
  const judges = shown.flatMap(({ first, second }) => [first, second]);
  const short = shortNames(judges, (name) => fitText(name, 12, (panelWidth - 30) / 2));
  const columns = shown.length === 1 ? 1 : shown.length === 2 || shown.length === 4 ? 2 : 3;
  const width = 2 * edge + Math.max(columns, 1.3) * panelWidth + (columns - 1) * columnGap;
  const across = columns === 1 ? width - 2 * edge : panelWidth;
  const label = JSON.stringify(shorten(categories[most], 30));
  const title = `Agreement beyond chance, by how frequent ${label} is`;
  const sheet = await newSheet(`${title}: ${source}`, width, edge);
  const top = drawTitle(sheet, title, 14) + 10;
  const styles = seriesStyles(names.length).map((style, i) => ({ ...style, open: i > 0 }));
  const entries = names.map((label, i) => ({ label, style: styles[i], line: true, symbol: true }));
  let y = drawLegend(sheet.Plot, sheet.svg, entries, { x: edge, y: top, width: width - 2 * edge }) + 4;
  for (let first = 0; first < shown.length; first += columns) {
    const bottoms = shown.slice(first, first + columns).map((pair, column) => {
      const place = { left: edge + column * (panelWidth + columnGap), top: y, width: across, frameHeight };
      const heading = `${short.get(pair.first)} and ${short.get(pair.second)}`;
      return drawPair(sheet, pair, heading, styles, scale, place);
    });
    y = Math.max(...bottoms) + 14;
  }
  return finishSheet(sheet, drawCaption(sheet, captionOf(document, shown.length, known.length, left), y - 4));
}

/** Why there is nothing to draw, in words; null where there is. */
export function undrawn(document: AuditAgreementDocument): string | null {
  const { categories, pairs } = document;
  if (categories.length === 0) return "there are no labels";
  if (pairs.every(({ n }) => n === 0)) return "no item has labels of two judges";
  if (categories.length === 1) return `all labels are ${JSON.stringify(shorten(categories[0], 30))}`;
  return drawnPairs(document).drawn.length === 0 ? "no two judges that labelled the same items share a label" : null;
}

/** Pairs that share items and labels, and judges that share labels with no other: columns that are hardly a judge's. */
function drawnPairs({ judges, pairs }: AuditAgreementDocument) {
  const groups = labelGroups(judges).map((members) => members.map((j) => judges[j].judge));
  const groupOf = new Map(groups.flatMap((names, g) => names.map((name) => [name, g] as const)));
  const drawn = pairs.filter(({ first, second, n }) => n > 0 && groupOf.get(first) === groupOf.get(second));
  return { drawn, left: groups.filter((names) => names.length === 1).flat() };
}

/** The category that most labels of all pairs are. */
function mostFrequent(pairs: readonly PairAgreement[]): number {
  const categories = pairs[0].table.length;
  const labels = Array.from({ length: categories }, (_, k) =>
    pairs.reduce((sum, { table }) => sum + table[k].reduce((a, n, l) => a + n + table[l][k], 0), 0),
  );
  return labels.indexOf(Math.max(...labels));
}

/** @param k the category that is yes */
function collapsed({ first, second, table, n }: PairAgreement, k: number): Pair {
  const [both, ofFirst, ofSecond] = [table[k][k], sum(table[k]), sum(table.map((row) => row[k]))];
  const raw = (n - ofFirst - ofSecond + 2 * both) / n;
  const difference = (ofFirst - ofSecond) / n;
  const observed = agreementOverPrevalence(raw, { difference, prevalences: [(ofFirst + ofSecond) / (2 * n)] });
  const curve = agreementOverPrevalence(raw, { difference });
  return { first, second, raw, curve, observed: observed[0] };
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const gapOf = ({ observed }: Pair): number => Math.abs(observed.ac1 - (observed.kappa ?? observed.ac1));

/** One for all panels, from a tick below the least to 1. */
function scaleOf(pairs: readonly Pair[]): ValueScale {
  const least = Math.min(...pairs.flatMap(({ curve }) => curve.flatMap(({ kappa, ac1 }) => [kappa ?? 0, ac1])));
  const low = least >= -0.25 ? -0.25 : least >= -0.5 ? -0.5 : -1;
  const ticks = low === -1 ? [-1, -0.5, 0, 0.5, 1] : [-0.5, -0.25, 0, 0.25, 0.5, 0.75, 1].filter((at) => at >= low);
  return { domain: [low, 1], ticks };
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly frameHeight: number;
}

function drawPair(
  sheet: Sheet,
  { raw, curve, observed }: Pair,
  heading: string,
  styles: readonly StrategyStyle[],
  scale: ValueScale,
  place: Place,
): number {
  const { Plot, svg } = sheet;
  const lines = names.map((name, i) => {
    const points = curve.flatMap((at) => pointOf(name, at));
    return lineMark(Plot, name, styles[i], points);
  });
  // Where both are one, AC1's symbol lies within that of kappa.
  const dots = names.map((name, i) => dotMark(Plot, name, styles[i], pointOf(name, observed), 3 + 2 * i));
  const { left, top, width } = place;
  append(svg, "text", { x: left, y: top + 12, "font-weight": 600 }, fitText(heading, 12, width));
  append(svg, "text", { x: left, y: top + 27, "font-size": 11, fill: softInk }, `raw agreement ${fixed(raw, 3)}`);
  return drawPlotPanel(
    sheet,
    {
      title: "",
      x: { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], label: "mean share of the label" },
      y: { ...scale, label: "coefficient" },
      marks: [
        Plot.ruleX([observed.prevalence], { stroke: "#8a929c", strokeDasharray: "2 3" }),
        ...lines.reverse(),
        ...dots.reverse(),
      ],
    },
    { ...place, top: top + 30 },
  );
}

function pointOf(name: (typeof names)[number], at: AgreementAt) {
  const y = coefficients[name](at);
  const note = `${name} ${fixed(y, 4)} where the label's share is ${fixed(at.prevalence, 3)}`;
  return y === null ? [] : [{ x: at.prevalence, y, error: null, note }];
}

function captionOf(
  { categories }: AuditAgreementDocument,
  shown: number,
  all: number,
  left: readonly string[],
): string {
  const two =
    categories.length > 2 ? " Categories are that label and any other, so coefficients are of these two alone." : "";
  const which =
    shown < all ? ` The ${shown} of ${all} pairs of judges whose kappa and AC1 lie farthest apart are shown.` : "";
  const names = left.map((name) => JSON.stringify(shorten(name, 30)));
  const without =
    names.length === 0
      ? ""
      : ` Left out ${names.length === 1 ? "is" : "are"} ${names.join(", ")}, with no label that another judge gives.`;
  return (
    "Lines: what the coefficients of judges would be who agree as often, and differ as much in their shares, if the label " +
    `were as frequent as the axis says. Symbols: what they are.${two}${which}${without}`
  );
}
