import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isConstant } from "../../src/statistics/chains.js";
import { essOfChains } from "../../src/statistics/ess.js";
import { essBulk, essMean, rhat, rhatBasic, rhatSplit, stuckChains, summarise } from "../../src/statistics/index.js";
import { centredScores, rhatOfCentred } from "../../src/statistics/rhat.js";
import { sortWithPlaces } from "../../src/statistics/sort.js";

const shapes = fc.record({
  chains: fc.integer({ min: 1, max: 4 }),
  length: fc.integer({ min: 4, max: 300 }),
  memory: fc.double({ min: -0.95, max: 0.999, noNaN: true }),
});

/** Chains that keep a share `memory` of each step, of whole numbers: some tied, and exact in any transformation below. */
const chainSets = shapes.chain(({ chains, length, memory }) =>
  fc
    .int16Array({ min: -1000, max: 1000, minLength: chains * length, maxLength: chains * length })
    .map((noise) => {
      const values = Float64Array.from(noise);
      for (let i = 0; i < values.length; i++) if (i % length !== 0) values[i] += Math.round(memory * values[i - 1]);
      return { values, chains };
    })
    .filter(({ values }) => !isConstant(values)),
);

/**
 * Geyer's estimate in plain words: the pairs of autocorrelations up to the first that isn't positive, made monotone,
 * summed. `margin` is how far the nearest pair is from 0, where rounding would decide whether it counts.
 */
function naiveEss(values: Float64Array, chains: number): { ess: number; margin: number } {
  const length = values.length / chains;
  const parts = Array.from({ length: chains }, (_, c) => Array.from(values.subarray(c * length, (c + 1) * length)));
  const average = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length;
  const means = parts.map(average);
  const lagged = (lag: number) =>
    average(
      parts.map((part, c) => {
        let sum = 0;
        for (let i = 0; i + lag < length; i++) sum += (part[i] - means[c]) * (part[i + lag] - means[c]);
        return sum / length;
      }),
    );
  const within = (lagged(0) * length) / (length - 1);
  const grand = average(means);
  const between = chains > 1 ? means.reduce((sum, mean) => sum + (mean - grand) ** 2, 0) / (chains - 1) : 0;
  const pooled = lagged(0) + between;
  const rho = (lag: number) => 1 - (within - lagged(lag)) / pooled;

  const pairs = [[1, rho(1)]];
  const lastSum = () => pairs[pairs.length - 1][0] + pairs[pairs.length - 1][1];
  let margin = Math.abs(lastSum());
  for (let lag = 2; lag < length - 3 && lastSum() > 0; lag += 2) {
    pairs.push([rho(lag), rho(lag + 1)]);
    margin = Math.min(margin, Math.abs(lastSum()));
  }
  // The last pair gives its even member only, and that only where it's positive or the chain ended before the pairs did.
  const [even, odd] = pairs[pairs.length - 1];
  const trailing = even > 0 || even + odd >= 0 ? even : 0;
  const sums = pairs.slice(0, -1).map(([a, b]) => a + b);
  for (let k = 1; k < sums.length; k++) sums[k] = Math.min(sums[k], sums[k - 1]);
  const sum = sums.length === 0 ? 1 : sums.reduce((a, b) => a + b, 0);
  const size = chains * length;
  return { ess: size / Math.max(-1 + 2 * sum + trailing, 1 / Math.log10(size)), margin };
}

describe("effective sample size", () => {
  it("agrees with a naive implementation", () => {
    fc.assert(
      fc.property(chainSets, ({ values, chains }) => {
        const { ess, margin } = naiveEss(values, chains);
        fc.pre(margin > 1e-9);
        expect(Math.abs((essOfChains({ values, chains }) ?? Number.NaN) / ess - 1)).toBeLessThanOrEqual(1e-6);
      }),
    );
  });

  it("agrees with it too where so many lags are needed that they come from transforms", () => {
    const slow = Float64Array.from({ length: 1200 }, (_, i) => Math.sin(i / 90) + 0.1 * Math.sin(i * i));
    const { ess, margin } = naiveEss(slow, 2);
    expect(margin).toBeGreaterThan(1e-9);
    expect(essOfChains({ values: slow, chains: 2 })).toBeCloseTo(ess, 8);
  });

  it("of the bulk doesn't change when draws are transformed by a rising function", () => {
    fc.assert(
      fc.property(chainSets, ({ values, chains }) => {
        expect(
          essBulk(
            values.map((value) => value ** 3),
            chains,
          ),
        ).toBe(essBulk(values, chains));
      }),
    );
  });

  it("of a chain that hardly moves is small", () => {
    const walk = Float64Array.from({ length: 20_000 }, (_, i) => Math.sin(i / 3000));
    expect(essMean(walk, 2)).toBeLessThan(20);
  });
});

describe("R-hat", () => {
  it("by ranks doesn't change when draws are transformed by a rising function", () => {
    const byRanks = (values: Float64Array, chains: number) => {
      const centred = centredScores(sortWithPlaces(values), chains);
      return centred === null ? null : rhatOfCentred(centred);
    };
    fc.assert(
      fc.property(chainSets, ({ values, chains }) => {
        const cubes = values.map((value) => value ** 3);
        expect(byRanks(cubes, chains)).toBe(byRanks(values, chains));
      }),
    );
  });

  it("doesn't change with the unit or the direction of the draws", () => {
    fc.assert(
      fc.property(chainSets, ({ values, chains }) => {
        const expected = rhat(values, chains);
        // Powers of two: no rounding, so that ties stay ties.
        for (const factor of [1024, -1, -0.5]) {
          const scaled = values.map((value) => value * factor);
          const actual = rhat(scaled, chains);
          if (expected === null || expected === Infinity) expect(actual).toBe(expected);
          else expect(actual).toBeCloseTo(expected, 9);
        }
      }),
    );
  });

  it("is infinite where chains stand at different values", () => {
    const draws = Float64Array.of(1, 1, 1, 1, 2, 2, 2, 2, 5, 5, 5, 5);
    expect(rhat(draws, 3)).toBe(Infinity);
    expect(rhatSplit(draws, 3)).toBe(Infinity);
    expect(rhatBasic(draws, 3)).toBe(Infinity);
    expect(stuckChains(draws, 3)).toEqual([0, 1, 2]);
    expect(summarise(draws, 3, 0.95).rhat).toBeNull();
  });

  it("isn't available where folding leaves a constant, as in posterior", () => {
    expect(rhat(Float64Array.of(1, 1, 1, 1, 2, 2, 2, 2), 2)).toBeNull();
  });

  it("sees a trend in a single chain, but only when it's split", () => {
    const trend = Float64Array.from({ length: 100 }, (_, i) => i + 3 * Math.sin(i * i));
    expect(rhatBasic(trend, 1)).toBeNull();
    expect(rhat(trend, 1)).toBeGreaterThan(1.5);
  });
});
