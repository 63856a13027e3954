import type { Panel, PanelPlan } from "../audit/variance.js";
import type { AuditVarianceDocument } from "../documents.js";
import {
  type AuditTextOptions,
  auditText,
  estimateGrid,
  inClusters,
  intervalText,
  testGrid,
} from "./audit-estimates.js";
import { absent, brief, counted, percent, whole } from "./format.js";
import { drawGrid, numberColumn, type Painter } from "./grid.js";

/** Doubles from here on have no digits before the point that mean anything. */
const tooLarge = 1e15;

/** Three digits, and an exponent where it would take too many others. */
export const short = (value: number | null): string =>
  value !== null && Math.abs(value) >= tooLarge ? value.toExponential(2).replace("+", "") : brief(value);

/** Also of more than anybody could ask. */
export const many = (count: number): string => (count >= tooLarge ? short(count) : whole(count));

const assumptions = [
  "score = mean + query + judge + error, each of one variance: queries and judges stand for all those that might have " +
    "been asked.",
  "A judge scores a query once here, so that noise of one judge and its taste in single queries can't be told apart.",
  "Judges that share a bias agree in it: no component shows it, and no panel lowers it.",
];

/** @param cluster the column of clusters, if any */
export const varianceNotes = ({ plan }: { plan: PanelPlan | null }, cluster: string | undefined): string[] => [
  ...assumptions,
  cluster === undefined
    ? "Queries are taken for independent; of several of one passage, name the passage's column with --cluster."
    : `Queries of one ${cluster} may be alike; those of different ones are taken for independent.`,
  ...(plan === null ? [] : [planNote(cluster)]),
];

const planNote = (cluster: string | undefined): string =>
  `The plan is made from the components' values${cluster === undefined ? "" : `, a query a ${cluster}`}: its intervals ` +
  "say how well they are known.";

const panelColumns = [
  numberColumn<Panel>("judges", ({ judges }) => whole(judges)),
  numberColumn<Panel>("queries", ({ queries }) => many(queries)),
  numberColumn<Panel>("calls", ({ calls }) => many(calls)),
  numberColumn<Panel>("cost", ({ cost }) => short(cost)),
  numberColumn<Panel>("std. error", ({ error }) => short(error)),
  numberColumn<Panel>("interval", ({ lower, upper }) =>
    lower === null || upper === null ? absent : `[${short(lower)}, ${short(upper)}]`,
  ),
  numberColumn<Panel>("floor", ({ floor }) => short(floor)),
];

/** Components, reliabilities, what judges leave of the mean's error, and the panel to pay for. */
export const varianceText = (document: AuditVarianceDocument, options: AuditTextOptions = {}): string =>
  auditText(document, options, (paint) => varianceBlocks(document, paint));

function varianceBlocks(document: AuditVarianceDocument, paint: Painter): string[] {
  const { source, queries, judges, level, mean, components, icc, floor, tests, plan } = document;
  const panel = counted(whole(judges), "judge");
  const hasGaps = document.method === "Henderson's method III" && document.missingScores > 0;
  const scored = hasGaps ? `scored by some of ${panel}` : `each scored by ${panel}`;
  const blocks = [
    paint.bold(`${source}: ${whole(queries)} queries${inClusters(document.clusters)}, ${scored}`),
    estimateGrid(
      [
        { name: "mean score", estimate: mean },
        { name: "variance of queries", estimate: components.query },
        { name: "variance of judges", estimate: components.judge },
        { name: "variance of error", estimate: components.error },
        { name: "ICC(2,1), one judge", estimate: icc.single },
        { name: `ICC(2,k), mean of ${panel}`, estimate: icc.panel },
        { name: `floor of the mean's error, ${panel}`, estimate: floor.panel },
        { name: "floor of the mean's error, 1 judge", estimate: floor.oneJudge },
      ],
      level,
      paint,
    ),
    ...byFText(icc),
    testGrid(
      [
        { name: "no differences of queries", test: tests.query },
        { name: "no differences of judges", test: tests.judge },
      ],
      paint,
    ),
  ];
  if (plan !== null) {
    const { best, oneJudge } = plan;
    const alone = best.judges === 1 ? "" : `; one ${sizeOf(oneJudge).slice(2)}: ${short(oneJudge.error)}`;
    blocks.push(
      drawGrid(panelColumns, plan.panels, paint),
      `best: ${sizeOf(best)}, standard error ${short(best.error)}${alone}${rangeOf(plan, level)}`,
    );
  }
  return blocks;
}

function sizeOf({ judges, queries }: Panel): string {
  const asked = queries === 1 ? "1 query" : `${many(queries)} queries`;
  return `${counted(whole(judges), "judge")} and ${asked}`;
}

/** The interval that other programs print. */
function byFText({ single, panel }: AuditVarianceDocument["icc"]): string[] {
  if (single.rawByF === null) return [];
  const ofPanel = panel.rawByF === null ? "" : `; of the mean ${intervalText(panel.rawByF)}`;
  return [
    `ICCs' interval by F (McGraw and Wong 1996), which can be too narrow where few judges differ much: of one judge ` +
      `${intervalText(single.rawByF)}${ofPanel}`,
  ];
}

/** Whether the best panel depends on what is known least: how much judges differ. */
function rangeOf({ best, bestIf }: PanelPlan, level: number): string {
  if (bestIf === null) return "";
  const ends = `of the ${percent(level)} interval of the variance of judges`;
  const [least, most] = [bestIf.judgesVaryLeast, bestIf.judgesVaryMost];
  if (least.judges === best.judges && most.judges === best.judges) return `\nbest at both ends ${ends} too`;
  return `\nbest at the ends ${ends}: ${sizeOf(least)}; ${sizeOf(most)}`;
}
