import { beforeAll, describe, expect, it } from "vitest";
import { normalQuantile } from "../../src/statistics/index.js";
import { openProbe, Scratch } from "../support/kernel.js";
import { chiSquareZ, uniformChiSquare, zLimit } from "../support/montecarlo.js";

/*
 * 4 million draws of one fixed seed. 17 comparisons, each beyond its limit with probability 1e-4 / 17 by chance: one
 * false alarm in 10,000 seeds for the whole file.
 */
const limit = zLimit(17);
const size = 1 << 22;
const draws = new Float64Array(size);

const probe = openProbe();

beforeAll(() => {
  const part = new Scratch(probe).floats(1 << 18);
  probe.streamStart(20261130n, 1n, 0, 0);
  for (let start = 0; start < size; start += part.array.length) {
    probe.streamNormals(part.array.length, part.at);
    draws.set(part.array, start);
  }
});

/** (mean of f - expected) / (sd of f / sqrt(size)). */
function z(f: (x: number) => number, expected: number, sd: number): number {
  let sum = 0;
  for (const x of draws) sum += f(x);
  return (sum / size - expected) / (sd / Math.sqrt(size));
}

const share = (inside: (x: number) => boolean, expected: number): number =>
  z((x) => (inside(x) ? 1 : 0), expected, Math.sqrt(expected * (1 - expected)));

describe(`4 million normal draws, within ${limit.toFixed(2)} standard errors (one false alarm in 10,000 seeds for all)`, () => {
  it.each([
    { power: 1, expected: 0, variance: 1 },
    { power: 2, expected: 1, variance: 2 },
    { power: 3, expected: 0, variance: 15 },
    { power: 4, expected: 3, variance: 96 },
    { power: 6, expected: 15, variance: 10170 },
  ])("have moment $power of the normal", ({ power, expected, variance }) => {
    expect(Math.abs(z((x) => x ** power, expected, Math.sqrt(variance)))).toBeLessThan(limit);
  });

  it("fill 1024 cells of equal probability evenly (chi-square)", () => {
    const ends = Float64Array.from({ length: 1023 }, (_, i) => normalQuantile((i + 1) / 1024));
    const counts = new Float64Array(1024);
    for (const x of draws) {
      let low = 0;
      let high = 1023;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (x <= ends[middle]) high = middle;
        else low = middle + 1;
      }
      counts[low]++;
    }
    expect(Math.abs(chiSquareZ(uniformChiSquare(counts), 1023))).toBeLessThan(limit);
  });

  // Upper tail probabilities by mpmath 1.3.0: erfc(t / sqrt(2)) / 2. At 3.654... the table of layers ends.
  it.each([
    [1, 0.15865525393145705],
    [3, 0.001349898031630095],
    [3.6541528853610088, 0.0001290162438269504],
    [4.5, 3.39767312473006e-6],
  ])("go beyond +-%d as often as the normal, on either side", (t, expected) => {
    expect(Math.abs(share((x) => x > t, expected))).toBeLessThan(limit);
    expect(Math.abs(share((x) => x < -t, expected))).toBeLessThan(limit);
  });

  it("go beyond the table of layers by as much as the normal, on average, among 67 million", () => {
    const t = 3.6541528853610088;
    const part = new Scratch(probe).floats(1 << 18);
    const beyond: number[] = [];
    probe.streamStart(20261130n, 2n, 0, 0);
    for (let chunk = 0; chunk < 256; chunk++) {
      probe.streamNormals(part.array.length, part.at);
      for (const x of part.array) if (x > t || x < -t) beyond.push(Math.abs(x) - t);
    }
    const mean = beyond.reduce((a, b) => a + b, 0) / beyond.length;
    // mpmath 1.3.0: mean and variance of a normal beyond t, less t.
    const error = Math.sqrt(0.0534630420740636 / beyond.length);
    expect(Math.abs((mean - 0.242886186287464) / error)).toBeLessThan(limit);
  });

  it("are uncorrelated with the draw before, in value and in size", () => {
    let product = 0;
    let squares = 0;
    for (let i = 1; i < size; i++) {
      product += draws[i] * draws[i - 1];
      squares += (draws[i] ** 2 - 1) * (draws[i - 1] ** 2 - 1);
    }
    // Standard deviations of the products: 1 and 2.
    expect(Math.abs(product / Math.sqrt(size - 1))).toBeLessThan(limit);
    expect(Math.abs(squares / (2 * Math.sqrt(size - 1)))).toBeLessThan(limit);
  });
});

describe("a stream's normals", () => {
  it("are the same again for the same seed, and others for another chain", () => {
    const part = new Scratch(probe).floats(1000);
    const run = (chain: number): number[] => {
      probe.streamStart(3n, 4n, 0, chain);
      probe.streamNormals(1000, part.at);
      return [...part.array];
    };
    expect(run(0)).toEqual(run(0));
    const [first, second] = [run(0), run(1)];
    expect(first.some((x) => second.includes(x))).toBe(false);
  });
});
