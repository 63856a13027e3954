import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clustersOf } from "../../src/audit/cluster.js";
import { auditVariance, type ScoreTable, scoreCells } from "../../src/audit/variance.js";
import { bluebirdLabels, csvRows, notFinite } from "./support.js";

const named = (scores: ScoreTable["scores"]): ScoreTable => ({
  queries: scores.map((_, q) => `q${q + 1}`),
  judges: scores[0].map((_, j) => `j${j + 1}`),
  scores,
});

const shroutFleiss = [
  [9, 2, 5, 8],
  [6, 1, 3, 2],
  [8, 4, 6, 8],
  [7, 1, 2, 6],
  [10, 5, 6, 9],
  [6, 2, 4, 7],
];

describe("data sets", () => {
  it("Shrout and Fleiss 1979: the printed ICC(2,1) and ICC(2,4)", () => {
    const { icc } = auditVariance(named(shroutFleiss));
    expect(icc.single.value?.toFixed(2)).toBe("0.29");
    expect(icc.panel.value?.toFixed(2)).toBe("0.62");
  });

  /** Expected: the analysis of variance in NumPy 2. */
  it("39 people on 108 photographs of birds", () => {
    const audit = auditVariance(named(bluebirdLabels().map((labels) => labels.map(Number))));
    expect(audit).toMatchObject({ queries: 108, judges: 39 });
    expect(audit.mean.value).toBeCloseTo(0.3791547958214625, 12);
    expect(audit.meanSquares.query).toBeCloseTo(1.368823832219471, 10);
    expect(audit.meanSquares.judge).toBeCloseTo(5.383015944419454, 10);
    expect(audit.meanSquares.error).toBeCloseTo(0.1575187002306202, 10);
    expect(audit.icc.single.value).toBeCloseTo(0.1310720736482341, 10);
    expect(audit.icc.panel.value).toBeCloseTo(0.8547122762575102, 10);
  });

  /** Expected: residual sums of squares of three least-squares fits in NumPy 2, and the pseudo-inverse for the mean. */
  it("three raters of seven an answer: Henderson's method III", () => {
    const records = csvRows("audit/mtrag-faithfulness.csv")
      .slice(1)
      .map(([query, judge, score]) => ({ query, judge, score: Number(score) }));
    const audit = auditVariance(scoreCells(records), { missing: "use" });
    expect(audit).toMatchObject({ queries: 159, judges: 7, missingScores: 159 * 7 - 474, dropped: [] });
    expect(audit.components.query.raw).toBeCloseTo(0.6016328509838861, 9);
    expect(audit.components.judge.raw).toBeCloseTo(0.056453933510497524, 9);
    expect(audit.components.error.raw).toBeCloseTo(0.3837577067011427, 9);
    expect(audit.icc.single.value).toBeCloseTo(0.5774689563252446, 9);
    expect(audit.mean.value).toBeCloseTo(3.225117568940069, 9);
    expect(audit.mean.error).toBeCloseTo(0.11453452566949855, 9);
    expect(audit.judgeMeans[0]).toEqual({ judge: "r1", mean: expect.closeTo(3.43170243, 7) });
    // No answer has all seven.
    expect(() => auditVariance(scoreCells(records))).toThrow(/there are none.*--missing use/);
  });
});

const rows = fc.tuple(fc.integer({ min: 3, max: 8 }), fc.integer({ min: 2, max: 5 })).chain(([queries, judges]) =>
  fc.array(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: judges, maxLength: judges }), {
    minLength: queries,
    maxLength: queries,
  }),
);

/** Audits that come to the same, to rounding. */
function expectSame(one: ReturnType<typeof auditVariance>, other: ReturnType<typeof auditVariance>): void {
  for (const name of ["query", "judge", "error"] as const) {
    expect(one.components[name].raw).toBeCloseTo(other.components[name].raw, 7);
  }
  expect(one.mean.value).toBeCloseTo(other.mean.value as number, 9);
  expect(one.mean.error).toBeCloseTo(other.mean.error as number, 6);
  expect(one.icc.single.raw ?? 0).toBeCloseTo(other.icc.single.raw ?? 0, 5);
  expect(one.tests.judge.p ?? 1).toBeCloseTo(other.tests.judge.p ?? 1, 6);
}

