import { describe, expect, it } from "vitest";
import { auditReference } from "../audit/support.js";
import { expectRefused, rat } from "../support/cli.js";
import { auditDocument } from "./audit-support.js";

const reference = auditReference.agreement.cases.textbook_20_5_10_15;
const { both_1, r1_1_r2_0, r1_0_r2_1, both_0 } = reference.input;
const textbook = `id,a,b\n${["1,1", "1,0", "0,1", "0,0"]
  .flatMap((labels, k) => Array<string>([both_1, r1_1_r2_0, r1_0_r2_1, both_0][k]).fill(labels))
  .map((labels, i) => `${i},${labels}\n`)
  .join("")}`;

describe("rat audit agreement", () => {
  it("coefficients of statsmodels, of all columns but id; the seed repeats the bootstrap", async () => {
    const run = (...args: string[]) => auditDocument("agreement", ["-", "--seed", "3", ...args], { input: textbook });
    const document = await run();
    const { judges, pairs, all, items } = document;
    expect(judges.map(({ judge }: { judge: string }) => judge)).toEqual(["a", "b"]);
    expect(items).toBe(reference.n);
    expect(all.raw.value).toBeCloseTo(reference.raw_agreement, 12);
    expect(pairs[0].cohenKappa.value).toBeCloseTo(reference.cohen_kappa, 12);
    expect(all.fleissKappa.value).toBeCloseTo(reference.scott_pi, 12);
    expect(all.ac1.value).toBeCloseTo(reference.gwet_ac1, 12);
    expect(await run("--judges", "a,b")).toEqual(document);
  });

  it("judges that only ever say one thing: the reason instead of a kappa, and the shares", async () => {
    const { code, stdout } = await rat(["audit", "agreement", "-"], { input: "a,b\nyes,yes\nyes,yes\n" });
    expect(code).toBe(0);
    expect(stdout).toMatch(/Cohen's kappa: undefined \(/);
    expect(stdout).not.toMatch(/NaN|Infinity/);
    expect(stdout).toContain("note: Kappa, pi and alpha fall where one label is rare");
  });

  it("--fail-on: kappas of two judges, by name", async () => {
    const run = (condition: string) => rat(["audit", "agreement", "-", "--fail-on", condition], { input: textbook });
    expect(await run("cohenKappa < 0.6")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cohenKappa is 0.4\n"),
    });
    expect((await run("raw < 0.6")).code).toBe(0);
    expectRefused(await run("kappa < 0.6"), 64, 'there is no "kappa"', "cohenKappa");
  });

  it.each<[string, string, string[], number, string[]]>([
    [
      "a label that isn't declared",
      "a,b\n1,1\n1,2\n",
      ["--categories", "0,1"],
      65,
      ["standard input:3: ", '"b" holds "2"'],
    ],
    ["words on an interval scale", "a,b\n1,1\n1,good\n", ["--scale", "interval"], 65, ["standard input:3: ", '"good"']],
    [
      "words without an order",
      "a,b\ngood,bad\n",
      ["--scale", "ordinal"],
      65,
      ["no order of their own", "--categories"],
    ],
    ["one judge", "id,a\n1,1\n", [], 65, ['there is one, "a"']],
    ["a judge that isn't there", "a,b\n1,1\n", ["--judges", "a,c"], 65, ['no column "c"', '"a", "b"']],
    ["a judge twice", "a,b\n1,1\n", ["--judges", "a,a"], 64, ["twice"]],
    ["half a sample", "a,b\n1,1\n", ["--replicates", "0.5"], 64, ["whole number"]],
  ])("refuses %s", async (_name, input, args, code, fragments) => {
    expectRefused(await rat(["audit", "agreement", "-", ...args], { input }), code, ...fragments);
  });
});
