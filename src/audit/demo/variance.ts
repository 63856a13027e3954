import type { Variates } from "../../random/variates.js";
import { quantileOfMeanSquare } from "../distributions.js";
import {
  auditVariance,
  type Panel,
  planPanel,
  type ScoreRecord,
  scoreTable,
  standardErrorOfMean,
  type Variances,
} from "../variance.js";
import { article } from "./article.js";
import { type DemoFinding, type DemoPanel, demoLevel, estimated, exact, repeated } from "./finding.js";
import { inWords, variatesOf } from "./simulate.js";

export interface VarianceScene {
  readonly panel: DemoPanel;
  readonly scores: readonly ScoreRecord[];
  /** The best panel of each number of judges, by the planted variances. */
  readonly plan: readonly Panel[];
}

const planted: Variances = { query: 0.0102, judge: 0.0048, error: 0.0134 };
const mean = 0.7;
const [judges, queries] = [5, 40];
const budget = judges * queries;
const mostJudges = 20;
/** Panels whose means are compared with the truth. */
const panels = 2000;

export function varianceScene(seed: number): VarianceScene {
  const scores = simulateScores(variatesOf(seed, "demoPanel"));
  const { components, icc } = auditVariance(scoreTable(scores), { level: demoLevel });
  const plan = planPanel(planted, { budget, mostJudges });
  const { best } = plan;
  const sum = planted.query + planted.judge + planted.error;
  const spread = (
    id: string,
    size: readonly [number, number],
    set: number,
    of: DemoFinding["article"],
  ): DemoFinding => {
    const [q, j] = size;
    return repeated(
      [id, `spread of ${inWords(panels)} means, ${j} × ${q}`, of],
      errorOf(q, j),
      ...spreadOf(seed, set, q, j),
    );
  };
  return {
    scores,
    plan: plan.panels,
    panel: {
      panel: "D",
      title: `${budget} calls: more judges or more queries`,
      setup:
        `variances of queries ${planted.query}, judges ${planted.judge}, error ${planted.error}; a panel of ${judges} judges ` +
        `and ${queries} queries, and ${inWords(panels)} more of each size`,
      findings: [
        exact(["iccPlanted", "ICC(2,1) of these variances", article.icc], planted.query / sum),
        exact(["panelError", "std. error, 5 judges × 40 queries", article.panelError], errorOf(40, 5)),
        exact(["oneJudgeError", "std. error, 1 judge × 200 queries", article.oneJudgeError], errorOf(200, 1)),
        exact(["bestError", `std. error, ${best.judges} × ${best.queries}, the least`, null], best.error),
        spread("panelSpread", [40, 5], 1, article.panelError),
        spread("oneJudgeSpread", [200, 1], 2, article.oneJudgeError),
        spread("bestSpread", [best.queries, best.judges], 3, null),
        estimated(["queryVariance", "variance of queries", article.queryVariance], planted.query, components.query),
        estimated(["judgeVariance", "variance of judges", article.judgeVariance], planted.judge, components.judge),
        estimated(["errorVariance", "variance of error", article.errorVariance], planted.error, components.error),
        estimated(["icc", "ICC(2,1)", article.icc], planted.query / sum, icc.single),
      ],
      remarks: [
        `of the ${budget} calls the article gives 5 × 40 and 1 × 200; ${best.judges} × ${best.queries} is better still`,
        "five judges tell little of how much judges differ: their variance, and with it the ICC and every plan made from them, is " +
          "known no better than its interval says. Four digits of it are one panel's luck",
      ],
    },
  };
}

const errorOf = (ofQueries: number, ofJudges: number): number => standardErrorOfMean(planted, ofQueries, ofJudges);

function simulateScores(variates: Variates): ScoreRecord[] {
  const normal = (variance: number): number => Math.sqrt(variance) * variates.normal();
  const ofJudge = Array.from({ length: judges }, () => normal(planted.judge));
  return Array.from({ length: queries }, (_, q) => {
    const ofQuery = normal(planted.query);
    return ofJudge.map((effect, j) => ({
      query: `q${q + 1}`,
      judge: `judge ${j + 1}`,
      score: mean + ofQuery + effect + normal(planted.error),
    }));
  }).flat();
}

/** The root mean square of panels' errors, with its chi-squared interval: errors are normal, their mean is known to be 0. */
function spreadOf(seed: number, set: number, q: number, j: number) {
  const variates = variatesOf(seed, "demoPanel", set);
  const meanOf = (count: number, variance: number): number => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += variates.normal();
    return (Math.sqrt(variance) * sum) / count;
  };
  let squares = 0;
  for (let p = 0; p < panels; p++) {
    const error = meanOf(q, planted.query) + meanOf(j, planted.judge) + meanOf(q * j, planted.error);
    squares += error * error;
  }
  const value = Math.sqrt(squares / panels);
  const end = (probability: number): number => value / Math.sqrt(quantileOfMeanSquare(probability, panels));
  const tail = (1 - demoLevel) / 2;
  return [value, { lower: end(1 - tail), upper: end(tail), interval: "chi-squared" }] as const;
}
