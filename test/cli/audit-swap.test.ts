import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { auditReference } from "../audit/support.js";
import { expectRefused, rat, Scratch } from "../support/cli.js";
import { auditDocument } from "./audit-support.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const { binary, continuous } = auditReference.swap_test;
const times = (n: number, row: string): string => `${row}\n`.repeat(n);

function biased(name: string, spellings: readonly [string, string], separator = ","): string {
  const { first_slot_wins_both_or_flip_to_first: first, flip_to_second: second, n_pairs: n } = binary.biased.input;
  const [a, b] = spellings;
  const rows = [times(first, [a, a].join(separator)), times(second, [b, b].join(separator))];
  const text = [["forward", "reversed"].join(separator), ...rows, times(n - first - second, [a, b].join(separator))];
  return scratch.write(name, text.join("\n"));
}

describe("rat audit swap", () => {
  it.each<[string, readonly [string, string], string]>([
    ["words.csv", ["first", "second"], ","],
    ["letters.tsv", ["A", "b"], "\t"],
    ["numbers.csv", ["1", "2"], ";"],
  ])("%s: bias and p of SciPy and statsmodels", async (name, spellings, separator) => {
    const document = await auditDocument("swap", [biased(name, spellings, separator)]);
    expect(document.kind).toBe("verdicts");
    expect(document.bias.value).toBeCloseTo(binary.biased.bias, 12);
    expect(document.tests.exact.log10P).toBeCloseTo(Math.log10(binary.biased.exact_binomial_two_sided), 9);
  });

  it("--scores: difference, t and Wilcoxon of SciPy, from compressed JSON lines", async () => {
    const { input, mean_difference, paired_t, wilcoxon } = continuous.biased;
    const lines = input.map((score: number) => JSON.stringify({ x: score, y: 0 })).join("\n");
    const file = scratch.write("scores.jsonl.gz", gzipSync(lines));
    const document = await auditDocument("swap", [file, "--scores", "--first", "x", "--second", "y"]);
    expect(document.difference.value).toBeCloseTo(mean_difference, 12);
    expect(document.tests.t.p).toBeCloseTo(paired_t.p, 10);
    expect(document.tests.wilcoxon.p).toBeCloseTo(wilcoxon.p, 10);
  });

  it("says what a swap test can't see, unless --quiet, and why there is no number", async () => {
    const input = "forward,reversed\nfirst,\n";
    const { code, stdout } = await rat(["audit", "swap", "-"], { input });
    expect(code).toBe(0);
    expect(stdout).toContain("note: A swap test sees what depends on the slot alone");
    expect(stdout).toContain("consistency: undefined (no pairs): no pair has a verdict in both orders");
    expect(stdout).not.toMatch(/NaN|Infinity/);
    expect((await rat(["audit", "swap", "-", "--quiet"], { input })).stdout).not.toContain("note:");
  });

  it("--fail-on: 1 with the reason after the whole output, also for what is undefined; 0 where it isn't met", async () => {
    const input = "forward,reversed\nfirst,first\nfirst,second\ntie,tie\n";
    const run = (...conditions: string[]) =>
      rat(["audit", "swap", "-", ...conditions.flatMap((text) => ["--fail-on", text])], { input });
    const failed = await run("consistency < 0.8", "bias.upper>=2", "missing > 0");
    expect(failed).toMatchObject({
      code: 1,
      stderr: "rat: --fail-on consistency < 0.8: consistency is 0.666667\n",
    });
    expect(failed.stdout).toContain("slot bias");
    expect((await run("consistency < 0.6")).code).toBe(0);
    const nothing = await rat(["audit", "swap", "-", "--fail-on", "bias > 0.1"], { input: "forward,reversed\n,A\n" });
    expect(nothing).toMatchObject({
      code: 1,
      stderr: "rat: --fail-on bias > 0.1: there is no bias, as it is undefined here\n",
    });
    expectRefused(await run("consistancy < 0.8"), 64, "there is no", "consistency, firstSlot");
    expectRefused(await run("consistency = 0.8"), 64, "expected a name, <");
  });

  it("--cluster: questions, not pairs, decide; the alarm is a gate", async () => {
    const rows = Array.from({ length: 24 }, (_, i) => `q${Math.floor(i / 6)},A,${i < 18 ? "A" : "B"}`).join("\n");
    const file = scratch.write("clusters.csv", `question,forward,reversed\n${rows}\n`);
    const naive = await auditDocument("swap", [file]);
    expect(naive).toMatchObject({ clusters: null, alarms: [{ defect: "first slot", subject: null }] });
    const clustered = await auditDocument("swap", [file, "--cluster", "question"]);
    expect(clustered).toMatchObject({ clusters: 4, alarms: [], tests: { exact: { p: expect.closeTo(0.25, 12) } } });
    expect(clustered.bias.interval).toBe("clustered adjusted Wald");
    const run = (...args: string[]) => rat(["audit", "swap", file, "--fail-on", "alarms > 0", ...args]);
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining("alarms is 1") });
    expect((await run()).stdout).toContain("alarm: first slot: 18 of 24 pairs went to the first slot both times");
    // Four clusters can't raise one.
    expect(await run("--cluster", "question")).toMatchObject({ code: 1, stderr: expect.stringContaining("undefined") });
    expectRefused(await run("--cluster", "passage"), 65, 'no column "passage"', "--cluster");
  });

  it("--fail-on alarms: what couldn't be tested fails", async () => {
    const gate = ["--fail-on", "alarms > 0"];
    const run = (input: string, ...args: string[]) => rat(["audit", "swap", "-", ...gate, ...args], { input });
    const untested = { code: 1, stderr: "rat: --fail-on alarms > 0: there is no alarms, as it is undefined here\n" };
    expect(await run("q,forward,reversed\na,A,\n")).toMatchObject(untested);
    expect(await run("q,first,second\na,1,\n", "--scores")).toMatchObject(untested);
    const one = await run("q,first,second\na,1,2\na,3,1\n", "--scores", "--cluster", "q");
    expect(one).toMatchObject(untested);
    expect(one.stdout).toContain("nothing could be tested");
    const equal = "a,3,3\n".repeat(8);
    expect((await run(`q,first,second\n${equal}`, "--scores")).code).toBe(0);
    const few = await run(`q,forward,reversed\n${"a,A,A\n".repeat(7)}`);
    expect(few).toMatchObject(untested);
    expect(few.stdout).toContain("warning: no test of so few pairs has a p below 0.015625");
    const more = await run(`q,forward,reversed\n${"a,A,A\n".repeat(8)}`);
    expect(more).toMatchObject({ code: 1, stderr: "rat: --fail-on alarms > 0: alarms is 1\n" });
  });

  it.each([
    ["verdicts", "forward,reversed\nA,A\nA,B\nA=B,A\nB,A\n", []],
    ["scores", "first,second\n1,2\n3,2.5\n4,4\n", ["--scores"]],
    ["one pair", "first,second\n1,2\n", ["--scores"]],
    ["no verdict", "forward,reversed\nA,\n", []],
  ])("--out draws %s", async (name, input, args) => {
    const out = scratch.at(`figure-${name.replace(" ", "-")}`);
    const file = scratch.write(`figure-${name}.csv`, input);
    expect((await rat(["audit", "swap", file, "--out", out, ...args])).code).toBe(0);
    const svg = scratch.read(`figure-${name.replace(" ", "-")}/audit-swap.svg`);
    expect(svg).toContain("Slot bias");
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it.each<[string, string, string[], number, string[]]>([
    [
      "a name instead of a slot",
      "forward,reversed\nfirst,first\nfirst,gpt-4\n",
      [],
      65,
      ["standard input:3: ", '"reversed" holds "gpt-4"', "which slot won"],
    ],
    ["no such column", "a,b\nfirst,first\n", [], 65, ['no column "forward"', '"a", "b"', "--forward COLUMN"]],
    ["one column twice", "a,b\nfirst,first\n", ["--forward", "a", "--reversed", "a"], 64, ["can't be both"]],
    ["no score", "first,second\n1,2\n1,good\n", ["--scores"], 65, ["standard input:3: ", '"second" holds "good"']],
    ["infinite scores", "first,second\n1,Infinity\n", ["--scores"], 65, ["standard input:2: ", "number below 1e50"]],
    ["columns of scores without --scores", "a,b\n1,2\n", ["--first", "a"], 64, ["add --scores"]],
    ["no rows", "forward,reversed\n", [], 65, ["standard input: ", "no rows"]],
    ["a level of 95", "forward,reversed\nA,B\n", ["--level", "95"], 64, ["--level must be a number between 0 and 1"]],
  ])("refuses %s", async (_name, input, args, code, fragments) => {
    expectRefused(await rat(["audit", "swap", "-", ...args], { input }), code, ...fragments);
  });

  it("--out writes the document that --json prints, and replaces one with --overwrite alone", async () => {
    const file = scratch.write("out.csv", "forward,reversed\nA,A\nA,B\n");
    const args = ["audit", "swap", file, "--json", "--out", scratch.at("out")];
    const { stdout } = await rat(args);
    expect(scratch.read("out/audit-swap.json")).toBe(stdout);
    expectRefused(await rat(args), 64, "holds a run already", "--overwrite");
    expect((await rat([...args, "--overwrite"])).code).toBe(0);
  });
});
