import betaQuantile from "@stdlib/stats-base-dists-beta-quantile";
import { describe, expect, it } from "vitest";
import { compileNetwork, rat } from "../../src/network/index.js";
import { betaCdf, betaMass } from "../../src/statistics/incomplete-beta.js";
import { essMean } from "../../src/statistics/index.js";
import { basePlans } from "../support/calibration.js";
import { openSampler } from "../support/kernel.js";
import { falseAlarms } from "../support/montecarlo.js";
import { coin } from "../support/networks.js";
import { Inputs } from "../support/random.js";
import { atLeast, drawn, endPlace, IntervalSampler, levels, logBinomial, twoSided } from "./coverage.js";
import { testCoverage } from "./nominal.js";

const samplers = ["nuts", "hmc"] as const;

describe("chances of counts", () => {
  it("are those of the binomial", () => {
    // Sums of 32 equally likely outcomes of five tosses.
    for (const [k, outcomes] of [32, 31, 26, 16, 6, 1, 0].entries()) {
      expect(32 * atLeast(k, 5, 0.5)).toBeCloseTo(outcomes, 13);
    }
    expect(atLeast(2, 3, 0.9)).toBeCloseTo(0.972, 14);
    expect(Math.exp(logBinomial(2, 4, 0.1))).toBeCloseTo(0.0486, 14);
    expect(twoSided(0, 5, 0.5)).toBeCloseTo(2 / 32, 14);
    expect(twoSided(5, 5, 0.5)).toBeCloseTo(2 / 32, 14);
    expect(twoSided(1, 5, 0.1, 0.9)).toBe(1);
  });
});

testCoverage(
  samplers.map((sampler) => ({
    name: "base network",
    sampler,
    definition: rat,
    plans: basePlans,
    refits: 1000,
  })),
  "$sampler, truths from the prior",
);

/** One coin, uniform prior, n tosses: k heads give Beta(1 + k, 1 + n - k), and coverage is a sum over k. */
const fixed = [
  { theta: 0.005, n: 20 },
  { theta: 0.995, n: 20 },
  { theta: 0.5, n: 5 },
];
const repeats = 1000;
const network = compileNetwork(coin);
const comparisons = samplers.length * fixed.length * levels.length;

const countsOf = (heads: number, n: number): Float64Array =>
  Float64Array.from(network.patterns, ({ levels: [level] }) => (level === 1 ? heads : level === 0 ? n - heads : 0));

const posteriorCdf = (x: number, k: number, n: number): number =>
  betaCdf(x, 1 + k, 1 + n - k, betaMass(x, 1 + k, 1 + n - k));

/** Coverage by the exact interval itself. */
function exactCoverage(theta: number, n: number, level: number): number {
  let sum = 0;
  for (let k = 0; k <= n; k++) {
    const [lower, upper] = [(1 - level) / 2, (1 + level) / 2].map((p) => betaQuantile(p, 1 + k, 1 + n - k));
    if (lower <= theta && theta <= upper) sum += Math.exp(logBinomial(k, n, theta));
  }
  return sum;
}

/** Draws that `sampling` is worth for the share below an end, from a longer run. */
function worth(sampler: "nuts" | "hmc", k: number, n: number, p: number): number {
  const [chains, draws] = [4, 4000];
  const pilot = openSampler(network, { sampler, chains, warmup: 300, draws, seed: 281 });
  pilot.sample(countsOf(k, n), k);
  const end = betaQuantile(p, 1 + k, 1 + n - k);
  const ess = essMean(
    pilot.drawsOf(0).map((x) => (x <= end ? 1 : 0)),
    chains,
  )!;
  return Math.round((ess * drawn) / (chains * draws));
}

/**
 * Coverage to be expected of interval ends from draws: that of the exact interval but where theta is so near an end of
 * it, as counted in draws, that an end from draws may be on its other side.
 */
function expectedCoverage(sampler: "nuts" | "hmc", theta: number, n: number, level: number): number {
  let sum = 0;
  for (let k = 0; k <= n; k++) {
    const probability = Math.exp(logBinomial(k, n, theta));
    if (probability < 1e-9) continue;
    const [reached, passed] = [(1 - level) / 2, (1 + level) / 2].map((p) => {
      // The end is between two draws: it is below theta if the second one is, and not if the first one isn't.
      const count = worth(sampler, k, n, p);
      const place = Math.floor(endPlace(p, count));
      const below = posteriorCdf(theta, k, n);
      return (atLeast(place, count, below) + atLeast(place + 1, count, below)) / 2;
    });
    sum += probability * (reached - passed);
  }
  return sum;
}

it("the exact interval covers these truths with these probabilities", () => {
  // 0.005: 95 % intervals cover it after no heads only, 0.995^20; those of 80 % begin just above, at 1 - 0.9^(1/21) = 0.0050046.
  // 0.5: after 1 to 4 heads of 5, 30 of 32.
  const coverages = fixed.map(({ theta, n }) => levels.map((level) => exactCoverage(theta, n, level)));
  for (const [c, expected] of [0.995 ** 20, 0, 0.995 ** 20, 0, 30 / 32, 30 / 32].entries()) {
    expect(coverages.flat()[c]).toBeCloseTo(expected, 13);
  }
});

describe.each(samplers)("%s, fixed truths", (name) => {
  it.each(fixed)(
    `covers theta = $theta after $n tosses as often as the exact interval (noise in its ends included), ${repeats} times tried (one false alarm in 10,000 seeds for all ${comparisons} such comparisons)`,
    ({ theta, n }) => {
      const inputs = new Inputs(291);
      const intervals = new IntervalSampler(network, { sampler: name, seed: 291 });
      const covered = levels.map(() => 0);
      for (let repeat = 0; repeat < repeats; repeat++) {
        let heads = 0;
        for (let toss = 0; toss < n; toss++) if (inputs.uniform() < theta) heads++;
        intervals.sampler.sample(countsOf(heads, n), repeat);
        for (const [l, level] of levels.entries()) {
          const [{ lower, upper }] = intervals.at(level);
          if (lower <= theta && theta <= upper) covered[l]++;
        }
      }
      for (const [l, level] of levels.entries()) {
        const expected = expectedCoverage(name, theta, n, level);
        const chance = twoSided(covered[l], repeats, expected);
        expect(chance, `${covered[l]} of ${repeats}, expected ${expected}`).toBeGreaterThan(falseAlarms / comparisons);
      }
    },
  );
});
