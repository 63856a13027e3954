import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  auditVariance,
  judgeFloor,
  planPanel,
  type ScoreTable,
  scoreTable,
  standardErrorOfMean,
} from "../../src/audit/variance.js";
import { RatError } from "../../src/errors.js";

/** Computed with R 4.2.2 (psych 2.2.9); the file says how. */
const reference = JSON.parse(readFileSync("test/data/audit-reference.json", "utf8")) as {
  icc: Record<"shrout_fleiss" | "negative_component", IccReference>;
  judge_panel_article: {
    components: { q: number; j: number; e: number };
    se: Record<string, number>;
    floor_one_judge: number;
    floor_five_judges: number;
  };
};

interface IccReference {
  ratings: number[][];
  mean: number;
  MS_rows: number;
  MS_columns: number;
  MS_error: number;
  var_row: number;
  var_column: number;
  var_error: number;
  ICC21_from_components: number;
  se_grand_mean_random_rows_and_columns: number;
  judge_floor: number;
  psych: Record<"ICC2" | "ICC2k", { ICC: number; F: number; p: number; lower95: number; upper95: number }>;
}

const named = (scores: ScoreTable["scores"]): ScoreTable => ({
  queries: scores.map((_, q) => `q${q + 1}`),
  judges: scores[0].map((_, j) => `j${j + 1}`),
  scores,
});

/** The scores of a file: a column a judge, or a score a line. */
function scoresOf(file: string): ScoreTable {
  const [header, ...lines] = readFileSync(`test/data/cases/${file}`, "utf8").trim().split(/\r?\n/);
  const names = header.split(",").slice(1);
  const rows = lines.map((line) => line.split(","));
  const number = (text: string) => (text === "" ? null : Number(text));
  if (names[0] === "judge") {
    return scoreTable(rows.map(([query, judge, score]) => ({ query, judge, score: number(score) })));
  }
  return { queries: rows.map(([query]) => query), judges: names, scores: rows.map((row) => row.slice(1).map(number)) };
}

/** To 1e-8: the file has eleven digits. */
const closeTo = (expected: number) => expect.closeTo(expected, 8);

describe.each(["shrout_fleiss", "negative_component"] as const)("%s agrees with R", (name) => {
  const { psych, ...expected } = reference.icc[name];
  const audit = auditVariance(named(expected.ratings));

  it("mean squares and components", () => {
    expect(audit.meanSquares).toMatchObject({
      query: closeTo(expected.MS_rows),
      judge: closeTo(expected.MS_columns),
      error: closeTo(expected.MS_error),
    });
    expect(audit.components.query.raw).toEqual(closeTo(expected.var_row));
    expect(audit.components.judge.raw).toEqual(closeTo(expected.var_column));
    expect(audit.components.error.raw).toEqual(closeTo(expected.var_error));
    for (const component of Object.values(audit.components)) {
      expect(component.value).toBe(Math.max(0, component.raw));
      expect(component.isNegative).toBe(component.raw < 0);
    }
  });

  it("intraclass correlations with their intervals", () => {
    const { single, panel } = audit.icc;
    expect(single.raw).toEqual(closeTo(expected.ICC21_from_components));
    expect(single.raw).toEqual(closeTo(psych.ICC2.ICC));
    expect(single.rawByF?.lower).toEqual(closeTo(psych.ICC2.lower95));
    expect(single.rawByF?.upper).toEqual(closeTo(psych.ICC2.upper95));
    expect(panel.raw).toEqual(closeTo(psych.ICC2k.ICC));
    expect(panel.rawByF?.upper).toEqual(closeTo(psych.ICC2k.upper95));
    // Of an ICC(2,1) below -1 / (k - 1) psych's step up, 7.2 here, is beyond the pole: there is no lower bound.
    expect(panel.rawByF?.lower).toEqual(psych.ICC2k.lower95 < 1 ? closeTo(psych.ICC2k.lower95) : null);
    for (const { lower, upper, value } of [single, panel]) {
      expect(lower).toBeGreaterThanOrEqual(0);
      expect(lower).toBeLessThanOrEqual(value as number);
      expect(upper).toBeGreaterThanOrEqual(value as number);
      expect(upper).toBeLessThanOrEqual(1);
    }
    expect(audit.tests.query.statistic).toEqual(closeTo(psych.ICC2.F));
    expect(audit.tests.query.p).toEqual(closeTo(psych.ICC2.p));
  });

  it("the mean's error and the judges' floor", () => {
    expect(audit.mean.value).toEqual(closeTo(expected.mean));
    expect(audit.mean.error).toEqual(closeTo(expected.se_grand_mean_random_rows_and_columns));
    expect(audit.floor.panel.value).toEqual(closeTo(expected.judge_floor));
    const { query, judge, error } = audit.components;
    const variances = { query: query.value, judge: judge.value, error: error.value };
    expect(standardErrorOfMean(variances, audit.queries, audit.judges)).toBeCloseTo(audit.mean.error as number, 12);
  });
});

