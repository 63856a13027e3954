import { effectiveSize } from "../cluster.js";
import { halfWidthOfT } from "../distributions.js";
import { type Estimate, scoreEnds, undefinedEstimate } from "../estimate.js";
import { clusteredErrors, degreesAlong, influenceOf } from "./covariance.js";
import type { Audit, CountsInput } from "./input.js";

/** The audited share of true records, sharpened by what the judge says of the others. */
export interface PredictionPowered extends Estimate {
  /** `value` before it was brought into 0 to 1. */
  readonly raw: number | null;
  /** Whether the raw value lies outside 0 to 1, where no prevalence can. */
  readonly clipped: boolean;
  /** How much the judge is used, from 0 to 1. */
  readonly lambda: number | null;
  /** How many times more gold labels alone would be as sure; null where the error is 0, or rows come in clusters. */
  readonly gain: number | null;
}

/**
 * lambda mean(f, unlabelled) + mean(Y - lambda f, labelled) for gold labels Y and judge labels f, with error sqrt(
 * lambda^2 var(f) / N + var(Y - lambda f) / n) and lambda = cov(Y, f) / ((1 + n / N) var(f)), in 0 to 1: PPI++
 * (Angelopoulos, Duchi and Zrnic 2023, arXiv:2311.01453, section 6), with the divisors of its authors' program
 * (ppi_py, ppi_mean_ci): n and N, but n + N - 1 for the variance within lambda. A judge that is worse than chance has
 * lambda 0 and isn't used: so there is an estimate whatever J is. It holds for a random sample alone.
 *
 * Their normal interval covers too little of few labels: a share near 0 or 1 covered 45% to 90% of the time where 95% were
 * asked for. This one is Wilson's, of as many records as tell as much, with Student's quantile.
 */
export function predictionPowered({ random, counts }: Audit, level: number): PredictionPowered {
  if (random === null) {
    const refused =
      counts !== null && counts.sample !== "separate"
        ? undefinedEstimate("nothing audited", "no record is audited")
        : undefinedEstimate(
            "no random sample",
            "the audited records aren't a random sample of the judged ones, so they don't say how frequent truth is",
          );
    return { ...refused, raw: null, clipped: false, lambda: null, gain: null };
  }
  const parts = partsOf(random);
  const { n, raw, lambda, gold } = parts;
  const value = Math.min(1, Math.max(0, raw));
  const shape = { value, raw, clipped: value !== raw, lambda, reason: null };
  const { variance, degrees, sizes } = varianceOf(random, parts);
  if (variance === null) return { ...shape, error: null, lower: null, upper: null, interval: null, gain: null };
  const effective =
    sizes === null ? effectiveLabels(value, variance, n) : effectiveSize(value, Math.sqrt(variance), sizes);
  const ends = scoreEnds(value, effective, halfWidthOfT(level, degrees));
  const gain = variance > 0 && sizes === null ? (gold * (1 - gold)) / n / variance : null;
  return {
    ...{ ...shape, error: Math.sqrt(variance), ...ends, gain },
    interval: sizes === null ? "Wilson" : "clustered Wilson",
  };
}

/** Independent labels that tell as much. That all are the same leaves no error, but few may all be the same by chance. */
const effectiveLabels = (value: number, variance: number, n: number): number =>
  variance > 0 && value > 0 && value < 1 ? (value * (1 - value)) / variance : n;

interface Parts {
  readonly n: number;
  readonly unlabelled: number;
  readonly gold: number;
  readonly yes: number;
  readonly yesElsewhere: number;
  readonly covariance: number;
  readonly lambda: number;
  readonly raw: number;
}

function partsOf({ audit, judged }: CountsInput): Parts {
  const { truePositives, falseNegatives, falsePositives, trueNegatives } = audit;
  const n = truePositives + falseNegatives + falsePositives + trueNegatives;
  const unlabelled = judged.positives + judged.negatives;
  const gold = (truePositives + falseNegatives) / n;
  const yes = (truePositives + falsePositives) / n;
  const yesElsewhere = unlabelled === 0 ? 0 : judged.positives / unlabelled;
  const covariance = truePositives / n - gold * yes;
  const lambda = power(covariance, n, unlabelled, n * yes + judged.positives);
  const raw = lambda * yesElsewhere + gold - lambda * yes;
  return { n, unlabelled, gold, yes, yesElsewhere, covariance, lambda, raw };
}

/** lambda; 0 where there is nothing that the judge could add. @param positives among all n + N records */
function power(covariance: number, n: number, unlabelled: number, positives: number): number {
  const all = n + unlabelled;
  const variance = (positives * (all - positives)) / (all * (all - 1));
  if (unlabelled === 0 || !(variance > 0)) return 0;
  return Math.min(1, Math.max(0, covariance / ((1 + n / unlabelled) * variance)));
}

function varianceOf(random: CountsInput, parts: Parts) {
  const { n, unlabelled, gold, yes, yesElsewhere, covariance, lambda } = parts;
  if (random.clusters !== undefined) {
    const errors = clusteredErrors(influencesOf(random, parts));
    if (errors?.sizes == null) return { variance: null, degrees: 1, sizes: null };
    const { matrix, sizes } = errors;
    const variance = matrix.flat().reduce((sum, cell) => sum + cell, 0);
    const degrees = degreesAlong(
      { matrix, sizes },
      sizes.map(() => 1),
    );
    return { variance: Math.max(0, variance), degrees, sizes: sizes[0] };
  }
  const rectified = Math.max(0, gold * (1 - gold) - 2 * lambda * covariance + lambda ** 2 * yes * (1 - yes));
  const imputed = unlabelled === 0 ? 0 : (lambda ** 2 * yesElsewhere * (1 - yesElsewhere)) / unlabelled;
  return { variance: imputed + rectified / n, degrees: Math.max(1, n - 1), sizes: null };
}

/** What each cluster moves the estimate by, lambda taken for given: by its audited records, and by the others. */
function influencesOf(random: CountsInput, { n, unlabelled, gold, yes, yesElsewhere, lambda }: Parts) {
  const clusters = random.clusters as NonNullable<CountsInput["clusters"]>;
  const centre = gold - lambda * yes;
  const audited = [1 - lambda, 1, -lambda, 0].map((one) => (one - centre) / n);
  const labelled = influenceOf(clusters, [...audited, null, null]);
  if (lambda === 0) return [labelled];
  const others = [1, 0].map((said) => (lambda * (said - yesElsewhere)) / unlabelled);
  return [labelled, influenceOf(clusters, [null, null, null, null, ...others])];
}

/** What each cluster moves the estimate by, in all; null without clusters, or of fewer than two. */
export function poweredInfluence({ random }: Audit): Float64Array | null {
  if (random?.clusters === undefined) return null;
  const errors = clusteredErrors(influencesOf(random, partsOf(random)));
  const [first, second] = errors?.influences ?? [];
  if (first === undefined) return null;
  return second === undefined ? first : first.map((sum, g) => sum + second[g]);
}
