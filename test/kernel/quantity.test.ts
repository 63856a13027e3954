import { describe, expect, it } from "vitest";
import { nodeProbabilities, rowEntries } from "../../src/network/density.js";
import { type CompiledNetwork, compileNetwork, rat, ratJudge } from "../../src/network/index.js";
import { evaluateQuantity, greatestProbability, leastProbability } from "../../src/network/quantity.js";
import { relativeError, worstError } from "../support/accuracy.js";
import { loadNetwork, openProbe, Scratch } from "../support/kernel.js";
import { examples } from "../support/networks.js";
import { Inputs } from "../support/random.js";
import { tied } from "../support/tied.js";

const probe = openProbe();
const scratch = new Scratch(probe);
const [x, out, pairX, pairGradient, pairOut] = [64, 64, 128, 128, 128].map((count) => scratch.floats(count));

function host(network: CompiledNetwork, logits: ArrayLike<number>): number[] {
  const entries = rowEntries(logits);
  const values = [...nodeProbabilities(network, entries), ...entries];
  return network.quantities.map((quantity) => evaluateQuantity(quantity, values));
}

function kernel(network: CompiledNetwork, logits: ArrayLike<number>): number[] {
  x.array.set(logits);
  probe.quantitiesAt(x.at, out.at);
  return [...out.array.subarray(0, network.quantities.length)];
}

function kernelPair(network: CompiledNetwork, first: ArrayLike<number>, second: ArrayLike<number>): number[][] {
  for (let k = 0; k < first.length; k++) pairX.array.set([first[k], second[k]], 2 * k);
  probe.quantityPairsAt(pairX.at, pairGradient.at, pairOut.at);
  return [0, 1].map((lane) => network.quantities.map((_, q) => pairOut.array[2 * q + lane]));
}

/** Quantities of every kind of step, where P(G=1) has soft weights too. */
const arithmetic = compileNetwork({
  ...rat,
  policy: { name: "G", terms: [{ when: { R: "1" }, weight: 0.25 }] },
  quantities: [
    "2",
    "P(R=1) / P(A=1)",
    "P(A=1 | R=0) - P(A=1 | R=1)",
    "1 - 2 * P(T=1) + P(R=1) / 4",
    "(P(T=1) + P(A=1)) * (P(T=1) - P(A=1)) / (P(R=1) * P(R=1))",
    "P(G=1 | T=1)",
    "P(A=1, T=1)",
    "P(R=1 | T=0)",
    "-P(T=1 | A=0) / (1 - P(R=1 | A=1) / (2 - P(G=1)))",
  ].map((expression) => ({ name: expression, expression })),
});

const networks = [...examples.map((definition) => compileNetwork(definition)), tied, arithmetic];

describe("the kernel's quantities", () => {
  it.each(networks)(
    "of $name equal the host's to 4e-13, one chain and two, with ambiguous records and without",
    (network) => {
      const inputs = new Inputs(61);
      for (const count of [0, 5]) {
        loadNetwork(probe, network, new Float64Array(network.patterns.length).fill(count));
        for (let repeat = 0; repeat < 10; repeat++) {
          const [a, b] = [0, 1].map(() => inputs.array(network.rowNames.length, () => inputs.uniform(-6, 6)));
          expect(worstError(kernel(network, a), host(network, a))).toBeLessThan(4e-13);
          const [low, high] = kernelPair(network, a, b);
          expect(worstError(low, host(network, a))).toBeLessThan(4e-13);
          expect(worstError(high, host(network, b))).toBeLessThan(4e-13);
        }
      }
    },
  );

  it("keep single probabilities inside (0, 1), at the same ends as on the host", () => {
    const quantities = [...rat.quantities, { name: "product", expression: "P(R=1, A=0, T=1)" }];
    const network = compileNetwork(rat, { quantities });
    loadNetwork(probe, network, new Float64Array(network.patterns.length));
    for (const far of [
      [40, 40, 40, 40, 40],
      [800, 800, 800, 800, 800],
      [-800, -800, -800, -800, -800],
    ]) {
      const expected = host(network, far);
      const [low, high] = kernelPair(network, far, far);
      for (const values of [kernel(network, far), low, high]) {
        values.forEach((value, q) => {
          expect(value > 0 && value < 1, network.quantities[q].name).toBe(true);
          if (expected[q] === leastProbability || expected[q] === greatestProbability) {
            expect(Math.max(value, 1e-300)).toBe(Math.max(expected[q], 1e-300));
          } else {
            expect(relativeError(value, expected[q])).toBeLessThan(4e-13);
          }
        });
      }
    }
  });

  it("are NaN where they would be 0 / 0, one chain and two, and don't pass for a probability", () => {
    const quantities = [{ name: "q", expression: "P(T_J=1 | R=1, T=1)" }];
    const network = compileNetwork(ratJudge(), { quantities });
    loadNetwork(probe, network, new Float64Array(network.patterns.length));
    // P(R=1, T=1) is e^-800, which is 0 in doubles.
    const far = new Float64Array(23).fill(-400);
    const [low, high] = kernelPair(network, far, new Float64Array(23));
    expect([kernel(network, far)[0], low[0], host(network, far)[0]]).toEqual([NaN, NaN, NaN]);
    expect(relativeError(high[0], 0.5)).toBeLessThan(1e-15);
  });
});
