import { describe, expect, it } from "vitest";
import type { SamplerName } from "../../src/engines/engine.js";
import { Sampler } from "../../src/engines/wasm/sampler.js";
import { CHAIN_LEAPFROGS } from "../../src/generated/layout.js";
import { nodeProbabilities } from "../../src/network/density.js";
import { compileNetwork, rat } from "../../src/network/index.js";
import { essMean } from "../../src/statistics/index.js";
import { sameBits } from "../support/accuracy.js";
import { basePlans, calibrate, drawCounts, drawEntries, type Fault, openKernel } from "../support/calibration.js";
import { loadNetwork, openSampler, type Probe, Scratch, samplerDefaults } from "../support/kernel.js";
import { falseAlarms, meanAndSd, zLimit } from "../support/montecarlo.js";
import { Inputs } from "../support/random.js";
import { coverage } from "./coverage.js";
import { dependence, dependenceLimit, independent, pairs, pairsOfKernel } from "./dependence.js";
import { type Planted, plant, replaceOnly } from "./plant.js";
import { found, rankFaultLimit, type Subject, setupOf, testRankFaults } from "./rank-faults.js";

/*
 * Tests of tests: the checks of calibration pass on the kernel as it is, and each fails once a fault is planted, one at a
 * time, with the same seeds and limits. Each has one false alarm in 10,000 seeds for all that it compares.
 */
const samplers = ["nuts", "hmc"] as const;
const network = compileNetwork(rat);

const acceptance: Record<SamplerName, Planted> = {
  nuts: { file: "assembly/nuts.ts", right: "const weight = exp<f64>(gain);", wrong: "const weight = exp<f64>(-gain);" },
  hmc: {
    file: "assembly/hmc.ts",
    right: "const gain = sub<v128>(after, before);",
    wrong: "const gain = sub<v128>(before, after);",
  },
};
const sharedByChains: Planted = { file: "assembly/run.ts", right: "this.firstChain + chain", wrong: "this.firstChain" };
const sharedByRefits: Planted = {
  file: "assembly/run.ts",
  right: "stream.start(seed, refit, ",
  wrong: "stream.start(seed, 0 * refit, ",
};
const swappedEnds: Planted = {
  file: "assembly/summary.ts",
  right: `out + 8 * SUMMARY_LOWER, quantile(draws, 0, middle + 1, count, run.lower));
  store<f64>(out + 8 * SUMMARY_UPPER, `,
  wrong: `out + 8 * SUMMARY_UPPER, quantile(draws, 0, middle + 1, count, run.lower));
  store<f64>(out + 8 * SUMMARY_LOWER, `,
};
const slope =
  "sub<V>(mul<V>(add<V>(broadcast<V>(fixed + 0), e2), rest0), mul<V>(add<V>(broadcast<V>(fixed + 8), e1), theta0))";
const gradient: Planted = {
  file: "assembly/generated/rat.ts",
  right: `store<V>(g, ${slope}, `,
  wrong: `store<V>(g, mul<V>(constant<V>(0.7), ${slope}), `,
};

describe("planting a fault", () => {
  it("needs the piece exactly once, and says so where the source has changed", () => {
    const fault = { file: "assembly/a.ts", right: "x = 1", wrong: "$& $1" };
    expect(replaceOnly("let x = 1;", fault)).toBe("let $& $1;");
    expect(() => replaceOnly("let y = 1;", fault)).toThrow(/planted in assembly\/a\.ts, .* occurs 0 times/);
    expect(() => replaceOnly("let x = 1; x = 1;", fault)).toThrow(/occurs 2 times/);
  });

  it("changes nothing else: without one the compiled copy has the draws of the kernel that is shipped, bit by bit", () => {
    const kernel = plant();
    const counts = new Inputs(301).array(network.patterns.length, (m) => (5 * m) % 7);
    for (const sampler of samplers) {
      const options = { ...samplerDefaults, sampler, chains: 2, warmup: 60, draws: 50 };
      const copy = new Sampler(network, options, 2, false, openKernel({ kernel }));
      const shipped = openSampler(network, options);
      copy.sample(counts, 1);
      shipped.sample(counts, 1);
      for (let q = 0; q < network.quantities.length; q++) {
        expect(sameBits(Float64Array.from(copy.drawsOf(q)), Float64Array.from(shipped.drawsOf(q)))).toBe(true);
      }
    }
  });
});

// Ranks.

const subjects: readonly Subject[] = samplers.map((sampler) => ({
  name: sampler,
  sampler,
  rows: network.rowNames,
  reversed: {
    where: sampler === "hmc" ? "acceptance" : "weights of a trajectory's points",
    tests: (setup) =>
      // The points that it prefers keep nuts in trees of a thousand leaves: fewer data sets are enough.
      calibrate({ ...setup, ...(sampler === "nuts" && { refits: 300 }) }, { kernel: plant(acceptance[sampler]) }),
  },
}));

testRankFaults(subjects);

/** Quantities of the base network whose ranks a fault shows in. */
const shown = async (sampler: SamplerName, fault: Fault): Promise<string[]> =>
  found(await calibrate(setupOf("base", { sampler }), fault), rankFaultLimit(subjects));

// Independence.

/*
 * hmc's two streams, keyed alike, are soon out of step, since the first one gives trajectories their length too: first
 * draws show it, later ones don't.
 */
