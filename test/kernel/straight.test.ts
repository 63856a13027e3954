import { describe, expect, it } from "vitest";
import { nodeProbabilities, rowEntries } from "../../src/network/density.js";
import { compileNetwork, rat } from "../../src/network/index.js";
import { worstError } from "../support/accuracy.js";
import { loadNetwork, openProbe, openSampler, Scratch } from "../support/kernel.js";
import { Inputs } from "../support/random.js";

const probe = openProbe();
const scratch = new Scratch(probe);
const [x, g, other, pair, pairG, pairOther, value, valueOther, values] = [8, 8, 8, 16, 16, 16, 2, 2, 32].map((count) =>
  scratch.floats(count),
);
const network = compileNetwork(rat);

const kinds: [string, (inputs: Inputs) => number, number][] = [
  ["usual records", (i) => i.below(100), 4],
  ["no records", () => 0, 4],
  ["complete records only", (i) => i.below(100), 4],
  ["some patterns empty, logits to +-30", (i) => i.below(2) * i.below(1000), 30],
  ["10^9 records a pattern", () => 1e9, 4],
];

describe("the base network's straight-line density", () => {
  it.each(kinds)("equals the table's to 1e-13 of its size, one chain and two: %s", (name, count, width) => {
    const inputs = new Inputs(191);
    for (let repeat = 0; repeat < 50; repeat++) {
      const complete = name === "complete records only";
      const counts = inputs.array(18, (m) => {
        const { levels } = network.patterns[m];
        return complete && levels.some((level) => level < 0) ? 0 : count(inputs);
      });
      loadNetwork(probe, network, counts);
      const size = 1 + counts.reduce((a, b) => a + b, 0);
      const [a, b] = [0, 1].map(() => inputs.array(5, () => inputs.uniform(-width, width)));
      x.array.set(a);
      const straight = probe.straightDensity(x.at, g.at);
      const table = probe.density(x.at, other.at);
      expect(Math.abs(straight - table)).toBeLessThan(1e-13 * (1 + Math.abs(table)));
      expectClose(g.array.subarray(0, 5), other.array.subarray(0, 5), 1e-13 * size);

      for (let k = 0; k < 5; k++) pair.array.set([a[k], b[k]], 2 * k);
      probe.straightDensityPair(pair.at, pairG.at, value.at);
      probe.densityPair(pair.at, pairOther.at, valueOther.at);
      expect(worstError(value.array, valueOther.array)).toBeLessThan(1e-13);
      expectClose(pairG.array.subarray(0, 10), pairOther.array.subarray(0, 10), 1e-13 * size);
    }
  });

  it.each([0, 7])("leaves the values that quantities are made of, to 4e-13, with %d records a pattern", (count) => {
    loadNetwork(probe, network, new Float64Array(18).fill(count));
    const logits = [0.3, -2, 1.5, 0, -0.7];
    x.array.set(logits);
    const size = probe.straightValues(x.at, g.at, values.at);
    const entries = rowEntries(logits);
    const expected = [...nodeProbabilities(network, entries), ...entries];
    expect(size).toBe(expected.length);
    expect(worstError(values.array.subarray(0, size), expected)).toBeLessThan(4e-13);
  });

  it("is what nuts and hmc use for the base network, with the draws that the table gives, to 1e-6 over 20 draws", () => {
    // Rounding differs, and chaos doubles the difference with every few leapfrogs: short runs stay together.
    const counts = new Inputs(192).array(18, (m) => 5 * m);
    for (const sampler of ["nuts", "hmc"] as const) {
      const straight = openSampler(network, { sampler, chains: 2, warmup: 0, draws: 20 });
      const table = openSampler(network, { sampler, chains: 2, warmup: 0, draws: 20 }, false, false);
      straight.sample(counts, 1);
      table.sample(counts, 1);
      for (let q = 0; q < network.quantities.length; q++) {
        expect(worstError(straight.drawsOf(q), table.drawsOf(q))).toBeLessThan(1e-6);
      }
    }
  });
});

function expectClose(actual: Float64Array, expected: Float64Array, tolerance: number): void {
  for (const [k, slope] of actual.entries()) expect(Math.abs(slope - expected[k])).toBeLessThan(tolerance);
}
