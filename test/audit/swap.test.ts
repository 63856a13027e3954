import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wilcoxon } from "../../src/audit/swap/wilcoxon.js";
import { auditScoreSwap, auditVerdictSwap, type ScorePair, type Slot, type VerdictPair } from "../../src/audit/swap.js";

/** Computed with SciPy 1.10.1 and statsmodels 0.13.5; the file says how. */
const reference = JSON.parse(readFileSync("test/data/audit-reference.json", "utf8")).swap_test as {
  binary: Record<string, BinaryReference>;
  continuous: { biased: ContinuousReference; all_zero: ContinuousReference };
};

interface BinaryReference {
  input: { first_slot_wins_both_or_flip_to_first: number; flip_to_second: number; n_pairs: number };
  bias: number;
  exact_binomial_two_sided: number;
  mcnemar_chi2: { stat: number; p: number };
  z_sign: { z: number; p: number };
}

interface ContinuousReference {
  input: number[];
  mean_difference: number;
  half_difference_bias: number;
  sd: number;
  paired_t: { t: number; p: number };
  sign_test: { pos: number; neg: number; p: number };
  wilcoxon: { W: number; p: number };
}

const pair = (forward: Slot | null, reversed: Slot | null): VerdictPair => ({ forward, reversed });
const many = (count: number, one: VerdictPair): VerdictPair[] => Array.from({ length: count }, () => one);
/** Scores that differ so. */
const differing = (differences: readonly number[]): ScorePair[] => differences.map((first) => ({ first, second: 0 }));

/** Verdicts of a file: A or A>B for the answer shown first. */
function verdictsOf(file: string): VerdictPair[] {
  const slots: Record<string, Slot | null> = {
    A: "first",
    B: "second",
    "A>B": "first",
    "B>A": "second",
    "A=B": "tie",
    "": null,
  };
  const lines = readFileSync(`test/data/cases/${file}`, "utf8").trim().split(/\r?\n/).slice(1);
  return lines.map((line) => line.split(",")).map(([, forward, reversed]) => pair(slots[forward], slots[reversed]));
}

