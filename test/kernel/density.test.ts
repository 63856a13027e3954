import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logDensity, nodeProbabilities, rowEntries, softplus } from "../../src/network/density.js";
import { type CompiledNetwork, compileNetwork, fold, rat } from "../../src/network/index.js";
import { anyPosterior } from "../support/arbitrary.js";
import { loadNetwork, openProbe, Scratch } from "../support/kernel.js";
import { examples } from "../support/networks.js";
import { Inputs } from "../support/random.js";
import { tied } from "../support/tied.js";

/*
 * Kernel against oracle. Row entries have relative errors up to 2e-14 (special.ts), a node's probability as many times
 * that as there are rows above it, at most 9 here, and the same again for what is spread over the nodes: so each term of
 * value and gradient is good to 4e-13, and so are sums in units of the sum of the sizes of their terms.
 */
const tolerance = 4e-13;

const probe = openProbe();
const scratch = new Scratch(probe);
const [x, gradient, pairX, pairGradient, pairValue] = [64, 64, 128, 128, 2].map((count) => scratch.floats(count));

interface Evaluation {
  value: number;
  gradient: number[];
}

/** Sums of the sizes of the terms of value and gradient. */
function sizes(network: CompiledNetwork, counts: ArrayLike<number>, logits: ArrayLike<number>): Evaluation {
  const { success, failure, patterns, counts: kept } = fold(network, counts);
  const entries = rowEntries(logits);
  const p = nodeProbabilities(network, entries);
  let value = 0;
  const slopes = Array.from(success, (s, k) => {
    value += s * softplus(-logits[k]) + failure[k] * softplus(logits[k]);
    return s * entries[2 * k] + failure[k] * entries[2 * k + 1];
  });
  const expected = new Float64Array(network.nodeCount);
  patterns.forEach((m, i) => {
    const { nodes } = network.patterns[m];
    const total = nodes.reduce((sum, node) => sum + p[node], 0);
    value += kept[i] * Math.abs(Math.log(total));
    for (const node of nodes) expected[node] += (kept[i] * p[node]) / total;
  });
  for (let f = network.familyRow.length - 1; f >= 0; f--) {
    const row = network.familyRow[f];
    const [e0, e1] = [expected[2 * f + 1], expected[2 * f + 2]];
    expected[network.familyParent[f]] += e0 + e1;
    slopes[row] += e1 * entries[2 * row] + e0 * entries[2 * row + 1];
  }
  return { value, gradient: slopes };
}

function oneChain(logits: ArrayLike<number>): Evaluation {
  x.array.set(logits);
  const value = probe.density(x.at, gradient.at);
  return { value, gradient: [...gradient.array.subarray(0, logits.length)] };
}

function twoChains(first: ArrayLike<number>, second: ArrayLike<number>): [Evaluation, Evaluation] {
  for (let k = 0; k < first.length; k++) pairX.array.set([first[k], second[k]], 2 * k);
  probe.densityPair(pairX.at, pairGradient.at, pairValue.at);
  const lane = (l: number): Evaluation => ({
    value: pairValue.array[l],
    gradient: Array.from(first, (_, k) => pairGradient.array[2 * k + l]),
  });
  return [lane(0), lane(1)];
}

function expectOracle(actual: Evaluation, network: CompiledNetwork, counts: Float64Array, logits: ArrayLike<number>) {
  const oracle = logDensity(network, fold(network, counts), logits);
  const size = sizes(network, counts, logits);
  expect(Math.abs(actual.value - oracle.value) / size.value).toBeLessThan(tolerance);
  actual.gradient.forEach((slope, k) => {
    expect(Math.abs(slope - oracle.gradient[k]) / size.gradient[k]).toBeLessThan(tolerance);
  });
}

const networks = [...examples.map((definition) => compileNetwork(definition)), tied];

const kinds: [string, (inputs: Inputs) => number, (inputs: Inputs) => number][] = [
  ["usual counts and logits", (i) => i.below(200), (i) => i.uniform(-4, 4)],
  ["no records", () => 0, (i) => i.uniform(-4, 4)],
  ["some patterns empty", (i) => i.below(2) * i.below(1000), (i) => i.uniform(-4, 4)],
  ["10^9 records a pattern", () => 1e9, (i) => i.uniform(-4, 4)],
  ["very uneven counts", (i) => Math.floor(10 ** i.uniform(0, 12)), (i) => i.uniform(-4, 4)],
  ["probabilities of 1e-12", (i) => i.below(200), (i) => (i.below(2) === 0 ? -1 : 1) * i.uniform(27, 29)],
  ["logits of +-40, beyond the table", (i) => i.below(200), (i) => (i.below(2) === 0 ? -40 : 40)],
  ["logits about the table's end", (i) => i.below(200), (i) => (i.below(2) === 0 ? -1 : 1) * i.uniform(23.9, 24.1)],
  ["logits at the table's centres", (i) => i.below(200), (i) => (i.below(161) - 80) / 16],
  ["logits of 0", (i) => i.below(200), () => 0],
];

