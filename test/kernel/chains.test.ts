import { describe, expect, it } from "vitest";
import type { SamplerOptions } from "../../src/engines/engine.js";
import type { Sampler } from "../../src/engines/wasm/sampler.js";
import { CHAIN_FIELDS } from "../../src/generated/layout.js";
import { compileNetwork, rat, ratJudge } from "../../src/network/index.js";
import { sameBits } from "../support/accuracy.js";
import { openSampler } from "../support/kernel.js";
import { Inputs } from "../support/random.js";

const cases = (["nuts", "hmc"] as const).flatMap((sampler) =>
  [rat, ratJudge()].map((definition) => {
    const network = compileNetwork(definition);
    const counts = new Inputs(151).array(network.patterns.length, (m) => (m * 7) % 13);
    return { sampler, name: definition.name, network, counts };
  }),
);

/** Everything that a call leaves, copied. */
function outcome(sampler: Sampler): Float64Array {
  const draws = Array.from({ length: sampler.quantities }, (_, q) => [...sampler.drawsOf(q)]);
  return Float64Array.from([...draws.flat(), ...sampler.chainResults, ...(sampler.trace ?? [])]);
}

/** One chain's draws of the first quantity. */
const chainOf = (sampler: Sampler, chain: number, length: number): Float64Array =>
  Float64Array.from(sampler.drawsOf(0).subarray(chain * length, (chain + 1) * length));

describe.each(cases)("$sampler on $name", ({ sampler: name, network, counts }) => {
  const open = (options: Partial<SamplerOptions> = {}, trace = false): Sampler =>
    openSampler(network, { sampler: name, chains: 4, warmup: 60, draws: 50, seed: 17, ...options }, trace);

  it("gives the same bits for the same seed, in a fresh instance and in the same one", () => {
    const [first, second] = [open({}, true), open({}, true)];
    first.sample(counts, 3);
    second.sample(counts, 3);
    const expected = outcome(first);
    expect(sameBits(outcome(second), expected)).toBe(true);
    first.sample(counts, 3);
    expect(sameBits(outcome(first), expected)).toBe(true);
  });

  it("gives the same bits whatever was sampled before: other counts, none, very many, and counts that fail", () => {
    const sampler = open({}, true);
    sampler.sample(counts, 3);
    const expected = outcome(sampler);
    for (const before of [0, 1, 1e6, 2 ** 50, NaN]) {
      sampler.sample(new Float64Array(network.patterns.length).fill(before), 4);
      sampler.summarise();
      sampler.sample(counts, 3);
      expect(sameBits(outcome(sampler), expected)).toBe(true);
    }
  });

  it("gives other draws for another seed, another refit and another chain: none in common", () => {
    const seen = new Set<number>();
    let total = 0;
    for (const [seed, id, firstChain] of [
      [17, 3, 0],
      [18, 3, 0],
      [17, 4, 0],
      [17, 3, 4],
      [17 + 2 ** 32, 3, 0],
      [17, 3 + 2 ** 32, 0],
    ]) {
      const sampler = open({ seed });
      sampler.sample(counts, id, firstChain);
      for (let chain = 0; chain < 4; chain++) {
        // hmc repeats a draw where a trajectory is rejected: each value counts once a chain.
        const values = new Set(chainOf(sampler, chain, 50));
        expect(values.size).toBeGreaterThan(10);
        total += values.size;
        for (const value of values) seen.add(value);
      }
    }
    expect(seen.size).toBe(total);
  });

  it(`runs each ${name === "hmc" ? "pair of chains" : "chain"} by itself: alone it has the same draws as among others`, () => {
    const size = name === "hmc" ? 2 : 1;
    const all = open({ chains: 6 });
    all.sample(counts, 3);
    const alone = open({ chains: size });
    for (let first = 0; first < 6; first += size) {
      alone.sample(counts, 3, first);
      for (let lane = 0; lane < size; lane++) {
        expect(sameBits(chainOf(alone, lane, 50), chainOf(all, first + lane, 50))).toBe(true);
        const results = (sampler: Sampler, chain: number) =>
          Float64Array.from(sampler.chainResults.subarray(CHAIN_FIELDS * chain, CHAIN_FIELDS * (chain + 1)));
        expect(sameBits(results(alone, lane), results(all, first + lane))).toBe(true);
      }
    }
  });

  it("has the same draws with a trace as without", () => {
    const [with_, without] = [open({}, true), open({}, false)];
    with_.sample(counts, 3);
    without.sample(counts, 3);
    for (let q = 0; q < network.quantities.length; q++) {
      expect(sameBits(Float64Array.from(with_.drawsOf(q)), Float64Array.from(without.drawsOf(q)))).toBe(true);
    }
    expect(without.trace).toBeNull();
  });

  it("begins longer runs as it does shorter ones", () => {
    const [short, long] = [open({ draws: 20 }), open({ draws: 50 })];
    short.sample(counts, 3);
    long.sample(counts, 3);
    for (let chain = 0; chain < 4; chain++) {
      expect(sameBits(chainOf(short, chain, 20), chainOf(long, chain, 50).slice(0, 20))).toBe(true);
    }
  });

  it("doesn't depend on the quantities that are asked for", () => {
    const one = { ...network, quantities: network.quantities.slice(-1) };
    const few = openSampler(one, { sampler: name, chains: 4, warmup: 60, draws: 50, seed: 17 });
    const all = open();
    few.sample(counts, 3);
    all.sample(counts, 3);
    const last = network.quantities.length - 1;
    expect(sameBits(Float64Array.from(few.drawsOf(0)), Float64Array.from(all.drawsOf(last)))).toBe(true);
  });
});

describe("hmc", () => {
  it("rounds an odd number of chains up to a pair, and its two lanes differ", () => {
    const { network, counts } = cases[2];
    const sampler = openSampler(network, { sampler: "hmc", chains: 3, warmup: 60, draws: 50 });
    expect(sampler.chains).toBe(4);
    sampler.sample(counts, 0);
    const chains = [0, 1, 2, 3].map((chain) => chainOf(sampler, chain, 50));
    for (const [i, a] of chains.entries()) {
      for (const b of chains.slice(i + 1)) expect(a.some((value) => b.includes(value))).toBe(false);
    }
  });
});
