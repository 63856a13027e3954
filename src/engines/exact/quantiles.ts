import { greatestProbability, leastProbability } from "../../network/quantity.js";
import type { Pace } from "../../pace.js";
import { type BetaMixture, marginalOf, mixtureQuantile } from "./beta-mixture.js";
import { type BetaQuantile, loadBetaQuantile } from "./beta-quantile.js";
import type { Mixture } from "./mixture.js";
import { isConstant, type Polynomial } from "./polynomial.js";

/**
 * Quantiles of a quantity that depends on one row at most, and on that linearly; null for all others, and where it
 * would take too long: they have to be drawn.
 */
export async function exactQuantiles(
  polynomial: Polynomial,
  mixture: Mixture,
  probabilities: readonly number[],
  pace: Pace,
): Promise<number[] | null> {
  if (isConstant(polynomial)) return probabilities.map(() => polynomial.constant);
  if (polynomial.children.length !== 2 || !polynomial.children.every(isConstant)) return null;
  const marginal = await marginalOf(mixture, polynomial.row, pace);
  if (marginal === null) return null;
  const betaQuantile = await loadBetaQuantile();
  const [atZero, atOne] = polynomial.children.map((child) => child.constant);
  // A falling line is a rising one in 1 - theta, which keeps the digits of small values.
  const rises = atOne > atZero;
  const [least, greatest] = rises ? [atZero, atOne] : [atOne, atZero];
  const parameter = rises ? marginal : complement(marginal);
  const quantiles: number[] = [];
  for (const probability of probabilities) {
    const theta = await quantileOf(parameter, probability, betaQuantile, pace);
    quantiles.push(least + (greatest - least) * theta);
  }
  return quantiles;
}

async function quantileOf(
  marginal: BetaMixture,
  probability: number,
  betaQuantile: BetaQuantile,
  pace: Pace,
): Promise<number> {
  const { success, failure } = marginal;
  const theta =
    success.length === 1
      ? betaQuantile(probability, success[0], failure[0])
      : await mixtureQuantile(marginal, probability, betaQuantile, pace);
  // As draws of probabilities are: rounding must not make one certain.
  return Math.min(Math.max(theta, leastProbability), greatestProbability);
}

/** The distribution of 1 - theta. */
const complement = ({ success, failure, weights }: BetaMixture): BetaMixture => ({
  success: failure,
  failure: success,
  weights,
});
