import { describe, expect, it } from "vitest";
import { marginalOf, mixtureQuantile } from "../../src/engines/exact/beta-mixture.js";
import { loadBetaQuantile } from "../../src/engines/exact/beta-quantile.js";
import { buildMixture } from "../../src/engines/exact/mixture.js";
import { compileNetwork, rat } from "../../src/network/index.js";
import { Pace } from "../../src/pace.js";
import { betaCdf, betaMass } from "../../src/statistics/incomplete-beta.js";
import { base, countsOf, readReference, solve } from "./exact-support.js";

const fromR: { beta_quantiles_R_qbeta: { a: number; b: number; p: number[]; q: number[] }[] } =
  await readReference("exact-reference.json");

const precise: {
  quantiles: { a: number; b: number; p: number; quantile: number; sd: number }[];
  cdf: { a: number; b: number; x: number; cdf: number }[];
} = await readReference("beta-reference.json");

describe("quantiles of one Beta", () => {
  it("are those of R's qbeta", async () => {
    const betaQuantile = await loadBetaQuantile();
    for (const { a, b, p, q } of fromR.beta_quantiles_R_qbeta) {
      p.forEach((probability, i) => {
        expect.soft(Math.abs(betaQuantile(probability, a, b) - q[i]), `Beta(${a}, ${b})`).toBeLessThan(1e-13);
      });
    }
  });

  it("stay right for large counts, up to 2^53", async () => {
    const betaQuantile = await loadBetaQuantile();
    expect(precise.quantiles.length).toBeGreaterThan(0);
    for (const { a, b, p, quantile, sd } of precise.quantiles) {
      const error = Math.abs(betaQuantile(p, a, b) - quantile);
      // In sds, or as exact as a double can say it.
      expect.soft(error, `${p} of Beta(${a}, ${b})`).toBeLessThan(Math.max(2e-8 * sd, 2 ** -52 * quantile));
    }
  });
});

describe("the distribution function of a Beta", () => {
  it("is right for shapes from 0.0004 to 5000", () => {
    expect(precise.cdf.length).toBeGreaterThan(0);
    for (const { a, b, x, cdf } of precise.cdf) {
      expect.soft(Math.abs(betaCdf(x, a, b, betaMass(x, a, b)) - cdf), `Beta(${a}, ${b}) at ${x}`).toBeLessThan(1e-13);
    }
  });

  it("is 0 up to 0 and 1 from 1", () => {
    expect(betaCdf(0, 2, 3, 0)).toBe(0);
    expect(betaCdf(1, 2, 3, 0)).toBe(1);
  });

  it("has betaMass as its density times x (1 - x)", () => {
    // Beta(2, 3): 12 x (1 - x)^2.
    for (const x of [1e-9, 0.1, 0.4, 0.9, 1 - 1e-9]) {
      expect(betaMass(x, 2, 3) / (12 * x * x * (1 - x) ** 3)).toBeCloseTo(1, 13);
    }
  });
});

describe("quantiles of a row in a mixture", () => {
  const counts = countsOf(base, [
    [[0, 0, 0], 2],
    [[1, 0, 1], 3],
    [[-1, 1, -1], 6],
    [[-1, 0, 1], 4],
    [[-1, 0, 0], 5],
  ]);

  it("have the probability that was asked for, at every level", async () => {
    const pace = new Pace();
    const mixture = await buildMixture(base, counts, pace);
    const betaQuantile = await loadBetaQuantile();
    for (const row of base.rowNames.keys()) {
      const marginal = (await marginalOf(mixture, row, pace))!;
      expect(marginal.weights.length).toBeGreaterThan(1);
      expect(marginal.weights.reduce((a, b) => a + b)).toBeCloseTo(1, 14);
      for (const probability of [1e-9, 1e-3, 0.025, 0.3, 0.5, 0.77, 0.975, 0.999999]) {
        const x = await mixtureQuantile(marginal, probability, betaQuantile, pace);
        const cdf = marginal.weights.reduce((sum, weight, c) => {
          const [a, b] = [marginal.success[c], marginal.failure[c]];
          return sum + weight * betaCdf(x, a, b, betaMass(x, a, b));
        }, 0);
        expect.soft(Math.abs(cdf - probability), `${probability} of ${base.rowNames[row]}`).toBeLessThan(1e-14);
      }
    }
  });

  it("go through lines: intercept and slope, rising or falling", async () => {
    const expressions = ["P(A=1 | R=1)", "3 - 2 * P(A=1 | R=1)", "5 * P(A=1 | R=1) - 1", "P(R=1) + P(R=0)", "2"];
    const network = compileNetwork(rat, { quantities: expressions.map((e) => ({ name: e, expression: e })) });
    const { lower, median, upper, sd, exactQuantiles } = await solve(network, counts);
    expect(exactQuantiles).toEqual([true, true, true, true, true]);
    expect(lower[1]).toBeCloseTo(3 - 2 * upper[0], 13);
    expect(median[1]).toBeCloseTo(3 - 2 * median[0], 13);
    expect(upper[2]).toBeCloseTo(5 * upper[0] - 1, 13);
    expect([lower[3], median[3], upper[3], sd[3]]).toEqual([1, 1, 1, 0]);
    expect([lower[4], median[4], upper[4], sd[4]]).toEqual([2, 2, 2, 0]);
  });

  it("stay inside (0, 1), however little the prior says", async () => {
    const network = compileNetwork(rat, { priors: { theta_R: [1e-4, 1e-4] } });
    const { lower, upper } = await solve(network, new Float64Array(network.patterns.length));
    expect(lower[0]).toBe(2 ** -1022);
    expect(upper[0]).toBe(1 - 2 ** -53);
  });
});
