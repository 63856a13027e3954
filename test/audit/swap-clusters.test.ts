import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clustersOf } from "../../src/audit/cluster.js";
import { distributionOf } from "../../src/audit/swap/distribution.js";
import { flipTest } from "../../src/audit/swap/flips.js";
import { auditScoreSwap, auditVerdictSwap, type Slot, type VerdictPair } from "../../src/audit/swap.js";
import { notFinite } from "./support.js";

const slot = fc.constantFrom<Slot | null>("first", "second", "tie", null);
const verdicts = fc.array(fc.record({ forward: slot, reversed: slot }), { minLength: 1, maxLength: 40 });
const many = (count: number, forward: Slot, reversed: Slot): VerdictPair[] =>
  Array.from({ length: count }, () => ({ forward, reversed }));

describe("clusters of pairs", () => {
  it("of one pair each give the tests of independent pairs", () => {
    fc.assert(
      fc.property(verdicts, (pairs) => {
        const clusters = clustersOf(pairs.map((_, i) => i));
        const [one, other] = [auditVerdictSwap(pairs), auditVerdictSwap(pairs, { clusters })];
        if (one.complete < 2) return;
        for (const name of ["exact", "normal", "withTies"] as const) {
          expect(other.tests[name].p).toBeCloseTo(one.tests[name].p as number, 9);
        }
        expect(other.debiased.test.p).toBeCloseTo(one.debiased.test.p as number, 9);
        expect(other.counts).toEqual(one.counts);
        expect(other.bias.value).toBe(one.bias.value);
      }),
    );
  });

  it("of scores: a row a cluster is no cluster", () => {
    const score = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(fc.array(fc.record({ first: score, second: score }), { minLength: 2, maxLength: 30 }), (pairs) => {
        const clusters = clustersOf(pairs.map((_, i) => i));
        const [one, other] = [auditScoreSwap(pairs), auditScoreSwap(pairs, { clusters })];
        for (const name of ["t", "sign", "wilcoxon"] as const) {
          if (one.tests[name].p === null) expect(other.tests[name].p).toBeNull();
          else expect(other.tests[name].p).toBeCloseTo(one.tests[name].p, 9);
        }
        if (one.difference.error !== null) expect(other.difference.error).toBeCloseTo(one.difference.error, 9);
      }),
    );
  });

  it("numbers are finite or null, whatever the clusters", () => {
    fc.assert(
      fc.property(verdicts, fc.integer({ min: 1, max: 5 }), (pairs, size) => {
        const clusters = clustersOf(pairs.map((_, i) => Math.floor(i / size)));
        const audit = auditVerdictSwap(pairs, { clusters });
        expect(notFinite(audit)).toEqual([]);
        for (const { value, lower, upper } of [audit.consistency, audit.firstSlot, audit.debiased.preference]) {
          if (value === null || lower === null || upper === null) continue;
          expect(lower).toBeGreaterThanOrEqual(0);
          expect(lower).toBeLessThanOrEqual(value + 1e-12);
          expect(upper).toBeGreaterThanOrEqual(value - 1e-12);
          expect(upper).toBeLessThanOrEqual(1);
        }
        const scores = pairs.map(({ forward, reversed }, i) => ({
          first: forward === null ? null : (i * 7) % 5,
          second: reversed === null ? null : (i * 3) % 4,
        }));
        expect(notFinite(auditScoreSwap(scores, { clusters }))).toEqual([]);
      }),
    );
  });

  it("copies of a pair are no more evidence", () => {
    const few = [...many(9, "first", "first"), ...many(1, "second", "second"), ...many(10, "first", "second")];
    const copied = few.flatMap((pair) => Array.from({ length: 4 }, () => pair));
    const clusters = clustersOf(copied.map((_, i) => Math.floor(i / 4)));
    const [once, four] = [auditVerdictSwap(few), auditVerdictSwap(copied, { clusters })];
    expect(four.clusters).toBe(20);
    expect(four.tests.exact.p).toBeCloseTo(once.tests.exact.p as number, 12);
    expect(auditVerdictSwap(copied).tests.exact.p).toBeLessThan((once.tests.exact.p as number) / 1000);
    expect((four.bias.upper as number) - (four.bias.lower as number)).toBeGreaterThan(
      (once.bias.upper as number) - (once.bias.lower as number),
    );
  });

  it("one cluster: no intervals, no tests, and why; few: a warning", () => {
    const pairs = many(9, "first", "first");
    const one = auditVerdictSwap(pairs, { clusters: clustersOf(pairs.map(() => "a")) });
    expect(one.bias).toMatchObject({ value: 1, error: null, lower: null, interval: null });
    expect(one.tests.exact).toMatchObject({ p: null, reason: expect.stringMatching(/fewer than two clusters/) });
    expect(one.alarms).toEqual([]);
    expect(one.warnings).toEqual([expect.stringMatching(/all pairs are of one cluster.*nothing could be tested/)]);
    const three = auditVerdictSwap(pairs, { clusters: clustersOf(pairs.map((_, i) => i % 3)) });
    expect(three.warnings).toEqual([expect.stringMatching(/3 clusters are rough.*below 0\.25/)]);
    expect(() => auditVerdictSwap(pairs, { clusters: clustersOf([1]) })).toThrow(/1 clusters for 9 pairs/);
  });

  it("of clusters: all signs of their sums raise the alarm, of eight at least", () => {
    const of = (count: number) =>
      auditScoreSwap(
        Array.from({ length: 3 * count }, (_, i) => ({ first: 1 + (i % 3) / 7 + Math.sqrt(i), second: Math.sqrt(i) })),
        { clusters: clustersOf(Array.from({ length: 3 * count }, (_, i) => Math.floor(i / 3))) },
      );
    expect(of(7)).toMatchObject({ alarms: [], tests: { sums: { p: expect.closeTo(2 ** -6, 12) } } });
    expect(of(8)).toMatchObject({ alarms: [{ defect: "first slot", p: expect.closeTo(2 ** -7, 12) }] });
    // Every cluster has the same mean: nothing tells its error, but all of them lie on one side.
    expect(of(8).difference).toMatchObject({ error: 0, lower: null, interval: null });
    expect(of(8).tests.t).toMatchObject({ p: null, reason: expect.stringMatching(/same mean/) });
    expect(of(8).warnings).toContainEqual(
      expect.stringMatching(/^the difference of scores is the same in all clusters/),
    );
  });

  it("sums of no common unit: all signs as they are counted one by one", () => {
    const sums = Float64Array.from([3.1, -1.7, 2.2, Math.PI, -0.4, Math.E, 1.3, -2.9, 0.77, 5.1]);
    const total = sums.reduce((a, b) => a + b);
    let as = 0;
    for (let signs = 0; signs < 1024; signs++) {
      const sum = sums.reduce((all, value, g) => all + ((signs >> g) & 1 ? value : -value), 0);
      if (Math.abs(sum) >= Math.abs(total) * (1 - 1e-9)) as++;
    }
    expect(flipTest(sums, "sums").p).toBeCloseTo(as / 1024, 9);
    const decimals = Float64Array.from([0.1 + 0.2, -0.1, 0.4, -0.3, 0.7, 0.2]);
    const whole = decimals.map((sum) => Math.round(10 * sum));
    expect(flipTest(decimals, "sums").p).toBe(flipTest(whole, "sums").p);
  });

  it("all signs of few, normal of many clusters: alike where they meet", () => {
    const sums = Float64Array.from({ length: 1000 }, (_, i) => (i % 9 < 4 ? -1 : 1) * (1 + ((i * 7919) % 6)));
    const exact = flipTest(sums, "sums");
    const normal = flipTest(Float64Array.from([...sums, 1, -1]), "sums");
    expect([exact.test, normal.test]).toEqual([
      "sums, all signs of whole clusters",
      "sums, normal over whole clusters",
    ]);
    expect(exact.log10P).toBeCloseTo(normal.log10P as number, 0);
  });
});

