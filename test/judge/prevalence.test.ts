import { afterAll, describe, expect, it } from "vitest";
import { bayesianCautions, bayesianModel, uniformPriors } from "../../src/audit/prevalence/bayesian.js";
import { auditPrevalence, type CountsInput, type PrevalenceInput } from "../../src/audit/prevalence.js";
import { ExactEngine } from "../../src/engines/exact/index.js";
import { WasmEngine } from "../../src/engines/wasm/engine.js";
import { prevalenceCounts, prevalenceNetwork, samplePrevalence } from "../../src/judge/prevalence.js";
import { compileOnce } from "../../src/network/index.js";
import { auditReference, notFinite } from "../audit/support.js";
import { zLimit } from "../support/montecarlo.js";

const engine = new WasmEngine({ workers: 0 });
const exact = new ExactEngine();
afterAll(() => Promise.all([engine.dispose(), exact.dispose()]));

const options = { seed: 20261130, id: 0, level: 0.95 };
const posterior = async (input: PrevalenceInput, more = {}) =>
  (await samplePrevalence(engine, input, { ...options, ...more })).bayesian;

const audit = { truePositives: 30, falseNegatives: 4, falsePositives: 7, trueNegatives: 19 };
const random: CountsInput = { audit, judged: { positives: 260, negatives: 140 } };
const separate: CountsInput = { ...random, sample: "separate" };
const priors = { prevalence: [2, 5], sensitivity: [8, 2], falsePositiveRate: [1, 3] } as const;

