import { bareEstimate, type Estimate, endsAround, undefinedEstimate } from "../estimate.js";
import { type Gradient, halfWidth, type RateErrors, rateErrors, varianceAlong } from "./covariance.js";
import type { Audit, Rate } from "./input.js";
import { rounding, youden } from "./youden.js";

/** The observed rate with the judge's errors taken out. */
export interface RoganGladen extends Estimate {
  /** `value`, `lower` and `upper` before they were brought into 0 to 1; the error is of this one. */
  readonly raw: number | null;
  readonly rawLower: number | null;
  readonly rawUpper: number | null;
  /** Whether the raw value lies outside 0 to 1, where no prevalence can. */
  readonly clipped: boolean;
  /** 1 / J^2: how many times the variance is a plain share's if the judge's rates are known. */
  readonly inflation: number | null;
  /** Error if the judge's rates were known. */
  readonly errorKnownRates: number | null;
  /** What adds to the variance; null where how many records there are isn't known. */
  readonly variance: VarianceTerms | null;
}

/** Parts of the variance; the last is what rates that rest on the same records, or clusters, have in common. */
export interface VarianceTerms {
  readonly sampling: number;
  readonly sensitivity: number;
  readonly specificity: number;
  readonly shared: number;
}

/** Why a judge's rates can't be inverted; null where they can. */
export function refusal({ sensitivity, specificity }: Audit): Estimate | null {
  if (sensitivity === null) return undefinedEstimate("no sensitivity", "no audited record is true");
  if (specificity === null) return undefinedEstimate("no specificity", "no audited record is false");
  const j = youden(sensitivity.value, specificity.value);
  if (j > 0) return null;
  return j === 0
    ? undefinedEstimate(
        "J = 0",
        "the judge carries no information, it says yes as often to what is false as to what is true",
      )
    : undefinedEstimate("J < 0", "the judge is worse than chance, is it coded the other way round?");
}

/** How the raw estimate moves with observed rate, sensitivity and specificity. */
export const roganGladenGradient = (raw: number, j: number): Gradient => [1 / j, -raw / j, (1 - raw) / j];

/**
 * pi = (p + specificity - 1) / J (Rogan and Gladen 1978, "Estimating prevalence from the results of a screening test",
 * Am. J. Epidemiology 107, 71-76), with the variance of their equation (5), the delta method:
 *
 *     [p (1 - p) / n + pi^2 se (1 - se) / n_se + (1 - pi)^2 sp (1 - sp) / n_sp] / J^2
 *
 * Where the audited records are among the n, p moves with both rates, which takes away 2 [pi se (1 - se) + (1 - pi) sp (1 -
 * sp)] / n: with all records audited the estimate is the share of true ones, and its variance that share's. Of clusters the
 * same with the sandwich covariance of the rates.
 *
 * @param observed the rate to correct: of records, or a mean over clusters
 * @param errors with that rate's in the first place
 */
export function roganGladen(
  audit: Audit,
  level: number,
  observed = audit.observed.value,
  errors: RateErrors | null = rateErrors(audit),
): RoganGladen {
  const refused = refusal(audit);
  if (refused !== null) {
    const none = { raw: null, rawLower: null, rawUpper: null, inflation: null, errorKnownRates: null, variance: null };
    return { ...refused, ...none, clipped: false };
  }
  const { sensitivity, specificity } = audit as Audit & { sensitivity: Rate; specificity: Rate };
  const j = youden(sensitivity.value, specificity.value);
  const inverted = (observed - (1 - specificity.value)) / j;
  const value = Math.min(1, Math.max(0, inverted));
  // What leaves 0 to 1 by rounding alone isn't outside.
  const raw = Math.abs(inverted - value) < rounding / j ? value : inverted;
  const shape = { raw, clipped: value !== raw, inflation: 1 / j ** 2 };
  if (errors === null) {
    return { ...bareEstimate(value), ...shape, rawLower: null, rawUpper: null, errorKnownRates: null, variance: null };
  }
  const gradient = roganGladenGradient(raw, j);
  const [sampling, hits, passes] = gradient.map((a, i) => a * a * errors.matrix[i][i]);
  const sum = varianceAlong(errors, gradient);
  const error = Math.sqrt(sum);
  const { lower, upper } = endsAround(raw, halfWidth(errors, gradient, level) * error);
  // An interval beside 0 to 1 holds no prevalence: with these rates none makes the judge say yes so rarely, or so often.
  const isPossible = lower <= 1 && upper >= 0;
  return {
    ...{ value, error, lower: isPossible ? Math.max(0, lower) : null, upper: isPossible ? Math.min(1, upper) : null },
    ...{ interval: isPossible ? (errors.sizes === null ? "normal" : "clustered t") : null, reason: null },
    ...{ ...shape, rawLower: lower, rawUpper: upper },
    errorKnownRates: Math.sqrt(sampling),
    variance: { sampling, sensitivity: hits, specificity: passes, shared: sum - (sampling + hits + passes) + 0 },
  };
}
