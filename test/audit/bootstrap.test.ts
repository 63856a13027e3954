import { describe, expect, it } from "vitest";
import { clusterBootstrap, resampler } from "../../src/audit/bootstrap.js";
import { zLimit } from "../support/montecarlo.js";
import { simulation } from "./support.js";

const options = { seed: 1, id: 0, replicates: 4000, level: 0.95 };

describe("the bootstrap of clusters", () => {
  it("draws multinomial counts: their means, variances and covariances, and always as many", () => {
    const counts = [3, 0, 40, 1, 6];
    const draw = resampler(counts, simulation(1));
    const replicates = 4000;
    const all = Array.from({ length: replicates }, () => draw().slice());
    const limit = zLimit(2 * counts.length + 1);
    const zOf = (values: number[], expected: number): number => {
      const mean = values.reduce((a, b) => a + b, 0) / replicates;
      const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / replicates);
      return sd === 0 ? mean - expected : (mean - expected) / (sd / Math.sqrt(replicates));
    };
    expect(all.every((drawn) => drawn.reduce((a, b) => a + b, 0) === 50)).toBe(true);
    counts.forEach((n, i) => {
      const own = all.map((drawn) => drawn[i]);
      const squares = own.map((x) => (x - n) ** 2);
      expect(Math.abs(zOf(own, n))).toBeLessThan(limit);
      expect(Math.abs(zOf(squares, n * (1 - n / 50)))).toBeLessThan(limit);
    });
    const products = all.map((drawn) => (drawn[0] - 3) * (drawn[2] - 40));
    expect(Math.abs(zOf(products, (-3 * 40) / 50))).toBeLessThan(limit);
  });

  it("has the error of a share, its quantiles for ends, the same for a seed, another for another id", () => {
    const share = (counts: Float64Array): number => counts[0] / (counts[0] + counts[1]);
    const found = clusterBootstrap([60, 140], share, options);
    const error = Math.sqrt((0.3 * 0.7) / 200);
    // The error of an sd of 4,000 nearly normal draws is sd / sqrt(8,000), of an end 2.67 sd / sqrt(4,000) and half a step.
    expect(Math.abs((found.error ?? 0) / error - 1)).toBeLessThan(zLimit(3) / Math.sqrt(8000));
    for (const [end, side] of [
      [found.lower, -1],
      [found.upper, 1],
    ] as const) {
      expect(Math.abs((end ?? 0) - (0.3 + side * 1.96 * error))).toBeLessThan(
        (zLimit(3) * 2.67 * error) / Math.sqrt(4000) + 1 / 200,
      );
    }
    expect(clusterBootstrap([60, 140], share, options)).toEqual(found);
    expect(clusterBootstrap([60, 140], share, { ...options, id: 1 })).not.toEqual(found);
  });

  it("leaves out replicates without a value, and says how many are left", () => {
    const none = clusterBootstrap([1, 1], () => null, options);
    expect(none).toEqual({ error: null, lower: null, upper: null, used: 0 });
    const some = clusterBootstrap([1, 1], (counts) => (counts[0] === 1 ? 1 : null), options);
    expect(some.used).toBeGreaterThan(1500);
    expect(some.used).toBeLessThan(2500);
  });
});
