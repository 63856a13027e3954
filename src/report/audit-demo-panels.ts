/** The panels of `rat audit demo`, each in a plot: what the simulation found, and crosses for what the article prints. */
import type * as PlotModule from "@observablehq/plot";
import { agreementOverPrevalence } from "../audit/agreement.js";
import type { DemoFinding } from "../audit/demo.js";
import type { AuditDemoDocument } from "../documents.js";
import type { LegendEntry } from "./legend.js";
import { dotMark, frameInk, lineMark } from "./panel.js";
import type { PlotPanelSpec } from "./plot-panel.js";
import { type StrategyStyle, seriesStyles } from "./style.js";

interface DemoPlot {
  readonly spec: PlotPanelSpec;
  readonly legend: readonly LegendEntry[];
}

type Plot = typeof PlotModule;
type PlotOf = (Plot: Plot, document: AuditDemoDocument) => DemoPlot;

interface At {
  readonly x: number;
  readonly y: number;
}

const [first, second, third] = seriesStyles(3);
const printedStyle: StrategyStyle = { colour: "#7a1f0d", symbol: "cross", open: true, dash: null };
const printedLegend: LegendEntry = { label: "article", style: printedStyle, line: false, symbol: true };
/** 0.975 less 0.972 of 360. */
const printedItems = 1.08;
const printedRadius = 6.5;

export const demoPlots: Readonly<Record<"a" | "b" | "c" | "d" | "swap" | "e", PlotOf>> = {
  a: (Plot, document) => {
    const names = [
      { label: "dense leg", style: first, ids: ["observed", "corrected"] },
      { label: "system A", style: second, ids: ["rawA", "correctedA"] },
      { label: "system B", style: third, ids: ["rawB", "correctedB"] },
    ] as const;
    const marks = names.flatMap(({ label, style, ids }, i) => {
      const points = ids.map((id, x) => point(document, id, x + 0.04 * (i - 1)));
      return [
        lineMark(Plot, label, style, points),
        ...printedMarks(Plot, points),
        ...pointMarks(Plot, label, style, points),
      ];
    });
    return {
      spec: {
        title: "A: corrected, the ranking turns round",
        x: {
          domain: [-0.12, 1.12],
          ticks: [0, 1],
          label: "",
          format: (x) => (x === 0 ? "as judged" : "corrected"),
        },
        y: { domain: [0.55, 0.87], ticks: [0.6, 0.7, 0.8], label: "share of claims" },
        marks,
      },
      legend: [...names.map(({ label, style }) => ({ label, style, line: true, symbol: true })), printedLegend],
    };
  },
  b: (Plot, document) => {
    const curve = agreementOverPrevalence(0.85);
    const [kappa, ac1] = (["kappa", "ac1"] as const).map((name) =>
      curve.flatMap((at) => (at[name] === null ? [] : [{ x: at.prevalence, y: Number(at[name]) }])),
    );
    const ofKappa = [point(document, "kappaEven", 0.475), point(document, "kappaRare", 0.875)];
    const ofAc1 = [point(document, "ac1Even", 0.475), point(document, "ac1Rare", 0.875)];
    return {
      spec: {
        title: "B: at 0.85 raw agreement",
        x: { domain: [0.05, 0.95], ticks: [0.1, 0.3, 0.5, 0.7, 0.9], label: "judges' mean share of yes" },
        y: { domain: [-0.1, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], label: "coefficient" },
        marks: [
          lineMark(Plot, "kappa", second, kappa),
          lineMark(Plot, "AC1", first, ac1),
          ...printedMarks(Plot, ofAc1),
          ...pointMarks(Plot, "kappa", second, ofKappa),
          ...pointMarks(Plot, "AC1", first, ofAc1),
        ],
      },
      legend: [
        { label: "Gwet's AC1", style: first, line: true, symbol: true },
        { label: "Cohen's kappa", style: second, line: true, symbol: true },
        printedLegend,
      ],
    };
  },
  c: (Plot, { curves }) => {
    const [raw, platt] = [curves.reliability.raw, curves.reliability.platt].map((bins) =>
      bins.map(({ meanConfidence: x, frequency: y, frequencyLower: lower, frequencyUpper: upper }) => ({
        ...{ x, y, lower, upper, printed: null, note: `${x.toFixed(3)} stated, ${y.toFixed(3)} true` },
      })),
    );
    return {
      spec: {
        title: "C: confidence against truth",
        x: { domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], label: "mean confidence of a bin" },
        y: { domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], label: "share true" },
        marks: [
          Plot.line(
            [
              [0, 0],
              [1, 1],
            ],
            { stroke: frameInk, strokeWidth: 1.2 },
          ),
          lineMark(Plot, "as stated", first, raw),
          ...pointMarks(Plot, "as stated", first, raw),
          ...pointMarks(Plot, "after Platt", third, platt),
        ],
      },
      legend: [
        { label: "as stated", style: first, line: true, symbol: true },
        { label: "after Platt's map", style: third, line: false, symbol: true },
      ],
    };
  },
  d: (Plot, document) => {
    const { panels } = document.curves;
    const best = panels.reduce((least, panel) => (panel.error < least.error ? panel : least));
    const points = [
      point(document, "oneJudgeSpread", 1),
      point(document, "panelSpread", 5),
      point(document, "bestSpread", best.judges),
    ];
    return {
      spec: {
        title: "D: 200 calls of a judge",
        x: { domain: [0, 20], ticks: [1, 5, 10, 15, 20], label: "judges" },
        y: { domain: [0, 0.08], ticks: [0, 0.02, 0.04, 0.06, 0.08], label: "std. error of the mean" },
        marks: [
          lineMark(
            Plot,
            "200 calls",
            first,
            panels.map(({ judges: x, error: y }) => ({ x, y })),
          ),
          lineMark(
            Plot,
            "floor",
            third,
            panels.map(({ judges: x, floor: y }) => ({ x, y })),
          ),
          ...printedMarks(Plot, points),
          ...pointMarks(Plot, "simulated means", first, points),
        ],
      },
      legend: [
        { label: "200 calls", style: first, line: true, symbol: true },
        { label: "floor", style: third, line: true, symbol: false },
        printedLegend,
      ],
    };
  },
  swap: (Plot, document) => {
    const [lenient, control] = [point(document, "slotLog10P", 5000), { ...point(document, "controlBias", 5000), y: 0 }];
    const slope = Number(find(document, "slotLog10PAt").value) / 5000;
    const line = [0, 6500].map((x) => ({ x, y: slope * x }));
    return {
      spec: {
        title: "Swap test: p by the number of pairs",
        x: {
          domain: [0, 6500],
          ticks: [0, 2000, 4000, 6000],
          label: "pairs",
          format: (x) => x.toLocaleString("en-US"),
        },
        y: { domain: [-140, 5], ticks: [-125, -100, -75, -50, -25, 0], label: "log10 of p" },
        marks: [
          lineMark(Plot, "bias 0.07", first, line),
          lineMark(
            Plot,
            "no bias",
            third,
            [0, 6500].map((x) => ({ x, y: 0 })),
          ),
          ...printedMarks(Plot, [lenient, control]),
          ...pointMarks(Plot, "lenient judge", first, [lenient]),
          ...pointMarks(Plot, "control", third, [control]),
        ],
      },
      legend: [
        { label: "slot bias 0.07", style: first, line: true, symbol: true },
        { label: "no bias", style: third, line: true, symbol: true },
        printedLegend,
      ],
    };
  },
  e: (Plot, { curves }) => {
    const all = curves.differences.reduce((sum, { sets }) => sum + sets, 0);
    const bars = curves.differences.map(({ items, sets }) => ({
      from: items - 0.4,
      to: items + 0.4,
      share: sets / all,
      items,
    }));
    const reach = Math.max(...bars.map(({ items }) => Math.abs(items))) + 1;
    const most = Math.max(...bars.map(({ share }) => share));
    const fill = (items: number): string => (items > 0 ? first.colour : items < 0 ? third.colour : "#d3d7dc");
    const ticks = Array.from({ length: 2 * Math.floor(reach / 2) + 1 }, (_, i) => i - Math.floor(reach / 2));
    const style = (items: number): StrategyStyle => ({ ...first, colour: fill(items), symbol: "square", open: false });
    const entry = (label: string, items: number): LegendEntry => ({
      label,
      style: style(items),
      line: false,
      symbol: true,
    });
    return {
      spec: {
        title: "E: the fit against the majority vote",
        x: {
          domain: [-reach, reach],
          ticks: ticks.map((tick) => 2 * tick),
          label: "more items of 360 that the fit labels right",
        },
        y: {
          domain: [0, 1.08 * most],
          ticks: [0, 0.1, 0.2, 0.3, 0.4].filter((tick) => tick <= most),
          label: "share of sets",
        },
        marks: [
          Plot.rectY(bars, { x1: "from", x2: "to", y: "share", fill: (bar: { items: number }) => fill(bar.items) }),
          Plot.ruleX([printedItems], { stroke: "white", strokeWidth: 4 }),
          Plot.ruleX([printedItems], { stroke: printedStyle.colour, strokeWidth: 1.6, strokeDasharray: "4 2" }),
        ],
      },
      legend: [
        entry("fit ahead", 1),
        entry("level", 0),
        entry("majority ahead", -1),
        { label: "article", style: { ...printedStyle, dash: "4 2" }, line: true, symbol: false },
      ],
    };
  },
};

