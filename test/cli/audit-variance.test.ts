import { afterAll, describe, expect, it } from "vitest";
import { auditReference } from "../audit/support.js";
import { expectRefused, rat, Scratch } from "../support/cli.js";
import { auditDocument } from "./audit-support.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

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
    expect(icc.single.rawByF.lower).toBeCloseTo(reference.psych.ICC2.lower95, 6);
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

  it("--cluster: queries of a passage; --missing use: the scores that there are", async () => {
    const rows = (passages: readonly string[], blank: boolean) =>
      passages.map((name, q) =>
        [0, 1, 2].map((j) => `${name},q${q},j${j},${blank && q === j ? "" : (q * q + 2 * j + q * j) % 7}`),
      );
    const text = (blank: boolean) =>
      `passage,query,judge,score\n${rows(["a", "a", "b", "b", "c", "c"], blank).flat().join("\n")}\n`;
    const clustered = await auditDocument("variance", ["-", "--cluster", "passage"], { input: text(false) });
    expect(clustered).toMatchObject({ clusters: 3, method: "analysis of variance, sandwich over clusters" });
    expect(clustered.warnings.join()).toContain("intervals of 3 clusters are rough");
    const used = await auditDocument("variance", ["-", "--missing", "use"], { input: text(true) });
    expect(used).toMatchObject({ queries: 6, missingScores: 3, method: "Henderson's method III", clusters: null });
    const two = "passage,query,judge,score\na,q,x,1\nb,q,y,2\na,r,x,1\na,r,y,1\n";
    const run = (input: string, ...args: string[]) => rat(["audit", "variance", "-", ...args], { input });
    expectRefused(await run(two, "--cluster", "passage"), 65, "standard input:3", "query is of one cluster");
    expectRefused(await run(text(true), "--cluster", "passage", "--missing", "use"), 64, "can't be use");
  });

  it("--out draws errors over queries, the best panel marked", async () => {
    const file = scratch.write("panel.csv", long(reference.ratings));
    for (const [out, args] of [
      ["plain", []],
      ["planned", ["--budget", "200", "--max-judges", "6"]],
    ] as const) {
      expect((await rat(["audit", "variance", file, "--out", scratch.at(out), ...args])).code).toBe(0);
      const svg = scratch.read(`${out}/audit-variance.svg`);
      expect(svg).toContain("Standard error of the mean score");
      expect(svg.includes("best for the budget")).toBe(out === "planned");
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    }
    const equal = scratch.write(
      "equal.csv",
      long([
        [1, 1],
        [1, 1],
      ]),
    );
    expect((await rat(["audit", "variance", equal, "--out", scratch.at("equal")])).code).toBe(0);
    expect(scratch.read("equal/audit-variance.svg")).not.toMatch(/NaN|Infinity/);
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

  it("scores of 1e25: exponents, not digits", async () => {
    const input = long(reference.ratings.map((row: number[]) => row.map((score) => score * 1e25)));
    const { stdout } = await rat(["audit", "variance", "-", "--budget", "50", "--quiet"], { input });
    expect(stdout).toMatch(/standard error [\d.]+e2\d/);
    expect(stdout).not.toMatch(/\d{3},\d{3},\d{3}/);
  });

  it("--fail-on the end of an interval", async () => {
    const run = (condition: string) =>
      rat(["audit", "variance", "-", "--fail-on", condition], { input: long(reference.ratings) });
    expect(await run("icc.lower < 0.6")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("icc.lower is 0.0284"),
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