describe("verdicts", () => {
  it.each(Object.entries(reference.binary))("%s agrees with SciPy and statsmodels", (_, expected) => {
    const { first_slot_wins_both_or_flip_to_first: first, flip_to_second: second, n_pairs: n } = expected.input;
    const audit = auditVerdictSwap([
      ...many(first, pair("first", "first")),
      ...many(second, pair("second", "second")),
      ...many(n - first - second, pair("first", "second")),
    ]);
    expect(audit.bias.value).toBeCloseTo(expected.bias, 12);
    expect(audit.tests.exact.p).toBeCloseTo(expected.exact_binomial_two_sided, 12);
    expect(audit.tests.exact.log10P).toBeCloseTo(Math.log10(expected.exact_binomial_two_sided), 10);
    expect(audit.tests.normal.statistic).toBeCloseTo(expected.z_sign.z, 12);
    expect(audit.tests.normal.p).toBeCloseTo(expected.z_sign.p, 12);
    expect((audit.tests.normal.statistic as number) ** 2).toBeCloseTo(expected.mcnemar_chi2.stat, 12);
    expect(audit.tests.normal.p).toBeCloseTo(expected.mcnemar_chi2.p, 12);
  });

  /** Counts alone, of 270 pairs that a small model judged; p: SciPy's binomtest(37, 44). */
  it("a published judge's counts: 135 consistent, 37 for the first slot, 7 for the second, 13 missing", () => {
    const audit = auditVerdictSwap([
      ...many(54, pair("tie", "tie")),
      ...many(42, pair("first", "second")),
      ...many(39, pair("second", "first")),
      ...many(37, pair("first", "first")),
      ...many(7, pair("second", "second")),
      ...[...many(32, pair("tie", "first")), ...many(20, pair("first", "tie"))],
      ...[...many(13, pair("tie", "second")), ...many(13, pair("second", "tie"))],
      ...[...many(4, pair(null, "tie")), ...many(5, pair(null, "first")), ...many(2, pair(null, "second"))],
      ...many(2, pair("tie", null)),
    ]);
    expect(audit).toMatchObject({ pairs: 270, complete: 257, missing: 13, clusters: null, warnings: [] });
    expect(audit.counts).toEqual({
      ...{ consistent: 135, consistentTies: 54, firstSlot: 37, secondSlot: 7 },
      ...{ firstSlotAndTie: 52, secondSlotAndTie: 26 },
    });
    expect(audit.tests.exact.p).toBeCloseTo(5.299581744111492e-6, 16);
    expect(audit.bias.value).toBeCloseTo((2 * 30 + 26) / (2 * 257), 12);
    expect(audit.alarms).toEqual([
      expect.objectContaining({ defect: "first slot", subject: null, p: audit.tests.exact.p }),
    ]);
    expect(audit.alarms[0].detail).toMatch(/^37 of 257 pairs/);
  });

  it("I1: three consistent, six for the first slot, one for the second", () => {
    const audit = auditVerdictSwap(verdictsOf("I1_swap.csv"));
    expect(audit).toMatchObject({ pairs: 10, complete: 10, missing: 0 });
    expect(audit.counts).toMatchObject({
      consistent: 3,
      firstSlot: 6,
      secondSlot: 1,
      firstSlotAndTie: 0,
      secondSlotAndTie: 0,
    });
    expect(audit.tests.exact.p).toBeCloseTo(0.125, 12);
    expect(audit.bias.value).toBeCloseTo(0.5, 12);
    expect(audit.debiased).toMatchObject({ a: 2, b: 1, tie: 7 });
    expect(audit.debiased.winners).toEqual(["a", "tie", "tie", "b", "tie", "tie", "tie", "tie", "a", "tie"]);
  });

  it("I3: leaves out two pairs, counted", () => {
    const audit = auditVerdictSwap(verdictsOf("I3_swap_missing.csv"));
    expect(audit).toMatchObject({
      pairs: 4,
      complete: 2,
      missing: 2,
      forward: { missing: 1 },
      reversed: { missing: 1 },
    });
    expect(audit.counts.consistent).toBe(2);
    expect(audit.consistency).toMatchObject({ value: 1, upper: 1, interval: "Clopper-Pearson" });
    expect(audit.bias.value).toBe(0);
    expect(audit.debiased.winners).toEqual(["a", null, null, "b"]);
  });

  it("nothing where no pair is complete, with the counts", () => {
    const audit = auditVerdictSwap([pair(null, "tie"), pair("first", null)]);
    expect(audit).toMatchObject({ complete: 0, missing: 2, firstSlotOfDecided: null });
    expect(audit.bias).toMatchObject({ value: null, reason: expect.stringMatching(/^undefined \(no pairs\)/) });
    for (const test of [...Object.values(audit.tests), audit.debiased.test]) {
      expect(test).toMatchObject({ p: null, log10P: null, reason: expect.stringMatching(/^undefined \(no pairs\)/) });
    }
    expect(audit.warnings).toEqual(["no pair has both verdicts: nothing could be tested"]);
  });

  it("refuses no pairs, and what is no verdict, by its place", () => {
    expect(() => auditVerdictSwap([])).toThrow(/no pairs/);
    expect(() => auditVerdictSwap([pair("tie", "tie"), pair("A" as Slot, "tie")])).toThrow(
      /pairs\[1\]\.forward must be .*not "A"/,
    );
    expect(() => auditVerdictSwap([pair("tie", "tie")], { level: 1 })).toThrow(/level/);
  });

  it("tells p-values that no double holds", () => {
    const { exact, normal } = auditVerdictSwap(many(5000, pair("first", "first"))).tests;
    // 2 * 2^-5000
    expect(exact.log10P).toBeCloseTo(-4999 * Math.log10(2), 6);
    expect(exact.p).toBe(0);
    expect(normal.log10P).toBeLessThan(-1000);
  });

  const slots = fc.constantFrom<(Slot | null)[]>("first", "second", "tie", null);
  const pairs = fc.array(fc.record({ forward: slots, reversed: slots }), { minLength: 1, maxLength: 40 });
  const mirrored: Record<string, Slot | null> = { first: "second", second: "first", tie: "tie", null: null };

  it("mirrored slots turn the bias around, exchanged answers the preference, and nothing else", () => {
    fc.assert(
      fc.property(pairs, (given) => {
        const audit = auditVerdictSwap(given);
        const slotsTurned = auditVerdictSwap(
          given.map(({ forward, reversed }) => pair(mirrored[String(forward)], mirrored[String(reversed)])),
        );
        const answersTurned = auditVerdictSwap(given.map(({ forward, reversed }) => pair(reversed, forward)));
        expect((slotsTurned.bias.value ?? 0) + (audit.bias.value ?? 0)).toBeCloseTo(0, 12);
        expect(slotsTurned.tests).toMatchObject({ exact: audit.tests.exact, withTies: audit.tests.withTies });
        expect(answersTurned.bias).toEqual(audit.bias);
        const preferences = (answersTurned.debiased.preference.value ?? 0.5) + (audit.debiased.preference.value ?? 0.5);
        expect(preferences).toBeCloseTo(1, 12);
        expect(answersTurned.debiased).toMatchObject({
          a: audit.debiased.b,
          b: audit.debiased.a,
          tie: audit.debiased.tie,
        });
      }),
    );
  });

  it("counts add up, numbers are finite or null, and intervals hold their values", () => {
    fc.assert(
      fc.property(pairs, fc.double({ min: 0.01, max: 0.999, noNaN: true }), (given, level) => {
        const audit = auditVerdictSwap(given, { level });
        expectFinite(audit);
        const { consistentTies, ...classes } = audit.counts;
        expect(consistentTies).toBeLessThanOrEqual(classes.consistent);
        expect(Object.values(classes).reduce((a, b) => a + b)).toBe(audit.complete);
        expect(audit.complete + audit.missing).toBe(given.length);
        expect(audit.debiased.a + audit.debiased.b + audit.debiased.tie).toBe(audit.complete);
        const { consistency, firstSlot, secondSlot, bias, debiased } = audit;
        for (const { value, lower, upper } of [consistency, firstSlot, secondSlot, bias, debiased.preference]) {
          if (value === null) continue;
          expect(lower).toBeLessThanOrEqual(value + 1e-12);
          expect(upper).toBeGreaterThanOrEqual(value - 1e-12);
        }
      }),
    );
  });
});

