import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logDensity, softplus } from "../../src/network/density.js";
import { type CompiledNetwork, compileNetwork, fold, isAmbiguous } from "../../src/network/index.js";
import { relativeError, worstError } from "../support/accuracy.js";
import { anyPosterior } from "../support/arbitrary.js";
import { assignments, logPosterior, type Observed, observationProbability, parametersAt } from "../support/model.js";
import { examples, sharedRow } from "../support/networks.js";
import { Inputs } from "../support/random.js";
import { logPosteriorOfTied, tied } from "../support/tied.js";

const recordsOf = (network: CompiledNetwork, counts: ArrayLike<number>): Observed[] =>
  network.patterns.map(({ levels }, m) => ({ levels, times: counts[m] }));

/** Counts of all patterns: some 0, some of a few records, some of many. */
function someCounts(network: CompiledNetwork, inputs: Inputs): Float64Array {
  return inputs.array(network.patterns.length, () => [0, inputs.below(10), inputs.below(10_000)][inputs.below(3)]);
}

describe("folding", () => {
  it.each(examples)(
    "$name: fixed and ambiguous counts give the log-likelihood of the records one by one, to 1e-12",
    (definition) => {
      const network = compileNetwork(definition);
      const inputs = new Inputs(3);
      for (let repeat = 0; repeat < 10; repeat++) {
        const counts = someCounts(network, inputs);
        const logits = inputs.array(network.rowNames.length, () => inputs.uniform(-4, 4));
        const cells = assignments(definition, parametersAt(definition, logits));
        let expected = 0;
        for (const { levels, times } of recordsOf(network, counts)) {
          expected += times * Math.log(observationProbability(cells, levels));
        }
        const folded = fold(network, counts);
        let actual = 0;
        logits.forEach((x, k) => {
          actual -= (folded.success[k] - network.priorSuccess[k]) * softplus(-x);
          actual -= (folded.failure[k] - network.priorFailure[k]) * softplus(x);
        });
        folded.patterns.forEach((m, i) => {
          actual += folded.counts[i] * Math.log(observationProbability(cells, network.patterns[m].levels));
        });
        expect(Math.abs(actual - expected)).toBeLessThan(1e-12 * (1 + Math.abs(expected)));
        expect(folded.patterns.every((m) => isAmbiguous(network.patterns[m]) && counts[m] > 0)).toBe(true);
      }
    },
  );

  it.each(examples)("$name: records that show nothing change nothing", (definition) => {
    const network = compileNetwork(definition);
    const counts = someCounts(network, new Inputs(4));
    const everything = network.patterns.findIndex(({ cells }) => cells.length === network.cells.length);
    const without = Float64Array.from(counts).fill(0, everything, everything + 1);
    const many = Float64Array.from(counts).fill(2 ** 53 - 1, everything, everything + 1);
    expect(fold(network, many)).toEqual(fold(network, without));
  });

  it("adds up whole numbers of records exactly, to 2^53", () => {
    const network = compileNetwork(sharedRow);
    const counts = new Float64Array(network.patterns.length);
    const first = network.patterns.findIndex(({ levels }) => levels.join() === "0,1,-1");
    const second = network.patterns.findIndex(({ levels }) => levels.join() === "2,1,-1");
    counts[first] = 2 ** 52 - 2;
    counts[second] = 2 ** 52;
    // Row y-outer, prior Beta(3, 2) on its second level, is shared by X = 0 and X = 2.
    expect(fold(network, counts).success[network.rowNames.indexOf("y-outer")]).toBe(2 ** 53 + 1 - 1 + 1);
  });
});

