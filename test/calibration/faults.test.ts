import { describe, expect, it } from "vitest";
import type { SamplerName } from "../../src/engines/engine.js";
import { Sampler } from "../../src/engines/wasm/sampler.js";
import { CHAIN_LEAPFROGS } from "../../src/generated/layout.js";
import { nodeProbabilities } from "../../src/network/density.js";
import { type CompiledNetwork, compileNetwork, type NetworkDefinition, rat } from "../../src/network/index.js";
import { essMean } from "../../src/statistics/index.js";
import { sameBits } from "../support/accuracy.js";
import {
  basePlans,
  type Calibration,
  calibrate,
  drawCounts,
  drawEntries,
  type Fault,
  isUniform,
  logLikelihood,
  openKernel,
  type RankTest,
  rankLimit,
} from "../support/calibration.js";
import { loadNetwork, openSampler, type Probe, Scratch, samplerDefaults } from "../support/kernel.js";
import { falseAlarms, meanAndSd, zLimit } from "../support/montecarlo.js";
import { Inputs } from "../support/random.js";
import { coverage } from "./coverage.js";
import { dependence, dependenceLimit, independent, pairs } from "./dependence.js";
import { type Planted, plant, replaceOnly } from "./plant.js";

/*
 * Tests of tests: the checks of calibration pass on the kernel as it is, and each fails once a fault is planted, one at a
 * time, with the same seeds and limits. Each has one false alarm in 10,000 seeds for all that it compares.
 */
const samplers = ["nuts", "hmc"] as const;
const network = compileNetwork(rat);

const acceptance: Record<SamplerName, Planted> = {
  nuts: { file: "nuts.ts", right: "const weight = exp<f64>(gain);", wrong: "const weight = exp<f64>(-gain);" },
  hmc: {
    file: "hmc.ts",
    right: "const gain = sub<v128>(after, before);",
    wrong: "const gain = sub<v128>(before, after);",
  },
};
const sharedByChains: Planted = { file: "run.ts", right: "this.firstChain + chain", wrong: "this.firstChain" };
const sharedByRefits: Planted = {
  file: "run.ts",
  right: "stream.start(seed, refit, ",
  wrong: "stream.start(seed, 0 * refit, ",
};
const swappedEnds: Planted = {
  file: "summary.ts",
  right: `out + 8 * SUMMARY_LOWER, quantile(draws, 0, middle + 1, count, run.lower));
  store<f64>(out + 8 * SUMMARY_UPPER, `,
  wrong: `out + 8 * SUMMARY_UPPER, quantile(draws, 0, middle + 1, count, run.lower));
  store<f64>(out + 8 * SUMMARY_LOWER, `,
};
const slope =
  "sub<V>(mul<V>(add<V>(broadcast<V>(fixed + 0), e2), rest0), mul<V>(add<V>(broadcast<V>(fixed + 8), e1), theta0))";
const gradient: Planted = {
  file: "generated/rat.ts",
  right: `store<V>(g, ${slope}, `,
  wrong: `store<V>(g, mul<V>(constant<V>(0.7), ${slope}), `,
};

