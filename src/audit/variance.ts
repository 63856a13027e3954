import { usageError } from "../errors.js";
import { show } from "../values.js";
import { checkClustersOption, checkOptionNames } from "./arguments.js";
import { type Clusters, clustersAt } from "./cluster.js";
import { logTailOfF } from "./distributions.js";
import { checkLevel, type Estimate } from "./estimate.js";
import { noSignificance, type Significance, significance } from "./significance.js";
import { anova, type MeanSquares } from "./variance/anova.js";
import { clusteredSquares } from "./variance/clustered.js";
import { type Components, componentsOf } from "./variance/components.js";
import { judgeFloor, meanEstimate } from "./variance/error.js";
import { type Reliabilities, type Reliability, reliabilities } from "./variance/icc.js";
import { panelErrorInterval } from "./variance/panel-error.js";
import { type PanelBudget, type PanelPlan, planPanel } from "./variance/plan.js";
import { fullSquares, type Squares } from "./variance/squares.js";
import { fullTable, type MissingScores, type ScoreCells, type ScoreTable, tableCells } from "./variance/table.js";
import { checkTable } from "./variance/table-shape.js";
import { unbalancedAnova } from "./variance/unbalanced.js";
import { warningsOf } from "./variance/warnings.js";

export type { MeanSquares } from "./variance/anova.js";
export type { Components, VarianceComponent } from "./variance/components.js";
export { judgeFloor, standardErrorOfMean, type Variances } from "./variance/error.js";
export type { Reliabilities, Reliability } from "./variance/icc.js";
export { type Panel, type PanelBudget, type PanelPlan, type PlanUncertainty, planPanel } from "./variance/plan.js";
export {
  type MissingScores,
  type ScoreCells,
  type ScoreRecord,
  type ScoreTable,
  scoreCells,
  scoreTable,
} from "./variance/table.js";

export interface VarianceOptions {
  /** Probability inside each interval. Default 0.95. */
  readonly level?: number | undefined;
  /**
   * Queries without a score of every judge: left out and named, the default, or their scores used, or the table refused.
   */
  readonly missing?: MissingScores | undefined;
  /** Of the table's queries, where some err together: questions of one passage. Default: none do. */
  readonly clusters?: Clusters | null | undefined;
  /** What a panel to plan may cost. Default: no plan. */
  readonly budget?: PanelBudget | null | undefined;
}

/** Where the variance of scores comes from: queries, judges, and what is left. */
export interface VarianceAudit {
  /** Queries used, and judges. */
  readonly queries: number;
  readonly judges: number;
  /** Clusters of these queries, which intervals and tests allow for; null where queries are independent. */
  readonly clusters: number | null;
  readonly method: "analysis of variance" | "analysis of variance, sandwich over clusters" | "Henderson's method III";
  /** Queries left out since some judge, or where gaps are used every judge, has no score of them. */
  readonly dropped: readonly string[];
  /** Of judges that have some. */
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
  /** What a budget buys; null without one. */
  readonly plan: PanelPlan | null;
  /** What a reader has to know, in sentences. */
  readonly warnings: readonly string[];
}