describe("the article's panel", () => {
  const { components, se, ...article } = reference.judge_panel_article;
  const variances = { query: components.q, judge: components.j, error: components.e };

  it.each(Object.entries(se))("error with %s", (name, expected) => {
    const [queries, judges] = (name.match(/\d+/g) ?? []).map(Number);
    expect(standardErrorOfMean(variances, queries, judges)).toBeCloseTo(expected, 12);
  });

  it("floors", () => {
    expect(judgeFloor(variances.judge, 1)).toBeCloseTo(article.floor_one_judge, 12);
    expect(judgeFloor(variances.judge, 5)).toBeCloseTo(article.floor_five_judges, 12);
  });

  it("200 calls: five judges over forty queries beat one over two hundred", () => {
    const plan = planPanel(variances, { budget: 200, mostJudges: 5 });
    expect(plan.best).toMatchObject({ judges: 5, queries: 40, calls: 200, error: closeTo(se.Q40_J5) });
    expect(plan.oneJudge).toMatchObject({ judges: 1, queries: 200, error: closeTo(se.Q200_J1) });
  });
});

describe("small cases", () => {
  it("F1: refuses one judge a query", () => {
    expect(() => auditVariance(scoresOf("F1_one_rating_each.csv"))).toThrow(/at least 2 judges per query are needed/);
    expect(() => auditVariance(named([[1], [2]]))).toThrow(/at least 2 judges per query are needed: there is one/);
  });

  it("F3: undefined where all scores are equal", () => {
    const audit = auditVariance(scoresOf("F3_all_equal.csv"));
    expect(audit.icc.single).toMatchObject({
      value: null,
      raw: null,
      reason: expect.stringMatching(/^undefined \(no variance in the scores\)/),
    });
    expect(Object.values(audit.components).map(({ value }) => value)).toEqual([0, 0, 0]);
    expect(audit.mean).toMatchObject({ value: 1, error: 0, lower: null, upper: null });
    expect(audit.tests.query.p).toBeNull();
    expect(audit.warnings).toEqual([expect.stringMatching(/standard error of 0 follows from that and proves nothing/)]);
  });

  it("F5: takes the complete queries, and says so; or refuses by the name of the first gap", () => {
    const table = scoresOf("F5_one_blank.csv");
    const audit = auditVariance(table);
    expect(audit.icc.single.value).toBeCloseTo(0.8378, 4);
    expect(audit).toMatchObject({ queries: 4, judges: 3, dropped: ["q3"], missingScores: 1 });
    expect(audit.warnings[0]).toMatch(/^1 query dropped \(missing score\)/);
    expect(() => auditVariance(table, { missing: "refuse" })).toThrow(/query "q3" has no score of judge "j2"/);
  });

  it("names the gap where too few queries are complete", () => {
    const table = named([
      [1, 2, null],
      [1, 3, 2],
      [2, null, 4],
    ]);
    expect(() => auditVariance(table)).toThrow(/there is one \(query "q1" has no score of judge "j3"\)/);
  });

  it("refuses what are no scores, and two of one judge for one query", () => {
    expect(() =>
      auditVariance(
        named([
          [1, 2],
          [Number.NaN, 1],
        ]),
      ),
    ).toThrow(/query "q2", judge "j1": .*not NaN/);
    expect(() => auditVariance({ ...named([[1, 2]]), queries: [] })).toThrow(RatError);
    expect(() => auditVariance({ queries: [], judges: [], scores: [] })).toThrow(/no scores/);
    const twice = { query: "a", judge: "b", score: 1 };
    expect(() => scoreTable([twice, twice])).toThrow(/query "a" has two scores of judge "b"/);
  });

  it("undefined where judges only contradict each other", () => {
    const audit = auditVariance(
      named([
        [1, 0],
        [0, 1],
      ]),
    );
    const contradiction = {
      value: null,
      raw: null,
      reason: expect.stringMatching(/^undefined \(no variance of means\)/),
    };
    expect(audit.icc).toMatchObject({ single: contradiction, panel: contradiction });
    expect(audit.warnings).toContainEqual(expect.stringMatching(/variance of judges came out negative/));
  });

  it("judges that differ by constants are perfectly consistent, to rounding", () => {
    const audit = auditVariance(named([0.1, 0.7, 0.2, 0.5].map((score) => [score, score + 0.1, score + 0.3])));
    expect(audit.components.error.raw).toBe(0);
    expect(audit.tests.query.p).toBeNull();
    expect(audit.icc.single.value).toBeGreaterThan(0.5);
    expect(audit.icc.single.lower).toBeGreaterThan(0);
  });
});

