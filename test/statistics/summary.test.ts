import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  essBulk,
  essMean,
  essQuantile,
  essSd,
  essTail,
  mcseMean,
  mcseQuantile,
  mcseSd,
  quantileOfSorted,
  quantiles,
  rhat,
  type Summary,
  stuckChains,
  summarise,
} from "../../src/statistics/index.js";

const nothing: Summary = {
  mean: null,
  sd: null,
  median: null,
  lower: null,
  upper: null,
  mcse: null,
  essBulk: null,
  essTail: null,
  rhat: null,
};

/** Uneven, without ties, the same each time. */
function someDraws(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, i) => Math.sin(12.9898 * (i + 1)) * 43758.5453 + Math.sin(i / 7));
}

describe("summary", () => {
  it("has what the single functions have, for even and odd chains", () => {
    for (const [chains, length] of [
      [1, 50],
      [3, 51],
      [4, 100],
      [2, 999],
    ]) {
      const draws = someDraws(chains * length);
      const summary = summarise(draws, chains, 0.9);
      expect(summary.rhat).toBe(rhat(draws, chains));
      expect(summary.essBulk).toBe(essBulk(draws, chains));
      expect(summary.essTail).toBe(essTail(draws, chains));
      expect(summary.mcse).toBe(mcseMean(draws, chains));
      expect([summary.median, summary.lower]).toEqual(quantiles(draws, [0.5, (1 - 0.9) / 2]));
    }
  });

  it("leaves the draws alone and isn't touched by earlier summaries", () => {
    const large = someDraws(4000);
    const small = someDraws(303);
    const before = large.slice();
    const first = summarise(large, 4, 0.95);
    expect(large).toEqual(before);
    const second = summarise(small, 3, 0.95);
    expect(summarise(large, 4, 0.95)).toEqual(first);
    expect(summarise(small, 3, 0.95)).toEqual(second);
  });

  it("is all finite or null, whatever the draws", () => {
    const draws = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 20 }))
      .chain(([chains, length]) =>
        fc.tuple(fc.constant(chains), fc.float64Array({ minLength: chains * length, maxLength: chains * length })),
      );
    fc.assert(
      fc.property(draws, ([chains, values]) => {
        const summary = summarise(values, chains, 0.95);
        for (const value of Object.values(summary)) expect(value === null || Number.isFinite(value)).toBe(true);
        if (!values.every(Number.isFinite)) expect(summary).toEqual(nothing);
      }),
    );
  });

  it("of constant draws has their value exactly, and no diagnostics", () => {
    const summary = summarise(new Float64Array(999).fill(0.1), 3, 0.95);
    expect(summary).toEqual({ ...nothing, mean: 0.1, sd: 0, median: 0.1, lower: 0.1, upper: 0.1 });
  });

  it("takes a difference in the last bit for no difference", () => {
    const draws = Float64Array.from({ length: 100 }, (_, i) => (i % 3 === 0 ? 1 : 1 - Number.EPSILON / 2));
    const summary = summarise(draws, 2, 0.95);
    expect(summary.mean).toBeCloseTo(1, 15);
    expect([summary.rhat, summary.essBulk, summary.essTail, summary.mcse]).toEqual([null, null, null, null]);
    expect([rhat(draws, 2), essBulk(draws, 2), essTail(draws, 2), mcseMean(draws, 2)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it("of a single draw is that draw", () => {
    const expected = { ...nothing, mean: 0.3, median: 0.3, lower: 0.3, upper: 0.3 };
    expect(summarise(Float64Array.of(0.3), 1, 0.95)).toEqual(expected);
  });

  it("of one draw a chain has no diagnostics", () => {
    const summary = summarise(Float64Array.of(1, 2, 3), 3, 0.5);
    expect(summary).toEqual({ ...nothing, mean: 2, sd: 1, median: 2, lower: 1.5, upper: 2.5 });
  });

  it("of two draws a chain has no diagnostics", () => {
    const summary = summarise(Float64Array.of(1, 2, 3, 4), 2, 0.5);
    expect(summary).toEqual({ ...nothing, mean: 2.5, sd: Math.sqrt(5 / 3), median: 2.5, lower: 1.75, upper: 3.25 });
  });

  it("of five draws a chain has R-hat, of six effective sizes too", () => {
    expect(summarise(someDraws(10), 2, 0.95)).toMatchObject({ essBulk: null, essTail: null, mcse: null });
    expect(summarise(someDraws(10), 2, 0.95).rhat).toBeGreaterThan(0);
    expect(summarise(someDraws(12), 2, 0.95).essBulk).toBeGreaterThan(0);
  });

  it("drops the middle draw of an odd chain from diagnostics, not from quantiles", () => {
    const odd = someDraws(101);
    const extreme = odd.slice();
    extreme[50] = 1e9;
    const even = Float64Array.of(...odd.subarray(0, 50), ...odd.subarray(51));
    expect(summarise(extreme, 1, 0.95).essBulk).toBe(essBulk(even, 1));
    expect(quantiles(extreme, [1])).toEqual([1e9]);
    expect(summarise(extreme, 1, 0.999_999).upper).toBeGreaterThan(1e8);
  });

  it("refuses what isn't whole chains, and levels outside (0, 1)", () => {
    expect(() => summarise(new Float64Array(0), 1, 0.95)).toThrow(RangeError);
    expect(() => summarise(new Float64Array(10), 3, 0.95)).toThrow("10 draws");
    expect(() => summarise(new Float64Array(10), 0, 0.95)).toThrow("0 chains");
    expect(() => summarise(new Float64Array(10), 2.5, 0.95)).toThrow(RangeError);
    for (const level of [0, 1, -1, 95, Number.NaN]) {
      expect(() => summarise(new Float64Array(10), 2, level)).toThrow(`level ${level}`);
    }
  });
});

describe("draws that aren't all finite", () => {
  it.each([Number.NaN, Infinity, -Infinity])("%d among them: nothing is available", async (bad) => {
    // The middle of an odd chain too, which splitting would lose.
    for (const [size, place] of [
      [40, 7],
      [41, 20],
    ]) {
      const draws = someDraws(size);
      draws[place] = bad;
      expect(summarise(draws, 1, 0.95)).toEqual(nothing);
      expect(quantiles(draws, [0, 0.5, 1])).toEqual([null, null, null]);
      const single = [rhat, essBulk, essTail, essSd, mcseMean, mcseSd].map((statistic) => statistic(draws, 1));
      expect(single).toEqual(Array(6).fill(null));
      expect(essQuantile(draws, 1, 0.5)).toBeNull();
      expect(await mcseQuantile(draws, 1, 0.5)).toBeNull();
    }
  });
});

describe("quantiles", () => {
  it("lie between the order statistics", () => {
    const sorted = Float64Array.of(1, 2, 4);
    expect([0, 0.25, 0.5, 0.75, 1].map((p) => quantileOfSorted(sorted, p))).toEqual([1, 1.5, 2, 3, 4]);
  });

  it("of equal neighbours are their value exactly", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (value, p) => {
        expect(quantileOfSorted(Float64Array.of(value, value, value), p)).toBe(value);
      }),
    );
  });

  it("refuse probabilities outside [0, 1] and no draws", async () => {
    for (const bad of [-0.1, 1.1, Number.NaN]) {
      expect(() => quantileOfSorted(Float64Array.of(1), bad)).toThrow(RangeError);
      expect(() => essQuantile(someDraws(20), 1, bad)).toThrow(RangeError);
      await expect(mcseQuantile(someDraws(20), 1, bad)).rejects.toThrow(RangeError);
    }
    expect(() => quantiles(new Float64Array(0), [0.5])).toThrow(RangeError);
  });
});

describe("stuck chains", () => {
  it("are named by number", () => {
    const draws = someDraws(40);
    draws.fill(0.25, 10, 20);
    draws.fill(0, 30, 40);
    expect(stuckChains(draws, 4)).toEqual([1, 3]);
    expect(stuckChains(someDraws(40), 4)).toEqual([]);
  });

  it("can't be told from a single draw", () => {
    expect(stuckChains(Float64Array.of(1, 1), 2)).toEqual([]);
  });
});

describe("effective sizes of few draws", () => {
  it("aren't available below six draws a chain", () => {
    for (const statistic of [essMean, essBulk, essTail, essSd]) {
      expect(statistic(someDraws(5), 1)).toBeNull();
      expect(statistic(someDraws(1), 1)).toBeNull();
    }
    expect(essMean(someDraws(6), 1)).toBeGreaterThan(0);
  });
});