interface Marked extends At {
  readonly lower: number | null;
  readonly upper: number | null;
  /** The article's number; null where it prints none. */
  readonly printed: number | null;
  readonly note: string;
}

function find({ panels }: AuditDemoDocument, id: string): DemoFinding {
  const found = panels.flatMap(({ findings }) => findings).find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no finding ${id}`);
  return found;
}

function point(document: AuditDemoDocument, id: string, x: number): Marked {
  const { value: y, lower, upper, finding, article } = find(document, id);
  const printed = article === null || article.inWords ? null : Number(article.printed);
  return { x, y, lower, upper, printed, note: `${finding}: ${y.toFixed(4)}` };
}

function pointMarks(Plot: Plot, name: string, style: StrategyStyle, points: readonly Marked[]): PlotModule.Markish[] {
  const bars = points.filter(({ lower, upper }) => lower !== null && upper !== null);
  return [
    Plot.ruleX(bars, { x: "x", y1: "lower", y2: "upper", stroke: style.colour, strokeWidth: 1.2 }),
    dotMark(Plot, name, style, points, 3),
  ];
}

/** Below the symbols, and large enough to show around one. */
function printedMarks(Plot: Plot, points: readonly Marked[]): PlotModule.Markish[] {
  const known = points.flatMap(({ x, printed, note }) => (printed === null ? [] : [{ x, y: printed, note }]));
  const style = { stroke: printedStyle.colour, strokeWidth: 1.4, className: "symbols" };
  return [
    Plot.dot(known, {
      x: "x",
      y: "y",
      r: printedRadius,
      symbol: "cross",
      fill: "none",
      ...style,
      ariaLabel: () => "article",
    }),
  ];
}
