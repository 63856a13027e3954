import { undefinedEstimate, wilson } from "../estimate.js";
import { halfWidth, type RateErrors, rateErrors, shrunkErrors } from "./covariance.js";
import type { Audit } from "./input.js";
import { roganGladenGradient } from "./rogan-gladen.js";
import { youden } from "./youden.js";

/** An interval of the prevalence by itself, without a value. */
export interface PrevalenceInterval {
  /** null: no prevalence agrees with these rates, or nothing tells the errors. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly interval: string | null;
  readonly reason: string | null;
}

const without = (kind: string, why: string): PrevalenceInterval => {
  const { lower, upper, interval, reason } = undefinedEstimate(kind, why);
  return { lower, upper, interval, reason };
};

/**
 * All prevalences pi at which p - pi se - (1 - pi) (1 - sp) is within z standard errors of 0 (Fieller 1954, "Some Problems
 * in Interval Estimation", JRSS B 16, 175-185). It does not divide by J: where J can't be told from 0 the interval is 0 to
 * 1. The variance of p is that at the prevalence in question, so that with known rates it is Wilson's interval, inverted;
 * those of the rates are never 0. Of clusters all variances are the sandwich's. Of two pieces, the smallest interval that
 * holds both.
 */
export function fieller(audit: Audit, level: number): PrevalenceInterval {
  const { observed, sensitivity, specificity } = audit;
  if (sensitivity === null || specificity === null) return { lower: 0, upper: 1, interval: "Fieller", reason: null };
  if (observed.n === null) return without("no n", "how many records were judged isn't given");
  const plain = rateErrors(audit);
  if (plain === null) return without("few clusters", "there are fewer than two clusters");
  const errors = shrunkErrors(plain, audit);
  const j = youden(sensitivity.value, specificity.value);
  const gap = observed.value - (1 - specificity.value);
  const z2 = halfWidth(errors, roganGladenGradient(Math.min(1, Math.max(0, gap / (j || 1))), 1), level) ** 2;
  const [a, b, c] = quadratic(errors, { gap, j, falseYes: 1 - specificity.value, z2, n: observed.n });
  const [lower, upper] = hull(a, b, c);
  const interval = errors.sizes === null ? "Fieller" : "clustered Fieller";
  if (lower !== null && upper !== null) return { lower, upper, interval, reason: null };
  const { lower: least, upper: most } = wilson(observed.value, observed.n, level);
  const side = observed.value < Math.min(1 - specificity.value, sensitivity.value) ? "below" : "above";
  const seen = `${least.toFixed(3)} to ${most.toFixed(3)}`;
  return without("rates contradict", `the observed rate (${seen}) is ${side} what these rates give at any prevalence`);
}

interface Gap {
  readonly gap: number;
  readonly j: number;
  /** False-positive rate. */
  readonly falseYes: number;
  readonly z2: number;
  readonly n: number;
}

/** (gap - pi J)^2 - z^2 var(p - pi se - (1 - pi) (1 - sp)) as a pi^2 + b pi + c. */
function quadratic({ matrix, sizes }: RateErrors, { gap, j, falseYes, z2, n }: Gap): readonly number[] {
  const [[pp, ps, pc], [, ss, sc], [, , cc]] = matrix;
  // p + sp - pi (se + sp), without the variance of p.
  const a = ss + 2 * sc + cc;
  const b = -2 * (ps + pc + sc + cc);
  const c = 2 * pc + cc;
  // q (1 - q) / n with q = 1 - sp + j pi; of clusters the variance of p as it is seen.
  const perRecord = sizes === null ? 1 / n : 0;
  const seen = sizes === null ? 0 : pp;
  return [
    j * j - z2 * (a - perRecord * j * j),
    -2 * j * gap - z2 * (b + perRecord * j * (1 - 2 * falseYes)),
    gap * gap - z2 * (c + perRecord * falseYes * (1 - falseYes) + seen),
  ];
}

/** Least and greatest x of [0, 1] with a x^2 + b x + c <= 0. */
function hull(a: number, b: number, c: number): readonly [number, number] | readonly [null, null] {
  const at = (x: number): number => (a * x + b) * x + c;
  const ends = [0, 1].filter((x) => at(x) <= 0);
  // A root at an end, as of a judge without errors that always says yes, may lie beyond it by rounding.
  const roots = rootsOf(a, b, c).filter((x) => x > -rounding && x < 1 + rounding);
  const all = [...ends, ...roots.map((x) => Math.min(1, Math.max(0, x)))];
  return all.length === 0 ? [null, null] : [Math.min(...all), Math.max(...all)];
}

const rounding = 1e-9;

/** Real roots, without cancellation. */
function rootsOf(a: number, b: number, c: number): number[] {
  const discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return [];
  const q = -(b + (b < 0 ? -1 : 1) * Math.sqrt(discriminant)) / 2;
  return [q / a, c / q].filter(Number.isFinite);
}
