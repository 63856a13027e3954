import { usageError } from "../errors.js";
import { show } from "../values.js";
import { logTailOfF } from "./distributions.js";
import type { Estimate } from "./estimate.js";
import { noSignificance, type Significance, significance } from "./significance.js";
import { anova, type MeanSquares } from "./variance/anova.js";
import { type Components, componentsOf } from "./variance/components.js";
import { judgeFloor, meanEstimate } from "./variance/error.js";
import { type Reliabilities, reliabilities } from "./variance/icc.js";
import { fullTable, type MissingScores, type ScoreTable } from "./variance/table.js";

export type { MeanSquares } from "./variance/anova.js";
export type { Components, VarianceComponent } from "./variance/components.js";
export { judgeFloor, standardErrorOfMean, type Variances } from "./variance/error.js";
export type { Reliabilities, Reliability } from "./variance/icc.js";
export { type Panel, type PanelBudget, type PanelPlan, planPanel } from "./variance/plan.js";
export { type MissingScores, type ScoreRecord, type ScoreTable, scoreTable } from "./variance/table.js";

export interface VarianceOptions {
  /** Probability inside each interval. Default 0.95. */
  readonly level?: number | undefined;
  /** Queries without a score of every judge: left out and named, the default, or the table refused. */
  readonly missing?: MissingScores | undefined;
}

/** Where the variance of scores comes from: queries, judges, and what is left. */
export interface VarianceAudit {
  /** Queries used, and judges. */
  readonly queries: number;
  readonly judges: number;
  /** Queries left out since some judge has no score of them. */
  readonly dropped: readonly string[];
  readonly missingScores: number;
  /** The mean score; its error and interval are those for other queries and other judges of the same kinds. */
  readonly mean: Estimate & { readonly degrees: number | null };
  readonly judgeMeans: readonly { readonly judge: string; readonly mean: number }[];
  readonly meanSquares: MeanSquares;
  readonly components: Components;
  readonly icc: Reliabilities;
  /** F tests of no differences between queries, between judges. */
  readonly tests: { readonly query: Significance; readonly judge: Significance };
  /** What more queries can't lower the mean's error below, with these judges and with one. */
  readonly floor: { readonly panel: FloorEstimate; readonly oneJudge: FloorEstimate };
  /** What a reader has to know, in sentences. */
  readonly warnings: readonly string[];
}

export interface FloorEstimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** Below so many judges nothing is well known of how much judges differ. */
const fewJudges = 5;

/**
 * Two-way random effects analysis of variance of scores, one a query and judge: score = mean + query + judge + error
 * (Shrout and Fleiss 1979, case 2).
 * @throws RatError (data) for tables without two judges and two queries scored by all of them
 */
export function varianceAudit(table: ScoreTable, options: VarianceOptions = {}): VarianceAudit {
  const { level = 0.95, missing = "drop" } = options;
  if (!(level > 0 && level < 1)) throw usageError(`level must be a number between 0 and 1, not ${show(level)}`);
  const full = fullTable(table, missing);
  const { mean, judgeMeans, squares } = anova(full);
  const components = componentsOf(squares, level);
  const { judge } = components;
  const floor = (judges: number): FloorEstimate => ({
    value: judgeFloor(judge.value, judges),
    lower: judgeFloor(judge.lower, judges),
    upper: judgeFloor(judge.upper, judges),
  });
  return {
    queries: full.queries.length,
    judges: full.judges.length,
    dropped: full.dropped,
    missingScores: full.missingScores,
    mean: meanEstimate(mean, squares, level),
    judgeMeans: full.judges.map((judge, j) => ({ judge, mean: judgeMeans[j] })),
    meanSquares: squares,
    components,
    icc: reliabilities(squares, level),
    tests: { query: effectTest("query", squares), judge: effectTest("judge", squares) },
    floor: { panel: floor(full.judges.length), oneJudge: floor(1) },
    warnings: warningsOf(full.dropped.length, squares, components),
  };
}

/** MS / MS_error, which without differences has an F distribution. */
function effectTest(effect: "query" | "judge", { degrees, error, ...squares }: MeanSquares): Significance {
  const name = "F";
  if (error === 0) return noSignificance(name, "undefined (no residual variance): there is nothing to compare with");
  const f = squares[effect] / error;
  return significance(name, f, logTailOfF(f, degrees[effect], degrees.error));
}

function warningsOf(dropped: number, { query, judge, error, degrees }: MeanSquares, components: Components): string[] {
  const warnings: string[] = [];
  if (dropped > 0) {
    warnings.push(
      `${dropped} ${dropped === 1 ? "query" : "queries"} dropped (missing score): if hard queries miss scores more ` +
        "often, the others don't speak for them",
    );
  }
  if (query === 0 && judge === 0 && error === 0) {
    warnings.push("all scores are equal: a standard error of 0 follows from that and proves nothing");
    return warnings;
  }
  for (const name of ["query", "judge"] as const) {
    if (components[name].isNegative) {
      warnings.push(
        `the variance of ${name} came out negative (${components[name].raw.toPrecision(4)}) and counts as 0`,
      );
    }
  }
  const judges = degrees.judge + 1;
  if (judges < fewJudges) {
    warnings.push(`${judges} judges tell little of how much judges differ: see the interval of their variance`);
  }
  return warnings;
}
