import { usageError } from "../../errors.js";
import { check, fields, type Shape, show } from "../../values.js";
import { nonNegative, positive } from "../arguments.js";
import { checkVariances, judgeFloor, standardErrorOfMean, type Variances } from "./error.js";

/** What may be spent on a panel of judges. */
export interface PanelBudget {
  /** In calls of a judge, unless prices say otherwise. */
  readonly budget: number;
  readonly mostJudges: number;
  /** As many as there are to ask. Default: no limit. */
  readonly mostQueries?: number | undefined;
  /** What a judge's score of a query costs. Default 1. */
  readonly perCall?: number | undefined;
  /** What a query costs beside its scores. Default 0. */
  readonly perQuery?: number | undefined;
}

/** So many judges scoring so many queries each. */
export interface Panel {
  readonly judges: number;
  readonly queries: number;
  readonly calls: number;
  readonly cost: number;
  /** Standard error of the mean score. */
  readonly error: number;
  /** Ends of its interval, as the components are known no better; null where nothing tells them. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** What more queries can't lower it below. */
  readonly floor: number;
}

export interface PanelPlan {
  readonly best: Panel;
  /** One judge and all the queries that the budget buys. */
  readonly oneJudge: Panel;
  /** The best for each number of judges that the budget buys, from one on. */
  readonly panels: readonly Panel[];
  /** The best if the variance of judges were at either end of its interval; null where it has none. */
  readonly bestIf: { readonly judgesVaryLeast: Panel; readonly judgesVaryMost: Panel } | null;
}

/** What is known of a panel's error and of the variance of judges. */
export interface PlanUncertainty {
  readonly interval: (queries: number, judges: number) => { readonly lower: number; readonly upper: number } | null;
  readonly judge: { readonly lower: number | null; readonly upper: number | null };
}

const mostPanels = 10_000;

/**
 * The panel of least standard error within a budget. With J judges the error falls with every query, so that a panel
 * takes all that the budget buys; of equal ones the fewest judges.
 * @throws RatError (usage) for variances below 0, for impossible prices, and for a budget that buys no score
 */
export function planPanel(variances: Variances, limits: PanelBudget, known?: PlanUncertainty): PanelPlan {
  checkVariances(variances);
  checkLimits(limits);
  const { budget, mostJudges, mostQueries = Number.MAX_SAFE_INTEGER, perCall = 1, perQuery = 0 } = limits;
  const panels: Panel[] = [];
  for (let judges = 1; judges <= mostJudges; judges++) {
    const price = perQuery + judges * perCall;
    // A budget of 0.3 buys three calls of 0.1.
    const queries = Math.min(mostQueries, Math.floor((budget / price) * (1 + 4 * Number.EPSILON)));
    if (queries < 1) break;
    const { lower = null, upper = null } = known?.interval(queries, judges) ?? {};
    panels.push({
      judges,
      queries,
      calls: queries * judges,
      cost: queries * price,
      error: standardErrorOfMean(variances, queries, judges),
      lower,
      upper,
      floor: judgeFloor(variances.judge, judges),
    });
  }
  if (panels.length === 0) {
    throw usageError(`a budget of ${budget} buys no score: one query with one judge costs ${perQuery + perCall}`);
  }
  const best = panels.reduce((best, panel) => (panel.error < best.error ? panel : best));
  const bestAt = (judge: number): Panel => planPanel({ ...variances, judge }, limits).best;
  const { lower = null, upper = null } = known?.judge ?? {};
  return {
    best,
    oneJudge: panels[0],
    panels,
    bestIf: lower === null || upper === null ? null : { judgesVaryLeast: bestAt(lower), judgesVaryMost: bestAt(upper) },
  };
}

const wholeUpTo =
  (most: number): Shape =>
  (value, place) =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most
      ? null
      : `${place} must be a whole number from 1 to ${most}, not ${show(value)}`;

const limitShapes = {
  needed: { budget: positive, mostJudges: wholeUpTo(mostPanels) },
  optional: { mostQueries: wholeUpTo(Number.MAX_SAFE_INTEGER), perCall: positive, perQuery: nonNegative },
};

function checkLimits(limits: PanelBudget): void {
  check(fields(limitShapes.needed, limitShapes.optional), limits, "budget");
  const known = Object.keys({ ...limitShapes.needed, ...limitShapes.optional });
  const unknown = Object.keys(limits).find((name) => !known.includes(name));
  if (unknown !== undefined) throw usageError(`budget.${unknown} is no limit; there are ${known.join(", ")}`);
}
