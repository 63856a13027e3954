import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  SUMMARY_ESS,
  SUMMARY_FIELDS,
  SUMMARY_LOWER,
  SUMMARY_MEAN,
  SUMMARY_MEDIAN,
  SUMMARY_RHAT,
  SUMMARY_SD,
  SUMMARY_UPPER,
} from "../../src/generated/layout.js";
import { compileNetwork } from "../../src/network/index.js";
import { openSampler } from "../support/kernel.js";
import { meanAndSd } from "../support/montecarlo.js";
import { coin } from "../support/networks.js";
import { Inputs } from "../support/random.js";

interface Summary {
  mean: number;
  sd: number;
  median: number;
  lower: number;
  upper: number;
  rhat: number;
  ess: number;
}

const network = compileNetwork(coin);

/** The kernel's summary of draws [chains][draws]. */
function kernel(values: ArrayLike<number>, chains: number, level: number): Summary {
  const sampler = openSampler(network, { chains, draws: values.length / chains, level, warmup: 0 });
  sampler.drawsOf(0).set(values);
  const fields = sampler.summarise();
  expect(fields).toHaveLength(SUMMARY_FIELDS);
  return {
    mean: fields[SUMMARY_MEAN],
    sd: fields[SUMMARY_SD],
    median: fields[SUMMARY_MEDIAN],
    lower: fields[SUMMARY_LOWER],
    upper: fields[SUMMARY_UPPER],
    rhat: fields[SUMMARY_RHAT],
    ess: fields[SUMMARY_ESS],
  };
}

