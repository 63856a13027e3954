import betaQuantile from "@stdlib/stats-base-dists-beta-quantile";
import { describe, expect, it } from "vitest";
import { compileNetwork, fold, rat } from "../../src/network/index.js";
import { drawsByName, openSampler } from "../support/kernel.js";
import { meanZ, shareZ, zLimit } from "../support/montecarlo.js";
import { ternary } from "../support/networks.js";

/*
 * Refits without ambiguous records: the posterior is a product of Betas. Shares of draws below Beta quantiles (stdlib,
 * within 1e-13 of 50-digit values) and means, in standard errors with the effective sample size of each.
 */
const points = [0.025, 0.25, 0.5, 0.75, 0.975];
const network = compileNetwork(rat);
const rows = ["theta_R", "theta_A-", "theta_A+", "theta_T-", "theta_T+"];

/** Complete records (R, A, T) = 000, 001, 010, 100, 101, 110. */
const countSets: [string, number[]][] = [
  ["no records", [0, 0, 0, 0, 0, 0]],
  ["a few, some zero", [4, 0, 3, 1, 4, 0]],
  ["100 records", [22, 20, 32, 9, 16, 1]],
  ["10,000 records", [2317, 1940, 3675, 641, 1353, 74]],
  ["10^9 records, very uneven", [999_000_000, 3, 900_000, 12, 99_000, 0]],
];

function countsOf(cells: readonly number[]): Float64Array {
  const counts = new Float64Array(network.patterns.length);
  const order = ["0,0,0", "0,0,1", "0,1,0", "1,0,0", "1,0,1", "1,1,0"];
  for (const [c, n] of cells.entries())
    counts[network.patterns.findIndex(({ levels }) => levels.join() === order[c])] = n;
  return counts;
}

const runs = countSets.flatMap(([name, cells]) =>
  (["nuts", "hmc"] as const).map((sampler) => ({ name, cells, sampler })),
);
// 10 runs x (5 rows x 5 shares + 9 means); one false alarm in 10,000 seeds for all of them.
const limit = zLimit(runs.length * (rows.length * points.length + network.quantities.length));
const chains = 4;

describe.each(runs)(
  `$sampler with $name, all within ${limit.toFixed(2)} standard errors`,
  ({ cells, sampler: name }) => {
    const counts = countsOf(cells);
    const { success, failure } = fold(network, counts);
    const sampler = openSampler(network, { sampler: name, chains, warmup: 500, draws: 10_000, seed: 131 });
    sampler.sample(counts, 1);
    const draws = drawsByName(sampler, network);

    it("has Beta marginals: shares below their quantiles at 2.5, 25, 50, 75 and 97.5 %", () => {
      for (const [k, row] of rows.entries()) {
        for (const p of points) {
          const quantile = betaQuantile(p, success[k], failure[k]);
          expect(Math.abs(shareZ(draws.get(row)!, chains, quantile, p)), `${row} ${p}`).toBeLessThan(limit);
        }
      }
    });

    it("has the means of products of independent Betas", () => {
      const [r, a0, a1, t0, t1] = success.map((s, k) => s / (s + failure[k]));
      const means: Record<string, number> = {
        theta_R: r,
        "theta_A-": a0,
        "theta_A+": a1,
        "theta_T-": t0,
        "theta_T+": t1,
        "P(R=1)": r,
        "P(A=1)": r * a1 + (1 - r) * a0,
        "P(T=1)": r * (1 - a1) * t1 + (1 - r) * (1 - a0) * t0,
        "P(G=1)": (1 - r) * a0 + r * (1 - a1) * t1,
      };
      for (const [quantity, values] of draws) {
        expect(Math.abs(meanZ(values, chains, means[quantity])), quantity).toBeLessThan(limit);
      }
    });
  },
);

describe.each(["nuts", "hmc"] as const)("%s on three levels of retrieval", (name) => {
  const levels = ["none", "partial", "full"];
  const expression = (level: string): string => `P(R=${level})`;
  const three = compileNetwork(ternary, {
    quantities: levels.map((level) => ({ name: level, expression: expression(level) })),
  });
  const seen = [12, 0, 30];
  const prior = [2, 1, 0.5];
  const sticks = zLimit(2 * levels.length * points.length);

  it(`has the Dirichlet's Beta marginals, within ${sticks.toFixed(2)} standard errors (one false alarm in 10,000 seeds)`, () => {
    const counts = Float64Array.from(three.patterns, ({ levels: [R, A, T] }) =>
      R >= 0 && A < 0 && T < 0 ? seen[R] : 0,
    );
    const sampler = openSampler(three, { sampler: name, chains, warmup: 500, draws: 10_000, seed: 132 });
    sampler.sample(counts, 1);
    const draws = drawsByName(sampler, three);
    const total = seen.reduce((a, b) => a + b, 0) + prior.reduce((a, b) => a + b, 0);
    for (const [l, level] of levels.entries()) {
      const a = seen[l] + prior[l];
      for (const p of points) {
        const quantile = betaQuantile(p, a, total - a);
        expect(Math.abs(shareZ(draws.get(level)!, chains, quantile, p)), `${level} ${p}`).toBeLessThan(sticks);
      }
    }
  });
});
