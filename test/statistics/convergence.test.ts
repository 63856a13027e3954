import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { centre } from "../../src/statistics/chains.js";
import { essOfChains } from "../../src/statistics/ess.js";
import { essBulk, essMean, rhat, rhatBasic, rhatSplit, stuckChains } from "../../src/statistics/index.js";
import { centredScores, rhatOfCentred } from "../../src/statistics/rhat.js";
import { sortWithPlaces } from "../../src/statistics/sort.js";

/** [chains, draws a chain, autocorrelation, noise]. */
const settings = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: 3, max: 400 }),
    fc.double({ min: -0.95, max: 0.999, noNaN: true }),
  )
  .chain(([chains, length, rho]) =>
    fc.tuple(
      fc.constant(chains),
      fc.constant(rho),
      fc.float64Array({ min: -1, max: 1, noNaN: true, minLength: chains * length, maxLength: chains * length }),
    ),
  );

/** Turns noise into chains that remember `rho` of where they were. */
function autoregressive(noise: Float64Array, chains: number, rho: number): Float64Array {
  const length = noise.length / chains;
  const out = noise.slice();
  for (let i = 0; i < out.length; i++) if (i % length !== 0) out[i] += rho * out[i - 1];
  return out;
}

/** Geyer's estimate in plain words: every lag first, then the positive pairs, then the monotone ones, then the sum. */
function naiveEss(values: Float64Array, chains: number): number {
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
  const rho = (lag: number) => (lag === 0 ? 1 : 1 - (within - lagged(lag)) / (lagged(0) + between));
  const pairs: [number, number][] = [[rho(0), rho(1)]];
  let trailing = pairs[0][0];
  let lag = 0;
  while (lag < length - 5 && pairs[pairs.length - 1][0] + pairs[pairs.length - 1][1] > 0) {
    lag += 2;
    pairs.push([rho(lag), rho(lag + 1)]);
  }
  if (pairs.length > 1) {
    // The last pair is never summed as a pair: it's negative, or the chain has ended.
    trailing = Math.max(pairs[pairs.length - 1][0], 0);
    pairs.pop();
    if (lag >= length - 5 && trailing === 0) trailing = pairs.length > 0 ? trailing : 1;
  }
  for (let k = 1; k < pairs.length; k++) {
    const previous = pairs[k - 1][0] + pairs[k - 1][1];
    if (pairs[k][0] + pairs[k][1] > previous) pairs[k] = [previous / 2, previous / 2];
  }
  let sum = lag === 0 ? 1 : 0;
  if (lag > 0) for (const [even, odd] of pairs) sum += even + odd;
  const size = chains * length;
  return size / Math.max(-1 + 2 * sum + trailing, 1 / Math.log10(size));
}

describe("effective sample size", () => {
  it("agrees with a naive implementation, whichever way the lags are computed", () => {
    fc.assert(
      fc.property(settings, ([chains, rho, noise]) => {
        const values = autoregressive(noise, chains, rho);
        fc.pre(centre({ values, chains }) !== null);
        const expected = naiveEss(values, chains);
        const actual = essOfChains({ values, chains }) ?? Number.NaN;
        expect(Math.abs(actual / expected - 1)).toBeLessThanOrEqual(1e-6);
      }),
    );
  });

  it("of the bulk doesn't change when draws are transformed by a rising function", () => {
    fc.assert(
      fc.property(settings, ([chains, rho, noise]) => {
        const values = autoregressive(noise, chains, rho);
        const ordered = sortWithPlaces(values).sorted;
        const transformed = values.map(Math.exp);
        // Rounding may join values that were different; then the ranks do change.
        fc.pre(new Set(ordered).size === new Set(transformed).size);
        expect(essBulk(transformed, chains)).toBe(essBulk(values, chains));
      }),
    );
  });

  it("of a chain that hardly moves is small", () => {
    const walk = Float64Array.from({ length: 20_000 }, (_, i) => Math.sin(i / 3000));
    expect(essMean(walk, 2)).toBeLessThan(20);
  });
});

describe("R-hat", () => {
  const sampled = settings.filter(([chains, , noise]) => noise.length / chains >= 4);

  it("by ranks doesn't change when draws are transformed by a rising function", () => {
    const byRanks = (values: Float64Array, chains: number) => {
      const centred = centredScores(sortWithPlaces(values), chains);
      return centred === null ? null : rhatOfCentred(centred);
    };
    fc.assert(
      fc.property(sampled, ([chains, rho, noise]) => {
        const values = autoregressive(noise, chains, rho);
        const transformed = values.map(Math.exp);
        fc.pre(new Set(values).size === new Set(transformed).size);
        expect(byRanks(transformed, chains)).toBe(byRanks(values, chains));
      }),
    );
  });

  it("doesn't change with the unit or the direction of the draws", () => {
    fc.assert(
      fc.property(sampled, ([chains, rho, noise]) => {
        const values = autoregressive(noise, chains, rho);
        fc.pre(rhat(values, chains) !== null);
        const expected = rhat(values, chains) ?? Number.NaN;
        // Powers of two: no rounding, so that ties stay ties.
        for (const factor of [1024, -1, -0.5]) {
          expect(
            rhat(
              values.map((value) => value * factor),
              chains,
            ),
          ).toBeCloseTo(expected, 9);
        }
      }),
    );
  });

  it("is infinite where chains stand at different values", () => {
    const draws = Float64Array.of(1, 1, 1, 1, 2, 2, 2, 2);
    expect(rhat(draws, 2)).toBe(Infinity);
    expect(rhatSplit(draws, 2)).toBe(Infinity);
    expect(rhatBasic(draws, 2)).toBe(Infinity);
    expect(stuckChains(draws, 2)).toEqual([0, 1]);
  });

  it("sees a trend in a single chain, but only when it's split", () => {
    const trend = Float64Array.from({ length: 100 }, (_, i) => i + 3 * Math.sin(i * i));
    expect(rhatBasic(trend, 1)).toBeNull();
    expect(rhat(trend, 1)).toBeGreaterThan(1.5);
  });
});