describe("planting a fault", () => {
  it("needs the piece exactly once, and says so where the source has changed", () => {
    const fault = { file: "a.ts", right: "x = 1", wrong: "$& $1" };
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

/** Beta(2, 2) in every row: a posterior without the Jacobian, too. */
const humped: NetworkDefinition = {
  ...rat,
  variables: rat.variables.map((variable) => ({
    ...variable,
    rows: variable.rows.map((row) => (row.always === undefined ? { ...row, prior: [2, 2] } : row)),
  })),
};
const base = { name: "base network", definition: rat, plans: basePlans, refits: 1000 };
const setups = {
  base,
  few: { ...base, plans: [{ seen: ["R", "A", "T"], records: 3 }] },
  humped: { ...base, definition: humped, plans: [{ seen: ["R", "A", "T"], records: 3 }] },
};
type Setup = keyof typeof setups;
const setupOf = (setup: Setup, sampler: SamplerName): Calibration => ({ ...setups[setup], sampler });
const limit = rankLimit(samplers.flatMap((sampler) => Object.values(setups).map((setup) => ({ ...setup, sampler }))));

/** Quantities whose ranks are not uniform. */
const found = (tests: readonly RankTest[]): string[] =>
  tests.filter((test) => !isUniform(test, limit)).map(({ quantity }) => quantity);

/**
 * On the logits a row has the density theta^a (1 - theta)^b, one power more of each than on theta: the Jacobian. Without
 * it, value and gradient are those of a - 1 and b - 1.
 */
const withoutJacobian = (right: CompiledNetwork): CompiledNetwork => ({
  ...right,
  priorSuccess: right.priorSuccess.map((a) => a - 1),
  priorFailure: right.priorFailure.map((b) => b - 1),
});

const withSuccess =
  (row: number) =>
  (right: CompiledNetwork): CompiledNetwork => ({
    ...right,
    priorSuccess: right.priorSuccess.map((a, k) => (k === row ? a + 1 : a)),
  });

/** A record of the first pattern that has any: which one is lost depends on what it shows. */
function loseFirst(counts: Float64Array): Float64Array {
  const fewer = counts.slice();
  fewer[fewer.findIndex((n) => n > 0)]--;
  return fewer;
}

/** Any one, whatever it shows. */
function loseAny(inputs: Inputs): (counts: Float64Array) => Float64Array {
  return (counts) => {
    const fewer = counts.slice();
    const records = counts.reduce((a, b) => a + b, 0);
    fewer[inputs.category(counts.map((n) => n / records))]--;
    return fewer;
  };
}

describe.each(samplers)(
  `ranks of ${base.refits} truths with %s, limit ${limit.toFixed(2)} standard errors`,
  (sampler) => {
    it.each(Object.keys(setups) as Setup[])("are uniform without a fault: %s", (setup) => {
      expect(found(calibrate(setupOf(setup, sampler)))).toEqual([]);
    });

    it("find a missing Jacobian, by the log likelihood first of all", () => {
      expect(found(calibrate(setupOf("humped", sampler), { network: withoutJacobian }))).toContain(logLikelihood);
    });

    it.each(network.rowNames.map((row, k) => ({ row, k })))(
      "find a prior that is off by one, of $row alone",
      ({ row, k }) => {
        expect(found(calibrate(setupOf("base", sampler), { network: withSuccess(k) }))).toContain(row);
      },
    );

    it("find that one of 72 records is lost, where that depends on what it shows", () => {
      expect(found(calibrate(setupOf("base", sampler), { counts: loseFirst }))).toContain("theta_R");
    });

    it("find that one of 3 records is lost at random by the log likelihood, and by nothing else", () => {
      expect(found(calibrate(setupOf("few", sampler), { counts: loseAny(new Inputs(302)) }))).toEqual([logLikelihood]);
    });

    it(`find the sign reversed in the ${sampler === "hmc" ? "acceptance" : "weights of a trajectory's points"}`, () => {
      // The points that it prefers keep nuts in trees of a thousand leaves: fewer data sets are enough.
      const setup = { ...setupOf("base", sampler), ...(sampler === "nuts" ? { refits: 300 } : {}) };
      const tests = calibrate(setup, { kernel: plant(acceptance[sampler]) });
      expect(found(tests)).toContain(logLikelihood);
    });
  },
);

// Independence.

/*
 * hmc's two streams, keyed alike, are soon out of step, since the first one gives trajectories their length too: first
 * draws show it, later ones don't.
 */
describe.each(samplers)(
  `${pairs} pairs of draws with %s, limit ${dependenceLimit.toFixed(2)} standard errors`,
  (sampler) => {
    it("are independent: of two chains, and of two refits", () => {
      const { chains, refits } = dependence(sampler);
      expect([independent(chains), independent(refits)]).toEqual([true, true]);
    });

    it("find two chains with one stream; ranks of truths don't, since each chain by itself is right", () => {
      const fault = { kernel: plant(sharedByChains) };
      const { chains, refits } = dependence(sampler, fault);
      expect([independent(chains), independent(refits)]).toEqual([false, true]);
      expect(found(calibrate(setupOf("base", sampler), fault))).toEqual([]);
    });

    it("find one stream for all refits", () => {
      const { refits } = dependence(sampler, { kernel: plant(sharedByRefits) });
      expect(independent(refits)).toBe(false);
    });
  },
);

// Intervals.

describe.each(samplers)("interval ends with %s", (sampler) => {
  it("are found out where they are swapped, each one, and only there", () => {
    const calibration = { ...setupOf("base", sampler), refits: 300 };
    const right = coverage(calibration);
    const wrong = coverage(calibration, { kernel: plant(swappedEnds) });
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

  it("is not seen in ranks: the target is still exact", () => {
    expect(found(calibrate(setupOf("base", sampler), wrong()))).toEqual([]);
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
