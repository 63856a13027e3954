import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CountsInput, orderSystems, prevalence, type RatesInput } from "../../src/audit/prevalence.js";
import { zLimit } from "../support/montecarlo.js";
import { auditReference, csvRows, dataFile, notFinite, shortfall, simulation } from "./support.js";

const options = { seed: 1, draws: 500 };

interface ReferenceCase {
  input: { positive_verdicts: number; n: number; se_hits: number; se_n: number; sp_hits: number; sp_n: number };
  p_obs: number;
  J: number;
  estimate_raw: number;
  estimate_clipped: number;
  variance_inflation_known_rates: number;
  naive_se: number;
  se_known_rates: number;
  se_delta_full: number;
  variance_terms: { sampling: number; sensitivity: number; specificity: number };
  ci95_wald_raw: [number, number];
  monte_carlo_check: { sd: number; draws: number };
}

const cases: Record<string, ReferenceCase> = auditReference.rogan_gladen.cases;

/** The reference's audits have so many true and so many false records: no random sample. */
const countsOf = ({ input }: ReferenceCase): CountsInput => ({
  audit: {
    truePositives: input.se_hits,
    falseNegatives: input.se_n - input.se_hits,
    falsePositives: input.sp_n - input.sp_hits,
    trueNegatives: input.sp_hits,
  },
  judged: { positives: input.positive_verdicts, negatives: input.n - input.positive_verdicts },
  sample: "separate",
});

const ratesOf = ({ input }: ReferenceCase): RatesInput => ({
  observed: input.positive_verdicts / input.n,
  n: input.n,
  sensitivity: input.se_hits / input.se_n,
  sensitivityN: input.se_n,
  specificity: input.sp_hits / input.sp_n,
  specificityN: input.sp_n,
});

describe.each(Object.entries(cases))("Rogan and Gladen's estimate of %s", (_, reference) => {
  it.each([
    ["counts", countsOf(reference)],
    ["rates", ratesOf(reference)],
  ])("from %s is the reference's to 1e-8, every part of it", (_name, input) => {
    const { observed, j, roganGladen } = prevalence(input, options);
    const terms = reference.variance_terms;
    const pairs: [number | null | undefined, number][] = [
      [observed.value, reference.p_obs],
      [observed.error, reference.naive_se],
      [j.value, reference.J],
      [roganGladen.raw, reference.estimate_raw],
      [roganGladen.value, reference.estimate_clipped],
      [roganGladen.inflation, reference.variance_inflation_known_rates],
      [roganGladen.errorKnownRates, reference.se_known_rates],
      [roganGladen.error, reference.se_delta_full],
      [roganGladen.lower, reference.ci95_wald_raw[0]],
      [roganGladen.upper, reference.ci95_wald_raw[1]],
      [roganGladen.variance?.sampling, terms.sampling],
      [roganGladen.variance?.sensitivity, terms.sensitivity],
      [roganGladen.variance?.specificity, terms.specificity],
    ];
    for (const [mine, theirs] of pairs) expect(Math.abs((mine ?? Number.NaN) - theirs)).toBeLessThan(1e-8);
    expect(roganGladen.clipped).toBe(reference.estimate_raw !== reference.estimate_clipped);
  });
});

describe("the cases", () => {
  const rates = (name: string): RatesInput => {
    const { p_obs, n, se, sp } = JSON.parse(dataFile(`cases/${name}`));
    return { observed: p_obs, n, sensitivity: se, specificity: sp };
  };

  it("D1: a raw value below 0 is reported as 0, said to be clipped, and kept", () => {
    const { roganGladen, covering } = prevalence(rates("D1_below_zero.json"), options);
    expect(roganGladen.raw).toBeCloseTo(-0.0625, 12);
    expect(roganGladen).toMatchObject({ value: 0, clipped: true });
    expect(covering).toMatchObject({ lower: null, upper: null });
    expect(covering.reason).toMatch(/below what these rates give at any prevalence/);
  });

  it("D3: a judge that always says yes is refused in words, gold labels are not", () => {
    const rows = csvRows("cases/D3_always_yes.csv").slice(1);
    const count = (gold: string, said: string): number => rows.filter(([, t, j]) => t === gold && j === said).length;
    const result = prevalence(
      {
        audit: {
          truePositives: count("1", "1"),
          falseNegatives: count("1", "0"),
          falsePositives: count("0", "1"),
          trueNegatives: count("0", "0"),
        },
        judged: { positives: 0, negatives: 0 },
      },
      options,
    );
    expect(result).toMatchObject({ j: { value: 0 }, sensitivity: { value: 1 }, specificity: { value: 0 } });
    expect(result.roganGladen.value).toBeNull();
    expect(result.roganGladen.reason).toMatch(/judge carries no information/);
    expect(result.predictionPowered).toMatchObject({ value: 0.9, lambda: 0 });
    expect(notFinite(result)).toEqual([]);
  });

  it("D5: a perfect judge leaves the observed rate and the binomial variance", () => {
    const { roganGladen } = prevalence(rates("D5_perfect.json"), options);
    expect(roganGladen).toMatchObject({ value: 0.4, clipped: false, inflation: 1 });
    expect(roganGladen.error).toBeCloseTo(Math.sqrt((0.4 * 0.6) / 100), 15);
  });
});

