import { describe, expect, it } from "vitest";
import { clusteredError, clusteredEstimate, clusteredShare, clustersAt, clustersOf } from "../../src/audit/cluster.js";
import { halfWidthOfT } from "../../src/audit/distributions.js";
import { shareEstimate } from "../../src/audit/estimate.js";
import { RatError } from "../../src/errors.js";
import { Inputs } from "../support/random.js";
import { shortfall } from "./support.js";

const mean = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0) / values.length;
const influenceOf = (values: readonly number[]): number[] =>
  values.map((value) => (value - mean(values)) / values.length);

describe("clusters", () => {
  it("are told apart by their keys, numbers or names, in any order", () => {
    const { of, count } = clustersOf(["b", "a", "b", "c", "a"]);
    expect({ of: [...of], count }).toEqual({ of: [0, 1, 0, 2, 1], count: 3 });
    const some = clustersAt(clustersOf([7, 8, 7, 9]), [3, 1]);
    expect({ of: [...some.of], count: some.count }).toEqual({ of: [0, 1], count: 2 });
  });

  it.each([[undefined], [null], [5], ["x"], [{}], [["a", null]], [["a", undefined]], [[Number.NaN]]])(
    "are not told by %j",
    (keys) => {
      expect(() => clustersOf(keys as never)).toThrow(RatError);
    },
  );

  const values = [1, 0, 1, 1, 0, 1, 1, 0];

  it("of one row each have the usual error of a mean, sd / sqrt(n)", () => {
    const variance = values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1);
    const alone = clustersOf([...values.keys()]);
    expect(clusteredError(influenceOf(values), alone)).toBeCloseTo(Math.sqrt(variance / values.length), 14);
  });

  it("whose rows are all alike have the error of as many rows", () => {
    const eachTwice = values.flatMap((value) => [value, value]);
    const pairs = clustersOf(eachTwice.map((_, i) => i >> 1));
    const alone = clustersOf([...values.keys()]);
    expect(clusteredError(influenceOf(eachTwice), pairs)).toBeCloseTo(
      clusteredError(influenceOf(values), alone) as number,
      14,
    );
  });

  it("have Student's interval of one degree of freedom less than there are of them", () => {
    const clusters = clustersOf([0, 0, 1, 1, 2, 2, 3, 3]);
    const { value, error, lower, upper } = clusteredEstimate(mean(values), influenceOf(values), clusters, 0.9);
    expect((upper as number) - (value as number)).toBeCloseTo(halfWidthOfT(0.9, 3) * (error as number), 12);
    expect((value as number) - (lower as number)).toBeCloseTo(halfWidthOfT(0.9, 3) * (error as number), 12);
  });

  it("tell nothing of the error where there is one of them", () => {
    const one = clustersOf(values.map(() => "all"));
    const none = { error: null, lower: null, upper: null, interval: null, reason: null };
    expect(clusteredEstimate(0.5, influenceOf(values), one, 0.95)).toEqual({ value: 0.5, ...none });
    expect(clusteredShare(0.625, influenceOf(values), one, 0.95)).toEqual({ value: 0.625, ...none });
  });

  it.each([0, 1])("a share of %d has an interval as wide as one cluster a row would give", (share) => {
    const rows = Array.from({ length: 120 }, () => share);
    const { lower, upper } = clusteredShare(share, influenceOf(rows), clustersOf(rows.map((_, i) => i % 30)), 0.95);
    const plain = shareEstimate(share, 30, 0.95);
    const width = (upper as number) - (lower as number);
    expect(width / ((plain.upper as number) - (plain.lower as number))).toBeGreaterThan(0.95);
    expect(width / ((plain.upper as number) - (plain.lower as number))).toBeLessThan(1.2);
  });
});

describe("the interval of a share", () => {
  // 2,000 samples each; 4 standard errors below 0.92 come out in 1 of 30,000 such tests of one setting.
  it.each([
    [20, 0.4, 0.9],
    [20, 0.9, 0.5],
    [40, 0.9, 0.9],
    [40, 0.4, 0.97],
    [100, 0, 0.9],
  ])(
    "of %d clusters of 1 to 9 rows, correlation %d, share %d covers; one of independent rows doesn't",
    (count, correlation, share) => {
      const inputs = new Inputs(91);
      const [samples, covered] = [2000, { clustered: 0, naive: 0 }];
      for (let s = 0; s < samples; s++) {
        const keys: number[] = [];
        const rows: number[] = [];
        for (let g = 0; g < count; g++) {
          const [a, b] = [share, 1 - share].map((part) => (part * (1 - correlation)) / correlation);
          const own = correlation === 0 ? share : inputs.beta(a, b);
          for (let i = inputs.below(9); i >= 0; i--) {
            keys.push(g);
            rows.push(inputs.uniform() < own ? 1 : 0);
          }
        }
        const holds = ({ lower, upper }: { lower: number | null; upper: number | null }): number =>
          (lower as number) <= share && share <= (upper as number) ? 1 : 0;
        covered.clustered += holds(clusteredShare(mean(rows), influenceOf(rows), clustersOf(keys), 0.95));
        covered.naive += holds(shareEstimate(mean(rows), rows.length, 0.95));
      }
      expect(shortfall(covered.clustered, samples, 0.92)).toBeLessThan(4);
      if (correlation > 0) expect(covered.naive / samples).toBeLessThan(0.85);
    },
  );
});
