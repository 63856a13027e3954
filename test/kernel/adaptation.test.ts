import { describe, expect, it } from "vitest";
import type { Sampler } from "../../src/engines/wasm/sampler.js";
import {
  CHAIN_ACCEPTANCE,
  CHAIN_DIVERGENCES,
  CHAIN_FIELDS,
  CHAIN_LEAPFROGS,
  CHAIN_STEP_SIZE,
} from "../../src/generated/layout.js";
import { essMean } from "../../src/statistics/index.js";
import { GaussianTarget } from "../support/gaussian.js";
import { loadNetwork, openProbe, Scratch } from "../support/kernel.js";
import { meanZ, zLimit } from "../support/montecarlo.js";
import { Tree } from "../support/tree.js";

const chains = 8;
const draws = 2000;

const field = (sampler: Sampler, index: number): number[] =>
  Array.from({ length: sampler.chains }, (_, chain) => sampler.chainResults[CHAIN_FIELDS * chain + index]);

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Gradients per effective draw, of the mean or square, of whichever position is estimated worst. */
function cost(positions: readonly Float64Array[], gradients: number): number {
  const ess = positions.flatMap((x) => [
    essMean(x, chains)!,
    essMean(
      x.map((value) => value ** 2),
      chains,
    )!,
  ]);
  return gradients / Math.min(...ess);
}

const positionsOf = (sampler: Sampler, count: number): Float64Array[] =>
  Array.from({ length: count }, (_, k) => Float64Array.from(sampler.drawsOf(k)));

/** The same, of nuts with the known scales as its metric: only the step size adapts, as at the end of a warmup. */
function costWithKnownScales(scales: readonly number[]): number {
  const scratch = new Scratch(openProbe());
  const { probe } = scratch;
  const target = new GaussianTarget(scratch, scales);
  loadNetwork(probe, target.network, []);
  target.setup();
  const tree = new Tree(scratch, 0, scales.length).open();
  const positions = scales.map(() => new Float64Array(chains * draws));
  let gradients = 0;
  for (let chain = 0; chain < chains; chain++) {
    tree.seed(5, chain);
    tree.set(scales);
    let stepSize = 1;
    probe.averagingRestart(stepSize, 0.8, 10);
    for (let i = 0; i < 50; i++) {
      tree.setStep(stepSize, scales);
      stepSize = probe.averagingUpdate(tree.move().acceptance);
    }
    tree.setStep(probe.averagingSettled(), scales);
    for (let i = 0; i < draws; i++) {
      const { position, leapfrogs } = tree.move();
      gradients += leapfrogs;
      for (const [k, x] of position.entries()) positions[k][chain * draws + i] = x;
    }
  }
  return cost(positions, gradients);
}

const targets = [
  { name: "scales 0.02 and 1", scales: [0.02, 1] },
  { name: "five scales over three orders of magnitude", scales: [0.01, 0.1, 1, 3, 10] },
];

/*
 * A factor of 1.5: variances from the last window's 500 draws are off by 6 % (one standard deviation), which costs at most
 * as much in step size again; estimates of ESS from 16,000 draws are off by 5 % on either side. An inverted metric costs
 * a factor of 2500 in the first case, no metric 50.
 */
const mostCost = 1.5;

describe.each(targets)("nuts after a warmup of 1000 on a Gaussian with $name", ({ scales }) => {
  const target = new GaussianTarget(new Scratch(openProbe()), scales);
  const sampler = target.sampler({ chains, warmup: 1000, draws, seed: 3 });
  sampler.sample([], 1);
  const positions = positionsOf(sampler, scales.length);

  it("needs no more than 1.5 times the gradients per effective draw that it needs with the known scales", () => {
    const adapted = cost(positions, sum(field(sampler, CHAIN_LEAPFROGS)));
    expect(adapted / costWithKnownScales(scales)).toBeLessThan(mostCost);
  });

  it("has the right means and variances, each within its limit of standard errors (one false alarm in 10,000 seeds)", () => {
    const limit = zLimit(2 * scales.length);
    for (const [k, x] of positions.entries()) {
      expect(Math.abs(meanZ(x, chains, 0))).toBeLessThan(limit);
      expect(
        Math.abs(
          meanZ(
            x.map((value) => value ** 2),
            chains,
            scales[k] ** 2,
          ),
        ),
      ).toBeLessThan(limit);
    }
  });

  it("has no divergences, and steps of the size that a Gaussian in its own units allows", () => {
    expect(sum(field(sampler, CHAIN_DIVERGENCES))).toBe(0);
    for (const stepSize of field(sampler, CHAIN_STEP_SIZE)) {
      expect(stepSize).toBeGreaterThan(0.3);
      expect(stepSize).toBeLessThan(2);
    }
  });
});

