import { describe, expect, it } from "vitest";
import { auditReference } from "../audit/support.js";
import { expectRefused, rat } from "../support/cli.js";
import { auditDocument } from "./audit-support.js";

const reference = auditReference.icc.shrout_fleiss;
const long = (ratings: readonly (readonly (number | string)[])[]): string =>
  `query,judge,score\n${ratings.flatMap((row, q) => row.map((score, j) => `q${q},j${j},${score}\n`)).join("")}`;

describe("rat audit variance", () => {
  it("components and ICCs of R's psych package", async () => {
    const document = await auditDocument("variance", ["-"], { input: long(reference.ratings) });
    const { components, icc, mean, plan } = document;
    expect(mean.value).toBeCloseTo(reference.mean, 9);
    expect(components.query.value).toBeCloseTo(reference.var_row, 8);
    expect(components.judge.value).toBeCloseTo(reference.var_column, 8);
    expect(icc.single.value).toBeCloseTo(reference.psych.ICC2.ICC, 8);
    expect(icc.single.lower).toBeCloseTo(reference.psych.ICC2.lower95, 6);
    expect(icc.panel.value).toBeCloseTo(reference.psych.ICC2k.ICC, 8);
    expect(plan).toBeNull();
  });

  it("--budget: every panel that it buys, and no more judges than --max-judges", async () => {
    const args = ["-", "--budget", "200", "--max-judges", "3", "--cost-query", "2", "--cost-call", "0.5"];
    const { plan } = await auditDocument("variance", args, { input: long(reference.ratings) });
    expect(plan.panels.map(({ judges, queries, cost }: Record<string, number>) => [judges, queries, cost])).toEqual([
      [1, 80, 200],
      [2, 66, 198],
      [3, 57, 199.5],
    ]);
    expect(plan.best.judges).toBe(3);
  });

  it("scores that are all equal: no correlation, and why", async () => {
    const { code, stdout } = await rat(["audit", "variance", "-"], {
      input: long([
        [1, 1],
        [1, 1],
      ]),
    });
    expect(code).toBe(0);
    expect(stdout).toContain("ICC(2,1), one judge: undefined (no variance in the scores)");
    expect(stdout).toContain("warning: all scores are equal");
    expect(stdout).not.toMatch(/NaN|Infinity/);
  });

  it("--fail-on the end of an interval", async () => {
    const run = (condition: string) =>
      rat(["audit", "variance", "-", "--fail-on", condition], { input: long(reference.ratings) });
    expect(await run("icc.lower < 0.6")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("icc.lower is 0.01"),
    });
    expect((await run("iccPanel < 0.6")).code).toBe(0);
    expectRefused(await run("ICC < 0.6"), 64, 'there is no "ICC"', "icc, iccPanel");
  });

  it.each<[string, string, string[], number, string[]]>([
    ["a score twice", "query,judge,score\na,x,1\na,y,2\na,x,3\n", [], 65, ["standard input:4: ", "in line 2 already"]],
    ["a row without a judge", "query,judge,score\na,,1\n", [], 65, ["standard input:2: ", '"judge" holds ""']],
    ["one judge", "query,judge,score\na,x,1\nb,x,1\n", [], 65, ["standard input: at least 2 judges"]],
    [
      "a gap with --missing refuse",
      long([
        [1, 2],
        [2, ""],
        [3, 4],
      ]),
      ["--missing", "refuse"],
      65,
      ['"q1"', '"j1"'],
    ],
    [
      "prices without a budget",
      long([
        [1, 2],
        [2, 1],
      ]),
      ["--cost-call", "2"],
      64,
      ["no effect without --budget"],
    ],
    [
      "a budget that buys nothing",
      long([
        [1, 2],
        [2, 1],
      ]),
      ["--budget", "0.5"],
      64,
      ["buys no score"],
    ],
    [
      "half a judge",
      long([
        [1, 2],
        [2, 1],
      ]),
      ["--budget", "9", "--max-judges", "1.5"],
      64,
      ["--max-judges", "whole number"],
    ],
  ])("refuses %s", async (_name, input, args, code, fragments) => {
    expectRefused(await rat(["audit", "variance", "-", ...args], { input }), code, ...fragments);
  });
});
