import { describe, expect, it } from "vitest";
import { sameBits, worstError } from "../support/accuracy.js";
import { openProbe, Scratch } from "../support/kernel.js";
import { Inputs } from "../support/random.js";

/* Against Math.exp, Math.log and Math.log1p, which V8 takes from fdlibm: less than 1 unit in the last place, 2.2e-16. */

const probe = openProbe();
const scratch = new Scratch(probe);
const size = 1 << 16;
const x = scratch.floats(size);
const out = scratch.floats(size);
const paired = scratch.floats(2 * size);

/** Random numbers in a range, with its ends and middle. */
function fill(low: number, high: number, map: (u: number) => number = (u) => u): Float64Array {
  const inputs = new Inputs(41);
  x.array.set(inputs.array(size, () => map(inputs.uniform(low, high))));
  x.array.set([low, high, (low + high) / 2].map(map));
  return x.array;
}

describe("exp", () => {
  it.each([
    [-1e-8, 1e-8],
    [-1, 1],
    [-30, 30],
    [-700, 700],
  ])("has a relative error below 5e-16 on [%d, %d], and the same bits in two lanes", (low, high) => {
    const expected = fill(low, high).map(Math.exp);
    probe.exps(size, x.at, out.at);
    expect(worstError(out.array, expected)).toBeLessThan(5e-16);
    probe.expPairs(size, x.at, paired.at);
    expect(sameBits(paired.array.subarray(0, size), out.array)).toBe(true);
  });

  it("is clamped beyond +-700, so that it is finite and above 0", () => {
    x.array.set([701, 1e300, Infinity, -701, -1e300, -Infinity, 700, -700]);
    probe.exps(8, x.at, out.at);
    probe.expPairs(8, x.at, paired.at);
    const [most, least] = [out.array[6], out.array[7]];
    expect([...out.array.subarray(0, 6)]).toEqual([most, most, most, least, least, least]);
    expect([...paired.array.subarray(0, 8)]).toEqual([...out.array.subarray(0, 8)]);
  });

  it("is 1 at 0 and never falls where x grows, in 65,536 steps of 2^-30", () => {
    x.array.set(Float64Array.from({ length: size }, (_, i) => (i - size / 2) * 2 ** -30));
    probe.exps(size, x.at, out.at);
    expect(out.array[size / 2]).toBe(1);
    expect(out.array.every((value, i) => i === 0 || value >= out.array[i - 1])).toBe(true);
  });
});

describe("log", () => {
  it.each<[string, number, number, (u: number) => number]>([
    ["within 1e-6 of 1", -1e-6, 1e-6, (u) => 1 + u],
    ["in [1/2, 2]", 0.5, 2, (u) => u],
    ["in [1e-12, 1]", 1e-12, 1, (u) => u],
    ["in [2^-1022, 2^1023]", -1022, 1023, (u) => 2 ** u],
  ])("has a relative error below 6e-16 %s, and the same bits in two lanes", (_, low, high, map) => {
    const expected = fill(low, high, map).map(Math.log);
    probe.logs(size, x.at, out.at);
    expect(worstError(out.array, expected)).toBeLessThan(6e-16);
    probe.logPairs(size, x.at, paired.at);
    expect(sameBits(paired.array.subarray(0, size), out.array)).toBe(true);
  });

  it("is 0 at 1", () => {
    x.array[0] = 1;
    probe.logs(1, x.at, out.at);
    expect(out.array[0]).toBe(0);
  });
});

const every = (values: Float64Array, step: number, first: number, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => values[step * i + first]);

describe("softplus and sigmoid of -a", () => {
  it.each([
    [0, 1e-3],
    [0, 1],
    [0, 24],
    [23.9, 24.1],
    [24, 700],
  ])("have relative errors below 7e-15 and 2e-14 for a in [%d, %d]", (low, high) => {
    const a = fill(low, high);
    probe.logistics(size, x.at, paired.at);
    const u = a.map((value) => Math.exp(-value));
    expect(worstError(every(paired.array, 2, 0, size), u.map(Math.log1p))).toBeLessThan(7e-15);
    expect(
      worstError(
        every(paired.array, 2, 1, size),
        u.map((value) => value / (1 + value)),
      ),
    ).toBeLessThan(2e-14);
  });

  it("are log 2 and 1/2 at 0, 0 far out, and NaN of NaN", () => {
    x.array.set([0, 800, Infinity, NaN]);
    probe.logistics(4, x.at, paired.at);
    expect([...paired.array.subarray(0, 8)]).toEqual([Math.LN2, 0.5, 0, 0, 0, 0, NaN, NaN]);
  });
});

describe("theta and 1 - theta in two lanes", () => {
  it.each([
    [-1, 1],
    [-30, 30],
    [-700, 700],
  ])("have relative errors below 8e-16 for x in [%d, %d]", (low, high) => {
    const values = fill(low, high);
    probe.logisticPairs(size, x.at, paired.at);
    const [beyond, theta] = [0, 2].map((first) =>
      Float64Array.from({ length: size }, (_, i) => paired.array[4 * (i >> 1) + first + (i & 1)]),
    );
    expect(
      worstError(
        theta,
        values.map((value) => 1 / (1 + Math.exp(-value))),
      ),
    ).toBeLessThan(8e-16);
    expect(
      worstError(
        beyond,
        values.map((value) => 1 / (1 + Math.exp(value))),
      ),
    ).toBeLessThan(8e-16);
  });

  it("stay above 0 and at most 1 however far out", () => {
    x.array.set([800, -800, Infinity, -Infinity]);
    probe.logisticPairs(4, x.at, paired.at);
    const values = [...paired.array.subarray(0, 8)];
    expect(values.every((value) => value > 0 && value <= 1)).toBe(true);
  });
});
