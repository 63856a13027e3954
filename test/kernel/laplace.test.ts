import { describe, expect, it } from "vitest";
import { logDensity } from "../../src/network/density.js";
import {
  type CompiledNetwork,
  type CompiledPattern,
  compileNetwork,
  fold,
  isAmbiguous,
  type NetworkDefinition,
  rat,
} from "../../src/network/index.js";
import { worstError } from "../support/accuracy.js";
import { loadNetwork, openProbe, Scratch } from "../support/kernel.js";
import { examples } from "../support/networks.js";
import { Inputs } from "../support/random.js";
import { tied } from "../support/tied.js";

const probe = openProbe();
const scratch = new Scratch(probe);
const workspace = scratch.bytes(1 << 18);
const most = 32;
const [mode, factor, root, vector, pair, whitened] = [most, most * most, most * most, most, 2 * most, 2 * most].map(
  (count) => scratch.floats(count),
);

type Matrix = number[][];

interface Approximation {
  mode: number[];
  /** Lower Cholesky factor L of the negative Hessian. */
  factor: Matrix;
}

function approximate(network: CompiledNetwork, counts: ArrayLike<number>): Approximation {
  const K = network.rowNames.length;
  loadNetwork(probe, network, counts);
  probe.laplace(workspace, mode.at, factor.at);
  const rows = Array.from({ length: K }, (_, i) => [...factor.array.subarray(i * K, (i + 1) * K)]);
  return { mode: [...mode.array.subarray(0, K)], factor: rows.map((row, i) => row.map((l, j) => (j > i ? 0 : l))) };
}

const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0].map((_, j) => row.reduce((s, x, k) => s + x * b[k][j], 0)));
const transposed = (a: Matrix): Matrix => a[0].map((_, j) => a.map((row) => row[j]));

/** L^-1 b. */
function solveLower(L: Matrix, b: readonly number[]): number[] {
  const y: number[] = [];
  for (const [i, value] of b.entries()) y.push((value - y.reduce((sum, v, k) => sum + L[i][k] * v, 0)) / L[i][i]);
  return y;
}

const networks = [...examples.map((definition) => compileNetwork(definition)), tied];

const kinds: [string, (inputs: Inputs, pattern: CompiledPattern) => number][] = [
  ["no records", () => 0],
  ["few records", (i) => i.below(2) * i.below(4)],
  ["usual records", (i) => i.below(100)],
  ["10^6 records a pattern", (i) => 1_000_000 + i.below(1000)],
  ["many ambiguous records, few others", (i, pattern) => i.below(isAmbiguous(pattern) ? 100_000 : 3)],
  ["very uneven records", (i) => Math.floor(10 ** i.uniform(0, 6)) - 1],
];

