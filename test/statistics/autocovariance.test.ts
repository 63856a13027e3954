import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  directAutocovariance,
  MeanAutocovariance,
  transformAutocovariance,
} from "../../src/statistics/autocovariance.js";
import { centre } from "../../src/statistics/chains.js";
import { fft } from "../../src/statistics/fft.js";

/** [chains, draws a chain, values]. */
const chainSets = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 3, max: 70 }))
  .chain(([chains, length]) =>
    fc.tuple(
      fc.constant(chains),
      fc.constant(length),
      fc.float64Array({ min: -10, max: 10, noNaN: true, minLength: chains * length, maxLength: chains * length }),
    ),
  );

function naiveAutocovariance(values: Float64Array, chains: number, lag: number): number {
  const length = values.length / chains;
  let sum = 0;
  for (let chain = 0; chain < chains; chain++) {
    const part = Array.from(values.subarray(chain * length, (chain + 1) * length));
    const mean = part.reduce((a, b) => a + b, 0) / length;
    for (let i = 0; i + lag < length; i++) sum += (part[i] - mean) * (part[i + lag] - mean);
  }
  return sum / (chains * length);
}

describe("autocovariance", () => {
  it("is the same by direct sums, by transforms and by definition", () => {
    fc.assert(
      fc.property(chainSets, ([chains, length, values]) => {
        const centred = centre({ values, chains });
        fc.pre(centred !== null);
        const direct = new Float64Array(length);
        for (let lag = 0; lag < length; lag += 4) directAutocovariance(centred, lag, direct);
        const transformed = new Float64Array(length);
        transformAutocovariance(centred, transformed);
        const tolerance = 1e-12 * Math.max(direct[0], 1e-3);
        for (let lag = 0; lag < length; lag++) {
          expect(Math.abs(direct[lag] - naiveAutocovariance(values, chains, lag))).toBeLessThanOrEqual(tolerance);
          expect(Math.abs(direct[lag] - transformed[lag])).toBeLessThanOrEqual(tolerance);
        }
      }),
    );
  });

  it("goes over to transforms without a seam", () => {
    const chains = 3;
    const length = 1000;
    const values = Float64Array.from({ length: chains * length }, (_, i) => Math.sin(i / 40) + Math.sin(i * i));
    const centred = centre({ values, chains });
    if (centred === null) throw new Error("not constant");
    const autocovariance = new MeanAutocovariance(centred);
    // In order, so that the first lags come from direct sums and the last ones can't.
    const lags = Array.from({ length }, (_, lag) => autocovariance.at(lag));
    for (const [lag, value] of lags.entries()) {
      expect(value).toBeCloseTo(naiveAutocovariance(values, chains, lag), 11);
    }
  });
});

describe("Fourier transform", () => {
  it.each([1, 2, 4, 8, 64])("of %d numbers agrees with the definition", (size) => {
    const real = Float64Array.from({ length: size }, (_, i) => Math.sin(3 * i + 1));
    const imaginary = Float64Array.from({ length: size }, (_, i) => Math.cos(i * i));
    const expected = Array.from({ length: size }, (_, k) => {
      let re = 0;
      let im = 0;
      for (let j = 0; j < size; j++) {
        const angle = (-2 * Math.PI * j * k) / size;
        re += real[j] * Math.cos(angle) - imaginary[j] * Math.sin(angle);
        im += real[j] * Math.sin(angle) + imaginary[j] * Math.cos(angle);
      }
      return [re, im];
    });
    fft(real, imaginary);
    for (const [k, [re, im]] of expected.entries()) {
      expect(real[k]).toBeCloseTo(re, 11);
      expect(imaginary[k]).toBeCloseTo(im, 11);
    }
  });

  it("refuses sizes that aren't a power of two", () => {
    expect(() => fft(new Float64Array(6), new Float64Array(6))).toThrow(RangeError);
    expect(() => fft(new Float64Array(8), new Float64Array(4))).toThrow(RangeError);
  });
});