describe("the oracle's log density", () => {
  it.each(examples)(
    "of $name differs between two points as the definition says, to 1e-11 of its size",
    (definition) => {
      const network = compileNetwork(definition);
      const inputs = new Inputs(5);
      for (let repeat = 0; repeat < 10; repeat++) {
        const counts = someCounts(network, inputs);
        const records = recordsOf(network, counts);
        const [a, b] = [0, 1].map(() => inputs.array(network.rowNames.length, () => inputs.uniform(-4, 4)));
        const folded = fold(network, counts);
        const actual = logDensity(network, folded, a).value - logDensity(network, folded, b).value;
        const expected = logPosterior(definition, records, a) - logPosterior(definition, records, b);
        const size = Math.abs(logPosterior(definition, records, a)) + Math.abs(logPosterior(definition, records, b));
        expect(Math.abs(actual - expected)).toBeLessThan(1e-11 * size);
      }
    },
  );

  it("of any network differs between two points as the definition says, to 1e-11 of its size", () => {
    fc.assert(
      fc.property(anyPosterior, ({ definition, logits, picks }) => {
        const network = compileNetwork(definition);
        const records = picks.map(({ cell, mask, times }) => ({
          levels: network.cells[cell % network.cells.length].levels.map((l, v) => ((mask >> v) & 1 ? -1 : l)),
          times,
        }));
        const counts = new Float64Array(network.patterns.length);
        for (const { levels, times } of records) counts[patternOf(network, levels)] += times;
        const folded = fold(network, counts);
        const x = logits.slice(0, network.rowNames.length);
        const y = logits.slice(30, 30 + x.length);
        const actual = logDensity(network, folded, x).value - logDensity(network, folded, y).value;
        const [there, here] = [logPosterior(definition, records, x), logPosterior(definition, records, y)];
        expect(Math.abs(actual - (there - here))).toBeLessThan(1e-11 * (1 + Math.abs(there) + Math.abs(here)));
      }),
    );
  });

  it("counts a row that a path passes twice twice", () => {
    const inputs = new Inputs(6);
    for (let repeat = 0; repeat < 20; repeat++) {
      const counts = someCounts(tied, inputs);
      const [a, b] = [inputs.uniform(-3, 3), inputs.uniform(-3, 3)];
      const folded = fold(tied, counts);
      const actual = logDensity(tied, folded, [a]).value - logDensity(tied, folded, [b]).value;
      const expected = logPosteriorOfTied(counts, a) - logPosteriorOfTied(counts, b);
      expect(relativeError(actual, expected)).toBeLessThan(1e-10);
    }
  });

  it.each([40, 400, 4000])("is exact for single rows at logits of +-%d, and the gradient is finite", (size) => {
    const network = compileNetwork(sharedRow);
    const folded = fold(network, new Float64Array(network.patterns.length));
    const logits = network.rowNames.map((_, k) => (k % 2 === 0 ? size : -size));
    const { value, gradient } = logDensity(network, folded, logits);
    // Far out, only the less likely entry counts: its prior weight times the logit.
    const expected = -logits.reduce((sum, x, k) => sum + (x > 0 ? folded.failure[k] : folded.success[k]) * size, 0);
    expect(relativeError(value, expected)).toBeLessThan(1e-15);
    expect(
      worstError(
        gradient,
        logits.map((x, k) => (x > 0 ? -folded.failure[k] : folded.success[k])),
      ),
    ).toBeLessThan(1e-15);
  });
});

function patternOf(network: CompiledNetwork, levels: readonly number[]): number {
  const cells = network.cells.flatMap((cell, c) =>
    cell.levels.every((l, v) => levels[v] < 0 || levels[v] === l) ? [c] : [],
  );
  return network.patterns.findIndex((pattern) => pattern.cells.join() === cells.join());
}

describe("the oracle's gradient", () => {
  // Central differences with step h: truncation h^2 f''' / 6 and rounding 1e-16 |f| / h, both below 1e-6 of the size here.
  const step = 1e-5;

  function expectSlopes(network: CompiledNetwork, counts: Float64Array, logits: Float64Array): void {
    const folded = fold(network, counts);
    const { gradient } = logDensity(network, folded, logits);
    const records = counts.reduce((a, b) => a + b, 0);
    logits.forEach((x, k) => {
      const [up, down] = [step, -step].map((h) => {
        const moved = Float64Array.from(logits);
        moved[k] = x + h;
        return logDensity(network, folded, moved).value;
      });
      const size = 1 + records + folded.success[k] + folded.failure[k];
      expect(Math.abs((up - down) / (2 * step) - gradient[k])).toBeLessThan(1e-8 * size);
    });
  }

  it.each([...examples.map((definition) => compileNetwork(definition)), tied])(
    "of $name is the slope of its log density, to 1e-8 a record",
    (network) => {
      const inputs = new Inputs(7);
      for (let repeat = 0; repeat < 5; repeat++) {
        expectSlopes(
          network,
          someCounts(network, inputs),
          inputs.array(network.rowNames.length, () => inputs.uniform(-4, 4)),
        );
      }
    },
  );
});
