import { describe, expect, it } from "vitest";
import { alarmLevel } from "../../src/audit/alarm.js";
import { auditPrevalence, type CountsInput, type RatesInput } from "../../src/audit/prevalence.js";
import { zLimit } from "../support/montecarlo.js";
import { simulation } from "./support.js";

const audit = { truePositives: 30, falseNegatives: 4, falsePositives: 7, trueNegatives: 19 };
const judged = { positives: 260, negatives: 140 };

/** Judges that err as often either way, so that their rate is that of truth. */
const clean = [
  { pi: 0.5, misses: 0.2 },
  { pi: 0.8, misses: 0.05 },
  { pi: 0.9, misses: 0.08 },
  { pi: 0.3, misses: 0.3 },
  { pi: 0.5, misses: 0.45 },
].map(({ pi, misses }) => ({ pi, se: 1 - misses, sp: 1 - (misses * pi) / (1 - pi) }));

const lenient = { pi: 0.6, se: 0.95, sp: 0.6 };

interface Judge {
  readonly pi: number;
  readonly se: number;
  readonly sp: number;
}

const variates = simulation(20261130);

function randomInput({ pi, se, sp }: Judge, n: number): CountsInput {
  const yes = variates.binomial(n, pi);
  const truePositives = variates.binomial(yes, se);
  const trueNegatives = variates.binomial(n - yes, sp);
  const positives = variates.binomial(500, pi * se + (1 - pi) * (1 - sp));
  const [falseNegatives, falsePositives] = [yes - truePositives, n - yes - trueNegatives];
  return {
    audit: { truePositives, falseNegatives, falsePositives, trueNegatives },
    judged: { positives, negatives: 500 - positives },
  };
}

function ratesInput({ pi, se, sp }: Judge, n: number): RatesInput {
  return {
    observed: variates.binomial(1000, pi * se + (1 - pi) * (1 - sp)) / 1000,
    n: 1000,
    sensitivity: variates.binomial(n, se) / n,
    sensitivityN: n,
    specificity: variates.binomial(n, sp) / n,
    specificityN: n,
  };
}

describe("the test of a judge's bias", () => {
  it("is McNemar's exact one with a random audit", () => {
    // 2 P(X <= 4) for X ~ Binomial(11, 1/2).
    const tail = [1, 11, 55, 165, 330].reduce((sum, n) => sum + n, 0) / 2 ** 11;
    expect(auditPrevalence({ audit, judged }).bias).toMatchObject({ test: "exact McNemar", statistic: null });
    expect(auditPrevalence({ audit, judged }).bias.p).toBeCloseTo(2 * tail, 14);
    const same = { ...audit, falsePositives: 4 };
    expect(auditPrevalence({ audit: same, judged }).bias.p).toBe(1);
  });

  it("of a separate audit has the sign of observed less corrected", () => {
    const input = {
      observed: 0.8,
      n: 1000,
      sensitivity: 0.95,
      sensitivityN: 200,
      specificity: 0.55,
      specificityN: 200,
    };
    const { bias, roganGladen } = auditPrevalence(input);
    expect(roganGladen.value as number).toBeLessThan(0.8);
    expect(bias.statistic as number).toBeGreaterThan(2.5);
    const strict = auditPrevalence({ ...input, observed: 0.3, sensitivity: 0.5, specificity: 0.95 });
    expect(strict.bias.statistic as number).toBeLessThan(-2.5);
  });

  it("of clusters is the exact one over all signs of their differences", () => {
    // Differences 3, 1, -1, 2: |sums| of 5 or more are 7 (2 of 16), 5 (twice 2 of 16).
    const table = [
      [4, 0, 3, 1, 5, 5],
      [4, 1, 2, 1, 5, 5],
      [4, 2, 1, 1, 5, 5],
      [4, 0, 2, 1, 5, 5],
    ];
    const [tp, fn, fp, tn, positives, negatives] = [0, 1, 2, 3, 4, 5].map((k) =>
      table.reduce((s, row) => s + row[k], 0),
    );
    const { bias } = auditPrevalence({
      audit: { truePositives: tp, falseNegatives: fn, falsePositives: fp, trueNegatives: tn },
      judged: { positives, negatives },
      clusters: { count: 4, table: Float64Array.from(table.flat()) },
    });
    expect(bias.test).toBe("exact sign flips of clusters");
    expect(bias.p).toBeCloseTo(6 / 16, 12);
  });
});

