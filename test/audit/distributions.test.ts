import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  clopperPearson,
  halfWidthOfT,
  logTailOfF,
  logTailOfFairBinomial,
  logTailOfNormal,
  logTwoTailsOfNormal,
  logTwoTailsOfT,
  quantileOfF,
  quantileOfMeanSquare,
} from "../../src/audit/distributions.js";
import { relativeError } from "../support/accuracy.js";

/* Expected numbers: quantiles from SciPy 1.17.1 (scipy.stats), tails from mpmath with 40 digits. */

describe("quantiles", () => {
  it.each([
    [0.975, 5, 15, 3.5764153492790607],
    [0.025, 5, 15, 0.15557596307848703],
    [0.975, 3.7, 249.3, 2.9216152294055644],
    [0.5, 1, 1, 1],
    [0.975, 1, 8, 7.570882099691748],
    [0.995, 999, 4, 19.34202178012884],
  ])("of F: %d with %d and %d degrees", (probability, top, bottom, expected) => {
    expect(relativeError(quantileOfF(probability, top, bottom), expected)).toBeLessThan(1e-11);
  });

  it.each([
    [0.975, 1, 5.023886187314888],
    [0.025, 3, 0.07193176087463261],
    [0.975, 15, 1.8325595242295316],
    [0.5, 1000, 0.999333412403381],
  ])("of chi-squared over its degrees: %d with %d", (probability, degrees, expected) => {
    expect(relativeError(quantileOfMeanSquare(probability, degrees), expected)).toBeLessThan(1e-8);
  });

  it.each([
    [0.95, 11, 2.200985160091639],
    [0.95, 1, 12.706204736174694],
    [0.99, 1.5, 17.820310514462804],
    [0.95, 1e6, 1.959966356814107],
    [0.999999, 2, 999.9992499299547],
  ])("of t: %d with %d degrees", (level, degrees, expected) => {
    expect(relativeError(halfWidthOfT(level, degrees), expected)).toBeLessThan(1e-9);
  });
});

describe("tails", () => {
  it.each([
    [11, 5, 15, -8.899546864993106],
    [0.2, 4, 8, -0.07108579091345993],
    [1e6, 3, 30, -171.1947712924434],
    [1000, 1, 400, -253.6074987825679],
    [4000, 1, 2000, -1102.436173291156],
    [1e-6, 2, 9, -9.999998888889054e-7],
  ])("of F: beyond %d with %d and %d degrees", (x, top, bottom, expected) => {
    expect(logTailOfF(x, top, bottom)).toBeCloseTo(expected, 11);
  });

  it.each([
    [0, -Math.LN2],
    [0.5, -1.1759117615936185],
    [1, -1.8410216450092636],
    [2.9, -6.284058234947419],
    [3, -6.607726221510349],
    [3.1, -6.940688458421228],
    [8, -35.01343715991455],
    [22, -246.0120365373809],
    [40, -804.6084420137538],
    [1000, -500007.82669481216],
  ])("of a normal: beyond %d", (z, expected) => {
    expect(relativeError(logTailOfNormal(z), expected)).toBeLessThan(1e-12);
  });

  it.each([
    [0, 1, -Math.LN2],
    [1, 7, -2.772588722239781],
    [7, 44, -12.84102983728557],
    [12, 43, -5.914212316040037],
    [0, 2000, -1386.2943611198907],
    [500, 2000, -265.1021834275242],
    [990, 2000, -1.0922011556375468],
  ])("of a fair binomial: up to %d of %d", (k, n, expected) => {
    expect(logTailOfFairBinomial(k, n)).toBeCloseTo(expected, 10);
  });

  it("of t tend to those of a normal", () => {
    for (const z of [0.3, 1.96, 7, 30])
      expect(relativeError(logTwoTailsOfT(z, 1e9), logTwoTailsOfNormal(z))).toBeLessThan(1e-6);
  });

  it("undo quantiles", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.double({ min: 0.5, max: 300, noNaN: true }),
        fc.double({ min: 0.5, max: 300, noNaN: true }),
        (probability, top, bottom) => {
          const x = quantileOfF(probability, top, bottom);
          expect(Math.exp(logTailOfF(x, top, bottom))).toBeCloseTo(1 - probability, 8);
        },
      ),
    );
  });
});

describe("Clopper and Pearson's interval", () => {
  it("has the published ends of none and all, and those of SciPy between", () => {
    const none = clopperPearson(0, 10, 0.95);
    expect(none?.lower).toBe(0);
    expect(none?.upper).toBeCloseTo(1 - 0.025 ** 0.1, 12);
    expect(clopperPearson(10, 10, 0.95)).toEqual({ lower: expect.closeTo(0.025 ** 0.1, 12), upper: 1 });
    // scipy.stats.binomtest(31, 43).proportion_ci()
    expect(clopperPearson(31, 43, 0.95)).toEqual({
      lower: expect.closeTo(0.563313038534094, 12),
      upper: expect.closeTo(0.8467107671058404, 12),
    });
  });

  it("leaves at most the stated chance outside, on either side, whatever the share", () => {
    const n = 17;
    const ends = Array.from({ length: n + 1 }, (_, k) => clopperPearson(k, n, 0.9));
    for (let share = 0.005; share < 1; share += 0.005) {
      let [below, above] = [0, 0];
      let mass = (1 - share) ** n;
      for (let k = 0; k <= n; mass *= (((n - k) / (k + 1)) * share) / (1 - share), k++) {
        if ((ends[k]?.upper ?? 1) < share) below += mass;
        if ((ends[k]?.lower ?? 0) > share) above += mass;
      }
      expect(Math.max(below, above)).toBeLessThan(0.05 + 1e-9);
    }
  });

  it("gives way where its quantiles lose digits", () => {
    expect(clopperPearson(1, 2e7, 0.95)).toBeNull();
  });
});
