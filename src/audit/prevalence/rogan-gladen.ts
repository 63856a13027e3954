import { bareEstimate, type Estimate, undefinedEstimate, waldEstimate } from "../estimate.js";
import type { Audit, Rate } from "./input.js";

/** The observed rate with the judge's errors taken out. */
export interface RoganGladen extends Estimate {
  /** `value` before it was brought into 0 to 1; error and interval are around this one. */
  readonly raw: number | null;
  /** Whether the raw value lies outside 0 to 1, where no prevalence can. */
  readonly clipped: boolean;
  /** 1 / J^2: how many times the variance is a plain share's if the judge's rates are known. */
  readonly inflation: number | null;
  /** Error if the judge's rates were known. */
  readonly errorKnownRates: number | null;
  /** What adds to the variance; null where how many records there are isn't known. */
  readonly variance: VarianceTerms | null;
}

/** Parts of the variance; the last is what the others count twice if audited records are among the judged ones. */
export interface VarianceTerms {
  readonly sampling: number;
  readonly sensitivity: number;
  readonly specificity: number;
  readonly shared: number;
}

/** Youden's J, sensitivity + specificity - 1 (Youden 1950, "Index for rating diagnostic tests", Cancer 3, 32-35). */
export const youden = (sensitivity: number, specificity: number): number => {
  const j = sensitivity - (1 - specificity);
  // What is 0 but for rounding, as .7 + .3 - 1, must not be divided by.
  return Math.abs(j) < rounding ? 0 : j;
};

const rounding = 1e-12;

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

/**
 * pi = (p + specificity - 1) / J (Rogan and Gladen 1978, "Estimating prevalence from the results of a screening test",
 * Am. J. Epidemiology 107, 71-76), with the variance of their equation (5), the delta method:
 *
 *     [p (1 - p) / n + pi^2 se (1 - se) / n_se + (1 - pi)^2 sp (1 - sp) / n_sp] / J^2
 *
 * Where the audited records are among the n, p moves with both rates: cov(p, se) = se (1 - se) / n and cov(p, sp) =
 * -sp (1 - sp) / n, which takes away 2 [pi se (1 - se) + (1 - pi) sp (1 - sp)] / n. With all records audited the estimate
 * is the share of true ones, and its variance that share's.
 */
export function roganGladen(audit: Audit, level: number): RoganGladen {
  const refused = refusal(audit);
  if (refused !== null) {
    return { ...refused, raw: null, clipped: false, inflation: null, errorKnownRates: null, variance: null };
  }
  const { observed, sensitivity, specificity } = audit as Audit & { sensitivity: Rate; specificity: Rate };
  const j = youden(sensitivity.value, specificity.value);
  const inverted = (observed.value - (1 - specificity.value)) / j;
  const value = Math.min(1, Math.max(0, inverted));
  // What leaves 0 to 1 by rounding alone isn't outside.
  const raw = Math.abs(inverted - value) < rounding / j ? value : inverted;
  const inflation = 1 / j ** 2;
  const shape = { raw, clipped: value !== raw, inflation };
  if (observed.n === null) return { ...bareEstimate(value), ...shape, errorKnownRates: null, variance: null };
  const [hits, passes] = [spread(sensitivity), spread(specificity)];
  const both =
    raw * sensitivity.value * (1 - sensitivity.value) + (1 - raw) * specificity.value * (1 - specificity.value);
  const variance = {
    sampling: inflation * spread(observed),
    sensitivity: inflation * raw ** 2 * hits,
    specificity: inflation * (1 - raw) ** 2 * passes,
    shared: audit.random === null ? 0 : (-2 * inflation * both) / observed.n,
  };
  const sum = variance.sampling + variance.sensitivity + variance.specificity + variance.shared;
  // Rounding alone makes it negative.
  const wald = waldEstimate(raw, Math.sqrt(Math.max(0, sum)), level);
  return { ...wald, value, ...shape, errorKnownRates: Math.sqrt(variance.sampling), variance };
}

/** Variance of a share; 0 where it is known. */
const spread = ({ value, n }: Rate): number => (n === null ? 0 : (value * (1 - value)) / n);