describe.each(networks)("value and gradient of $name", (network) => {
  const K = network.rowNames.length;

  it.each(kinds)("equal the oracle's to 4e-13 of their terms, one chain and two: %s", (_, count, logit) => {
    const inputs = new Inputs(51);
    for (let repeat = 0; repeat < 5; repeat++) {
      const counts = inputs.array(network.patterns.length, () => count(inputs));
      const [first, second] = [0, 1].map(() => inputs.array(K, () => logit(inputs)));
      loadNetwork(probe, network, counts);
      expectOracle(oneChain(first), network, counts, first);
      const [low, high] = twoChains(first, second);
      expectOracle(low, network, counts, first);
      expectOracle(high, network, counts, second);
    }
  });

  it("of a lane don't depend on the other lane, to the last bit", () => {
    const inputs = new Inputs(52);
    loadNetwork(
      probe,
      network,
      inputs.array(network.patterns.length, () => inputs.below(100)),
    );
    const [a, b, c] = [0, 1, 2].map(() => inputs.array(K, () => inputs.uniform(-6, 6)));
    expect(twoChains(a, b)[0]).toEqual(twoChains(a, c)[0]);
    expect(twoChains(b, a)[1]).toEqual(twoChains(c, a)[1]);
    expect(twoChains(a, b)[1]).toEqual(twoChains(b, a)[0]);
  });

  it("agree with each other: the gradient is the value's slope, to 1e-7 of its terms", () => {
    // Central differences, step 1e-5: truncation and rounding (1e-14 / 1e-5) are both below 1e-8 of the terms.
    const inputs = new Inputs(53);
    const counts = inputs.array(network.patterns.length, () => inputs.below(50));
    const logits = inputs.array(K, () => inputs.uniform(-3, 3));
    loadNetwork(probe, network, counts);
    const at = oneChain(logits);
    const size = sizes(network, counts, logits);
    logits.forEach((logit, k) => {
      const [up, down] = [1e-5, -1e-5].map((h) => oneChain(logits.map((l, j) => (j === k ? logit + h : l))).value);
      expect(Math.abs((up - down) / 2e-5 - at.gradient[k]) / size.value).toBeLessThan(1e-7);
    });
  });
});

describe("value and gradient", () => {
  it("of any network equal the oracle's to 4e-13 of their terms", () => {
    fc.assert(
      fc.property(anyPosterior, fc.nat(), ({ definition, logits }, seed) => {
        const network = compileNetwork(definition);
        const K = network.rowNames.length;
        if (K === 0) return;
        const inputs = new Inputs(seed);
        const counts = inputs.array(network.patterns.length, () => inputs.below(2) * inputs.below(1000));
        loadNetwork(probe, network, counts);
        const [first, second] = [logits.slice(0, K), logits.slice(30, 30 + K)];
        expectOracle(oneChain(first), network, counts, first);
        expectOracle(twoChains(first, second)[1], network, counts, second);
      }),
    );
  });

  it.each([701, 750, 2000])(
    "of prior and fixed counts equal the oracle's at logits of +-%d, where two lanes clamp theta",
    (size) => {
      const network = compileNetwork(rat, { priors: { theta_R: [1e-3, 2e-3] } });
      const counts = new Float64Array(network.patterns.length);
      counts[network.patterns.findIndex(({ levels }) => levels.join() === "1,0,1")] = 7;
      loadNetwork(probe, network, counts);
      for (const signs of [
        [1, 1, 1, 1, 1],
        [-1, -1, -1, -1, -1],
        [1, -1, 1, -1, 1],
      ]) {
        const logits = signs.map((sign) => sign * size);
        for (const actual of [oneChain(logits), ...twoChains(logits, logits)]) {
          expectOracle(actual, network, counts, logits);
        }
      }
    },
  );

  it("of a pattern without any probability left are not finite, both", () => {
    const network = compileNetwork(rat);
    const counts = new Float64Array(network.patterns.length);
    // R not observed, A = 0, T = 1: impossible at theta_T- = theta_T+ = 0.
    counts[network.patterns.findIndex(({ levels }) => levels.join() === "-1,0,1")] = 3;
    loadNetwork(probe, network, counts);
    const { gradient: slopes } = oneChain([0, 0, 0, -800, -800]);
    expect(slopes.some((slope) => Number.isNaN(slope))).toBe(true);
  });

  it("are NaN where a logit is", () => {
    const network = compileNetwork(rat);
    loadNetwork(probe, network, new Float64Array(network.patterns.length).fill(1));
    const bad = [0, NaN, 0, 0, 0];
    expect(oneChain(bad).value).toBeNaN();
    const [low, high] = twoChains(bad, [0, 0, 0, 0, 0]);
    expect(low.value).toBeNaN();
    expect(high).toEqual(twoChains([0, 0, 0, 0, 0], [0, 0, 0, 0, 0])[1]);
  });
});
