import type { Variates } from "../../random/variates.js";
import type { Audit, CountsInput, Rate } from "./input.js";
import { youden } from "./youden.js";

/**
 * A draw from the posterior of the prevalence with a random audit: how often the judge says yes, and how often what it
 * says yes, and no, to is true are independent given the counts (double sampling, Tenenbein 1970, "A double sampling
 * scheme for estimating from binomial data with misclassifications", JASA 65, 1350-1361), each a Beta with Jeffreys'
 * prior. J isn't divided by.
 */
export function prevalenceDraw({ audit, judged }: CountsInput, variates: Variates): number {
  const { truePositives, falseNegatives, falsePositives, trueNegatives } = audit;
  const yes = betaDraw(
    variates,
    judged.positives + truePositives + falsePositives,
    judged.negatives + falseNegatives + trueNegatives,
  );
  const trueOfYes = betaDraw(variates, truePositives, falsePositives);
  const trueOfNo = betaDraw(variates, falseNegatives, trueNegatives);
  return yes * trueOfYes + (1 - yes) * trueOfNo;
}

/**
 * A draw of Rogan and Gladen's estimate, raw, from the Beta posteriors of the three rates (Jeffreys' prior); NaN where
 * the judge that was drawn is no better than chance.
 */
export function roganGladenDraw({ observed, sensitivity, specificity }: Audit, variates: Variates): number {
  if (sensitivity === null || specificity === null) return Number.NaN;
  const [p, se, sp] = [observed, sensitivity, specificity].map((rate) => rateDraw(variates, rate));
  const j = youden(se, sp);
  return j > 0 ? (p + sp - 1) / j : Number.NaN;
}

export const rateDraw = (variates: Variates, { value, n }: Rate): number =>
  n === null ? value : betaDraw(variates, n * value, n * (1 - value));

const betaDraw = (variates: Variates, successes: number, failures: number): number =>
  1 / (1 + Math.exp(-variates.logitBeta(successes + 0.5, failures + 0.5)));