/** Of scores nearer 0 the squares are below what doubles hold. */
const large = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => (Math.abs(value) < 1e-60 ? 0 : value));
const score = fc.oneof(fc.constantFrom(0, 1, 0.1, 0.5), large);
/** Rows of two to seven queries, two to five judges. */
const tables = (score: fc.Arbitrary<number>) =>
  fc
    .tuple(fc.integer({ min: 2, max: 7 }), fc.integer({ min: 2, max: 5 }))
    .chain(([queries, judges]) =>
      fc.array(fc.array(score, { minLength: judges, maxLength: judges }), { minLength: queries, maxLength: queries }),
    );
const scores = tables(score);

/** Every number in a result; throws at one that isn't finite. */
function expectFinite(value: unknown): void {
  if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
  if (typeof value === "object" && value !== null) Object.values(value).forEach(expectFinite);
}

describe("properties", () => {
  it("numbers are finite or null, and intervals hold their values", () => {
    fc.assert(
      fc.property(scores, fc.double({ min: 0.01, max: 0.999, noNaN: true }), (rows, level) => {
        const audit = auditVariance(named(rows), { level, budget: { budget: 50, mostJudges: 4 } });
        expectFinite(audit);
        for (const { lower, upper } of Object.values(audit.components)) {
          if (lower !== null) expect(lower).toBeLessThanOrEqual(upper as number);
        }
        for (const { lower, error, upper } of audit.plan?.panels ?? []) {
          if (lower !== null) expect(lower).toBeLessThanOrEqual(error);
          if (upper !== null) expect(upper).toBeGreaterThanOrEqual(error);
        }
        const { raw, lower, upper } = audit.icc.single;
        expect(raw ?? 0).toBeLessThanOrEqual(1);
        if (lower !== null && upper !== null) expect(lower).toBeLessThanOrEqual(upper);
      }),
    );
  });

  it("verdicts of 0 and 1, and numbers at the ends of doubles, are no exception", () => {
    const wild = fc.constantFrom(0, -0, 5e-324, 1e-300, 1, 1 + Number.EPSILON, 1e15, 1e15 + 1, 1e50, -1e50);
    fc.assert(
      fc.property(fc.oneof(tables(fc.constantFrom(0, 1)), tables(wild)), (rows) => {
        const audit = auditVariance(named(rows));
        expectFinite(audit);
        for (const { value, lower, upper } of Object.values(audit.icc)) {
          if (value === null) continue;
          if (lower !== null) expect(lower).toBeLessThanOrEqual(value + 1e-9);
          if (upper !== null) expect(upper).toBeGreaterThanOrEqual(value - 1e-9);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("sums of squares add up, and scale with the scores", () => {
    fc.assert(
      fc.property(scores, (rows) => {
        const { meanSquares } = auditVariance(named(rows));
        const all = rows.flat();
        const mean = all.reduce((a, b) => a + b) / all.length;
        const total = all.reduce((sum, score) => sum + (score - mean) ** 2, 0);
        const parts = (["query", "judge", "error"] as const).map(
          (name) => meanSquares[name] * meanSquares.degrees[name],
        );
        const scale = all.reduce((sum, score) => sum + score * score, 0);
        expect(Math.abs(parts[0] + parts[1] + parts[2] - total)).toBeLessThanOrEqual(1e-12 * scale);
        const doubled = auditVariance(named(rows.map((row) => row.map((score) => 2 * score)))).meanSquares;
        expect(doubled.error).toBe(4 * meanSquares.error);
      }),
    );
  });

  it("the order of queries and judges doesn't matter", () => {
    fc.assert(
      fc.property(scores, (rows) => {
        const reversed = rows.map((row) => row.toReversed()).toReversed();
        const [one, other] = [auditVariance(named(rows)), auditVariance(named(reversed))];
        const scale = rows.flat().reduce((sum, score) => sum + score * score, 0);
        for (const name of ["query", "judge", "error"] as const) {
          const gap = Math.abs(one.components[name].raw - other.components[name].raw);
          expect(gap).toBeLessThanOrEqual(1e-13 * scale);
        }
      }),
    );
  });

  const variance = fc.double({ min: 0, max: 1, noNaN: true });

  it("no panel within the budget has less error than the plan's", () => {
    fc.assert(
      fc.property(
        fc.record({ query: variance, judge: variance, error: variance }),
        fc.record({
          budget: fc.integer({ min: 12, max: 300 }),
          mostJudges: fc.integer({ min: 1, max: 9 }),
          mostQueries: fc.integer({ min: 1, max: 80 }),
          perCall: fc.integer({ min: 1, max: 4 }),
          perQuery: fc.integer({ min: 0, max: 8 }),
        }),
        (variances, limits) => {
          const { best, oneJudge } = planPanel(variances, limits);
          expect(best.cost).toBeLessThanOrEqual(limits.budget);
          expect(oneJudge.judges).toBe(1);
          for (let judges = 1; judges <= limits.mostJudges; judges++) {
            for (let queries = 1; queries <= limits.mostQueries; queries++) {
              if (queries * (limits.perQuery + judges * limits.perCall) > limits.budget) break;
              const error = standardErrorOfMean(variances, queries, judges);
              expect(best.error).toBeLessThanOrEqual(error * (1 + 1e-12));
              expect(error).toBeGreaterThanOrEqual(judgeFloor(variances.judge, judges));
            }
          }
        },
      ),
    );
  });

  it("buys what decimal prices buy, and refuses impossible ones", () => {
    const variances = { query: 1, judge: 1, error: 1 };
    expect(
      planPanel(variances, { budget: 0.3, mostJudges: 3, perCall: 0.1 }).panels.map(({ queries }) => queries),
    ).toEqual([3, 1, 1]);
    expect(() => planPanel(variances, { budget: 1, mostJudges: 3, perQuery: 2 })).toThrow(
      /buys no score: one query with one judge costs 3/,
    );
    expect(() => planPanel({ ...variances, judge: -1 }, { budget: 9, mostJudges: 3 })).toThrow(
      /variances\.judge must be a number of at least 0, not -1/,
    );
    expect(() => planPanel(variances, { budget: 9, mostJudges: 2.5 })).toThrow(/whole number/);
  });
});
