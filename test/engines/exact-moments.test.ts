import { describe, expect, it } from "vitest";
import { MomentProgram } from "../../src/engines/exact/moment-program.js";
import { type Polynomial, Polynomials } from "../../src/engines/exact/polynomial.js";
import { quantityPolynomials } from "../../src/engines/exact/symbolic.js";
import { relativeError } from "../support/accuracy.js";
import { integrate } from "./exact-brute.js";
import { base } from "./exact-support.js";

/** Mean and variance of one polynomial under a Beta(success, failure) a row. */
function momentsOf(polynomial: Polynomial, betas: readonly (readonly [success: number, failure: number])[]) {
  const program = new MomentProgram([polynomial]);
  for (const row of program.rows) {
    const [success, failure] = betas[row];
    program.setRow(row, Float64Array.of(success), Float64Array.of(failure), 1);
  }
  program.run(1);
  return { mean: program.values[program.meanAt[0]], variance: program.values[program.varianceAt[0]] };
}

describe("moments of polynomials of independent Betas", () => {
  const ring = new Polynomials();
  const [x, y, z] = [0, 1, 2].map((row) => ring.entry(row, 1));
  const square = ring.multiply(x, x);

  it("are exact up to the fifth power of a row, in sums and products with others", () => {
    const betas = [
      [2, 3],
      [5, 1],
      [1, 4],
    ] as const;
    const density = (theta: readonly number[]): number =>
      theta.reduce((p, t, row) => p * t ** (betas[row][0] - 1) * (1 - t) ** (betas[row][1] - 1), 1);
    const cases: [Polynomial, (theta: readonly number[]) => number][] = [
      [square, ([a]) => a * a],
      [ring.multiply(square, ring.multiply(square, ring.entry(0, 0))), ([a]) => a ** 4 * (1 - a)],
      [ring.multiply(ring.add(square, y), ring.add(square, z)), ([a, b, c]) => (a * a + b) * (a * a + c)],
      [ring.multiply(ring.subtract(x, y), ring.subtract(y, z)), ([a, b, c]) => (a - b) * (b - c)],
      [ring.add(ring.multiply(x, ring.multiply(y, y)), ring.constant(-2)), ([a, b]) => a * b * b - 2],
    ];
    for (const [polynomial, f] of cases) {
      const [expected] = integrate(3, 16, density, [f]);
      const { mean, variance } = momentsOf(polynomial, betas);
      expect(mean).toBeCloseTo(expected.mean, 13);
      expect(Math.sqrt(variance)).toBeCloseTo(expected.sd, 13);
    }
  });

  it("of a constant are the constant and 0", () => {
    expect(momentsOf(ring.constant(0.75), [])).toEqual({ mean: 0.75, variance: 0 });
  });

  it("keep their digits for 2^53 records, where E p^2 - (E p)^2 has none", () => {
    const n = 2 ** 53;
    const [success, failure] = [n / 4, (3 * n) / 4];
    const spread = 0.25 * 0.75;
    const { variance } = momentsOf(x, [[success, failure]]);
    expect(relativeError(variance, spread / n)).toBeLessThan(1e-14);
    // d x^3 = 3 x^2 dx up to relative errors of 1 / n.
    const cube = momentsOf(ring.multiply(square, x), [[success, failure]]);
    expect(relativeError(cube.variance, ((3 * 0.25 ** 2) ** 2 * spread) / n)).toBeLessThan(1e-12);
    expect(cube.mean).toBeCloseTo(0.25 ** 3, 15);
  });

  it("of the base network's quantities at 10^12 records are those of the delta method", () => {
    const betas = [0.2, 0.4, 0.05, 0.5, 0.7].map((mean) => [mean * 1e12, (1 - mean) * 1e12] as const);
    const [r, a0, a1, t0, t1] = betas.map(([s, f]) => s / (s + f));
    const gradients: Record<string, number[]> = {
      "P(A=1)": [a1 - a0, 1 - r, r, 0, 0],
      "P(T=1)": [(1 - a1) * t1 - (1 - a0) * t0, -(1 - r) * t0, -r * t1, (1 - r) * (1 - a0), r * (1 - a1)],
      "P(G=1)": [(1 - a1) * t1 - a0, 1 - r, -r * t1, 0, r * (1 - a1)],
    };
    for (const [name, gradient] of Object.entries(gradients)) {
      const polynomial = quantityPolynomials(base)[base.quantities.findIndex((q) => q.name === name)];
      const expected = gradient.reduce((sum, g, row) => {
        const [s, f] = betas[row];
        return sum + (g * g * (s / (s + f)) * (f / (s + f))) / (s + f);
      }, 0);
      expect(relativeError(momentsOf(polynomial!, betas).variance, expected)).toBeLessThan(1e-11);
    }
  });
});
