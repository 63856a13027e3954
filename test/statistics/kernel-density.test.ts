import { describe, expect, it } from "vitest";
import { STREAM_COMPARE } from "../../src/generated/layout.js";
import { Stream } from "../../src/random/stream.js";
import { Variates } from "../../src/random/variates.js";
import { type Density, kernelDensity } from "../../src/statistics/kernel-density.js";

const count = 4000;

function betas(a: number, b: number): Float64Array {
  const variates = new Variates(new Stream(7, 1, STREAM_COMPARE));
  return Float64Array.from({ length: count }, () => {
    const [x, y] = [Math.exp(variates.logGamma(a)), Math.exp(variates.logGamma(b))];
    return x / (x + y);
  });
}

const integral = ({ values, step }: Density): number =>
  step * (values.reduce((sum, value) => sum + value, 0) - (values[0] + values[values.length - 1]) / 2);
const end = ({ from, step, values }: Density): number => from + step * (values.length - 1);
const at = ({ from, step, values }: Density, x: number): number => values[Math.round((x - from) / step)];
const logFactorial = (n: number): number => (n < 2 ? 0 : Math.log(n) + logFactorial(n - 1));

describe("kernelDensity", () => {
  it.each([
    ["in the middle", betas(30, 40)],
    ["at 0", betas(1, 60)],
    ["at 1", betas(60, 1)],
    ["flat", betas(1, 1)],
    ["at both bounds", betas(0.5, 0.5)],
    ["very narrow", betas(5e7, 5e7)],
    ["differences", betas(30, 40).map((x) => x - 0.4)],
    ["large values", betas(3, 40).map((x) => 1 / x)],
    ["far outliers", betas(0.3, 40).map((x) => 1 / x)],
    ["two draws", Float64Array.of(0.2, 0.4)],
    ["0 and 1 alone", Float64Array.of(0, 1)],
    ["with missing ones", betas(3, 4).map((x, i) => (i % 5 === 0 ? Number.NaN : x))],
    ["half of them the same", betas(3, 4).map((x, i) => (i % 2 === 0 ? 0 : x))],
  ])("integrates to 1 (%s)", (_name, draws) => {
    const density = kernelDensity(draws)!;
    expect(Math.abs(integral(density) - 1)).toBeLessThan(1e-3);
    expect(density.values.every((value) => value >= 0 && Number.isFinite(value))).toBe(true);
    const known = draws.filter(Number.isFinite);
    if (known.every((x) => x >= 0 && x <= 1)) {
      expect(density.from).toBeGreaterThanOrEqual(0);
      expect(end(density)).toBeLessThanOrEqual(1 + 1e-12);
    }
  });

  it("doesn't fall off at a bound that the draws reach", () => {
    const flat = kernelDensity(betas(1, 1))!;
    for (const x of [0, 0.5, 1]) expect(Math.abs(at(flat, x) - 1)).toBeLessThan(0.25);
    const steep = kernelDensity(betas(1, 60))!;
    expect(steep.from).toBe(0);
    expect(steep.values[0]).toBeGreaterThan(0.75 * 60);
  });

  it("is near the density that the draws are of", () => {
    const density = kernelDensity(betas(30, 30))!;
    const peak = 0.5 ** 58 * Math.exp(logFactorial(59) - 2 * logFactorial(29));
    expect(Math.abs(at(density, 0.5) / peak - 1)).toBeLessThan(0.1);
  });

  it("doesn't depend on the draws' order, and leaves them as they are", () => {
    const draws = betas(3, 4);
    const copy = draws.slice();
    expect(kernelDensity(draws.slice().reverse())).toEqual(kernelDensity(draws));
    expect(draws).toEqual(copy);
  });

  it.each([[[]], [[0.3]], [[0.3, 0.3, 0.3]], [[Number.NaN, Number.NaN]], [[0.3, 0.3 + 1e-16]]])(
    "is null where there is no spread: %j",
    (draws) => {
      expect(kernelDensity(Float64Array.from(draws))).toBeNull();
    },
  );
});