describe("alarms", () => {
  it("name the slot, by the t test of scores, by signs where all differ alike", () => {
    const scored = (differences: readonly number[]) =>
      auditScoreSwap(differences.map((difference, i) => ({ first: i + difference, second: i })));
    expect(scored([-2, -1, -2, -1, -2, -1, -2, -2]).alarms).toMatchObject([{ defect: "second slot" }]);
    const constant = scored(Array.from({ length: 12 }, () => 1));
    expect(constant.tests.t.p).toBeNull();
    expect(constant.alarms).toMatchObject([{ defect: "first slot", p: constant.tests.sign.p }]);
    expect(scored([1, -1, 1, -1, 0]).alarms).toEqual([]);
  });
});

describe("distribution of differences", () => {
  it("holds every pair once, and none on an edge around 0", () => {
    const difference = fc.oneof(fc.constantFrom(0, 1, -1, 0.5), fc.double({ min: -1e6, max: 1e6, noNaN: true }));
    fc.assert(
      fc.property(fc.array(difference, { minLength: 1, maxLength: 60 }), (differences) => {
        const bins = distributionOf(differences);
        expect(bins.reduce((sum, { pairs }) => sum + pairs, 0)).toBe(differences.length);
        expect(bins.length).toBeLessThanOrEqual(45);
        for (const { from, to } of bins) expect(to).toBeGreaterThan(from);
        // Exchanged slots mirror them.
        const mirrored = distributionOf(differences.map((value) => -value)).toReversed();
        expect(mirrored.map(({ from, to, pairs }) => [-to, -from, pairs])).toEqual(
          bins.map(({ from, to, pairs }) => [from, to, pairs].map((value) => value + 0)),
        );
      }),
    );
    const whole = [-3, -2, -1, -1, 0, 0, 0, 1, 1, 2, 3, 10, -10];
    expect(distributionOf(whole).map(({ pairs }) => pairs)).toEqual([1, 0, 0, 1, 3, 3, 3, 1, 0, 0, 1]);
    expect(distributionOf([])).toEqual([]);
    expect(distributionOf([0, 0])).toEqual([{ from: -0.5, to: 0.5, pairs: 2 }]);
  });
});
