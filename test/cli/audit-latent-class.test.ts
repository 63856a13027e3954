import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { auditReference } from "../audit/support.js";
import { expectRefused, rat, Scratch } from "../support/cli.js";
import { auditDocument } from "./audit-support.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const { small_20x4: small, sim_300x5: simulated } = auditReference.dawid_skene;
const table: string[][] = simulated.votes.map((row: string) => [...row]);
const wide = ["item,a,b,c,d,e,truth", ...table.map((row, i) => `q${i},${row.join()},${simulated.truth[i]}`)].join("\n");
const file = scratch.write("wide.csv", wide);
const judges = ["--judges", "a,b,c,d,e", "--seed", "1"];

describe("rat audit latent-class", () => {
  it("long form: the rates and posteriors of an independent EM", async () => {
    const rows = small.votes.flatMap((row: number[], i: number) =>
      row.map((vote, j) => JSON.stringify({ question: i, model: `j${j}`, label: vote })),
    );
    const columns = ["--item", "question", "--judge", "model", "--vote", "label"];
    const args = [scratch.write("long.jsonl", rows.join("\n")), ...columns, "--smoothing", "0", "--seed", "1"];
    const document = await auditDocument("latent-class", args);
    expect(document.classes[1].prevalence.value).toBeCloseTo(small.prevalence, 6);
    type Rates = Record<"sensitivity" | "specificity", { value: number }>;
    document.judges.forEach(({ sensitivity, specificity }: Rates, j: number) => {
      expect(sensitivity.value).toBeCloseTo(small.sensitivity[j], 5);
      expect(specificity.value).toBeCloseTo(small.specificity[j], 5);
    });
    document.posteriors.forEach(({ item, probabilities }: { item: string; probabilities: number[] }, i: number) => {
      expect(item).toBe(`${i}`);
      expect(probabilities[1]).toBeCloseTo(small.posterior[i], 5);
    });
  });

  it("wide form with gold: the reference's accuracy beside the majority's", async () => {
    const document = await auditDocument("latent-class", [file, ...judges, "--gold", "truth", "--smoothing", "0"]);
    expect(document.gold.fitted.value).toBeCloseTo(simulated.accuracy_em, 10);
    expect(document.gold.majority.value).toBeCloseTo(simulated.accuracy_majority, 10);
    expect(document.independence).toMatchObject({ fails: false, pairs: 10 });
    expect(document.posteriors[3].gold).toBe(simulated.truth[3]);
  });

  it("--fail-on: 1 with the reason, also on what is undefined; the text says what it rests on", async () => {
    const run = (text: string, ...more: string[]) =>
      rat(["audit", "latent-class", file, ...judges, ...more, "--fail-on", text]);
    const failed = await run("informedness(c) < 0.6");
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^rat: .*informedness\(c\) is 0\.\d+\n$/) });
    expect(failed.stdout).toContain("note: judges are taken for independent given the class");
    expect((await run("accuracy.lower < 0.9", "--gold", "truth")).code).toBe(0);
    expect((await run("accuracy < 0.9")).stderr).toContain("there is no accuracy");
  });

  it("alarms name who copies, and are a gate; the figure has a series a class", async () => {
    const copied = table.map((row, i) => [`q${i}`, ...row, row[0], `t${Math.floor(i / 3)}`].join());
    const input = ["item,a,b,c,d,e,f,topic", ...copied].join("\n");
    const folder = scratch.at("copied");
    const args = ["-", "--judges", "a,b,c,d,e,f", "--seed", "1"];
    const gate = ["--fail-on", "alarms > 0", "--out", folder];
    const { code, stdout, stderr } = await rat(["audit", "latent-class", ...args, ...gate], { input });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "rat: --fail-on alarms > 0: alarms is 1\n" });
    expect(stdout).toContain("alarm: copy (a and f): they never differ, on 300 items");
    const svg = readFileSync(`${folder}/audit-latent-class.svg`, "utf8");
    expect(svg).toContain("sensitivity (class 1)");
    expect(svg.match(/aria-label="0"/g)?.length).toBeGreaterThan(0);
    const document = await auditDocument("latent-class", [...args, "--cluster", "topic"], { input });
    expect(document).toMatchObject({
      clusters: 100,
      errorMethod: "clustered sandwich",
      independence: null,
      alarms: [],
    });
    expect(document.judges[0].sensitivity.interval).toBe("clustered Jeffreys, effective votes");
  });

  it("prints neither NaN nor Infinity for two judges, whose rates nothing identifies", async () => {
    const input = "a,b\n1,0\n0,0\n1,1\n";
    const { code, stdout } = await rat(["audit", "latent-class", "-", "--judges", "a,b"], { input });
    expect(code).toBe(0);
    expect(stdout).toContain("independence can't be checked");
    expect(stdout).toContain("votes of 2 judges on 2 classes don't identify rates");
    expect(stdout).not.toMatch(/NaN|Infinity/);
    await auditDocument("latent-class", ["-", "--judges", "a,b"], { input });
  });

  it("gold that no judge votes for is wrong whatever the votes, and said so; so are rows read twice", async () => {
    const golds = table
      .slice(0, 40)
      .flatMap((row, i) => row.map((vote, j) => `q${i},${"abcde"[j]},${vote},${i < 2 ? "?" : simulated.truth[i]}`));
    const input = ["item,judge,vote,g", ...golds, ...golds].join("\n");
    const { gold, warnings } = await auditDocument("latent-class", ["-", "--gold", "g", "--seed", "1"], { input });
    expect(gold.items).toBe(40);
    expect(gold.fitted.value).toBeLessThanOrEqual(38 / 40);
    expect(warnings).toContain(
      "gold of 2 of 40 items is a label that no judge votes for: labelled wrong, whatever the votes",
    );
    expect(warnings).toContain('no judge votes for gold "?" (line 2); labels are 0, 1');
    expect(warnings.join()).toContain("200 votes, on 40 items, by a judge that has voted on the same item before");
  });

  it("three classes: a row a judge and class, with intervals", async () => {
    const labels = ["x", "y", "z"];
    const lines = Array.from({ length: 120 }, (_, i) =>
      [0, 1, 2, 3].map((j) => labels[(i + Number((i + 2 * j) % 7 === 0)) % 3]).join(),
    );
    const input = ["a,b,c,d", ...lines].join("\n");
    const { stdout } = await rat(["audit", "latent-class", "-", "--judges", "a,b,c,d", "--seed", "1"], { input });
    expect(stdout).toMatch(/judge +votes +class +P\(says it \| it is it\) +informedness/);
    expect(stdout).toMatch(/\na +120 +x +0\.\d{3} \[0\.\d{3}, [^\]]+\] +0\.\d{3} \[/);
    expect(stdout).toMatch(/\n +y +0\.\d{3} \[/);
  });

  it.each<[string, string, string[], number, string[]]>([
    ["one label", "item,judge,vote\n1,a,1\n1,b,1\n", [], 65, ['all votes are "1"']],
    ["a nameless item", "item,judge,vote\n1,a,1\n,b,0\n", [], 65, ["standard input:3: ", '"item"', "expected a name"]],
    ["a wide file without --judges", "item,a,b\n1,1,0\n", [], 65, ["--judges a,b,c"]],
    ["two golds", "item,judge,vote,g\n1,a,1,1\n1,b,0,0\n", ["--gold", "g"], 65, [":3: ", '"1" in line 2']],
    ["an item twice", "item,a,b\n1,0,1\n1,0,0\n", ["--judges", "a,b"], 65, [":3: ", "in line 2 already"]],
    ["no such judge", "item,a,b\n1,0,1\n", ["--judges", "a,z"], 65, ['no column "z"', "--judges"]],
    ["two clusters", "item,judge,vote,k\n1,a,1,x\n1,b,0,y\n", ["--cluster", "k"], 65, [":3: ", '"x" in line 2']],
    ["no cluster", "item,judge,vote,k\n1,a,1,x\n1,b,0,\n", ["--cluster", "k"], 65, [":3: ", "name of a cluster"]],
    ["smoothing below 0", "item,judge,vote\n1,a,1\n", ["--smoothing", "-1"], 64, ["--smoothing must be"]],
  ])("refuses %s", async (_name, input, args, code, fragments) => {
    expectRefused(await rat(["audit", "latent-class", "-", ...args], { input }), code, ...fragments);
  });
});
