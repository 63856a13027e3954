import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WebGpuEngine } from "../../../dist/engines/webgpu/engine.js";
import { compileNetwork, type RunOptions } from "../../../dist/index.js";
import { betaCdf, betaMass } from "../../../dist/statistics/incomplete-beta.js";
import { meanZ, zLimit } from "../../support/montecarlo.js";
import { coin } from "../../support/networks.js";
import { openWebGpu } from "./support.js";

/*
 * One row whose posterior is a Beta, with priors and records that put it at either edge or in the middle. Odds have its
 * quantiles too, however heavy their tail.
 */
const options: RunOptions = { sampler: "hmc", chains: 64, warmup: 128, draws: 200, seed: 81, level: 0.95 };
const ends = { lower: 0.025, median: 0.5, upper: 0.975 } as const;

interface Case {
  readonly prior: readonly [success: number, failure: number];
  readonly successes: number;
  readonly failures: number;
}

const cases: Case[] = [
  { prior: [1, 1], successes: 0, failures: 20 },
  { prior: [1, 1], successes: 20, failures: 0 },
  { prior: [1, 1], successes: 0, failures: 0 },
  { prior: [1, 1], successes: 300, failures: 300 },
  { prior: [1, 1], successes: 1, failures: 1e8 },
  { prior: [0.5, 0.5], successes: 0, failures: 0 },
  { prior: [0.5, 0.5], successes: 0, failures: 30 },
  { prior: [0.5, 1], successes: 1e8, failures: 0 },
  { prior: [0.25, 0.25], successes: 0, failures: 0 },
  { prior: [0.25, 9], successes: 0, failures: 1 },
  { prior: [2, 40], successes: 3, failures: 3 },
];

/** 4 comparisons of each case's draws, 6 of its ends: one false alarm in 10,000 seeds for all. */
const limit = zLimit(10 * cases.length);

let engine: WebGpuEngine;
beforeAll(async () => {
  engine = await openWebGpu();
});
afterAll(() => engine.dispose());

describe(`ends of intervals within ${limit.toFixed(1)} standard errors of exact`, () => {
  it.each(cases)("Beta($prior) with $successes of 1 and $failures of 0", async ({ prior, successes, failures }) => {
    const definition = {
      ...coin,
      variables: [{ ...coin.variables[0], rows: [{ name: "p", prior: [...prior].reverse() }] }],
    };
    const network = compileNetwork(definition, {
      quantities: ["P(X=1)", "P(X=1) / P(X=0)", "P(X=0) / P(X=1)"].map((name) => ({ name, expression: name })),
    });
    expect([network.priorSuccess[0], network.priorFailure[0]]).toEqual(prior);
    const counts = Float64Array.from(network.patterns, ({ levels }) => [failures, successes][levels[0]] ?? 0);
    const [a, b] = [prior[0] + successes, prior[1] + failures];
    const cdf = (x: number): number => betaCdf(x, a, b, betaMass(x, a, b));
    const { values, fallback } = await engine.sample(network, counts, 5, options);
    expect(fallback).toBeUndefined();
    const summary = await engine.run({ network, counts, ids: Float64Array.of(5) }, options);
    // How often the draws are below each end: with their own standard error, since they are no independent ones.
    const shares = values[0].map(cdf);
    expect.soft(Math.abs(meanZ(shares, options.chains, 0.5)), "mean of ranks").toBeLessThan(limit);
    for (const [end, p] of Object.entries(ends) as [keyof typeof ends, number][]) {
      const below = shares.map((share) => (share <= p ? 1 : 0));
      expect.soft(Math.abs(meanZ(below, options.chains, p)), `draws below the ${end}`).toBeLessThan(limit);
      const tolerance = limit * Math.sqrt((p * (1 - p)) / essOf(below, p));
      expect.soft(Math.abs(cdf(summary[end][0]) - p), `${end} of p`).toBeLessThan(tolerance);
      // The same place as odds, and as odds against, whose order is the other way round.
      const odds = summary[end][1];
      expect.soft(Math.abs(cdf(odds / (1 + odds)) - p), `${end} of the odds`).toBeLessThan(tolerance);
      const against = summary[end][2];
      expect.soft(Math.abs(cdf(1 / (1 + against)) - (1 - p)), `${end} of the odds against`).toBeLessThan(tolerance);
    }
  });
});

/** Of the shares of draws below a point: from how much those of the chains differ. */
function essOf(below: Float64Array, p: number): number {
  const { chains, draws } = options;
  let squares = 0;
  for (let chain = 0; chain < chains; chain++) {
    const own = below.subarray(chain * draws, (chain + 1) * draws);
    squares += (own.reduce((sum, x) => sum + x, 0) / draws - p) ** 2;
  }
  return Math.min((p * (1 - p)) / (squares / chains), draws) * chains;
}