describe("scores", () => {
  it("agree with SciPy", () => {
    const expected = reference.continuous.biased;
    const audit = auditScoreSwap(differing(expected.input));
    expect(audit.difference.value).toBeCloseTo(expected.mean_difference, 12);
    expect(audit.bias.value).toBeCloseTo(expected.half_difference_bias, 12);
    expect(audit.sd).toBeCloseTo(expected.sd, 12);
    expect(audit.tests.t.statistic).toBeCloseTo(expected.paired_t.t, 10);
    expect(audit.tests.t.p).toBeCloseTo(expected.paired_t.p, 12);
    expect(audit.counts).toEqual({
      firstHigher: expected.sign_test.pos,
      secondHigher: expected.sign_test.neg,
      equal: 0,
    });
    expect(audit.tests.sign.p).toBeCloseTo(expected.sign_test.p, 12);
    expect(audit.tests.wilcoxon).toMatchObject({ test: "exact Wilcoxon signed-rank", statistic: expected.wilcoxon.W });
    expect(audit.tests.wilcoxon.p).toBeCloseTo(expected.wilcoxon.p, 12);
  });

  it("without any difference are undefined but for the sign test, p = 1", () => {
    const expected = reference.continuous.all_zero;
    const audit = auditScoreSwap(differing(expected.input));
    expect(audit.difference).toMatchObject({ value: 0, error: 0, lower: null });
    expect(audit.tests.sign.p).toBe(expected.sign_test.p);
    expect(audit.tests.t).toMatchObject({ p: null, log10P: null, reason: expect.stringMatching(/^undefined/) });
    expect(audit.tests.wilcoxon).toMatchObject({ p: null, reason: expect.stringMatching(/^undefined/) });
    expect(audit.warnings).toContainEqual(expect.stringMatching(/^the difference of scores is the same in all pairs/));
  });

  it("without a complete pair are undefined, and so are all tests", () => {
    const audit = auditScoreSwap([{ first: 1, second: null }]);
    const { sums, ...tests } = audit.tests;
    expect(sums).toBeNull();
    for (const test of Object.values(tests)) expect(test.reason).toMatch(/^undefined \(no pairs\)/);
    expect(audit.warnings).toEqual(["no pair has both scores: nothing could be tested"]);
  });

  it("differ by nothing where doubles don't hold the squares", () => {
    const audit = auditScoreSwap([
      { first: 1e-300, second: 2e-300 },
      { first: 3e-300, second: 1e-300 },
    ]);
    expect(audit).toMatchObject({ counts: { equal: 2 }, difference: { value: 0, error: 0 } });
  });

  it("tie what rounding alone sets apart", () => {
    const audit = auditScoreSwap([
      { first: 0.3, second: 0.1 },
      { first: 0.5, second: 0.7 },
      { first: 0.1 + 0.2, second: 0.3 },
    ]);
    expect(audit.counts).toEqual({ firstHigher: 1, secondHigher: 1, equal: 1 });
    expect(audit.tests.wilcoxon).toMatchObject({ statistic: 1.5, p: 1 });
    const constant = [0.1, 0.2, 0.7, 0.9].map((second) => ({ first: second + 0.1, second }));
    expect(auditScoreSwap(constant).tests.t).toMatchObject({ p: null, reason: expect.stringMatching(/no variance/) });
  });

  it("count missing ones, and refuse what is none", () => {
    const audit = auditScoreSwap([
      { first: 1, second: null },
      { first: 0.5, second: 0.25 },
    ]);
    expect(audit).toMatchObject({ pairs: 2, complete: 1, missing: 1, sd: null, debiased: { scores: [null, 0.375] } });
    expect(audit.tests.t.p).toBeNull();
    expect(() => auditScoreSwap([{ first: 1, second: Number.NaN }])).toThrow(
      /pairs\[0\]\.second must be a score.*not NaN/,
    );
  });

  it("give finite numbers or null, and exchanged slots the opposite", () => {
    const score = fc.oneof(fc.constantFrom(0, 0.1, 0.5, 1, null), fc.double({ min: -1e9, max: 1e9, noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.record({ first: score, second: score }), { minLength: 1, maxLength: 30 }), (given) => {
        const audit = auditScoreSwap(given);
        expectFinite(audit);
        const turned = auditScoreSwap(given.map(({ first, second }) => ({ first: second, second: first })));
        expect(turned.tests.sign).toEqual(audit.tests.sign);
        expect(turned.tests.wilcoxon).toEqual(audit.tests.wilcoxon);
        expect(turned.debiased.scores).toEqual(audit.debiased.scores);
        if (audit.difference.value !== null) expect(turned.bias.value).toBeCloseTo(-(audit.bias.value as number), 4);
      }),
    );
  });
});