describe("prediction-powered estimates", () => {
  it("are those of the published program, by its own formulas record by record", () => {
    // ppi_py's ppi_mean_ci on 60 gold and 400 other records, written out: numpy's std is of divisor n, its cov of n - 1.
    const audit = { truePositives: 30, falseNegatives: 4, falsePositives: 7, trueNegatives: 19 };
    const records = [
      ...Array(30).fill([1, 1]),
      ...Array(4).fill([1, 0]),
      ...Array(7).fill([0, 1]),
      ...Array(19).fill([0, 0]),
    ];
    const gold = records.map(([y]) => y as number);
    const said = records.map(([, f]) => f as number);
    const others = [...Array(260).fill(1), ...Array(140).fill(0)] as number[];
    const mean = (xs: number[]): number => xs.reduce((a, b) => a + b, 0) / xs.length;
    const variance = (xs: number[], ddof = 0): number =>
      xs.reduce((sum, x) => sum + (x - mean(xs)) ** 2, 0) / (xs.length - ddof);
    const covariance = mean(gold.map((y, i) => (y - mean(gold)) * (said[i] - mean(said))));
    const lambda = covariance / ((1 + 60 / 400) * variance([...said, ...others], 1));
    const rectifier = gold.map((y, i) => y - lambda * said[i]);
    const value = lambda * mean(others) + mean(rectifier);
    const error = Math.sqrt((lambda ** 2 * variance(others)) / 400 + variance(rectifier) / 60);
    const found = prevalence({ audit, judged: { positives: 260, negatives: 140 } }, options).predictionPowered;
    expect(found.lambda).toBeCloseTo(lambda, 12);
    expect(found.value).toBeCloseTo(value, 12);
    expect(found.error).toBeCloseTo(error, 12);
  });

  it("don't use a judge that is worse than chance, and aren't made of an audit that is no sample", () => {
    const audit = { truePositives: 3, falseNegatives: 20, falsePositives: 18, trueNegatives: 4 };
    const judged = { positives: 100, negatives: 90 };
    const { roganGladen, predictionPowered } = prevalence({ audit, judged }, options);
    expect(roganGladen.reason).toMatch(/worse than chance/);
    expect(predictionPowered).toMatchObject({ lambda: 0, value: 23 / 45 });
    expect(prevalence({ audit, judged, sample: "separate" }, options).predictionPowered.reason).toMatch(
      /random sample/,
    );
  });
});

const count = fc.nat({ max: 60 });
const anyCounts: fc.Arbitrary<CountsInput> = fc
  .record({
    audit: fc.record({ truePositives: count, falseNegatives: count, falsePositives: count, trueNegatives: count }),
    judged: fc.record({ positives: count, negatives: count }),
    sample: fc.constantFrom("random" as const, "separate" as const),
  })
  .filter(({ judged }) => judged.positives + judged.negatives > 0);

const totalOf = ({ audit }: CountsInput): number => Object.values(audit).reduce((sum, n) => sum + n, 0);