describe.each(samplers)(
  `${pairs} pairs of draws with %s, limit ${dependenceLimit.toFixed(2)} standard errors`,
  (sampler) => {
    it("are independent: of two chains, and of two refits", async () => {
      const { chains, refits } = await dependence(pairsOfKernel(sampler));
      expect([independent(chains), independent(refits)]).toEqual([true, true]);
    });

    it("find two chains with one stream; ranks of truths don't, since each chain by itself is right", async () => {
      const fault = { kernel: plant(sharedByChains) };
      const { chains, refits } = await dependence(pairsOfKernel(sampler, fault));
      expect([independent(chains), independent(refits)]).toEqual([false, true]);
      expect(await shown(sampler, fault)).toEqual([]);
    });

    it("find one stream for all refits", async () => {
      const { refits } = await dependence(pairsOfKernel(sampler, { kernel: plant(sharedByRefits) }));
      expect(independent(refits)).toBe(false);
    });
  },
);

// Intervals.

describe.each(samplers)("interval ends with %s", (sampler) => {
  it("are found out where they are swapped, each one, and only there", async () => {
    const calibration = { ...setupOf("base", { sampler }), refits: 300 };
    const right = await coverage(calibration);
    const wrong = await coverage(calibration, { kernel: plant(swappedEnds) });
    const least = falseAlarms / (samplers.length * right.length);
    expect(right.filter(({ chance }) => chance < least)).toEqual([]);
    expect(wrong.filter(({ chance }) => chance >= least)).toEqual([]);
  });
});

// The gradient: it only proposes, so that a wrong one leaves the target as it is.

/** How far the gradient of the base network's density is from central differences, as a share of the records. */
function slopeError(probe: Probe): number {
  const scratch = new Scratch(probe);
  const [x, g, pair, pairG, value] = [8, 8, 16, 16, 2].map((count) => scratch.floats(count));
  const inputs = new Inputs(321);
  const counts = inputs.array(network.patterns.length, () => inputs.below(50));
  const records = counts.reduce((a, b) => a + b, 2 * network.rowNames.length);
  loadNetwork(probe, network, counts);
  const logits = inputs.array(5, () => inputs.uniform(-2, 2));
  const at = (k: number, shift: number): number => {
    x.array.set(logits);
    x.array[k] += shift;
    return probe.straightDensity(x.at, g.at);
  };
  at(0, 0);
  const slopes = g.array.slice(0, 5);
  for (let k = 0; k < 5; k++) pair.array.fill(logits[k], 2 * k, 2 * k + 2);
  probe.straightDensityPair(pair.at, pairG.at, value.at);
  const lanes = pairG.array.slice(0, 10);
  const step = 1e-5;
  let worst = 0;
  for (let k = 0; k < 5; k++) {
    const expected = (at(k, step) - at(k, -step)) / (2 * step);
    for (const actual of [slopes[k], lanes[2 * k], lanes[2 * k + 1]]) {
      worst = Math.max(worst, Math.abs(actual - expected) / records);
    }
  }
  return worst;
}

/** Log of effective draws per leapfrog, mean over rows, of each of some data sets. */
function efficiencies(sampler: SamplerName, fault: Fault = {}, seed = 331): number[] {
  const dataSets = 200;
  const [chains, draws] = [2, 500];
  const options = { ...samplerDefaults, sampler, chains, warmup: 300, draws, seed };
  const opened = new Sampler(network, options, chains, false, openKernel(fault));
  const inputs = new Inputs(331);
  return Array.from({ length: dataSets }, (_, refit) => {
    const p = nodeProbabilities(network, drawEntries(network, inputs));
    opened.sample(drawCounts(network, p, basePlans, inputs), refit);
    const logs = network.rowNames.map((_, k) => Math.log(essMean(Float64Array.from(opened.drawsOf(k)), chains)!));
    return logs.reduce((a, b) => a + b, 0) / logs.length - Math.log(opened.total(CHAIN_LEAPFROGS));
  });
}

/** Mean of paired differences, in standard errors. */
function pairedZ(a: readonly number[], b: readonly number[]): number {
  const { mean, sd } = meanAndSd(a.map((value, i) => value - b[i]));
  return (mean * Math.sqrt(a.length)) / sd;
}

const efficiencyLimit = zLimit(samplers.length);
// Truncation of central differences with step 1e-5 is below 1e-10 of a record's slope, rounding about 1e-9.
const slopeTolerance = 1e-7;

describe.each(samplers)("a gradient with one row at 0.7 of its size, with %s", (sampler) => {
  const wrong = (): Fault => ({ kernel: plant(gradient) });

  it("is not seen in ranks: the target is still exact", async () => {
    expect(await shown(sampler, wrong())).toEqual([]);
  });

  it("is seen in finite differences, where the right one is within 1e-7", () => {
    expect(slopeError(openKernel({ kernel: plant() }) as Probe)).toBeLessThan(slopeTolerance);
    expect(slopeError(openKernel(wrong()) as Probe)).toBeGreaterThan(slopeTolerance);
  });

  it(`is seen in effective draws per leapfrog on 200 data sets, where another seed isn't, limit ${efficiencyLimit.toFixed(2)} standard errors`, () => {
    const right = efficiencies(sampler);
    expect(Math.abs(pairedZ(right, efficiencies(sampler, {}, 332)))).toBeLessThan(efficiencyLimit);
    expect(pairedZ(right, efficiencies(sampler, wrong()))).toBeGreaterThan(efficiencyLimit);
  });
});