/** Hyndman and Fan (1996), definition 8. */
function quantile(sorted: readonly number[], p: number): number {
  const n = sorted.length;
  const place = Math.min(Math.max(p * (n + 1 / 3) - 2 / 3, 0), n - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, n - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

const chunks = (values: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.floor(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

const meanOf = (values: readonly number[]): number => meanAndSd(values).mean;
const varianceOf = (values: readonly number[]): number => meanAndSd(values).sd ** 2;

/** The same, plainly. */
function plain(values: readonly number[], chains: number, level: number): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const length = values.length / chains;
  const half = Math.floor(length / 2);
  const halves = chunks(values, length).flatMap((chain) => [chain.slice(0, half), chain.slice(length - half)]);
  const within = meanOf(halves.map(varianceOf));
  const between = varianceOf(halves.map(meanOf));
  const batch = Math.floor(Math.sqrt(length));
  const batches = chunks(values, length).flatMap((chain) => chunks(chain, batch));
  const { mean, sd } = meanAndSd(values);
  const spread = (batch * batches.reduce((sum, b) => sum + (meanOf(b) - mean) ** 2, 0)) / (batches.length - 1);
  return {
    mean,
    sd,
    median: quantile(sorted, 0.5),
    lower: quantile(sorted, (1 - level) / 2),
    upper: quantile(sorted, (1 + level) / 2),
    rhat: half < 2 ? NaN : Math.sqrt((half - 1) / half + between / within),
    ess: batch < 2 ? NaN : (values.length * sd ** 2) / spread,
  };
}

/** Equal up to 1e-12 of the value; what is a matter of deviations as well as the rounding of the mean allows. */
function expectSame(actual: Summary, expected: Summary): void {
  for (const key of Object.keys(expected) as (keyof Summary)[]) {
    const far = ["sd", "rhat", "ess"].includes(key) ? Math.abs(expected.mean) / (expected.sd || 1) : 0;
    const size = Math.abs(expected[key]) * (1 + far) + expected.sd;
    if (Number.isNaN(expected[key])) expect(actual[key], key).toBeNaN();
    else expect(Math.abs(actual[key] - expected[key]), key).toBeLessThanOrEqual(1e-12 * size);
  }
}

describe("the kernel's summary equals a plain one, to 1e-12", () => {
  const draws: [string, (inputs: Inputs, i: number, n: number) => number][] = [
    ["normal draws", (inputs) => inputs.normal()],
    ["draws with ties", (inputs) => inputs.below(4)],
    ["rising draws", (_, i) => i ** 1.1],
    ["falling draws", (_, i, n) => n - i],
    ["draws that rise, then fall", (_, i, n) => Math.min(i, n - i)],
    ["draws of one value but one", (_, i, n) => (i === n - 1 ? 1 : 0)],
    ["probabilities near 1", (inputs) => 1 - 1e-9 * inputs.uniform()],
  ];

  it.each(draws)("of %s: 1 to 5 chains of 2 to 101 draws, odd and even", (_, draw) => {
    const inputs = new Inputs(141);
    for (let chains = 1; chains <= 5; chains++) {
      for (const length of [2, 3, 4, 5, 6, 7, 8, 9, 10, 31, 100, 101]) {
        const n = chains * length;
        const values = Array.from({ length: n }, (_, i) => draw(inputs, i, n));
        for (const level of [0.95, 0.5]) expectSame(kernel(values, chains, level), plain(values, chains, level));
      }
    }
  });

  it("of 4 chains of 1001 autocorrelated draws", () => {
    const inputs = new Inputs(142);
    let x = 0;
    const values = Array.from({ length: 4004 }, () => {
      x = 0.9 * x + inputs.normal();
      return 100 + x;
    });
    expectSame(kernel(values, 4, 0.9), plain(values, 4, 0.9));
  });

  it("of any draws at any level", () => {
    const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -1, max: 1, noNaN: true }));
    const sets = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 20 }))
      .chain(([chains, length]) =>
        fc.tuple(
          fc.constant(chains),
          fc.array(value, { minLength: chains * length, maxLength: chains * length }),
          fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        ),
      )
      .filter(([, values]) => meanAndSd(values).sd > 1e-6);
    fc.assert(
      fc.property(sets, ([chains, values, level]) => {
        const { rhat: _, ess: __, ...actual } = kernel(values, chains, level);
        const { rhat: ___, ess: ____, ...expected } = plain(values, chains, level);
        for (const key of Object.keys(expected) as (keyof typeof expected)[]) {
          expect(Math.abs(actual[key] - expected[key]), key).toBeLessThanOrEqual(1e-12 * (1 + expected.sd));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("the kernel's summary", () => {
  it("of constant draws has sd 0, all quantiles there, and no diagnostics", () => {
    const { mean, sd, median, lower, upper, rhat, ess } = kernel(new Float64Array(200).fill(0.25), 2, 0.95);
    expect({ mean, sd, median, lower, upper }).toEqual({ mean: 0.25, sd: 0, median: 0.25, lower: 0.25, upper: 0.25 });
    expect(rhat).toBeNaN();
    expect(ess).toBeNaN();
  });

  it("of a single draw has no sd, and that draw as mean and quantiles", () => {
    const { mean, sd, median, lower, upper } = kernel([0.7], 1, 0.95);
    expect({ mean, median, lower, upper }).toEqual({ mean: 0.7, median: 0.7, lower: 0.7, upper: 0.7 });
    expect(sd).toBeNaN();
  });

  it("lets NaN draws be seen in the mean, and returns", () => {
    const values = Float64Array.from({ length: 100 }, (_, i) => (i % 7 === 3 ? NaN : i));
    expect(kernel(values, 2, 0.95).mean).toBeNaN();
  });

  it("has an R-hat that tells chains apart that disagree, and not those that agree", () => {
    const inputs = new Inputs(143);
    const agree = inputs.array(4000, () => inputs.normal());
    const disagree = agree.map((x, i) => x + (i < 1000 ? 3 : 0));
    expect(kernel(agree, 4, 0.95).rhat).toBeLessThan(1.01);
    expect(kernel(disagree, 4, 0.95).rhat).toBeGreaterThan(1.5);
  });

  it("summarises each quantity by itself", () => {
    const quantities = ["P(X=1)", "P(X=0)", "2 * P(X=1)"].map((expression) => ({ name: expression, expression }));
    const three = compileNetwork(coin, { quantities });
    const sampler = openSampler(three, { chains: 2, draws: 501 });
    sampler.sample(new Float64Array(three.patterns.length), 1);
    const draws = quantities.map((_, q) => [...sampler.drawsOf(q)]);
    const fields = [...sampler.summarise()];
    for (const [q, values] of draws.entries()) {
      const expected = plain(values, 2, 0.95);
      expect(fields[SUMMARY_FIELDS * q + SUMMARY_MEAN]).toBeCloseTo(expected.mean, 12);
      expect(fields[SUMMARY_FIELDS * q + SUMMARY_UPPER]).toBeCloseTo(expected.upper, 12);
    }
  });
});
