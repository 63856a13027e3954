import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalQuantile } from "../../src/statistics/index.js";

/*
 * Solutions z of log(erfc(-z / sqrt 2) / 2) = log p with mpmath 1.3.0 at 40 digits (findroot), p being the exact value of
 * the double nearest to the decimal fraction, printed to 18 digits.
 */
const known: [number, string][] = [
  [1e-300, "-37.0470962993611992"],
  [1e-100, "-21.2734535609653243"],
  [1e-20, "-9.26234008979840758"],
  [1e-10, "-6.3613409024040562"],
  [1e-5, "-4.26489079392282461"],
  [0.001, "-3.09023230616781354"],
  [0.025, "-1.95996398454005421"],
  [0.075, "-1.43953147093845593"],
  [0.0749, "-1.44023826752796366"],
  [0.25, "-0.674489750196081743"],
  [0.425, "-0.189118426272792518"],
  [0.4999, "-0.000250662830088007492"],
  [0.5000001, "2.5066282733116483e-7"],
  [0.6, "0.253347103135799741"],
  [0.9, "1.28155156554460059"],
  [0.925, "1.43953147093845623"],
  [0.975, "1.95996398454005386"],
  [0.999, "3.09023230616781328"],
  [0.99999999, "5.61200124330550498"],
];

describe("normal quantile", () => {
  it.each(known)("of %d is accurate to 1e-15", (probability, z) => {
    expect(Math.abs(normalQuantile(probability) / Number(z) - 1)).toBeLessThanOrEqual(1e-15);
  });

  it("has the ends of the line, the middle, and nothing outside", () => {
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
    expect(normalQuantile(0.5)).toBe(0);
    for (const outside of [-0.1, 1.1, Number.NaN, Infinity, -Infinity]) expect(normalQuantile(outside)).toBeNaN();
  });

  it("never falls", () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(unit, unit, (a, b) => {
        // A rounding error may turn neighbours around, no more.
        const [low, high] = a < b ? [a, b] : [b, a];
        const slack = 1e-15 * Math.abs(normalQuantile(high));
        expect(normalQuantile(low)).toBeLessThanOrEqual(normalQuantile(high) + (Number.isFinite(slack) ? slack : 0));
      }),
    );
  });

  it("is odd around one half", () => {
    // 1 - p is exact for p a multiple of 2^-53.
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 52 }), (k) => {
        const p = k / 2 ** 53;
        expect(normalQuantile(1 - p)).toBe(-normalQuantile(p) || 0);
      }),
    );
  });
});
