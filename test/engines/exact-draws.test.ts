import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactEngine, mixtureTerms } from "../../src/engines/exact/index.js";
import { compileNetwork, rat } from "../../src/network/index.js";
import { Stream } from "../../src/random/stream.js";
import { Variates } from "../../src/random/variates.js";
import { meanAndSd, zLimit } from "../support/montecarlo.js";
import { base, countsOf, options, solve } from "./exact-support.js";

/** Standard errors between the moments of independent values and a mean, sd and fourth moment about the mean. */
function momentZ(values: Float64Array, mean: number, sd: number, fourth: number): number[] {
  const drawn = meanAndSd(values);
  const root = Math.sqrt(values.length);
  return [((drawn.mean - mean) / sd) * root, ((drawn.sd ** 2 - sd ** 2) / Math.sqrt(fourth - sd ** 4)) * root].map(
    Math.abs,
  );
}

const draw = (count: number, one: (variates: Variates) => number, seed = 1): Float64Array => {
  const variates = new Variates(new Stream(seed, 0, 2));
  return Float64Array.from({ length: count }, () => one(variates));
};

describe("variates", () => {
  const limit = zLimit(2 * 11);

  it("normal: mean 0, sd 1, fourth moment 3", () => {
    const z = momentZ(
      draw(200_000, (v) => v.normal()),
      0,
      1,
      3,
    );
    expect(Math.max(...z)).toBeLessThan(limit);
  });

  it.each([0.05, 0.5, 1, 1.5, 7, 300, 1e6])("gamma of shape %d: mean and variance are the shape", (shape) => {
    const values = draw(200_000, (v) => Math.exp(v.logGamma(shape)));
    const z = momentZ(values, shape, Math.sqrt(shape), 3 * shape ** 2 + 6 * shape);
    expect(Math.max(...z)).toBeLessThan(limit);
  });

  it("gamma of shape 0.001: the logs have the mean and variance of digamma and trigamma", () => {
    // digamma(0.001) = -1000.5755719318, trigamma(0.001) = 1000001.6425332; the fourth cumulant is about 6 / 0.001^4.
    const values = draw(200_000, (v) => v.logGamma(0.001));
    const variance = 1000001.6425332;
    const z = momentZ(values, -1000.5755719318, Math.sqrt(variance), 3 * variance ** 2 + 6e12);
    expect(Math.max(...z)).toBeLessThan(limit);
  });

  it("beta of 2^53 and 2^52: log odds have their narrow normal distribution", () => {
    const [a, b] = [2 ** 53, 2 ** 52];
    const values = draw(200_000, (v) => (v.logitBeta(a, b) - Math.log(2)) / Math.sqrt(1 / a + 1 / b));
    expect(Math.max(...momentZ(values, 0, 1, 3))).toBeLessThan(limit);
  });
});

describe("draws", () => {
  const counts = countsOf(base, [
    [[0, 0, 0], 9],
    [[1, 0, 1], 12],
    [[-1, 1, -1], 11],
    [[-1, 0, 1], 7],
    [[1, -1, -1], 5],
  ]);
  const engine = new ExactEngine();
  const sample = (more: Partial<typeof options> & { chains?: number }) => {
    const { id, ...rest } = { ...options, ...more };
    return engine.sample(base, counts, id, { sampler: "nuts", warmup: 0, ...rest });
  };

  it("have the moments of the mixture, whatever the records", async () => {
    const runs = 20;
    const limit = zLimit(runs * base.quantities.length);
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 15 }), { minLength: base.patterns.length, maxLength: base.patterns.length }),
      fc.nat(),
      async (records, seed) => {
        fc.pre(mixtureTerms(base, records) <= 20_000);
        const { mean, sd, draws } = await solve(base, Float64Array.from(records), { seed, draws: 1000 });
        draws.values.forEach((values, q) => {
          const error = sd[q] / Math.sqrt(values.length);
          expect.soft(Math.abs(meanAndSd(values).mean - mean[q]) / error).toBeLessThan(limit);
          // The sd of an sd is at most about its own size over the root of the draws for these bell-shaped posteriors.
          expect.soft(Math.abs(meanAndSd(values).sd - sd[q]) / error).toBeLessThan(limit);
        });
      },
    );
    await fc.assert(property, { seed: 6, numRuns: runs });
  });

  it("of a chain are the same for any number of chains, and others for another seed, id or chain", async () => {
    const [one, three] = [await sample({ chains: 1 }), await sample({ chains: 3 })];
    expect([...three.values[7].subarray(0, 250)]).toEqual([...one.values[7]]);
    const starts = [three.values[7][0], three.values[7][250], three.values[7][500]];
    starts.push((await sample({ seed: 2 })).values[7][0], (await sample({ id: 5 })).values[7][0]);
    expect(new Set(starts).size).toBe(5);
    expect((await sample({})).values).toEqual((await sample({})).values);
  });

  it("are those of the summary", async () => {
    const { draws } = await solve(base, counts);
    expect(draws.values).toEqual((await sample({})).values);
    expect(draws).toMatchObject({ chains: 4, draws: 250, statistics: null });
  });

  it("are pinned: a change of the stream shows here", async () => {
    const { values } = await sample({ chains: 1, draws: 2 });
    expect(Array.from(values, ([first]) => first)).toMatchInlineSnapshot(`
      [
        0.5530628080656116,
        0.41871895518879965,
        0.10636251984005288,
        0.17266989266145824,
        0.9359044346060085,
        0.5530628080656116,
        0.2459662279374571,
        0.5074181800772951,
        0.6497002863286986,
      ]
    `);
  });

  it("stay inside (0, 1) and finite for shapes near 0 and for 2^53 records", async () => {
    const network = compileNetwork(rat, { priors: { theta_R: [1e-3, 1e-3], "theta_A+": [1e-5, 1e-5] } });
    for (const [levels, times] of [
      [[1, 0, -1], 0],
      [[1, 0, 1], 2 ** 53],
    ] as const) {
      const { draws } = await solve(network, countsOf(network, [[levels, times]]));
      for (const values of draws.values) expect(values.every((p) => p > 0 && p < 1)).toBe(true);
    }
  });
});
