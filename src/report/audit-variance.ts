import type { Panel, PanelPlan } from "../audit/variance.js";
import type { AuditVarianceDocument } from "../documents.js";
import { estimateGrid, remarks, testGrid } from "./audit-estimates.js";
import { brief, counted, whole } from "./format.js";
import { drawGrid, numberColumn, painter } from "./grid.js";

const assumptions = [
  "score = mean + query + judge + error, each independent and of one variance: queries and judges stand for all those " +
    "that might have been asked.",
  "A judge scores a query once here, so that noise of one judge and its taste in single queries can't be told apart.",
  "Judges that share a bias agree in it: no component shows it, and no panel lowers it.",
];

const ofPlans = "The plan takes the components for exact; see their intervals.";

export const varianceNotes = (plan: PanelPlan | null): string[] => [
  ...assumptions,
  ...(plan === null ? [] : [ofPlans]),
];

const panelColumns = [
  numberColumn<Panel>("judges", ({ judges }) => whole(judges)),
  numberColumn<Panel>("queries", ({ queries }) => whole(queries)),
  numberColumn<Panel>("calls", ({ calls }) => whole(calls)),
  numberColumn<Panel>("cost", ({ cost }) => brief(cost)),
  numberColumn<Panel>("std. error", ({ error }) => brief(error)),
  numberColumn<Panel>("floor", ({ floor }) => brief(floor)),
];

/** Components, reliabilities, what judges leave of the mean's error, and the panel to pay for. */
export function varianceText(
  document: AuditVarianceDocument,
  options: { colour?: boolean; notes?: boolean } = {},
): string {
  const paint = painter(options.colour ?? false);
  const { source, queries, judges, level, mean, components, icc, floor, tests, plan } = document;
  const panel = counted(whole(judges), "judge");
  const blocks = [
    paint.bold(`${source}: ${whole(queries)} queries, each scored by ${panel}`),
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
    blocks.push(
      drawGrid(panelColumns, plan.panels, paint),
      `best: ${counted(whole(best.judges), "judge")} and ${whole(best.queries)} queries, standard error ` +
        `${brief(best.error)}; one judge and ${whole(oneJudge.queries)} queries: ${brief(oneJudge.error)}`,
    );
  }
  return [...blocks, ...remarks(document, options.notes ?? true, paint)].join("\n\n");
}
