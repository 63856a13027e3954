import { describe, expect, it } from "vitest";
import * as layout from "../../src/generated/layout.js";
import { logDensity } from "../../src/network/density.js";
import { compileNetwork, fold, rat } from "../../src/network/index.js";
import { relativeError } from "../support/accuracy.js";
import { openSampler } from "../support/kernel.js";
import { Inputs } from "../support/random.js";

const network = compileNetwork(rat);
const draws = 200;
const chains = 4;

const countSets: [string, Float64Array][] = [
  ["no records", new Float64Array(18)],
  ["records of all patterns", new Inputs(161).array(18, (m) => 3 * m)],
  [
    "many ambiguous records, few others",
    Float64Array.from(network.patterns, ({ nodes }) => (nodes.length > 1 ? 5000 : 1)),
  ],
];

const runs = countSets.flatMap(([name, counts]) =>
  (["nuts", "hmc"] as const).map((sampler) => ({ sampler, name, counts })),
);

describe.each(runs)("the trace of $sampler with $name", ({ sampler: name, counts }) => {
  const sampler = openSampler(network, { sampler: name, chains, warmup: 200, draws, seed: 23 }, true);
  sampler.sample(counts, 1);
  const trace = sampler.trace!;
  const field = (chain: number, index: number): number[] =>
    Array.from({ length: draws }, (_, draw) => trace[layout.TRACE_FIELDS * (chain * draws + draw) + index]);
  const result = (chain: number, index: number): number => sampler.chainResults[layout.CHAIN_FIELDS * chain + index];
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const everyChain = Array.from({ length: chains }, (_, chain) => chain);

  it("adds up to the chains' results: leapfrogs, divergences, depth limits, acceptance, step size", () => {
    for (const chain of everyChain) {
      const outcomes = field(chain, layout.TRACE_OUTCOME);
      const failed = outcomes.filter((o) => o === layout.OUTCOME_DIVERGENT || o === layout.OUTCOME_NON_FINITE);
      const limited = outcomes.filter((o) => o === layout.OUTCOME_MAX_DEPTH);
      expect(result(chain, layout.CHAIN_LEAPFROGS)).toBe(sum(field(chain, layout.TRACE_LEAPFROGS)));
      expect(result(chain, layout.CHAIN_DIVERGENCES)).toBe(failed.length);
      expect(result(chain, layout.CHAIN_MAX_DEPTH)).toBe(limited.length);
      const acceptance = sum(field(chain, layout.TRACE_ACCEPTANCE)) / draws;
      expect(relativeError(result(chain, layout.CHAIN_ACCEPTANCE), acceptance)).toBeLessThan(1e-13);
      expect(new Set(field(chain, layout.TRACE_STEP_SIZE))).toEqual(new Set([result(chain, layout.CHAIN_STEP_SIZE)]));
    }
  });

  it("has acceptances in [0, 1], finite energies no lower than minus the log density of the mode, and known outcomes", () => {
    for (const chain of everyChain) {
      for (const acceptance of field(chain, layout.TRACE_ACCEPTANCE)) {
        expect(acceptance).toBeGreaterThanOrEqual(0);
        expect(acceptance).toBeLessThanOrEqual(1);
      }
      const highest = Math.max(...everyChain.flatMap((c) => field(c, layout.TRACE_LOG_DENSITY)));
      for (const energy of field(chain, layout.TRACE_ENERGY)) {
        expect(Number.isFinite(energy)).toBe(true);
        // The mode may be a little above the highest of the draws: each of five dimensions gives chi-square on average 1.
        expect(energy).toBeGreaterThan(-highest - 5);
      }
      for (const o of field(chain, layout.TRACE_OUTCOME)) expect([0, 1, 2, 3]).toContain(o);
    }
  });

  it("has depths and numbers of leapfrogs that fit each other", () => {
    for (const chain of everyChain) {
      const depths = field(chain, layout.TRACE_DEPTH);
      for (const [draw, leapfrogs] of field(chain, layout.TRACE_LEAPFROGS).entries()) {
        expect(Number.isInteger(leapfrogs)).toBe(true);
        expect(leapfrogs).toBeGreaterThanOrEqual(1);
        if (name === "hmc") {
          expect(depths[draw]).toBe(0);
        } else {
          expect(leapfrogs).toBeGreaterThanOrEqual(2 ** depths[draw] - 1);
          expect(leapfrogs).toBeLessThan(2 ** (depths[draw] + 1));
        }
      }
    }
  });

  it("has the log density of each draw, by the oracle at the drawn probabilities, to 1e-10 of its size", () => {
    const folded = fold(network, counts);
    for (const chain of everyChain) {
      const reported = field(chain, layout.TRACE_LOG_DENSITY);
      for (let draw = 0; draw < draws; draw++) {
        const logits = [0, 1, 2, 3, 4].map((k) => {
          const p = sampler.drawsOf(k)[chain * draws + draw];
          return Math.log(p) - Math.log1p(-p);
        });
        expect(relativeError(reported[draw], logDensity(network, folded, logits).value)).toBeLessThan(1e-10);
      }
    }
  });
});
