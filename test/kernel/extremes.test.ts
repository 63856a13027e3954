import { describe, expect, it } from "vitest";
import type { SamplerOptions } from "../../src/engines/engine.js";
import type { Sampler } from "../../src/engines/wasm/sampler.js";
import {
  CHAIN_DIVERGENCES,
  CHAIN_FIELDS,
  OUTCOME_COMPLETE,
  OUTCOME_NON_FINITE,
  TRACE_FIELDS,
  TRACE_OUTCOME,
} from "../../src/generated/layout.js";
import { type CompiledNetwork, compileNetwork, fold, patternIndex, rat, ratJudge } from "../../src/network/index.js";
import { drawsByName, loadNetwork, openProbe, openSampler, Scratch } from "../support/kernel.js";
import { meanZ, zLimit } from "../support/montecarlo.js";

const network = compileNetwork(rat);
const largest = 2 ** 53 - 1;
const samplers = ["nuts", "hmc"] as const;
const chains = 4;
const draws = 500;

const indexOf = patternIndex(network);
const completeOrder = ["0,0,0", "0,0,1", "0,1,0", "1,0,0", "1,0,1", "1,1,0"];

function countsOf(entries: Record<string, number>): Float64Array {
  const counts = new Float64Array(network.patterns.length);
  for (const [levels, n] of Object.entries(entries)) counts[indexOf(levels.split(",").map(Number))] = n;
  return counts;
}

function run(of: CompiledNetwork, counts: ArrayLike<number>, options: Partial<SamplerOptions>): Sampler {
  const sampler = openSampler(of, { chains, warmup: 300, draws, seed: 31, ...options }, true);
  sampler.sample(counts, 1);
  return sampler;
}

const outcomes = (sampler: Sampler): number[] =>
  Array.from({ length: sampler.chains * draws }, (_, i) => sampler.trace![TRACE_FIELDS * i + TRACE_OUTCOME]);

/** Standard deviations of the logits by the Laplace approximation. */
function laplaceDeviations(counts: ArrayLike<number>): number[] {
  const probe = openProbe();
  const scratch = new Scratch(probe);
  const [workspace, mode, factor, root] = [1024, 5, 25, 16].map((count) => scratch.floats(count));
  loadNetwork(probe, network, counts);
  probe.laplace(workspace.at, mode.at, factor.at);
  probe.laplaceRoot(root.at);
  // W is an upper triangle, row by row; a variance is the sum of squares of a row.
  return [0, 5, 9, 12, 14].map((start, row) => Math.hypot(...root.array.subarray(start, start + 5 - row)));
}

/** Single probabilities of every draw are strictly between 0 and 1. */
function expectInside(sampler: Sampler, of: CompiledNetwork): void {
  for (const [name, values] of drawsByName(sampler, of)) {
    expect(
      values.every((p) => p > 0 && p < 1),
      name,
    ).toBe(true);
  }
}

