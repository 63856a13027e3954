import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AuditCounts, auditPrevalence, type CountsInput, type RatesInput } from "../../src/audit/prevalence.js";
import { auditReference, csvRows, dataFile, notFinite } from "./support.js";

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
    const { observed, j, roganGladen } = auditPrevalence(input);
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
      [roganGladen.rawLower, reference.ci95_wald_raw[0]],
      [roganGladen.rawUpper, reference.ci95_wald_raw[1]],
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
    const { roganGladen, fieller } = auditPrevalence(rates("D1_below_zero.json"));
    expect(roganGladen.raw).toBeCloseTo(-0.0625, 12);
    expect(roganGladen).toMatchObject({ value: 0, clipped: true });
    const { lower, upper, rawUpper } = auditPrevalence({
      observed: 0.1,
      n: 50,
      sensitivity: 0.92,
      specificity: 0.7,
    }).roganGladen;
    expect(rawUpper).toBeLessThan(0);
    expect({ lower, upper }).toEqual({ lower: null, upper: null });
    expect(fieller).toMatchObject({ lower: null, upper: null });
    expect(fieller?.reason).toMatch(/below what these rates give at any prevalence/);
  });

  it("D3: a judge that always says yes is refused in words, gold labels are not", () => {
    const rows = csvRows("cases/D3_always_yes.csv").slice(1);
    const count = (gold: string, said: string): number => rows.filter(([, t, j]) => t === gold && j === said).length;
    const result = auditPrevalence({
      audit: {
        truePositives: count("1", "1"),
        falseNegatives: count("1", "0"),
        falsePositives: count("0", "1"),
        trueNegatives: count("0", "0"),
      },
      judged: { positives: 0, negatives: 0 },
    });
    expect(result).toMatchObject({ j: { value: 0 }, sensitivity: { value: 1 }, specificity: { value: 0 } });
    expect(result.roganGladen.value).toBeNull();
    expect(result.roganGladen.reason).toMatch(/judge carries no information/);
    expect(result.predictionPowered).toMatchObject({ value: 0.9, lambda: 0 });
    expect(notFinite(result)).toEqual([]);
  });

  it("D5: a perfect judge leaves the observed rate and the binomial variance", () => {
    const { roganGladen } = auditPrevalence(rates("D5_perfect.json"));
    expect(roganGladen).toMatchObject({ value: 0.4, clipped: false, inflation: 1 });
    expect(roganGladen.error).toBeCloseTo(Math.sqrt((0.4 * 0.6) / 100), 15);
  });
});