describe("the Bayesian prevalence", () => {
  const cases: [string, PrevalenceInput, object][] = [
    ["a random audit", random, {}],
    ["a separate one", separate, {}],
    ["priors of one's own", random, { priors }],
    ["priors of one's own and a separate audit", separate, { priors }],
    ["known rates", { observed: 0.4, n: 100, sensitivity: 0.9, specificity: 0.8 }, {}],
    ["known rates without errors", { observed: 0.4, n: 100, sensitivity: 1, specificity: 1 }, {}],
    ["few audited records", { audit: { ...audit, truePositives: 3, trueNegatives: 2 }, judged: random.judged }, {}],
  ];

  it.each(cases)("of %s is the exact one (false alarm once in 10,000)", async (_, input, more) => {
    const found = await posterior(input, more);
    const made = bayesianModel(input, "priors" in more ? priors : uniformPriors);
    if (!("model" in made)) throw new Error("no model");
    const network = compileOnce(prevalenceNetwork(made.model));
    const counts = prevalenceCounts(network, made.model);
    const known = await exact.summarise(network, counts, { ...options, chains: 1, draws: 4 });
    expect(known.exactMoments.slice(0, 3)).toEqual([true, true, true]);
    const ess = found.sampling?.minEss as number;
    expect(ess).toBeGreaterThan(400);
    expect(found.sampling?.maxRhat).toBeLessThan(1.01);
    [found, found.sensitivity, found.specificity, found.j].forEach(({ value, error }, q) => {
      const z = ((value as number) - known.mean[q]) / ((error as number) / Math.sqrt(ess));
      expect(Math.abs(z)).toBeLessThan(zLimit(4 * cases.length));
    });
    // An end's Monte Carlo error is about sqrt(.025 .975 / ess) over the density there: 2.7 standard deviations.
    const limit = (zLimit(2 * cases.length) * 3.5 * (found.error as number)) / Math.sqrt(ess);
    expect(Math.abs((found.lower as number) - known.lower[0])).toBeLessThan(limit);
    expect(Math.abs((found.upper as number) - known.upper[0])).toBeLessThan(limit);
  });

  it("says which priors have no say, and where the tails hold few draws", async () => {
    const known = { observed: 0.4, n: 100, sensitivity: 0.9, specificity: 0.8, specificityN: 50 };
    const own = { sensitivity: [2, 1], prevalence: [2, 5] } as const;
    const { bayesian, warnings } = await samplePrevalence(engine, known, { ...options, level: 0.9999, priors: own });
    expect(bayesian.priors).toEqual({ ...uniformPriors, ...own });
    expect(warnings).toEqual([
      "the prior of the sensitivity has no say: the rate is taken for known",
      expect.stringMatching(/^at level 0\.9999 only 0\.40 of 8000 draws/),
    ]);
    const none = { ...random, audit: { truePositives: 0, falseNegatives: 0, falsePositives: 0, trueNegatives: 0 } };
    const refused = await samplePrevalence(engine, none, { ...options, priors: { prevalence: [2, 5] } });
    expect(refused.warnings).toEqual(["the prior of the prevalence has no say: there is no Bayesian estimate"]);
  });

  it("is what sums over a grid of all three parameters give", async () => {
    const [{ truePositives: tp, falseNegatives: fn, falsePositives: fp, trueNegatives: tn }, size] = [audit, 80];
    const at = (i: number): number => (i + 0.5) / size;
    let [mass, first] = [0, 0];
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        for (let k = 0; k < size; k++) {
          const [pi, se, alarm] = [at(i), at(j), at(k)];
          const yes = pi * se + (1 - pi) * alarm;
          const log =
            tp * Math.log(pi * se) +
            fn * Math.log(pi * (1 - se)) +
            fp * Math.log((1 - pi) * alarm) +
            tn * Math.log((1 - pi) * (1 - alarm)) +
            260 * Math.log(yes) +
            140 * Math.log(1 - yes);
          const weight = Math.exp(log + 350);
          mass += weight;
          first += weight * pi;
        }
      }
    }
    const { value, error, sampling } = await posterior(random);
    // The grid's own error is far below a Monte Carlo one.
    expect(Math.abs((value as number) - first / mass)).toBeLessThan(
      (zLimit(1) * (error as number)) / Math.sqrt(sampling?.minEss as number),
    );
  });

  it("is near the reference's delta method where many records are audited, and the same for the same seed", async () => {
    const {
      input,
      estimate_raw: known,
      se_delta_full: error,
    } = auditReference.rogan_gladen.cases.article_dense_leg_like;
    const given: CountsInput = {
      audit: {
        truePositives: input.se_hits,
        falseNegatives: input.se_n - input.se_hits,
        falsePositives: input.sp_n - input.sp_hits,
        trueNegatives: input.sp_hits,
      },
      judged: { positives: input.positive_verdicts, negatives: input.n - input.positive_verdicts },
      sample: "separate",
    };
    const found = await posterior(given);
    expect(Math.abs((found.value as number) - known)).toBeLessThan(0.2 * error);
    expect(Math.abs((found.error as number) / error - 1)).toBeLessThan(0.1);
    expect(await posterior(given)).toEqual(found);
    // The same from rates.
    const rates = {
      observed: 0.703,
      n: 1000,
      sensitivity: 0.92,
      sensitivityN: 200,
      specificity: 0.7,
      specificityN: 200,
    };
    expect((await posterior(rates)).value).toBeCloseTo(found.value as number, 6);
  });

  it("of a separate audit learns nothing of the prevalence from how many true records were chosen", async () => {
    const scaled = (times: number): CountsInput => ({
      ...separate,
      audit: { ...audit, truePositives: 30 * times, falseNegatives: 4 * times },
    });
    const [few, many] = await Promise.all([scaled(1), scaled(20)].map((input) => posterior(input)));
    // Of a random audit 680 true ones of 706 would leave no doubt.
    expect(Math.abs((few.value as number) - (many.value as number))).toBeLessThan(0.5 * (few.error as number));
  });

  it("isn't given of verdicts alone, of clusters, or without a number of records, and says why", async () => {
    const none = { truePositives: 0, falseNegatives: 0, falsePositives: 0, trueNegatives: 0 };
    const cases: [PrevalenceInput, RegExp][] = [
      [{ ...random, audit: none }, /nothing audited.*mirror image/],
      [{ ...separate, audit: { ...none, truePositives: 5 } }, /no false record audited/],
      [{ observed: 0.4, sensitivity: 0.9, specificity: 0.8 }, /how many records/],
      [{ ...random, clusters: { count: 1, table: Float64Array.of(30, 4, 7, 19, 260, 140) } }, /clusters.*too narrow/],
    ];
    for (const [input, reason] of cases) {
      const found = await posterior(input);
      expect(found).toMatchObject({ value: null, lower: null, sampling: null });
      expect(found.reason).toMatch(reason);
    }
  });

  it("whose chains disagree is undefined, and its R-hat is there to see", async () => {
    const rates = { observed: 0.4, n: 1e15, sensitivity: 0.9, sensitivityN: 1e12, specificity: 0.8, specificityN: 1e5 };
    const { bayesian, warnings } = await samplePrevalence(engine, rates, options);
    expect(bayesian).toMatchObject({ value: null, lower: null, j: { value: null }, pNoBetterThanChance: null });
    expect(bayesian.reason).toMatch(/chains disagree/);
    expect(bayesian.sampling?.maxRhat).toBeGreaterThan(1.1);
    expect(warnings[0]).toMatch(/R-hat above/);
  });

  it("of a judge like a coin says that truth may as well be turned over", async () => {
    const coin = { truePositives: 10, falseNegatives: 10, falsePositives: 10, trueNegatives: 10 };
    const input = { audit: coin, judged: { positives: 500, negatives: 500 }, sample: "separate" } as const;
    const found = await posterior(input);
    expect((found.upper as number) - (found.lower as number)).toBeGreaterThan(0.8);
    expect(bayesianCautions(found, "separate")[0]).toMatch(/no better than chance with probability 0\.[45]/);
    expect(bayesianCautions(await posterior(separate), "separate")).toEqual([]);
    expect(notFinite(found)).toEqual([]);
    expect(auditPrevalence(input).fieller).toMatchObject({ lower: 0, upper: 1 });
  });
});
