import { describe, expect, it } from "vitest";
import { worstError } from "../support/accuracy.js";
import { openProbe } from "../support/kernel.js";
import { meanAndSd } from "../support/montecarlo.js";
import { Inputs } from "../support/random.js";

const probe = openProbe();
const target = 0.8;

const dualAveraging = {
  name: "dual averaging",
  restart: (step: number) => probe.averagingRestart(step, target, 10),
  update: probe.averagingUpdate,
  settled: probe.averagingSettled,
};
const approximation = {
  name: "stochastic approximation",
  restart: (step: number) => probe.approachRestart(step, target),
  update: probe.approachUpdate,
  settled: probe.approachSettled,
};

/** Acceptance of a step where 80 % are accepted at `best`; falls from 1 to 0 as that of leapfrogs does. */
const acceptanceAt = (step: number, best: number): number => Math.exp(Math.log(target) * (step / best) ** 2);

describe("dual averaging", () => {
  it("is Hoffman and Gelman's (2014) equation 6, over 500 random acceptances, to 1e-12", () => {
    const inputs = new Inputs(81);
    for (const [start, boldness] of [
      [0.3, 10],
      [2, 1],
    ]) {
      probe.averagingRestart(start, target, boldness);
      const [gamma, t0, kappa] = [0.05, 10, 0.75];
      let shortfalls = 0;
      let logMean = Math.log(start);
      const expected: number[] = [];
      const actual: number[] = [];
      for (let t = 1; t <= 500; t++) {
        const acceptance = inputs.uniform();
        // H_t by its recursion is a weighted mean of the shortfalls; here x_t+1 = mu - sqrt(t) / gamma H_t.
        shortfalls = (1 - 1 / (t + t0)) * shortfalls + (target - acceptance) / (t + t0);
        const logStep = Math.log(boldness * start) - (Math.sqrt(t) / gamma) * shortfalls;
        logMean = t ** -kappa * logStep + (1 - t ** -kappa) * logMean;
        actual.push(probe.averagingUpdate(acceptance), probe.averagingSettled());
        expected.push(Math.exp(logStep), Math.exp(logMean));
      }
      expect(worstError(actual, expected)).toBeLessThan(1e-12);
    }
  });
});

describe.each([dualAveraging, approximation])("$name", ({ restart, update, settled }) => {
  const settle = (first: number, updates: number, acceptance: (step: number) => number): number => {
    restart(first);
    let step = first;
    for (let i = 0; i < updates; i++) step = update(acceptance(step));
    return settled();
  };

  it("starts at the step that it is given", () => {
    for (const first of [1e-9, 0.5, 40]) expect(settle(first, 0, () => 1)).toBeCloseTo(first, 12);
  });

  it.each([
    [1, 1],
    [0.1, 1],
    [10, 1],
    [1e-6, 2e-6],
    [300, 500],
  ])(
    "from a step of %d settles within 2 %% of %d, where acceptance is the target, in 1000 exact updates",
    (first, best) => {
      const found = settle(first, 1000, (step) => acceptanceAt(step, best));
      expect(Math.abs(Math.log(found / best))).toBeLessThan(0.02);
    },
  );

  it("accepts the target to .01 and settles within 10 %, on average over 200 runs of 2000 acceptances of 0 or 1", () => {
    const inputs = new Inputs(82);
    let accepted = 0;
    const logs = Array.from({ length: 200 }, () => {
      let updates = 0;
      const found = settle(1, 2000, (step) => {
        const acceptance = acceptanceAt(step, 1);
        if (updates++ >= 1000) accepted += acceptance;
        return inputs.uniform() < acceptance ? 1 : 0;
      });
      return Math.log(found);
    });
    // Standard errors: .001 of the mean acceptance, .4 % of the mean step.
    expect(Math.abs(accepted / 200_000 - target)).toBeLessThan(0.01);
    expect(Math.abs(meanAndSd(logs).mean)).toBeLessThan(0.1);
  });

  it("grows while everything is accepted, shrinks while nothing is, and is finite after 10,000 of either", () => {
    restart(1);
    const steps = Array.from({ length: 20 }, () => update(1));
    expect(steps.every((step, i) => i === 0 || step > steps[i - 1])).toBe(true);
    for (const acceptance of [0, 1]) {
      const found = settle(1, 10_000, () => acceptance);
      expect(Number.isFinite(found)).toBe(true);
      expect(found > 1).toBe(acceptance === 1);
    }
  });
});