describe("nuts", () => {
  it("accepts 0.8 or more on average in every chain after a warmup of 1000, without half of it for nothing", () => {
    const target = new GaussianTarget(new Scratch(openProbe()), targets[1].scales);
    const sampler = target.sampler({ chains, warmup: 1000, draws, seed: 4 });
    sampler.sample([], 1);
    for (const acceptance of field(sampler, CHAIN_ACCEPTANCE)) {
      expect(acceptance).toBeGreaterThan(0.75);
      expect(acceptance).toBeLessThan(0.97);
    }
  });
});

describe("hmc on a Gaussian", () => {
  const scales = [1, 1, 1, 1, 1];
  const run = (laplace: readonly number[], warmup: number) => {
    const target = new GaussianTarget(new Scratch(openProbe()), scales, laplace);
    const sampler = target.sampler({ sampler: "hmc", chains, warmup, draws, seed: 6 });
    sampler.sample([], 1);
    const positions = positionsOf(sampler, scales.length);
    return { sampler, positions, cost: cost(positions, sum(field(sampler, CHAIN_LEAPFROGS))) };
  };

  it("whose Laplace approximation is off by factors up to 3 needs no more than 1.5 times the gradients, warmup 600", () => {
    const right = run(scales, 600);
    const wrong = run([3, 0.5, 1, 2, 0.4], 600);
    expect(wrong.cost / right.cost).toBeLessThan(mostCost);
  });

  it.each([
    { name: "right", laplace: scales },
    { name: "off by factors up to 3", laplace: [3, 0.5, 1, 2, 0.4] },
  ])(
    "whose Laplace approximation is $name has the right means and variances, within their limits of standard errors (one false alarm in 10,000 seeds)",
    ({ laplace }) => {
      const limit = zLimit(10);
      for (const x of run(laplace, 600).positions) {
        expect(Math.abs(meanZ(x, chains, 0))).toBeLessThan(limit);
        expect(
          Math.abs(
            meanZ(
              x.map((value) => value ** 2),
              chains,
              1,
            ),
          ),
        ).toBeLessThan(limit);
      }
    },
  );

  it("started from draws of the target gives draws of the target, with no warmup and whatever the step accepts", () => {
    // 20,000 chains of one draw each: independent, so that standard errors are exact. Moments 1, 2, 4 in 3 dimensions.
    const limit = zLimit(9);
    const target = new GaussianTarget(new Scratch(openProbe()), [0.3, 1, 2]);
    const sampler = target.sampler({ sampler: "hmc", chains: 20_000, warmup: 0, draws: 1, seed: 7 });
    sampler.sample([], 1);
    for (const [k, scale] of target.scales.entries()) {
      const z = sampler.drawsOf(k).map((x) => x / scale);
      for (const [power, mean, variance] of [
        [1, 0, 1],
        [2, 1, 2],
        [4, 3, 96],
      ]) {
        const average = sum([...z].map((x) => x ** power)) / z.length;
        expect(Math.abs((average - mean) / Math.sqrt(variance / z.length))).toBeLessThan(limit);
      }
    }
  });

  it("accepts about 0.8 on average after a warmup of 200", () => {
    for (const acceptance of field(run(scales, 200).sampler, CHAIN_ACCEPTANCE)) {
      expect(acceptance).toBeGreaterThan(0.7);
      expect(acceptance).toBeLessThan(0.9);
    }
  });
});
