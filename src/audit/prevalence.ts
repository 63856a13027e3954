import { type Alarm, alarms } from "./alarm.js";
import { bareEstimate, checkLevel, type Estimate, shareEstimate, undefinedEstimate } from "./estimate.js";
import { biasAlarm, biasTest, sampleTest } from "./prevalence/bias.js";
import { clusteredRate, correlation, type OverClusters, overClusters } from "./prevalence/clusters.js";
import { influenceOf, rateWeights } from "./prevalence/covariance.js";
import { fieller, type PrevalenceInterval } from "./prevalence/fieller.js";
import { type Audit, auditOf, type PrevalenceInput, type Rate } from "./prevalence/input.js";
import { type PredictionPowered, predictionPowered } from "./prevalence/prediction-powered.js";
import { type RoganGladen, roganGladen, youden } from "./prevalence/rogan-gladen.js";
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
  type SystemOrder,
} from "./prevalence/order.js";
export type { PredictionPowered } from "./prevalence/prediction-powered.js";
export type { RoganGladen, VarianceTerms } from "./prevalence/rogan-gladen.js";

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
export function auditPrevalence(input: PrevalenceInput, { level = 0.95 }: PrevalenceOptions = {}): Prevalence {
  checkLevel(level);
  const audit = auditOf(input);
  const { observed, sensitivity, specificity, counts } = audit;
  const clusters = counts?.clusters;
  const [noneTrue, noneFalse] = ["no audited record is true", "no audited record is false"];
  const rates =
    clusters === undefined
      ? {
          observed: rateEstimate(observed, level),
          sensitivity: rateEstimate(sensitivity, level, noneTrue),
          specificity: rateEstimate(specificity, level, noneFalse),
        }
      : {
          observed: clusteredRate(audit, clusters, "observed", { level, why: "" }),
          sensitivity: clusteredRate(audit, clusters, "sensitivity", { level, why: noneTrue }),
          specificity: clusteredRate(audit, clusters, "specificity", { level, why: noneFalse }),
        };
  const bias = biasTest(audit);
  const inverted = roganGladen(audit, level);
  const found = {
    judged: observed.n,
    clusters: clusters?.count ?? null,
    ...rates,
    j: youdenEstimate(audit, rates.sensitivity, rates.specificity),
    roganGladen: inverted,
    predictionPowered: predictionPowered(audit, level),
    fieller: audit.random === null ? fieller(audit, level) : null,
    overClusters: clusters === undefined ? null : overClusters(audit, clusters, level),
    bias,
    alarms: alarms([{ test: bias, alarm: biasAlarm(audit, inverted.value, null) }]),
    randomSample: sampleTest(audit),
  };
  return { ...found, warnings: prevalenceWarnings(found, audit) };
}

function rateEstimate(rate: Rate | null, level: number, why = ""): Estimate {
  if (rate === null) return undefinedEstimate("no records", why);
  return rate.n === null ? bareEstimate(rate.value) : shareEstimate(rate.value, rate.n, level);
}

/**
 * J with the interval of a sum of two shares from theirs (Newcombe 1998, "Interval estimation for the difference between
 * independent proportions", Stat. Med. 17, 873-890, method 10; of clusters with the correlation of the two, as his "Improved
 * confidence intervals for the difference between binomial proportions based on paired data", 2635-2650).
 */
function youdenEstimate(audit: Audit, a: Estimate, b: Estimate): Estimate {
  if (a.value === null) return a;
  if (b.value === null) return b;
  const value = youden(a.value, b.value);
  if (a.error === null || b.error === null) return bareEstimate(value);
  const clusters = audit.counts?.clusters;
  const rho =
    clusters === undefined
      ? 0
      : correlation(
          influenceOf(clusters, rateWeights(audit, "sensitivity")),
          influenceOf(clusters, rateWeights(audit, "specificity")),
        );
  const joint = (x: number, y: number): number => Math.sqrt(Math.max(0, x * x + y * y + 2 * rho * x * y));
  return {
    value,
    error: joint(a.error, b.error),
    lower: Math.max(-1, value - joint(a.value - (a.lower as number), b.value - (b.lower as number))),
    upper: Math.min(1, value + joint((a.upper as number) - a.value, (b.upper as number) - b.value)),
    interval: clusters === undefined ? "Newcombe" : "clustered Newcombe",
    reason: null,
  };
}