describe("Wilcoxon's test", () => {
  it("is exact with ties: by all signs of their ranks", () => {
    const small = fc.array(fc.constantFrom(-3, -2, -1, 1, 2, 3), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(small, (differences) => {
        const size = (value: number) => {
          const less = differences.filter((other) => Math.abs(other) < Math.abs(value)).length;
          const equal = differences.filter((other) => Math.abs(other) === Math.abs(value)).length;
          return less + (equal + 1) / 2;
        };
        const ranks = differences.map(size);
        const total = ranks.reduce((a, b) => a + b);
        const up = ranks.reduce((sum, rank, i) => sum + (differences[i] > 0 ? rank : 0), 0);
        const w = Math.min(up, total - up);
        let within = 0;
        for (let signs = 0; signs < 2 ** ranks.length; signs++) {
          if (ranks.reduce((sum, rank, i) => sum + ((signs >> i) & 1) * rank, 0) <= w) within++;
        }
        const { statistic, p } = wilcoxon(differences, 0);
        expect(statistic).toBe(w);
        expect(p).toBeCloseTo(Math.min(1, (2 * within) / 2 ** ranks.length), 12);
      }),
    );
  });

  /** Expected: scipy.stats.wilcoxon 1.17.1, exact and asymptotic without continuity correction. */
  it("agrees with SciPy", () => {
    const exact = Array.from({ length: 60 }, (_, i) => ((i + 1) % 3 === 0 ? -1 : 1) * (i + 1.5));
    expect(wilcoxon(exact, 0)).toMatchObject({ statistic: 630, p: expect.closeTo(0.035563173784766366, 12) });
    const normal = Array.from({ length: 300 }, (_, i) => ((i + 1) % 3 === 0 ? -1 : 1) * (((i + 1) % 25) + 1));
    expect(wilcoxon(normal, 0)).toMatchObject({ statistic: 15050, p: expect.closeTo(5.581935041740222e-7, 15) });
  });
});

/** Every number in a result; throws at one that isn't finite. */
function expectFinite(value: unknown): void {
  if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
  if (typeof value === "object" && value !== null) Object.values(value).forEach(expectFinite);
}
