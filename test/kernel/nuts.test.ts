import betaQuantile from "@stdlib/stats-base-dists-beta-quantile";
import { describe, expect, it } from "vitest";
import {
  OUTCOME_COMPLETE,
  OUTCOME_DIVERGENT,
  OUTCOME_MAX_DEPTH,
  OUTCOME_NON_FINITE,
} from "../../src/generated/layout.js";
import { logDensity } from "../../src/network/density.js";
import { compileNetwork, fold, rat } from "../../src/network/index.js";
import { relativeError } from "../support/accuracy.js";
import { GaussianTarget } from "../support/gaussian.js";
import { loadNetwork, openProbe, Scratch } from "../support/kernel.js";
import { meanAndSd, zLimit } from "../support/montecarlo.js";
import { Inputs } from "../support/random.js";
import { Tree } from "../support/tree.js";

const probe = openProbe();
const scratch = new Scratch(probe);
const scales = [0.02, 1, 5];
const gaussian = new GaussianTarget(scratch, scales);
const gaussianTree = new Tree(scratch, 0, 3);
const tableTree = new Tree(scratch, 1, 5);

const network = compileNetwork(rat);
/** Complete records only: the posterior is a product of Betas. */
const complete = Float64Array.from(network.patterns, ({ levels }, m) => (levels.every((l) => l >= 0) ? 3 + m : 0));
const mixed = Float64Array.from(network.patterns, (_, m) => (7 * m) % 23);

function useGaussian(): Tree {
  loadNetwork(probe, gaussian.network, []);
  gaussian.setup();
  return gaussianTree.open();
}

function useTable(counts: ArrayLike<number>): Tree {
  loadNetwork(probe, network, counts);
  return tableTree.open();
}

const transitions = 20_000;

describe("a transition of nuts from a draw of the target", () => {
  // 4 kinds x 3 dimensions x 3 moments, all independent draws; one false alarm in 10,000 seeds for the 36.
  const limit = zLimit(36);

  it.each([
    { stepSize: 0.3, metric: "right", units: scales },
    { stepSize: 1, metric: "right", units: scales },
    { stepSize: 1.7, metric: "right", units: scales },
    // One dimension at the edge of stability makes weights uneven, the others make trees deep.
    { stepSize: 1.7, metric: "wrong", units: [0.02, 0.1, 0.5] },
  ])(
    `ends in a draw of the target, step size $stepSize, metric $metric: moments within ${limit.toFixed(2)} standard errors`,
    ({ stepSize, units }) => {
      const tree = useGaussian();
      const inputs = new Inputs(121);
      tree.seed(1, Math.round(100 * stepSize));
      tree.setStep(stepSize, units);
      const sums = scales.map(() => [0, 0, 0]);
      let moved = 0;
      for (let i = 0; i < transitions; i++) {
        const start = scales.map((scale) => scale * inputs.normal());
        tree.set(start);
        const { position } = tree.move();
        moved += position[0] === start[0] ? 0 : 1;
        position.forEach((x, k) => {
          const z = x / scales[k];
          for (const [j, value] of [z, z ** 2 - 1, z ** 4 - 3].entries()) sums[k][j] += value;
        });
      }
      expect(moved).toBeGreaterThan(transitions / 4);
      for (const moments of sums) {
        const errors = moments.map((sum, j) => sum / Math.sqrt([1, 2, 96][j] * transitions));
        for (const error of errors) expect(Math.abs(error)).toBeLessThan(limit);
      }
    },
  );

  it(`ends in a draw of it, Beta posterior: 15 shares within ${zLimit(15).toFixed(2)} standard errors (one false alarm in 10,000 seeds)`, () => {
    const tree = useTable(complete);
    const { success, failure } = fold(network, complete);
    const inputs = new Inputs(122);
    const points = [0.05, 0.5, 0.95];
    const quantiles = Array.from(success, (s, k) => points.map((p) => betaQuantile(p, s, failure[k])));
    const below = quantiles.map(() => [0, 0, 0]);
    tree.seed(2);
    tree.setStep(
      0.9,
      Array.from(success, (s, k) => Math.sqrt(1 / s + 1 / failure[k])),
    );
    for (let i = 0; i < transitions; i++) {
      tree.set(success.map((s, k) => logit(inputs.beta(s, failure[k]))));
      tree.move().position.forEach((x, k) => {
        const theta = 1 / (1 + Math.exp(-x));
        for (const [j, quantile] of quantiles[k].entries()) below[k][j] += theta <= quantile ? 1 : 0;
      });
    }
    for (const counts of below) {
      for (const [j, p] of points.entries()) {
        const z = (counts[j] - p * transitions) / Math.sqrt(p * (1 - p) * transitions);
        expect(Math.abs(z)).toBeLessThan(zLimit(15));
      }
    }
  });
});

const logit = (p: number): number => Math.log(p / (1 - p));