describe("data sets", () => {
  const evouna: Record<string, AuditCounts> = JSON.parse(dataFile("audit/evouna-tq-counts.json")).systems;

  // Shares of right answers, people's; observed; sensitivity and specificity: as their source gives them, to 4 digits.
  it.each([
    ["fid", 0.8153, 0.7327, 0.8981, 0.9972],
    ["gpt35", 0.7843, 0.7049, 0.898, 0.9976],
    ["chatgpt", 0.8442, 0.7621, 0.9028, 1],
    ["gpt4", 0.902, 0.8173, 0.9027, 0.9684],
    ["newbing", 0.8963, 0.8086, 0.8935, 0.9254],
  ])("EVOUNA-TQ, %s: corrected by its own rows' rates the share is people's, by either estimate", (name, ...known) => {
    const audit = evouna[name];
    const found = auditPrevalence({ audit, judged: { positives: 0, negatives: 0 } });
    const share = (audit.truePositives + audit.falseNegatives) / 1938;
    const values = [found.roganGladen, found.observed, found.sensitivity, found.specificity];
    values.forEach(({ value }, i) => {
      expect(Math.abs((value ?? Number.NaN) - known[i])).toBeLessThan(5.1e-5);
    });
    expect(found.roganGladen.value).toBeCloseTo(share, 12);
    expect(found.predictionPowered.value).toBeCloseTo(share, 12);
    // A match of words misses right answers and hardly ever takes a wrong one: no judge is as strict by chance.
    expect(found.bias.p).toBeLessThan(1e-20);
  });

  // Table 4 of the paper on abstaining RAG: observed, true-positive rate, specificity; what it prints, or follows from it.
  it.each([
    ["dense", 0.26, 0.77, 0.83, 0.15],
    ["hybrid", 0.31, 0.77, 0.81, 0.2069],
    ["sparse", 0.31, 0.77, 0.82, 0.2203],
    ["qwen", 0.52, 0.94, 0.68, 0.3226],
    ["apertus", 0.57, 0.88, 0.57, 0.3111],
    ["gemma", 0.55, 0.93, 0.62, 0.3091],
  ])(
    "published rates of a judge of %s give back its corrected rate",
    (_, observed, sensitivity, specificity, known) => {
      const { roganGladen } = auditPrevalence({ observed, sensitivity, specificity });
      expect(Math.abs((roganGladen.value ?? Number.NaN) - known)).toBeLessThan(5.1e-5);
    },
  );
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
    const found = auditPrevalence({ audit, judged: { positives: 260, negatives: 140 } }).predictionPowered;
    expect(found.lambda).toBeCloseTo(lambda, 12);
    expect(found.value).toBeCloseTo(value, 12);
    expect(found.error).toBeCloseTo(error, 12);
  });

  it("don't use a judge that is worse than chance, and aren't made of an audit that is no sample", () => {
    const audit = { truePositives: 3, falseNegatives: 20, falsePositives: 18, trueNegatives: 4 };
    const judged = { positives: 100, negatives: 90 };
    const { roganGladen, predictionPowered } = auditPrevalence({ audit, judged });
    expect(roganGladen.reason).toMatch(/worse than chance/);
    expect(predictionPowered).toMatchObject({ lambda: 0, value: 23 / 45 });
    expect(auditPrevalence({ audit, judged, sample: "separate" }).predictionPowered.reason).toMatch(/random sample/);
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

describe("a prediction-powered value beyond 1", () => {
  it("is brought back, and kept as raw", () => {
    const audit = { truePositives: 16, falseNegatives: 3, falsePositives: 0, trueNegatives: 1 };
    const { predictionPowered } = auditPrevalence({ audit, judged: { positives: 99990, negatives: 10 } });
    expect(predictionPowered).toMatchObject({ value: 1, clipped: true });
    expect(predictionPowered.raw).toBeGreaterThan(1);
    expect(predictionPowered.upper).toBe(1);
  });
});

describe("any audit", () => {
  it("gives finite numbers or null with a reason, and an interval that covers, within 0 to 1", () => {
    const property = fc.property(anyCounts, (input) => {
      const result = auditPrevalence(input, { level: 0.9 });
      expect(notFinite(result)).toEqual([]);
      for (const part of [result.sensitivity, result.specificity, result.roganGladen, result.predictionPowered]) {
        expect(part.value === null).toBe(part.reason !== null);
      }
      expect(result.fieller === null).toBe(result.predictionPowered.value !== null);
      const { lower, upper, reason } = result.fieller ?? result.predictionPowered;
      if (lower === null || upper === null) expect(reason).not.toBeNull();
      else expect(0 <= lower && lower <= upper && upper <= 1).toBe(true);
    });
    fc.assert(property, { seed: 1, numRuns: 300 });
  });

  it("of all records is the share of true ones, by either estimate, with its binomial error", () => {
    const property = fc.property(anyCounts, ({ audit }) => {
      const n = totalOf({ audit, judged: { positives: 0, negatives: 0 } });
      fc.pre(n > 0);
      const found = auditPrevalence({ audit, judged: { positives: 0, negatives: 0 } });
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
      const { roganGladen, fieller } = auditPrevalence(input);
      expect(Math.abs((roganGladen.value ?? Number.NaN) - pi)).toBeLessThan(1e-12);
      expect(fieller?.lower as number).toBeLessThan(pi + 1e-6);
      expect(fieller?.upper as number).toBeGreaterThan(pi - 1e-6);
      // The interval of a share inverts the score test whatever the judge: Wilson's, corrected.
      const wilson = auditPrevalence({ observed, n, sensitivity: 1, specificity: 1 });
      const corrected = [wilson.observed.lower, wilson.observed.upper].map((end) =>
        Math.min(1, Math.max(0, ((end as number) + sp - 1) / (se + sp - 1))),
      );
      expect(Math.abs((fieller?.lower as number) - corrected[0])).toBeLessThan(1e-6);
      expect(Math.abs((fieller?.upper as number) - corrected[1])).toBeLessThan(1e-6);
    });
    fc.assert(property, { seed: 3, numRuns: 300 });
  });

  it("is refused for what is no count, no share or no record", () => {
    const rates = { observed: 0.4, n: 10, sensitivity: 0.9, specificity: 0.8 };
    expect(() => auditPrevalence({ ...rates, observed: 1.2 })).toThrow(/observed must be a share/);
    expect(() => auditPrevalence({ ...rates, n: 0 })).toThrow(/n must be a number of records above 0/);
    const audit = { truePositives: 1, falseNegatives: 0, falsePositives: 0, trueNegatives: 1 };
    const judged = { positives: 3, negatives: -1 };
    expect(() => auditPrevalence({ audit, judged })).toThrow(/negatives must be a whole number/);
    expect(() => auditPrevalence({ audit, judged: { positives: 0, negatives: 0 }, sample: "separate" })).toThrow(
      /no judged records/,
    );
  });
});
