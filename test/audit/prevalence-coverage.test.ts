import { describe, expect, it } from "vitest";
import { auditPrevalence, type CountsInput } from "../../src/audit/prevalence.js";
import type { Variates } from "../../src/random/variates.js";
import { zLimit } from "../support/montecarlo.js";
import { shortfall, simulation } from "./support.js";

const seed = 20261130;

const within = (ends: { lower: number | null; upper: number | null } | null, truth: number): boolean =>
  ends?.lower != null && ends.upper !== null && ends.lower <= truth && truth <= ends.upper;

describe("coverage of 95% intervals, small audits and small J", () => {
  // [prevalence, sensitivity, specificity, judged, true audited, false audited]; J from .2 to .98.
  const separate = [
    [0.65, 0.92, 0.7, 1000, 20, 20],
    [0.65, 0.9, 0.75, 100, 10, 10],
    [0.05, 0.9, 0.95, 200, 15, 30],
    [0.5, 0.65, 0.6, 500, 30, 30],
    [0.9, 0.7, 0.5, 500, 20, 10],
    [0.02, 0.95, 0.95, 300, 20, 60],
    [0.3, 0.99, 0.99, 300, 15, 15],
    [0.98, 0.9, 0.9, 200, 40, 10],
  ] as const;

  it("Fieller's is at least 93% in each of eight settings (a false alarm once in 10,000 if so)", () => {
    const variates = simulation(seed);
    const trials = 3000;
    const limit = zLimit(separate.length);
    const ofNormal = separate.map(([pi, se, sp, n, trueN, falseN]) => {
      let [covered, normal] = [0, 0];
      for (let i = 0; i < trials; i++) {
        const { fieller, roganGladen } = auditPrevalence({
          observed: variates.binomial(n, pi * se + (1 - pi) * (1 - sp)) / n,
          n,
          sensitivity: variates.binomial(trueN, se) / trueN,
          sensitivityN: trueN,
          specificity: variates.binomial(falseN, sp) / falseN,
          specificityN: falseN,
        });
        if (within({ lower: roganGladen.lower ?? 0, upper: roganGladen.upper ?? 1 }, pi)) normal++;
        if (within(fieller, pi)) covered++;
      }
      expect(shortfall(covered, trials, 0.93)).toBeLessThan(limit);
      return normal / trials;
    });
    // Why it is there.
    expect(Math.min(...ofNormal)).toBeLessThan(0.9);
  });

  // [prevalence, sensitivity, specificity, audited, other records]
  const random = [
    [0.65, 0.92, 0.7, 30, 500],
    [0.5, 0.6, 0.6, 30, 500],
    [0.1, 0.9, 0.9, 40, 1000],
    [0.9, 0.7, 0.5, 20, 200],
    [0.98, 0.9, 0.6, 30, 500],
    [0.65, 0.92, 0.7, 200, 1000],
  ] as const;

  it("the prediction-powered and the Bayesian one are at least 92% in each of six settings (false alarm 1 in 10,000)", () => {
    const variates = simulation(seed + 1);
    const trials = 800;
    const limit = zLimit(2 * random.length);
    const ofRoganGladen = random.map(([pi, se, sp, n, others]) => {
      let [powered, bayesian, inverted] = [0, 0, 0];
      for (let i = 0; i < trials; i++) {
        const input = randomAudit(variates, pi, se, sp, n, others);
        const { predictionPowered, roganGladen } = auditPrevalence(input);
        if (within(predictionPowered, pi)) powered++;
        if (within(roganGladen, pi)) inverted++;
        if (withinPosterior(variates, input, pi)) bayesian++;
      }
      expect(shortfall(powered, trials, 0.92)).toBeLessThan(limit);
      expect(shortfall(bayesian, trials, 0.92)).toBeLessThan(limit);
      return inverted / trials;
    });
    // Refused wherever few records of a kind are audited.
    expect(Math.min(...ofRoganGladen)).toBeLessThan(0.6);
  });
});

function randomAudit(variates: Variates, pi: number, se: number, sp: number, n: number, others: number): CountsInput {
  const yes = variates.binomial(n, pi);
  const truePositives = variates.binomial(yes, se);
  const trueNegatives = variates.binomial(n - yes, sp);
  const positives = variates.binomial(others, pi * se + (1 - pi) * (1 - sp));
  return {
    audit: {
      truePositives,
      falseNegatives: yes - truePositives,
      falsePositives: n - yes - trueNegatives,
      trueNegatives,
    },
    judged: { positives, negatives: others - positives },
  };
}

/**
 * Whether a prevalence is within the posterior under uniform priors, which the sampler is held against elsewhere: verdicts
 * and the truth of each are independent Betas, weighted by q (1 - q) / (pi (1 - pi)) for the other parameters' priors.
 */
function withinPosterior(variates: Variates, { audit, judged }: CountsInput, pi: number): boolean {
  const beta = (a: number, b: number): number => 1 / (1 + Math.exp(-variates.logitBeta(a + 1, b + 1)));
  const { truePositives, falseNegatives, falsePositives, trueNegatives } = audit;
  let [below, all] = [0, 0];
  for (let i = 0; i < 500; i++) {
    const yes = beta(
      judged.positives + truePositives + falsePositives,
      judged.negatives + falseNegatives + trueNegatives,
    );
    const value = yes * beta(truePositives, falsePositives) + (1 - yes) * beta(falseNegatives, trueNegatives);
    const weight = (yes * (1 - yes)) / (value * (1 - value));
    all += weight;
    if (value <= pi) below += weight;
  }
  return below > 0.025 * all && below < 0.975 * all;
}