describe("a transition of nuts", () => {
  it("walks a tree: 2^depth - 1 leapfrogs for whole doublings, and at most one more begun", () => {
    const tree = useGaussian();
    tree.seed(3);
    tree.set([0, 0, 0]);
    for (const stepSize of [0.05, 0.3, 1, 1.6]) {
      tree.setStep(stepSize, scales);
      for (let i = 0; i < 500; i++) {
        const { outcome, depth, leapfrogs } = tree.move();
        expect(outcome).toBe(OUTCOME_COMPLETE);
        expect(leapfrogs).toBeGreaterThanOrEqual(2 ** depth - 1);
        expect(leapfrogs).toBeLessThan(2 ** (depth + 1));
        expect(leapfrogs).toBeGreaterThan(0);
      }
    }
  });

  it("on a Gaussian is never longer than a whole turn, and a quarter on average or more", () => {
    // In units of the scales all dimensions turn once in 2 pi. Beyond half a turn one end of the trajectory must point
    // back, so that the last doubling starts from less than that.
    const tree = useGaussian();
    tree.seed(4);
    tree.set([0, 0, 0]);
    const stepSize = 0.01;
    tree.setStep(stepSize, scales);
    const lengths = Array.from({ length: 300 }, () => stepSize * tree.move().leapfrogs);
    expect(Math.max(...lengths)).toBeLessThan(2 * Math.PI + 2 * stepSize);
    expect(meanAndSd(lengths).mean).toBeGreaterThan(Math.PI / 2);
  });

  it("reports acceptance in [0, 1], the log density of the new point, and its energy, which is no less", () => {
    const tree = useTable(mixed);
    const folded = fold(network, mixed);
    tree.seed(5);
    tree.set([0, 0, 0, 0, 0]);
    tree.setStep(
      0.8,
      Array.from(folded.success, (s, k) => Math.sqrt(1 / s + 1 / folded.failure[k])),
    );
    for (let i = 0; i < 500; i++) {
      const { position, acceptance, energy, logDensity: reported } = tree.move();
      expect(acceptance).toBeGreaterThanOrEqual(0);
      expect(acceptance).toBeLessThanOrEqual(1);
      expect(relativeError(reported, logDensity(network, folded, position).value)).toBeLessThan(1e-13);
      expect(energy).toBeGreaterThanOrEqual(-reported);
    }
  });

  it("with a tiny step ends at the depth limit, 1023 leapfrogs, nearly all accepted", () => {
    const tree = useGaussian();
    tree.seed(6);
    tree.set([0.01, 1, 2]);
    tree.setStep(1e-4, scales);
    const { outcome, depth, leapfrogs, acceptance } = tree.move();
    expect({ outcome, depth, leapfrogs }).toEqual({ outcome: OUTCOME_MAX_DEPTH, depth: 10, leapfrogs: 1023 });
    expect(acceptance).toBeGreaterThan(0.999999);
  });

  it("with a huge step is divergent after one leapfrog, with acceptance 0, and stays where it was", () => {
    const tree = useGaussian();
    tree.seed(7);
    tree.set([0.01, 1, 2]);
    tree.setStep(1000, scales);
    const { position, outcome, leapfrogs, acceptance } = tree.move();
    expect(position).toEqual([0.01, 1, 2]);
    expect({ outcome, leapfrogs, acceptance }).toEqual({ outcome: OUTCOME_DIVERGENT, leapfrogs: 1, acceptance: 0 });
  });

  it.each([
    ["step", 1e300, [0.01, 1, 2]],
    ["step", Infinity, [0.01, 1, 2]],
    ["step", NaN, [0.01, 1, 2]],
    ["start", 0.1, [Infinity, 1, 2]],
    ["start", 0.1, [0.01, NaN, 2]],
  ])(
    "with a %s that isn't sensible (%d, %j) is non-finite, with acceptance 0, and stays where it was",
    (_, stepSize, start) => {
      const tree = useGaussian();
      tree.seed(8);
      tree.set(start);
      tree.setStep(stepSize, scales);
      const { position, outcome, acceptance, depth } = tree.move();
      expect(position).toEqual(start);
      expect({ outcome, acceptance, depth }).toEqual({ outcome: OUTCOME_NON_FINITE, acceptance: 0, depth: 0 });
    },
  );

  it("that reached a pattern without any probability would be non-finite, and stays where it was", () => {
    const counts = new Float64Array(network.patterns.length);
    counts[network.patterns.findIndex(({ levels }) => levels.join() === "-1,0,1")] = 3;
    const tree = useTable(counts);
    tree.seed(9);
    const start = [0, 0, 0, -800, -800];
    tree.set(start);
    tree.setStep(0.1, [1, 1, 1, 1, 1]);
    const { position, outcome, acceptance } = tree.move();
    expect({ position, outcome, acceptance }).toEqual({ position: start, outcome: OUTCOME_NON_FINITE, acceptance: 0 });
  });

  it("is the same again, bit for bit, from the same point with the same stream", () => {
    const tree = useGaussian();
    tree.setStep(0.5, scales);
    const run = (seed: number): unknown[] => {
      tree.seed(seed);
      tree.set([0, 0, 0]);
      return Array.from({ length: 50 }, () => tree.move());
    };
    expect(run(10)).toEqual(run(10));
    expect(run(10)).not.toEqual(run(11));
  });
});
