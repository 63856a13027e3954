import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
    expect((await run("scottPi < 0.6")).stderr).toContain("scottPi is 0.39");
    expectRefused(await run("kappa < 0.6"), 64, 'there is no "kappa"', "cohenKappa");
  });

  it("--cluster: the column is no judge; errors grow, values don't change", async () => {
    const header = "id,passage,a,b\n";
    const rows = textbook.trim().split("\n").slice(1);
    const input = header + rows.map((row, i) => `${row.replace(/^\d+/, `${i},p${i % 25}`)}\n`).join("");
    const run = (...args: string[]) => auditDocument("agreement", ["-", "--seed", "3", ...args], { input });
    const clustered = await run("--cluster", "passage");
    const plain = await run("--judges", "a,b");
    expect(clustered.judges).toEqual(plain.judges);
    expect([clustered.clusters, plain.clusters]).toEqual([25, null]);
    expect(clustered.all.ac1.value).toBe(plain.all.ac1.value);
    expect(clustered.all.ac1.interval).toBe("clustered Fisher's z, widened");
    expect(clustered.notes.join()).toContain('Items of one "passage" may err together');
    const { stdout } = await rat(["audit", "agreement", "-", "--cluster", "passage"], { input });
    expect(stdout).toContain("2 nominal categories; 25 clusters");
  });

  it("--out: a figure of kappa and AC1 over prevalence, of at most six pairs, which the caption says", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rat-agreement-"));
    try {
      const out = join(folder, "out");
      const two = await rat(["audit", "agreement", "-", "--seed", "1", "--out", out], { input: textbook });
      expect(two).toMatchObject({ code: 0, stderr: "" });
      expect((await readdir(out)).sort()).toEqual(
        expect.arrayContaining(["audit-agreement.json", "audit-agreement.svg", "run.json"]),
      );
      const svg = await readFile(join(out, "audit-agreement.svg"), "utf8");
      for (const words of ["a and b", "raw agreement 0.700", "Cohen's kappa", "Gwet's AC1"])
        expect(svg).toContain(words);
      expect(svg).not.toMatch(/NaN|Infinity/);
      const panel = "a,b,c,d,e\n1,1,2,3,1\n2,1,2,1,1\n1,1,1,1,1\n1,3,1,1,1\n";
      const more = ["audit", "agreement", "-", "--seed", "1", "--out", out, "--overwrite"];
      expect((await rat(more, { input: panel })).code).toBe(0);
      const several = await readFile(join(out, "audit-agreement.svg"), "utf8");
      expect(several.match(/class="panel"/g)).toHaveLength(6);
      expect(several.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")).toMatch(/any other.* 6 of 10 pairs/s);
      // Nothing to draw where there is one label.
      const one = await rat(["audit", "agreement", "-", "--seed", "1", "--out", join(folder, "one")], {
        input: "a,b\n1,1\n",
      });
      expect(one.code).toBe(0);
      expect(await readdir(join(folder, "one"))).not.toContain("audit-agreement.svg");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("names with a comma stand in double quotes, in --judges and --categories", async () => {
    const input = 'id,"a, first","say ""b""",c\n1,"x,y",z,z\n2,z,z,z\n';
    const run = (...args: string[]) => rat(["audit", "agreement", "-", "--json", ...args], { input });
    const names = '"a, first" , "say ""b"""';
    const { stdout, code } = await run("--judges", names, "--categories", '"x,y",z');
    expect(code).toBe(0);
    const { judges, categories } = JSON.parse(stdout);
    expect(judges.map(({ judge }: { judge: string }) => judge)).toEqual(["a, first", 'say "b"']);
    expect(categories).toEqual(["x,y", "z"]);
    for (const open of ['"a, first', '"a, first"c,c']) {
      expectRefused(await run("--judges", open), 64, "a name in double quotes must end with one");
    }
  });

  it("--categories on an ordinal scale: numbers of one value are one, however they are spelt", async () => {
    const args = ["-", "--scale", "ordinal", "--categories", "1,2", "--seed", "1"];
    const { categories, all } = await auditDocument("agreement", args, { input: "a,b\n1.0,1\n2,02\n1,2\n" });
    expect(categories).toEqual(["1", "2"]);
    expect(all.raw.value).toBeCloseTo(2 / 3, 12);
  });

  it("a column that shares no label with others is said to be no judge, and left out of the figure", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rat-agreement-"));
    try {
      const input = "topic,a,b\nsea,1,1\nsky,0,1\nland,0,0\n";
      const run = (out: string, text: string, ...args: string[]) =>
        rat(["audit", "agreement", "-", "--seed", "1", "--out", join(folder, out), ...args], { input: text });
      expect((await run("one", input)).stdout).toContain("warning: topic shares no label with any other judge");
      const svg = await readFile(join(folder, "one", "audit-agreement.svg"), "utf8");
      expect(svg.match(/class="panel"/g)).toHaveLength(1);
      expect(svg.replace(/<[^>]+>/g, " ")).toMatch(/Left out is &quot;topic&quot;|Left out is "topic"/);
      const why: [string, string][] = [
        ["a,b\nyes,true\nno,false\n", "no two judges that labelled the same items share a label"],
        ["a,b\n1,1\n", 'all labels are "1"'],
        ["a,b\n1,\n,1\n", "no item has labels of two judges"],
        ["a,b,c\n,,x\n", "no item has labels of two judges"],
        ["a,b\n,\n", "there are no labels"],
      ];
      for (const [text, reason] of why) {
        expect((await run("none", text, "--overwrite")).stderr).toBe(`rat: there is no figure: ${reason}\n`);
      }
      expect((await run("none", why[1][0], "--overwrite", "--quiet")).stderr).toBe("");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("a judge that gives one label alone is named", async () => {
    const { stdout } = await rat(["audit", "agreement", "-"], { input: "a,b\nyes,yes\nno,yes\nyes,yes\n" });
    expect(stdout).toContain('warning: b ("yes") gives one label alone');
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
      ["standard input:2: ", "no order of their own", "--categories"],
    ],
    [
      "no verdict",
      "a,b\n1,1\n2,garbage\n",
      ["--categories", "0,1,2"],
      65,
      ["standard input:3: ", '"b" holds "garbage"'],
    ],
    ["a judge that is the cluster too", "a,b\n1,1\n", ["--judges", "a,b", "--cluster", "a"], 64, ["both a judge"]],
    ["a cluster that isn't there", "a,b\n1,1\n", ["--cluster", "c"], 65, ['no column "c"']],
    [
      "a row of no cluster",
      "a,b,c\n1,1,x\n1,1,\n",
      ["--cluster", "c"],
      65,
      ["standard input:3: ", "name of a cluster"],
    ],
    ["one judge", "id,a\n1,1\n", [], 65, ['there is one, "a"']],
    ["a judge that isn't there", "a,b\n1,1\n", ["--judges", "a,c"], 65, ['no column "c"', '"a", "b"']],
    ["a judge twice", "a,b\n1,1\n", ["--judges", "a,a"], 64, ["twice"]],
    ["half a sample", "a,b\n1,1\n", ["--replicates", "0.5"], 64, ["whole number"]],
  ])("refuses %s", async (_name, input, args, code, fragments) => {
    expectRefused(await rat(["audit", "agreement", "-", ...args], { input }), code, ...fragments);
  });
});
