import { type Estimate, undefinedEstimate, waldEstimate, wilson } from "../estimate.js";
import type { Audit } from "./input.js";

/** The audited share of true records, sharpened by what the judge says of the others. */
export interface PredictionPowered extends Estimate {
  /** How much the judge is used, from 0 to 1. */
  readonly lambda: number | null;
  /** How many times more gold labels alone would be as sure; null where the error is 0. */
  readonly gain: number | null;
}

/**
 * lambda mean(f, unlabelled) + mean(Y - lambda f, labelled) for gold labels Y and judge labels f, with error sqrt(
 * lambda^2 var(f) / N + var(Y - lambda f) / n) and lambda = cov(Y, f) / ((1 + n / N) var(f)), in 0 to 1: PPI++
 * (Angelopoulos, Duchi and Zrnic 2023, arXiv:2311.01453, section 6), with the divisors of its authors' program
 * (ppi_py, ppi_mean_ci): n and N, but n + N - 1 for the variance within lambda. A judge that is worse than chance has
 * lambda 0 and isn't used: so there is an estimate whatever J is. It holds for a random sample alone.
 */
export function predictionPowered({ random }: Audit, level: number): PredictionPowered {
  if (random === null) {
    const why =
      "the audited records aren't a random sample of the judged ones, so they don't say how frequent truth is";
    return { ...undefinedEstimate("no random sample", why), lambda: null, gain: null };
  }
  const { truePositives, falseNegatives, falsePositives, trueNegatives } = random.audit;
  const n = truePositives + falseNegatives + falsePositives + trueNegatives;
  const unlabelled = random.judged.positives + random.judged.negatives;
  const gold = (truePositives + falseNegatives) / n;
  const yes = (truePositives + falsePositives) / n;
  const yesElsewhere = unlabelled === 0 ? 0 : random.judged.positives / unlabelled;
  const covariance = truePositives / n - gold * yes;
  const lambda = power(covariance, n, unlabelled, n * yes + random.judged.positives);
  const value = lambda * yesElsewhere + gold - lambda * yes;
  const goldVariance = gold * (1 - gold);
  const rectified = Math.max(0, goldVariance - 2 * lambda * covariance + lambda ** 2 * yes * (1 - yes));
  const imputed = unlabelled === 0 ? 0 : (lambda ** 2 * yesElsewhere * (1 - yesElsewhere)) / unlabelled;
  const variance = imputed + rectified / n;
  const gain = variance > 0 ? goldVariance / n / variance : null;
  const estimate = waldEstimate(value, Math.sqrt(variance), level, 0, 1);
  // Gold labels that are all the same leave no error, but few of them may all be the same by chance.
  const wide = variance > 0 ? estimate : { ...estimate, ...wilson(value, n, level), interval: "Wilson" };
  return { ...wide, lambda, gain };
}

/** lambda; 0 where there is nothing that the judge could add. @param positives among all n + N records */
function power(covariance: number, n: number, unlabelled: number, positives: number): number {
  const all = n + unlabelled;
  const variance = (positives * (all - positives)) / (all * (all - 1));
  if (unlabelled === 0 || !(variance > 0)) return 0;
  return Math.min(1, Math.max(0, covariance / ((1 + n / unlabelled) * variance)));
}
