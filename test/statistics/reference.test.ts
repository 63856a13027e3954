import { describe, expect, it } from "vitest";
import {
  essBasic,
  essBulk,
  essMean,
  essQuantile,
  essSd,
  essTail,
  mcseMean,
  mcseQuantile,
  mcseSd,
  quantiles,
  rhat,
  rhatBasic,
  rhatSplit,
  summarise,
} from "../../src/statistics/index.js";
import { referenceCases } from "./reference.js";

const cases = referenceCases();

/** Relative 1e-6: the file has about ten digits. Zeros and NAs must be met exactly. */
function expectClose(actual: number | null, expected: number | null, what: string): void {
  if (expected === null || actual === null) expect(actual, what).toBe(expected);
  else if (expected === 0) expect(actual, what).toBeCloseTo(0, 12);
  else expect(Math.abs(actual / expected - 1), `${what}: ${actual}, expected ${expected}`).toBeLessThanOrEqual(1e-6);
}

it("has all reference cases", () => {
  expect(cases.map(({ name }) => name)).toHaveLength(19);
});

describe.each(cases)("$name agrees with posterior 1.4.0", ({ draws, chains, expected }) => {
  it("R-hat", () => {
    expectClose(rhat(draws, chains), expected.rhat, "rhat");
    expectClose(rhatSplit(draws, chains), expected.rhat_basic_split, "split");
    expectClose(rhatBasic(draws, chains), expected.rhat_basic_nosplit, "basic");
  });

  it("effective sample sizes", () => {
    expectClose(essBulk(draws, chains), expected.ess_bulk, "bulk");
    expectClose(essTail(draws, chains), expected.ess_tail, "tail");
    expectClose(essMean(draws, chains), expected.ess_mean, "mean");
    expectClose(essMean(draws, chains), expected.ess_basic, "basic, split");
    expectClose(essSd(draws, chains), expected.ess_sd, "sd");
    for (const [probability, value] of Object.entries(expected.ess_quantile)) {
      expectClose(essQuantile(draws, chains, Number(probability)), value, `quantile ${probability}`);
    }
  });

  it("Monte Carlo standard errors", async () => {
    expectClose(mcseMean(draws, chains), expected.mcse_mean, "mean");
    expectClose(mcseSd(draws, chains), expected.mcse_sd, "sd");
    for (const [probability, value] of Object.entries(expected.mcse_quantile)) {
      expectClose(await mcseQuantile(draws, chains, Number(probability)), value, `quantile ${probability}`);
    }
  });

  it("quantiles", () => {
    const probabilities = Object.keys(expected.quantiles);
    const actual = quantiles(draws, probabilities.map(Number));
    for (const [k, probability] of probabilities.entries()) {
      expectClose(actual[k], expected.quantiles[probability], `quantile ${probability}`);
    }
  });

  it("the summary", () => {
    const summary = summarise(draws, chains, 0.95);
    expectClose(summary.mean, expected.mean, "mean");
    expectClose(summary.sd, expected.sd, "sd");
    expectClose(summary.median, expected.quantiles["0.5"], "median");
    expectClose(summary.lower, expected.quantiles["0.025"], "lower");
    expectClose(summary.upper, expected.quantiles["0.975"], "upper");
    expectClose(summary.mcse, expected.mcse_mean, "mcse");
    expectClose(summary.essBulk, expected.ess_bulk, "bulk");
    expectClose(summary.essTail, expected.ess_tail, "tail");
    expectClose(summary.rhat, expected.rhat, "rhat");
  });

  it("whole chains give the split result when split by hand", () => {
    const length = draws.length / chains;
    if (length % 2 === 0) expectClose(essBasic(draws, 2 * chains), expected.ess_mean, "basic");
    else expect(essBasic(draws, chains)).toBeGreaterThan(0);
  });
});
