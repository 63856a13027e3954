import { usageError } from "../errors.js";
import { STREAM_AUDIT } from "../generated/layout.js";
import { Stream } from "../random/stream.js";
import { Variates } from "../random/variates.js";
import { show } from "../values.js";
import { bareEstimate, type Estimate, shareEstimate, undefinedEstimate } from "./estimate.js";
import { auditOf, type PrevalenceInput, type Rate } from "./prevalence/input.js";
import { type CoveringInterval, coveringInterval } from "./prevalence/interval.js";
import { type PredictionPowered, predictionPowered } from "./prevalence/prediction-powered.js";
import { type RoganGladen, roganGladen, youden } from "./prevalence/rogan-gladen.js";

export type {
  AuditCounts,
  AuditSample,
  CountsInput,
  JudgedCounts,
  PrevalenceInput,
  RatesInput,
} from "./prevalence/input.js";
export type { CoveringInterval } from "./prevalence/interval.js";
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
  /** Draws of a simulated interval; default 10,000. */
  readonly draws?: number | undefined;
  readonly seed: number;
}

/** How frequent truth is where a judge that errs stands in for it. */
export interface Prevalence {
  /** Judged records, audited ones among them if they are a sample; null where not given. */
  readonly judged: number | null;
  /** Share that the judge says yes to. */
  readonly observed: Estimate;
  readonly sensitivity: Estimate;
  readonly specificity: Estimate;
  /** Youden's J. */
  readonly j: Estimate;
  readonly roganGladen: RoganGladen;
  readonly predictionPowered: PredictionPowered;
  /** An interval that covers where few records are audited, or J is small. */
  readonly covering: CoveringInterval;
}

/**
 * Prevalence from a judge's verdicts and an audit of it.
 * @throws RatError (usage) for what is no count or no share
 */
export function prevalence(
  input: PrevalenceInput,
  { level = 0.95, draws = 10_000, seed }: PrevalenceOptions,
): Prevalence {
  if (!(level > 0 && level < 1)) throw usageError(`level must be a number between 0 and 1, not ${show(level)}`);
  if (!(Number.isSafeInteger(draws) && draws > 0))
    throw usageError(`draws must be a whole number above 0, not ${show(draws)}`);
  const audit = auditOf(input);
  const variates = new Variates(new Stream(seed, 0, STREAM_AUDIT, 2));
  return {
    judged: audit.observed.n,
    observed: rateEstimate(audit.observed, level),
    sensitivity: rateEstimate(audit.sensitivity, level, "no audited record is true"),
    specificity: rateEstimate(audit.specificity, level, "no audited record is false"),
    j: youdenEstimate(audit.sensitivity, audit.specificity, level),
    roganGladen: roganGladen(audit, level),
    predictionPowered: predictionPowered(audit, level),
    covering: coveringInterval(audit, variates, draws, level),
  };
}

function rateEstimate(rate: Rate | null, level: number, why = ""): Estimate {
  if (rate === null) return undefinedEstimate("no records", why);
  return rate.n === null ? bareEstimate(rate.value) : shareEstimate(rate.value, rate.n, level);
}

/**
 * J with the interval of a sum of two independent shares from their Wilson intervals (Newcombe 1998, "Interval estimation
 * for the difference between independent proportions", Stat. Med. 17, 873-890, method 10).
 */
function youdenEstimate(sensitivity: Rate | null, specificity: Rate | null, level: number): Estimate {
  if (sensitivity === null) return undefinedEstimate("no records", "no audited record is true");
  if (specificity === null) return undefinedEstimate("no records", "no audited record is false");
  const value = youden(sensitivity.value, specificity.value);
  if (sensitivity.n === null || specificity.n === null) return bareEstimate(value);
  const [a, b] = [sensitivity, specificity].map((rate) => shareEstimate(rate.value, rate.n as number, level));
  const below = Math.hypot(sensitivity.value - (a.lower as number), specificity.value - (b.lower as number));
  const above = Math.hypot((a.upper as number) - sensitivity.value, (b.upper as number) - specificity.value);
  return {
    value,
    error: Math.hypot(a.error as number, b.error as number),
    lower: Math.max(-1, value - below),
    upper: Math.min(1, value + above),
    interval: "Newcombe",
    reason: null,
  };
}