describe.each(networks)("the Laplace approximation of $name", (network) => {
  const K = network.rowNames.length;

  it.each(kinds)(
    "has its mode where the oracle's gradient is 0, to 1e-4 posterior standard deviations: %s",
    (_, count) => {
      const inputs = new Inputs(71);
      for (let repeat = 0; repeat < 5; repeat++) {
        const counts = inputs.array(network.patterns.length, (m) => count(inputs, network.patterns[m]));
        const approximation = approximate(network, counts);
        const { gradient } = logDensity(network, fold(network, counts), approximation.mode);
        // L^-1 g is how far the mode still is, in standard deviations along orthogonal directions.
        expect(Math.hypot(...solveLower(approximation.factor, [...gradient]))).toBeLessThan(1e-4);
      }
    },
  );

  it.each(kinds)(
    "has L L' = minus the Hessian, by differences of the oracle's gradient, to 1e-6 of its size: %s",
    (_, count) => {
      const inputs = new Inputs(72);
      const counts = inputs.array(network.patterns.length, (m) => count(inputs, network.patterns[m]));
      const approximation = approximate(network, counts);
      const folded = fold(network, counts);
      const step = 1e-4;
      const product = times(approximation.factor, transposed(approximation.factor));
      for (let j = 0; j < K; j++) {
        const [up, down] = [step, -step].map(
          (h) =>
            logDensity(
              network,
              folded,
              approximation.mode.map((x, k) => (k === j ? x + h : x)),
            ).gradient,
        );
        for (let i = 0; i < K; i++) {
          // Truncation: h^2 / 6 times a fourth derivative, at most the records that pass both rows.
          const size = Math.sqrt(product[i][i] * product[j][j]) + counts.reduce((a, b) => a + b, 0) * step;
          expect(Math.abs((down[i] - up[i]) / (2 * step) - product[i][j]) / size).toBeLessThan(1e-6);
        }
      }
    },
  );

  it("turns standard normals into positions and back, with W W' = (L L')^-1", () => {
    const inputs = new Inputs(73);
    const counts = inputs.array(network.patterns.length, () => inputs.below(100));
    const approximation = approximate(network, counts);
    probe.laplaceRoot(root.at);
    let next = 0;
    const W = Array.from({ length: K }, (_, i) =>
      Array.from({ length: K }, (_, j) => (j < i ? 0 : root.array[next++])),
    );
    const identity = times(times(transposed(approximation.factor), W), times(transposed(W), approximation.factor));
    identity.forEach((row, i) => {
      row.forEach((value, j) => {
        expect(Math.abs(value - (i === j ? 1 : 0))).toBeLessThan(1e-10);
      });
    });

    const z = inputs.array(K, () => inputs.normal());
    vector.array.set(z);
    probe.laplaceTransform(vector.at);
    const moved = [...vector.array.subarray(0, K)];
    const byRoot = W.map((row, i) => approximation.mode[i] + row.reduce((sum, w, j) => sum + w * z[j], 0));
    expect(worstError(moved, byRoot)).toBeLessThan(1e-10);
    moved.forEach((x, k) => {
      pair.array.set([x, approximation.mode[k]], 2 * k);
    });
    probe.laplaceWhiten(pair.at, whitened.at);
    for (let k = 0; k < K; k++) {
      expect(Math.abs(whitened.array[2 * k] - z[k])).toBeLessThan(1e-10 * (1 + Math.abs(z[k])));
      expect(whitened.array[2 * k + 1]).toBe(0);
    }
  });
});

describe("the Laplace approximation", () => {
  it("of complete records has the mode log(success / failure) and the standard deviations of Beta counts", () => {
    const network = compileNetwork(rat);
    const counts = network.patterns.map(({ levels }) => (levels.every((level) => level >= 0) ? 10 : 0));
    const approximation = approximate(network, counts);
    const { success, failure } = fold(network, counts);
    expect(
      worstError(
        approximation.mode.map(Math.exp),
        success.map((s, k) => s / failure[k]),
      ),
    ).toBeLessThan(1e-14);
    const scales = approximation.factor.map((row, k) => 1 / row[k]);
    expect(
      worstError(
        scales,
        success.map((s, k) => Math.sqrt(1 / s + 1 / failure[k])),
      ),
    ).toBeLessThan(1e-12);
  });

  it("at a saddle, where two labels could be swapped, is finite and positive all the same", () => {
    const hidden: NetworkDefinition = {
      name: "hidden",
      variables: [
        { name: "X", levels: ["0", "1"], rows: [{ name: "x" }] },
        ...["Y", "Z"].map((name) => ({
          name,
          levels: ["0", "1"],
          parents: ["X"],
          rows: ["0", "1"].map((X) => ({ name: `${name}${X}`, when: [{ X }] })),
        })),
      ],
      quantities: [],
    };
    const network = compileNetwork(hidden);
    // X is never seen; Y and Z mostly agree. Symmetric starts can't leave the symmetric point.
    const counts = network.patterns.map(({ levels }) => {
      if (levels[0] >= 0 || levels[1] < 0 || levels[2] < 0) return 0;
      return levels[1] === levels[2] ? 100 : 10;
    });
    const approximation = approximate(network, counts);
    expect(approximation.mode.every(Number.isFinite)).toBe(true);
    expect(approximation.factor.every((row, k) => row[k] > 0 && row.every(Number.isFinite))).toBe(true);
  });
});

describe("the first guess at scales", () => {
  it.each(networks)("of $name is that of the fixed counts: variance 1 / success + 1 / failure", (network) => {
    const inputs = new Inputs(74);
    const counts = inputs.array(network.patterns.length, () => inputs.below(100));
    loadNetwork(probe, network, counts);
    probe.guessScale(vector.at);
    const { success, failure } = fold(network, counts);
    const expected = success.map((s, k) => Math.sqrt(1 / s + 1 / failure[k]));
    expect(worstError(vector.array.subarray(0, expected.length), expected)).toBeLessThan(1e-15);
  });
});
