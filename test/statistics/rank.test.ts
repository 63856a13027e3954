import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ranks } from "../../src/statistics/index.js";
import { normalQuantile } from "../../src/statistics/normal-quantile.js";
import { quantileOfSorted } from "../../src/statistics/quantile.js";
import { foldOrder, writeScores } from "../../src/statistics/rank.js";
import { allocateOrdered, sortWithPlaces } from "../../src/statistics/sort.js";

const anyNumbers = fc.float64Array({ noNaN: true, minLength: 0, maxLength: 300 });
const finiteNumbers = fc.float64Array({ noNaN: true, noDefaultInfinity: true, minLength: 1, maxLength: 200 });
/** Few distinct values, so many ties, -0 and 0 among them. */
const tiedNumbers = fc
  .array(fc.constantFrom(-2.5, -1, -0, 0, 1e-310, 1, 1 + Number.EPSILON, 3), { minLength: 1, maxLength: 120 })
  .map((values) => Float64Array.from(values));

/** By definition: one plus the number of lesser values, plus half the number of other equal ones. */
function naiveRanks(values: Float64Array): number[] {
  return Array.from(values, (value) => {
    const less = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return less + (equal + 1) / 2;
  });
}

describe("sort with places", () => {
  it("sorts any numbers and tells their places", () => {
    fc.assert(
      fc.property(fc.oneof(anyNumbers, tiedNumbers), (values) => {
        const before = values.slice();
        const { sorted, order } = sortWithPlaces(values);
        expect(values).toEqual(before);
        // -0 before 0, as the native numeric sort has it.
        expect(sorted).toEqual(before.sort());
        expect(Array.from(order, (place) => values[place])).toEqual(Array.from(sorted));
        expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from(values.keys()));
      }),
    );
  });

  it("sorts values that share most of their bits", () => {
    const values = Float64Array.from({ length: 5000 }, (_, i) => 1 + ((i * 2654435761) % 4999) * Number.EPSILON);
    expect(sortWithPlaces(values).sorted).toEqual(values.slice().sort());
  });

  it("sorts a part of a larger buffer", () => {
    const buffer = Float64Array.of(9, 8, 3, 1, 2, 7);
    expect(Array.from(sortWithPlaces(buffer.subarray(2, 5)).sorted)).toEqual([1, 2, 3]);
  });

  it("puts NaN at an end, where a look at both ends finds it", () => {
    const negative = new Float64Array(new BigUint64Array([0xfff8000000000000n]).buffer)[0];
    for (const nan of [Number.NaN, negative]) {
      const { sorted } = sortWithPlaces(Float64Array.of(1, Infinity, nan, -Infinity, 2));
      expect(Number.isNaN(sorted[0]) || Number.isNaN(sorted[4])).toBe(true);
    }
  });
});

describe("ranks", () => {
  it("agree with the definition, ties averaged", () => {
    fc.assert(
      fc.property(fc.oneof(anyNumbers, tiedNumbers), (values) => {
        expect(Array.from(ranks(values))).toEqual(naiveRanks(values));
      }),
    );
  });

  it("become normal scores of (rank - 3/8) / (S + 1/4)", () => {
    fc.assert(
      fc.property(fc.oneof(finiteNumbers, tiedNumbers), (values) => {
        const scores = new Float64Array(values.length);
        writeScores(sortWithPlaces(values), scores);
        for (const [i, rank] of naiveRanks(values).entries()) {
          expect(scores[i]).toBeCloseTo(normalQuantile((rank - 0.375) / (values.length + 0.25)), 12);
        }
      }),
    );
  });
});

describe("folding", () => {
  it("orders the distances from the median as sorting them would", () => {
    fc.assert(
      fc.property(fc.oneof(finiteNumbers, tiedNumbers), (values) => {
        const ordered = sortWithPlaces(values);
        const median = quantileOfSorted(ordered.sorted, 0.5);
        const distances = values.map((value) => Math.abs(value - median));
        const folded = allocateOrdered(values.length);
        foldOrder(ordered, median, folded);
        // Less their sign where they are -0.
        const absolute = Array.from(folded.sorted, Math.abs);
        expect(absolute).toEqual(Array.from(sortWithPlaces(distances).sorted));
        expect(Array.from(folded.order, (place) => distances[place])).toEqual(absolute);
        expect(Array.from(folded.order).sort((a, b) => a - b)).toEqual(Array.from(values.keys()));
      }),
    );
  });
});