describe("any audit", () => {
  it("gives finite numbers or null with a reason, and a covering interval within 0 to 1", () => {
    const property = fc.property(anyCounts, (input) => {
      const result = prevalence(input, { seed: 1, draws: 50 });
      expect(notFinite(result)).toEqual([]);
      for (const part of [result.sensitivity, result.specificity, result.roganGladen, result.predictionPowered]) {
        expect(part.value === null).toBe(part.reason !== null);
      }
      const { lower, upper, reason } = result.covering;
      if (lower === null || upper === null) expect(reason).not.toBeNull();
      else expect(0 <= lower && lower <= upper && upper <= 1).toBe(true);
    });
    fc.assert(property, { seed: 1, numRuns: 300 });
  });

  it("of all records is the share of true ones, by either estimate, with its binomial error", () => {
    const property = fc.property(anyCounts, ({ audit }) => {
      const n = totalOf({ audit, judged: { positives: 0, negatives: 0 } });
      fc.pre(n > 0);
      const found = prevalence({ audit, judged: { positives: 0, negatives: 0 } }, { seed: 1, draws: 10 });
      const share = (audit.truePositives + audit.falseNegatives) / n;
      const error = Math.sqrt((share * (1 - share)) / n);
      expect(found.predictionPowered.value).toBeCloseTo(share, 12);
      expect(found.predictionPowered.error).toBeCloseTo(error, 12);
      // Differences of numbers of 1 / J^2.
      if (found.roganGladen.raw === null || (found.j.value ?? 0) < 0.01) return;
      expect(found.roganGladen.raw).toBeCloseTo(share, 9);
      expect(found.roganGladen.error ?? Number.NaN).toBeCloseTo(error, 6);
    });
    fc.assert(property, { seed: 2, numRuns: 300 });
  });

  it("with known rates is undone: the observed rate of a prevalence gives it back, within Fieller's interval", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const rate = fc.double({ min: 0.55, max: 1, noNaN: true });
    const property = fc.property(share, rate, rate, fc.integer({ min: 1, max: 5000 }), (pi, se, sp, n) => {
      const observed = Math.min(1, Math.max(0, pi * se + (1 - pi) * (1 - sp)));
      const input = { observed, n, sensitivity: se, specificity: sp };
      const { roganGladen, covering } = prevalence(input, options);
      expect(Math.abs((roganGladen.value ?? Number.NaN) - pi)).toBeLessThan(1e-12);
      expect(covering.lower as number).toBeLessThan(pi + 1e-6);
      expect(covering.upper as number).toBeGreaterThan(pi - 1e-6);
      // The interval of a share inverts the score test whatever the judge: Wilson's, corrected.
      const wilson = prevalence({ observed, n, sensitivity: 1, specificity: 1 }, options);
      const corrected = [wilson.observed.lower, wilson.observed.upper].map((end) =>
        Math.min(1, Math.max(0, ((end as number) + sp - 1) / (se + sp - 1))),
      );
      expect(Math.abs((covering.lower as number) - corrected[0])).toBeLessThan(1e-6);
      expect(Math.abs((covering.upper as number) - corrected[1])).toBeLessThan(1e-6);
    });
    fc.assert(property, { seed: 3, numRuns: 300 });
  });

  it("is refused for what is no count, no share or no record", () => {
    const rates = { observed: 0.4, n: 10, sensitivity: 0.9, specificity: 0.8 };
    expect(() => prevalence({ ...rates, observed: 1.2 }, options)).toThrow(/observed must be a share/);
    expect(() => prevalence({ ...rates, n: 0 }, options)).toThrow(/n must be a number of records above 0/);
    const audit = { truePositives: 1, falseNegatives: 0, falsePositives: 0, trueNegatives: 1 };
    const judged = { positives: 3, negatives: -1 };
    expect(() => prevalence({ audit, judged }, options)).toThrow(/negatives must be a whole number/);
    expect(() => prevalence({ audit, judged: { positives: 0, negatives: 0 }, sample: "separate" }, options)).toThrow(
      /no judged records/,
    );
  });
});