export interface FloorEstimate {
  readonly value: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

/**
 * Two-way random effects analysis of variance of scores, one a query and judge: score = mean + query + judge + error
 * (Shrout and Fleiss 1979, case 2).
 * @throws RatError (data) for tables without two judges and two queries scored by all of them, or, where gaps are to be
 * used, by enough of them; (usage) for clusters of queries whose gaps are to be used, and arguments of another shape
 */
export function auditVariance(table: ScoreTable | ScoreCells, options: VarianceOptions = {}): VarianceAudit {
  checkOptionNames(options, ["level", "missing", "clusters", "budget"]);
  const { level = 0.95, missing = "drop", clusters = null, budget = null } = options;
  checkLevel(level);
  if (!["drop", "use", "refuse"].includes(missing)) {
    throw usageError(`missing must be "drop", "use" or "refuse", not ${show(missing)}`);
  }
  checkTable(table);
  const cells = "query" in table ? table : tableCells(table);
  if (clusters !== null) {
    checkClustersOption(clusters, cells.queries.length, "queries");
    if (missing === "use") {
      throw usageError("clusters of queries need every judge's score of each: with them, missing can't be use");
    }
  }
  const data = missing === "use" ? withGaps(cells) : withoutGaps(cells, missing, clusters);
  const { squares, own } = data;
  // A single cluster leaves components, whose errors nothing tells.
  const isKnown = own === null || own.count >= 2;
  const bare = componentsOf(squares, level);
  const components = isKnown
    ? bare
    : { query: noEnds(bare.query), judge: noEnds(bare.judge), error: noEnds(bare.error) };
  const variances = { query: bare.query.value, judge: bare.judge.value, error: bare.error.value };
  const interval = isKnown ? panelErrorInterval(squares, variances, level) : () => null;
  const floor = (judges: number): FloorEstimate => ({
    value: judgeFloor(variances.judge, judges),
    lower: components.judge.lower === null ? null : judgeFloor(components.judge.lower, judges),
    upper: components.judge.upper === null ? null : judgeFloor(components.judge.upper, judges),
  });
  const mean = meanEstimate(data.mean, squares, level);
  const icc = reliabilities(squares, level);
  return {
    ...{ queries: data.queries.length, judges: data.judges.length, clusters: own?.count ?? null, method: data.method },
    ...{ dropped: data.dropped, missingScores: data.missingScores },
    mean: isKnown ? mean : { ...noEnds(mean), error: null, degrees: null },
    judgeMeans: data.judges.map((judge, j) => ({ judge, mean: data.judgeMeans[j] })),
    meanSquares: data.meanSquares,
    components,
    icc: isKnown ? icc : { single: noInterval(icc.single), panel: noInterval(icc.panel) },
    tests: {
      query: isKnown ? effectTest("query", squares) : noSignificance("F", oneCluster),
      judge: isKnown ? effectTest("judge", squares) : noSignificance("F", oneCluster),
    },
    floor: { panel: floor(data.judges.length), oneJudge: floor(1) },
    plan: budget === null ? null : planPanel(variances, budget, { interval, judge: components.judge }),
    warnings: warningsOf({ ...data, isBinary: isBinary(cells.score) }, components, missing),
  };
}

function isBinary(scores: Float64Array): boolean {
  const [first] = scores;
  const second = scores.find((score) => score !== first);
  return second !== undefined && scores.every((score) => score === first || score === second);
}

const oneCluster = "undefined (one cluster): nothing tells how clusters differ";

const noEnds = <T extends object>(estimate: T): T & { lower: null; upper: null; interval: null } => ({
  ...estimate,
  ...{ lower: null, upper: null, interval: null },
});

const noInterval = (icc: Reliability): Reliability => ({ ...noEnds(icc), rawByF: null });

/** What all estimates come from. */
interface Data {
  readonly method: VarianceAudit["method"];
  readonly mean: number;
  readonly queries: readonly string[];
  readonly judges: readonly string[];
  readonly judgeMeans: readonly number[];
  readonly meanSquares: MeanSquares;
  readonly squares: Squares;
  /** Clusters of these queries. */
  readonly own: Clusters | null;
  readonly dropped: readonly string[];
  readonly missingScores: number;
  /** Judges left out since they have no score at all. */
  readonly silent: readonly string[];
}

function withGaps(cells: ScoreCells): Data {
  const found = unbalancedAnova(cells);
  const [scored, heard] = [new Set(found.queries), new Set(found.judges)];
  return {
    ...found,
    ...{ method: "Henderson's method III", own: null },
    dropped: cells.queries.filter((query) => !scored.has(query)),
    missingScores: cells.queries.length * found.judges.length - cells.score.length,
    silent: cells.judges.filter((judge) => !heard.has(judge)),
  };
}

function withoutGaps(cells: ScoreCells, missing: "drop" | "refuse", clusters: Clusters | null): Data {
  const table = fullTable(cells, missing);
  const found = anova(table);
  const own = clusters === null ? null : clustersAt(clusters, table.kept);
  const isClustered = own !== null && own.count >= 2;
  return {
    ...table,
    ...{ silent: [], mean: found.mean, judgeMeans: found.judgeMeans, meanSquares: found.squares, own },
    method: isClustered ? "analysis of variance, sandwich over clusters" : "analysis of variance",
    squares: isClustered ? clusteredSquares(table, found, own) : fullSquares(found),
  };
}

/** MS / MS_error, which without differences has an F distribution. */
function effectTest(
  effect: "query" | "judge",
  { normalDegrees: degrees, error, noise, ...squares }: Squares,
): Significance {
  const name = "F";
  const [below, df] = effect === "query" ? [error, degrees.error] : [noise, degrees.noise];
  if (below === 0) return noSignificance(name, "undefined (no residual variance): there is nothing to compare with");
  const f = squares[effect] / below;
  return significance(name, f, logTailOfF(f, degrees[effect], df));
}
