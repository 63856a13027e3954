import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditDemoDocument } from "../../src/documents.js";
import { expectRefused, rat, Scratch } from "../support/cli.js";
import { auditDocument } from "./audit-support.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const folder = scratch.at("demo");
let document: AuditDemoDocument;
beforeAll(async () => {
  document = await auditDocument("demo", ["--seed", "7", "--out", folder]);
});

const value = (id: string): number =>
  Number(document.panels.flatMap(({ findings }) => findings).find((one) => one.id === id)?.value);

/** What the audit of a file has to find, by the file's name. */
const numbersOf: Record<string, (found: ReturnType<typeof JSON.parse>) => Record<string, number>> = {
  "panel-a.csv": ({ systems: [one] }) => ({
    observed: one.observed.value,
    corrected: one.roganGladen.value,
    inflation: one.roganGladen.inflation,
  }),
  "panel-a-systems.csv": ({ systems: [a, b] }) => ({
    rawA: a.observed.value,
    rawB: b.observed.value,
    correctedA: a.roganGladen.value,
    correctedB: b.roganGladen.value,
  }),
  "panel-b-even.csv": ({ pairs: [one] }) => ({ kappaEven: one.cohenKappa.value, ac1Even: one.ac1.value }),
  "panel-b-rare.csv": ({ pairs: [one] }) => ({ kappaRare: one.cohenKappa.value, ac1Rare: one.ac1.value }),
  "panel-c.csv": ({ report: { raw, platt, isotonic } }) => ({
    auc: raw.auc.value,
    eceRaw: raw.equalWidth.ece.value,
    ecePlatt: platt.inSample.equalWidth.ece.value,
    ecePlattHeld: platt.crossValidated.equalWidth.ece.value,
    eceIsotonicHeld: isotonic.crossValidated.equalWidth.ece.value,
    aucIsotonic: isotonic.inSample.auc.value - raw.auc.value,
  }),
  "panel-d.csv": ({ components, icc }) => ({
    queryVariance: components.query.value,
    judgeVariance: components.judge.value,
    errorVariance: components.error.value,
    icc: icc.single.value,
  }),
  "swap-lenient.csv": ({ bias, tests }) => ({ slotBias: bias.value, slotLog10P: tests.exact.log10P }),
  "swap-control.csv": ({ bias, tests }) => ({ controlBias: bias.value, controlP: tests.exact.p }),
  "panel-e.csv": ({ gold }) => ({ fitted: gold.fitted.value, majority: gold.majority.value }),
};

describe("rat audit demo", () => {
  it("writes the document that --json prints, its findings, the data and figures", async () => {
    const figures = ["", "-a", "-b", "-c", "-d", "-e", "-swap"].flatMap((name) =>
      ["png", "svg"].map((ending) => `audit-demo${name}.${ending}`),
    );
    const data = document.panels.flatMap(({ files }) => files.map(({ name }) => name));
    expect(data.toSorted()).toEqual(Object.keys(numbersOf).toSorted());
    expect(scratch.list("demo")).toEqual(["audit-demo.csv", "audit-demo.json", "run.json", ...figures, ...data].sort());
    expect(scratch.json("demo/audit-demo.json")).toEqual(document);
    const findings = document.panels.flatMap((panel) => panel.findings);
    expect(scratch.read("demo/audit-demo.csv").trim().split("\n").length).toBe(1 + findings.length);
    expect(document.agreeing).toBe(findings.filter(({ agrees }) => agrees).length);
    for (const figure of figures.filter((name) => name.endsWith("svg"))) {
      expect(scratch.read(`demo/${figure}`)).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it.each(Object.keys(numbersOf))("the command that it prints finds the same in %s", async (name) => {
    const file = document.panels.flatMap(({ files }) => files).find((one) => one.name === name);
    const [audit, ...args] = (file?.command ?? "").split(" ").slice(2);
    const found = await auditDocument(audit, args, { cwd: folder });
    for (const [id, number] of Object.entries(numbersOf[name](found))) expect(number, id).toBeCloseTo(value(id), 10);
    expect(scratch.read(`demo/${name}`).trim().split("\n").length).toBe(1 + Number(file?.rows));
  });

  it("is repeated from its run.json", async () => {
    const { code, stdout } = await rat(["rerun", `${folder}/run.json`, "--json", "--out", scratch.at("again")]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(document);
    expect(scratch.list("again")).toEqual(scratch.list("demo"));
    for (const name of [...Object.keys(numbersOf), "audit-demo.csv", "audit-demo.svg", "run.json"]) {
      expect(scratch.read(`again/${name}`), name).toBe(scratch.read(`demo/${name}`));
    }
  });

  it("prints a table a panel, within 100 columns, and what the article can't have, unless --quiet", async () => {
    const { code, stdout, stderr } = await rat(["audit", "demo", "--seed", "7"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [tables, notes] = stdout.split("\n\nnote: ");
    for (const line of tables.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    for (const { files } of document.panels) for (const { command } of files) expect(tables).toContain(command);
    expect(notes).toContain("it isn't untouched, as the article has it");
    expect((await rat(["audit", "demo", "--seed", "7", "--quiet"])).stdout.trimEnd()).toBe(tables);
  });

  it.each<[string, string[], string[]]>([
    ["a seed that is none", ["--seed", "1.5"], ["--seed must be a whole number"]],
    ["a negative seed", ["--seed", "-1"], ["--seed must be a whole number"]],
    ["a file", ["claims.csv"], ["too many arguments"]],
    ["an option of the audits", ["--level", "0.9"], ["unknown option '--level'"]],
    ["a folder that holds a run", ["--out", folder], ["holds a run already", "--overwrite"]],
  ])("refuses %s", async (_name, args, fragments) => {
    const before = scratch.snapshot("demo");
    expectRefused(await rat(["audit", "demo", ...args]), 64, ...fragments);
    expect(scratch.snapshot("demo")).toEqual(before);
  });

  it("--overwrite leaves no file of the run before", async () => {
    const over = scratch.at("over");
    for (const name of ["run.json", ...scratch.list("demo")]) scratch.write(`over/${name}`, "{}");
    const input = "forward,reversed\nA,A\nA,B\n";
    const { code } = await rat(["audit", "swap", "-", "--out", over, "--overwrite"], { input });
    expect(code).toBe(0);
    expect(scratch.list("over").filter((name) => /panel|demo|swap-/.test(name))).toEqual([]);
  });
});