describe("alarms", () => {
  const alarmsOf = (input: CountsInput | RatesInput) => auditPrevalence(input).alarms;

  it("of 4,000 clean judges, of each kind of audit, are no more than 1% (a false alarm once in 10,000)", () => {
    for (const made of [randomInput, ratesInput]) {
      const n = 2000;
      let raised = 0;
      for (let i = 0; i < n; i++) raised += alarmsOf(made(clean[i % clean.length], [20, 40, 100][i % 3])).length;
      const z = (raised / n - alarmLevel) / Math.sqrt((alarmLevel * (1 - alarmLevel)) / n);
      expect(z).toBeLessThan(zLimit(2));
    }
  });

  it("of a judge worse than chance go by the corrected rate, and there are none where J may be 0", () => {
    const input = { observed: 0.3, n: 100, sensitivityN: 50, specificityN: 50 };
    const worse = auditPrevalence({ ...input, sensitivity: 0.2, specificity: 0.3 });
    // (.3 - .7) / -.5 = .8 are true.
    expect(worse.bias.statistic as number).toBeLessThan(-2.5);
    expect(worse.alarms).toMatchObject([
      { defect: "strict", detail: expect.stringContaining("0.800, of a judge that is worse") },
    ]);
    for (const sensitivity of [0.7, 0.5]) {
      const { j, bias, alarms } = auditPrevalence({ ...input, observed: 0.02, sensitivity, specificity: 0.4 });
      expect((j.lower as number) < 0 && (j.upper as number) > 0).toBe(true);
      expect(bias).toMatchObject({ p: null, reason: expect.stringMatching(/interval of J holds 0/) });
      expect(alarms).toEqual([]);
    }
  });

  it("find a lenient judge and a strict one, and which is which", () => {
    const strict = { pi: 0.6, se: 0.6, sp: 0.97 };
    for (const made of [randomInput, ratesInput]) {
      let [found, rightly] = [0, 0];
      for (let i = 0; i < 200; i++) {
        const [judge, defect] = i % 2 === 0 ? ([lenient, "lenient"] as const) : ([strict, "strict"] as const);
        const raised = alarmsOf(made(judge, 200));
        found += raised.length;
        rightly += raised.filter((alarm) => alarm.defect === defect).length;
      }
      expect(found).toBeGreaterThan(180);
      expect(rightly).toBe(found);
    }
  });
});

describe("the test of a random audit", () => {
  it("is Fisher's, by sums of binomial coefficients", () => {
    // 3 of 4 audited and 2 of 6 others are yes: P(X >= 3) with X of 4 out of 10, 5 of them good, is (10 5 + 5 1) / 210.
    const few = { truePositives: 2, falseNegatives: 1, falsePositives: 1, trueNegatives: 0 };
    const { randomSample } = auditPrevalence({ audit: few, judged: { positives: 2, negatives: 4 } });
    expect(randomSample?.p).toBeCloseTo((2 * 55) / 210, 12);
  });

  it("passes random audits, and finds one that is half yes and half no", () => {
    let small = 0;
    for (let i = 0; i < 2000; i++) {
      if ((auditPrevalence(randomInput(clean[i % clean.length], 30)).randomSample?.p ?? 1) < 0.01) small++;
    }
    expect((small / 2000 - 0.01) / Math.sqrt((0.01 * 0.99) / 2000)).toBeLessThan(zLimit(1));
    const chosen = { truePositives: 45, falseNegatives: 5, falsePositives: 5, trueNegatives: 45 };
    const { randomSample } = auditPrevalence({ audit: chosen, judged: { positives: 900, negatives: 100 } });
    expect(randomSample?.p).toBeLessThan(1e-9);
    expect(
      auditPrevalence({ audit: chosen, judged: { positives: 9, negatives: 1 }, sample: "separate" }).randomSample,
    ).toBeNull();
  });
});