describe("coverage of 95% intervals, small audits and small J", () => {
  const seed = 20261130;

  // [prevalence, sensitivity, specificity, judged, true audited, false audited]; J from .2 to .98.
  const separate = [
    [0.65, 0.92, 0.7, 1000, 20, 20],
    [0.65, 0.9, 0.75, 100, 10, 10],
    [0.05, 0.9, 0.95, 200, 15, 30],
    [0.5, 0.65, 0.6, 500, 30, 30],
    [0.9, 0.7, 0.5, 500, 20, 10],
    [0.02, 0.95, 0.95, 300, 20, 60],
    [0.3, 0.99, 0.99, 300, 15, 15],
    [0.98, 0.9, 0.9, 200, 40, 10],
  ] as const;

  it("Fieller's is at least 93% in each of eight settings (a false alarm once in 10,000 if so)", () => {
    const variates = simulation(seed);
    const trials = 5000;
    const limit = zLimit(separate.length);
    const ofNormal = separate.map(([pi, se, sp, n, trueN, falseN]) => {
      let [covered, normal] = [0, 0];
      for (let i = 0; i < trials; i++) {
        const { covering: found, roganGladen } = prevalence(
          {
            observed: variates.binomial(n, pi * se + (1 - pi) * (1 - sp)) / n,
            n,
            sensitivity: variates.binomial(trueN, se) / trueN,
            sensitivityN: trueN,
            specificity: variates.binomial(falseN, sp) / falseN,
            specificityN: falseN,
          },
          { seed: 1 },
        );
        if ((roganGladen.lower ?? 0) <= pi && pi <= (roganGladen.upper ?? 1)) normal++;
        if (found.lower !== null && found.upper !== null && found.lower <= pi && pi <= found.upper) covered++;
      }
      expect(shortfall(covered, trials, 0.93)).toBeLessThan(limit);
      return normal / trials;
    });
    // Why it is there.
    expect(Math.min(...ofNormal)).toBeLessThan(0.9);
  });

  // [prevalence, sensitivity, specificity, audited, other records]
  const random = [
    [0.65, 0.92, 0.7, 30, 500],
    [0.5, 0.6, 0.6, 30, 500],
    [0.1, 0.9, 0.9, 40, 1000],
    [0.9, 0.7, 0.5, 20, 200],
    [0.65, 0.92, 0.7, 200, 1000],
  ] as const;

  it("the simulated one is at least 93% in each of five settings (a false alarm once in 10,000 if so)", () => {
    const variates = simulation(seed + 1);
    const trials = 600;
    const limit = zLimit(random.length);
    const ofNormal = random.map(([pi, se, sp, n, others]) => {
      let [covered, powered] = [0, 0];
      for (let i = 0; i < trials; i++) {
        const yes = variates.binomial(n, pi);
        const truePositives = variates.binomial(yes, se);
        const trueNegatives = variates.binomial(n - yes, sp);
        const positives = variates.binomial(others, pi * se + (1 - pi) * (1 - sp));
        const { covering, predictionPowered } = prevalence(
          {
            audit: {
              truePositives,
              falseNegatives: yes - truePositives,
              falsePositives: n - yes - trueNegatives,
              trueNegatives,
            },
            judged: { positives, negatives: others - positives },
          },
          { seed: i, draws: 400 },
        );
        const within = (lower: number | null, upper: number | null): boolean =>
          lower !== null && upper !== null && lower <= pi && pi <= upper;
        if (within(covering.lower, covering.upper)) covered++;
        if (within(predictionPowered.lower, predictionPowered.upper)) powered++;
      }
      expect(shortfall(covered, trials, 0.93)).toBeLessThan(limit);
      return powered / trials;
    });
    expect(Math.min(...ofNormal)).toBeLessThan(0.9);
  });
});

describe("the order of systems", () => {
  // The article's: A is ahead as judged, B in truth.
  const lenient = {
    observed: 0.8,
    n: 1000,
    sensitivity: 0.95,
    sensitivityN: 200,
    specificity: 0.55,
    specificityN: 200,
  };
  const strict = ratesOf(cases.system_B);

  it("is reversed by the correction where a judge is lenient with one, and says so", () => {
    const order = orderSystems(
      [
        { name: "A", input: lenient },
        { name: "B", input: strict },
      ],
      { seed: 1 },
    );
    expect(order.raw.map(({ system }) => system)).toEqual(["A", "B"]);
    expect(order.corrected.map(({ system }) => system)).toEqual(["B", "A"]);
    expect(order.corrected[1].value).toBeCloseTo(0.7, 12);
    expect(order).toMatchObject({ estimator: "Rogan-Gladen", reason: null, usedDraws: 4000 });
    expect(order.reversals).toHaveLength(1);
    expect(order.reversals[0]).toMatch(/^A is ahead of B by 0\.060 as judged, but behind by 0\.089 when corrected/);
    expect(order.pairs[0].pRaw).toBeGreaterThan(0.99);
    expect(order.orders.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
    const [error, delta] = [lenient, strict].map((input) => prevalence(input, options).roganGladen.error as number);
    // Nearly normal draws: P(B > A) is that of the difference; .02 is its skewness and the Monte Carlo error.
    const z = (order.corrected[0].value - order.corrected[1].value) / Math.hypot(error, delta);
    expect(z).toBeGreaterThan(1.3);
    expect(order.orders[0]).toMatchObject({ systems: ["B", "A"] });
    expect(order.orders[0].probability).toBeGreaterThan(0.9);
    expect(1 - (order.pairs[0].pCorrected as number)).toBeCloseTo(order.orders[0].probability, 12);
  });

  it("keeps where judges are equal, is even between equal systems, and is refused with a judge of no information", () => {
    const same = orderSystems(
      [
        { name: "one", input: strict },
        { name: "two", input: strict },
      ],
      { seed: 2 },
    );
    expect(same.reversals).toEqual([]);
    // 4,000 draws of a fair coin: off by more once in 10,000.
    expect(Math.abs((same.pairs[0].pCorrected ?? 0) - 0.5)).toBeLessThan(zLimit(1) * Math.sqrt(0.25 / 4000));
    const refused = orderSystems(
      [
        { name: "one", input: strict },
        { name: "coin", input: { ...strict, sensitivity: 0.5, specificity: 0.5 } },
      ],
      { seed: 2 },
    );
    expect(refused).toMatchObject({ corrected: [], estimator: null, orders: [] });
    expect(refused.reason).toMatch(/^coin: .*no information/);
    expect(notFinite(refused)).toEqual([]);
  });
});