describe("gaps", () => {
  it("a full table is the analysis of variance", () => {
    fc.assert(
      fc.property(rows, (scores) => {
        expectSame(auditVariance(named(scores), { missing: "use" }), auditVariance(named(scores)));
      }),
    );
  });

  it("numbers are finite or null whatever is missing, or the reason is said", () => {
    const cell = fc.option(fc.integer({ min: 0, max: 3 }), { freq: 3 });
    const table = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(table, (scores) => {
        try {
          expect(
            notFinite(auditVariance(named(scores), { missing: "use", budget: { budget: 9, mostJudges: 3 } })),
          ).toEqual([]);
        } catch (error) {
          expect(String(error)).toMatch(/at least 2|no query in common|leave nothing to tell/);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("a judge that scored the easy queries alone isn't lenient for it", () => {
    const scores = [
      [1, 2, null],
      [2, 3, null],
      [8, 9, 8],
      [9, 10, 9],
    ];
    const { judgeMeans, mean, components } = auditVariance(named(scores), { missing: "use" });
    expect(judgeMeans.map((one) => one.mean)).toEqual([5, 6, 5].map((value) => expect.closeTo(value, 9)));
    expect(mean.value).toBeCloseTo(16 / 3, 9);
    expect(components.error.value).toBeCloseTo(0, 9);
  });

  it("refuses judges whom no query connects, by their names", () => {
    const apart = [
      [1, 2, null, null],
      [3, 4, null, null],
      [null, null, 5, 6],
      [null, null, 7, 9],
    ];
    expect(() => auditVariance(named(apart), { missing: "use" })).toThrow(/"j1" and "j3" have no query in common/);
    expect(() =>
      auditVariance(
        named([
          [1, 2],
          [null, 1],
        ]),
        { missing: "use" },
      ),
    ).toThrow(/nothing to tell the error/);
  });

  it("few of many judges a query: as much memory as there are scores", () => {
    const records = Array.from({ length: 60_000 }, (_, i) => ({
      query: `q${Math.floor(i / 3)}`,
      judge: `j${(Math.floor(i / 3) + (i % 3) * 17 + (i % 3 === 1 ? i % 5 : 0)) % 2000}`,
      score: (i * 7) % 11,
    }));
    const seen = new Map(records.map((record) => [`${record.query} ${record.judge}`, record]));
    const audit = auditVariance(scoreCells(seen.values()), { missing: "use" });
    expect(audit.judges).toBe(2000);
    expect(notFinite(audit)).toEqual([]);
  });
});

describe("clusters", () => {
  it("of one query each are none", () => {
    fc.assert(
      fc.property(rows, (scores) => {
        const clusters = clustersOf(scores.map((_, q) => q));
        expectSame(auditVariance(named(scores), { clusters }), auditVariance(named(scores)));
      }),
    );
  });

  it("of the same query told twice: the mean's error is that of one of them", () => {
    const doubled = shroutFleiss.flatMap((row) => [row, row]);
    const clusters = clustersOf(doubled.map((_, q) => Math.floor(q / 2)));
    const once = auditVariance(named(shroutFleiss));
    const twice = auditVariance(named(doubled), { clusters });
    expect(twice.clusters).toBe(6);
    expect(twice.mean.error).toBeCloseTo(once.mean.error as number, 9);
    expect(twice.components.judge.raw).toBeCloseTo(once.components.judge.raw, 9);
    expect(twice.components.query.raw).toBeCloseTo(once.components.query.raw, 9);
    expect(twice.mean.upper).toBeCloseTo(once.mean.upper as number, 2);
  });

  it("one alone: no intervals, no tests, and a warning; few: a warning", () => {
    const audit = auditVariance(named(shroutFleiss), { clusters: clustersOf(shroutFleiss.map(() => "a")) });
    expect(audit.mean).toMatchObject({ value: expect.closeTo(5.2917, 4), error: null, lower: null, interval: null });
    expect(audit.components.judge).toMatchObject({ lower: null, upper: null });
    expect(audit.icc.single).toMatchObject({ lower: null, rawByF: null });
    expect(audit.tests.query).toMatchObject({ p: null, reason: expect.stringMatching(/one cluster/) });
    expect(audit.warnings).toContainEqual(expect.stringMatching(/all queries are of one cluster/));
    const few = auditVariance(named(shroutFleiss), { clusters: clustersOf([1, 1, 2, 2, 3, 3]) });
    expect(few.warnings).toContainEqual(expect.stringMatching(/intervals of 3 clusters are rough/));
  });

  it("refuses clusters of other queries, and of queries with gaps", () => {
    const clusters = clustersOf([1, 2]);
    expect(() => auditVariance(named(shroutFleiss), { clusters })).toThrow(/2 clusters for 6 queries/);
    const six = clustersOf([1, 1, 2, 2, 3, 3]);
    expect(() => auditVariance(named(shroutFleiss), { clusters: six, missing: "use" })).toThrow(/can't be use/);
  });
});
