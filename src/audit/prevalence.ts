import { type Alarm, alarms } from "./alarm.js";
import { checkOptions } from "./arguments.js";
import { checkLevel, type Estimate } from "./estimate.js";
import { biasAlarm, biasTest, sampleTest } from "./prevalence/bias.js";
import { type OverClusters, overClusters } from "./prevalence/clusters.js";
import { fieller, type PrevalenceInterval } from "./prevalence/fieller.js";
import { auditOf, type PrevalenceInput } from "./prevalence/input.js";
import { type PredictionPowered, predictionPowered } from "./prevalence/prediction-powered.js";
import { rateEstimates } from "./prevalence/rates.js";
import { type RoganGladen, roganGladen } from "./prevalence/rogan-gladen.js";
import { prevalenceWarnings } from "./prevalence/warnings.js";
import type { Significance } from "./significance.js";

export type {
  BayesianModel,
  BayesianPrevalence,
  BayesianSampling,
  BetaPrior,
  PrevalencePriors,
} from "./prevalence/bayesian.js";
export type { OverClusters } from "./prevalence/clusters.js";
export type { PrevalenceInterval } from "./prevalence/fieller.js";
export type {
  AuditCounts,
  AuditSample,
  ClusterCounts,
  CountsInput,
  JudgedCounts,
  PrevalenceInput,
  RatesInput,
} from "./prevalence/input.js";
export {
  type OrderedPair,
  type OrderedSystem,
  type OrderOptions,
  type OrderProbability,
  orderSystems,
  type SystemLeftOut,
  type SystemOrder,
} from "./prevalence/order.js";
export type { PredictionPowered } from "./prevalence/prediction-powered.js";
export type { RoganGladen, VarianceTerms } from "./prevalence/rogan-gladen.js";
export {
  type PrevalenceRow,
  type PrevalenceRowsOptions,
  prevalenceInputOf,
  prevalenceSystemsOf,
} from "./prevalence/rows.js";

export interface PrevalenceOptions {
  /** Probability inside every interval; default 0.95. */
  readonly level?: number | undefined;
}

/** How frequent truth is where a judge that errs stands in for it. */
export interface Prevalence {
  /** Judged records, audited ones among them if they are a sample; null where not given. */
  readonly judged: number | null;
  /** Clusters of records, of whatever kind; null where records are independent. */
  readonly clusters: number | null;
  /** Share that the judge says yes to. */
  readonly observed: Estimate;
  readonly sensitivity: Estimate;
  readonly specificity: Estimate;
  /** Youden's J. */
  readonly j: Estimate;
  readonly roganGladen: RoganGladen;
  readonly predictionPowered: PredictionPowered;
  /** Where the audit is no random sample: an interval that covers where few records are audited, or J is small. */
  readonly fieller: PrevalenceInterval | null;
  /** Each cluster counting once; null where records are independent. */
  readonly overClusters: OverClusters | null;
  /** Whether the judge says yes as often as there is truth. */
  readonly bias: Significance;
  /** A judge that says yes more often, or less often, than there is truth, as `bias` has it: of this one alone. */
  readonly alarms: readonly Alarm[];
  /** Whether the judge says yes to audited records as often as to others; null where it need not, or none are to compare. */
  readonly randomSample: Significance | null;
  /** What a reader has to know, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * Prevalence from a judge's verdicts and an audit of it.
 * @throws RatError (usage) for what is no count or no share
 */
export function auditPrevalence(input: PrevalenceInput, options: PrevalenceOptions = {}): Prevalence {
  checkOptions(options, ["level"]);
  const { level = 0.95 } = options;
  checkLevel(level);
  const audit = auditOf(input);
  const { observed, counts } = audit;
  const clusters = counts?.clusters;
  const rates = rateEstimates(audit, level);
  const bias = biasTest(audit);
  const inverted = roganGladen(audit, level);
  const found = {
    judged: observed.n,
    clusters: clusters?.count ?? null,
    ...rates,
    roganGladen: inverted,
    predictionPowered: predictionPowered(audit, level),
    fieller: audit.random === null ? fieller(audit, level) : null,
    overClusters: clusters === undefined ? null : overClusters(audit, clusters, level),
    bias,
    alarms: alarms([{ test: bias, alarm: biasAlarm(audit, bias) }]),
    randomSample: sampleTest(audit),
  };
  return { ...found, warnings: prevalenceWarnings(found, audit) };
}