describe.each(samplers)("%s", (sampler) => {
  const few: [string, Record<string, number>][] = [
    ["no records", {}],
    ...completeOrder.map((levels): [string, Record<string, number>] => [
      `2^53 - 1 of (R,A,T) = ${levels}`,
      { [levels]: largest },
    ]),
    ["2^53 - 1 of which nothing is known", { "-1,-1,-1": largest }],
    ["2^53 - 1 of one kind and one of another", { "1,0,1": largest, "0,0,1": 1 }],
    ["2^50 of every complete kind", Object.fromEntries(completeOrder.map((levels) => [levels, 2 ** 50]))],
    ["2^49 of every kind at all", Object.fromEntries(network.patterns.map((p) => [p.levels.join(), 2 ** 49]))],
    ["2^38 in all, where the density changes its form", { "0,0,0": 2 ** 37, "1,0,1": 2 ** 37 }],
    ["2^38 + 1 in all", { "0,0,0": 2 ** 37, "1,0,1": 2 ** 37 + 1 }],
  ];

  it.each(few)(
    "with %s draws finite probabilities strictly inside (0, 1), in transitions that end as usual",
    (_, entries) => {
      const result = run(network, countsOf(entries), { sampler });
      expectInside(result, network);
      const usual = outcomes(result).filter((outcome) => outcome === OUTCOME_COMPLETE).length;
      expect(usual / (result.chains * draws)).toBeGreaterThan(0.98);
    },
  );

  it.each<[string, Record<string, number>]>([
    ["A = 0 and T = 1 are known", { "-1,0,1": largest }],
    ["A = 1 is known", { "-1,1,-1": largest }],
    ["R = 1 and T = 0 are known", { "1,-1,0": largest }],
  ])(
    "with 2^53 - 1 of which only %s, a ridge 1e-16 wide, draws finite probabilities strictly inside (0, 1)",
    (_, entries) => {
      expectInside(run(network, countsOf(entries), { sampler }), network);
    },
  );

  it("of the judge with no records and with 2^53 - 1 draws finite probabilities strictly inside (0, 1)", () => {
    const judge = compileNetwork(ratJudge());
    for (const m of [-1, 0, 50, 161]) {
      const counts = new Float64Array(judge.patterns.length);
      if (m >= 0) counts[m] = largest;
      expectInside(run(judge, counts, { sampler, warmup: 150, draws: 100 }), judge);
    }
  });

  // 4 counts x 5 rows x (mean, sd); one false alarm in 10,000 seeds for both samplers.
  const limit = zLimit(2 * 4 * 5 * 2);

  it.each([1e9, 1e12, 1e15, 1.5e15])(
    `with %d records of every complete kind has the mean and spread of its Beta posterior, within ${limit.toFixed(2)} standard errors`,
    (n) => {
      const counts = countsOf(Object.fromEntries(completeOrder.map((levels) => [levels, n])));
      const { success, failure } = fold(network, counts);
      const result = run(network, counts, { sampler, draws: 2000 });
      for (let k = 0; k < 5; k++) {
        const [s, f] = [success[k], failure[k]];
        const mean = s / (s + f);
        const sd = Math.sqrt((mean * (1 - mean)) / (s + f + 1));
        // In posterior standard deviations, so that rounding of the variance of numbers near their mean doesn't matter.
        const z = result.drawsOf(k).map((p) => (p - mean) / sd);
        expect(Math.abs(meanZ(z, chains, 0))).toBeLessThan(limit);
        expect(
          Math.abs(
            meanZ(
              z.map((x) => x ** 2),
              chains,
              1,
            ),
          ),
        ).toBeLessThan(limit);
      }
    },
  );

  it(`with 10^15 ambiguous and 10^15 complete records has the mean and spread of a normal, within ${zLimit(20).toFixed(2)} standard errors`, () => {
    // The ambiguous records are in the proportions of the complete ones, so that the mode is known; minus the Hessian is
    // the Laplace approximation's, checked against differences in laplace.test.ts. One false alarm in 10,000 seeds for 20.
    const n = 1e15;
    const shares = [0.2, 0.2, 0.1, 0.1, 0.3, 0.1];
    const counts = countsOf({
      ...Object.fromEntries(completeOrder.map((levels, c) => [levels, n * shares[c]])),
      "-1,0,0": n * (shares[0] + shares[3]),
      "-1,0,1": n * (shares[1] + shares[4]),
      "-1,1,-1": n * (shares[2] + shares[5]),
    });
    const result = run(network, counts, { sampler, draws: 2000 });
    const deviations = laplaceDeviations(counts);
    for (const [k, theta] of [0.5, 0.2, 0.2, 0.5, 0.75].entries()) {
      const z = result.drawsOf(k).map((p) => (Math.log(p / (1 - p)) - Math.log(theta / (1 - theta))) / deviations[k]);
      expect(Math.abs(meanZ(z, chains, 0))).toBeLessThan(zLimit(20));
      expect(
        Math.abs(
          meanZ(
            z.map((x) => x ** 2),
            chains,
            1,
          ),
        ),
      ).toBeLessThan(zLimit(20));
    }
  });

  it.each([
    ["NaN", Number.NaN],
    ["infinite", Infinity],
    ["negative", -1e6],
  ])("with %s counts reports every transition as non-finite or divergent, in trace and result", (_, n) => {
    const result = run(network, new Float64Array(network.patterns.length).fill(n), { sampler });
    expect(outcomes(result).every((outcome) => outcome >= 2)).toBe(true);
    for (let chain = 0; chain < result.chains; chain++) {
      expect(result.chainResults[CHAIN_FIELDS * chain + CHAIN_DIVERGENCES]).toBe(draws);
    }
    if (Number.isNaN(n)) expect(outcomes(result).every((outcome) => outcome === OUTCOME_NON_FINITE)).toBe(true);
  });

  it.each([
    [1e-3, 1e-3],
    [0.01, 100],
    [1e6, 1e6],
    [1e6, 1e-3],
  ])("with priors Beta(%d, %d) draws finite probabilities strictly inside (0, 1)", (failure, success) => {
    const priors = Object.fromEntries(network.rowNames.map((row) => [row, [failure, success]]));
    const extreme = compileNetwork(rat, { priors });
    expectInside(run(extreme, countsOf({}), { sampler }), extreme);
    expectInside(run(extreme, countsOf({ "1,0,1": 3, "-1,0,0": 2 }), { sampler }), extreme);
  });

  it("with no warmup, one draw or one chain runs all the same", () => {
    for (const options of [{ warmup: 0 }, { warmup: 1 }, { draws: 1 }, { chains: 1 }]) {
      expectInside(run(network, countsOf({ "0,0,0": 3, "-1,0,1": 4 }), { sampler, ...options }), network);
    }
  });
});
