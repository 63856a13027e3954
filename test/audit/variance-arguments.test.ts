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

const named = (scores: ScoreTable["scores"]): ScoreTable => ({
  queries: scores.map((_, q) => `q${q + 1}`),
  judges: scores[0].map((_, j) => `j${j + 1}`),
  scores,
});

describe("what tells nothing", () => {
  it("a coincidence is no certainty: judges that agree to the last digit have no intervals", () => {
    const identical = named([1, 2].map((score) => [score, score]));
    const audit = auditVariance(identical, { budget: { budget: 20, mostJudges: 2 } });
    const bare = { lower: null, upper: null, interval: null };
    expect(audit.components).toMatchObject({ judge: { value: 0, ...bare }, error: { value: 0, ...bare } });
    expect(audit.icc).toMatchObject({ single: { value: 1, ...bare, rawByF: null }, panel: { value: 1, ...bare } });
    expect(audit.floor.panel).toEqual({ value: 0, lower: null, upper: null });
    expect(audit.plan?.panels[0]).toMatchObject({ lower: null, upper: null });
    expect(audit.warnings).toContainEqual(expect.stringMatching(/^all judges have the same mean score/));
    expect(audit.warnings).toContainEqual(expect.stringMatching(/without error: its variance has no interval/));
  });

  it("a judge without a score is named, and its blanks aren't missing scores", () => {
    const table = named([
      [1, 2, null],
      [3, 3, null],
      [4, null, null],
      [2, 4, null],
    ]);
    const audit = auditVariance(table, { missing: "use" });
    expect(audit).toMatchObject({ judges: 2, missingScores: 1 });
    expect(audit.warnings[0]).toBe('judge "j3" left out: no score at all');
    expect(() => auditVariance(table)).toThrow(/\(judge "j3" has none\)/);
    expect(() => auditVariance(named([[1, 2]]))).toThrow(/there is one$/);
    expect(() => auditVariance(table, { missing: "refuse" })).toThrow(/--missing drop.*--missing use/);
  });
});

describe("arguments of another shape", () => {
  it.each<[string, () => unknown, RegExp]>([
    ["nothing", () => (auditVariance as () => unknown)(), /table must be .*not undefined/],
    ["a list", () => auditVariance([[1, 2]] as never), /table must be/],
    ["scores of a number", () => auditVariance({ ...named([[1]]), scores: 3 } as never), /table\.scores must be/],
    ["a row of null", () => auditVariance({ ...named([[1]]), scores: [null] } as never), /table\.scores\[0\] must be/],
    ["a name twice", () => auditVariance({ ...named([[1]]), queries: ["a", "a"] }), /"a" is there twice/],
    [
      "refused",
      () => auditVariance(named([[1]]), { missing: "refused" as never }),
      /missing must be "drop".*"refused"/,
    ],
    ["an unknown option", () => auditVariance(named([[1]]), { gaps: 1 } as never), /options\.gaps is no option/],
    ["clusters of keys", () => auditVariance(named([[1]]), { clusters: ["a"] as never }), /clusters must be/],
    ["records of null", () => scoreTable(null as never), /records must be a list/],
    ["a record of null", () => scoreTable([null] as never), /records\[0\] must be an object/],
    [
      "a query by number",
      () => scoreTable([{ query: 1, judge: "a", score: 1 }] as never),
      /records\[0\]\.query must be text/,
    ],
    ["no judges", () => judgeFloor(1, 0), /judges must be a number above 0, not 0/],
    ["a variance below 0", () => judgeFloor(-1, 2), /judgeVariance must be a number of at least 0, not -1/],
    ["NaN queries", () => standardErrorOfMean({ query: 1, judge: 1, error: 1 }, Number.NaN, 2), /queries must be/],
    [
      "variances of NaN",
      () => standardErrorOfMean({ query: 1, judge: Number.NaN, error: 1 }, 1, 2),
      /variances\.judge/,
    ],
    ["no limits", () => planPanel({ query: 1, judge: 1, error: 1 }, null as never), /budget must be an object/],
    [
      "a misspelt limit",
      () => planPanel({ query: 1, judge: 1, error: 1 }, { budget: 9, mostJudges: 2, perJudge: 1 } as never),
      /budget\.perJudge is no limit/,
    ],
  ])("refuses %s", (_, act, message) => {
    expect(act).toThrow(RatError);
    expect(act).toThrow(message);
  });
});
