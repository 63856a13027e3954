import { afterAll, describe, expect, it } from "vitest";
import { expectRefused, rat, Scratch } from "../support/cli.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const rates = ["--p", "0.7", "--n", "900", "--se", "0.9", "--n-se", "90", "--sp", "0.7", "--n-sp", "80"];
const table = (...rows: string[]): string => ["R,A,T", ...rows].join("\n");

async function done(...args: string[]): Promise<void> {
  const { code, stderr } = await rat([...args, "--quiet"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

describe("a run is repeated from its record", () => {
  it("with the same numbers", async () => {
    const sweep = ["sweep", "--preset", "nq-dense-gemma3", "--replicates", "20", "--add", "60"];
    await done(...sweep, "--out", scratch.at("first"));
    await done("rerun", scratch.at("first/run.json"), "--out", scratch.at("again"), "--workers", "1");
    expect(scratch.read("again/rows.csv")).toBe(scratch.read("first/rows.csv"));
  });

  const labelled = (): string =>
    scratch.write("systems.csv", "id,R,A,T,system\n1,1,0,1,a\n1,0,1,,b\n2,1,0,0,a\n2,1,0,1,b\n");
  const judged = (): string => scratch.write("judged.csv", "gold,judge\n1,1\n0,1\n1,0\n0,0\n,1\n,1\n1,1\n");

  it.each<[string, () => string[], string]>([
    ["compare", () => ["compare", labelled(), "--by", "system"], "compare.json"],
    ["gain", () => ["gain", labelled(), "--by", "system", "--draws", "50"], "gain.json"],
    ["audit", () => ["audit", "prevalence", judged()], "audit-prevalence.json"],
    ["audit of no file", () => ["audit", "prevalence", ...rates], "audit-prevalence.json"],
  ])("%s, with a seed that nobody named, in place of itself", async (name, args, document) => {
    await done(...args(), "--out", scratch.at(name));
    await done("rerun", scratch.at(`${name}/run.json`), "--out", scratch.at(`${name} again`));
    const first = scratch.read(`${name}/${document}`);
    expect(scratch.read(`${name} again/${document}`)).toBe(first);
    await done("rerun", scratch.at(`${name}/run.json`), "--out", scratch.at(name), "--overwrite");
    expect(scratch.read(`${name}/${document}`)).toBe(first);
    expectRefused(await rat([...args(), "--out", scratch.at(name)]), 64, "the folder holds a run already");
  });

  it("compare and gain not on other records", async () => {
    for (const command of ["compare", "gain"]) {
      const record = scratch.at(`${command} once/run.json`);
      await done(command, labelled(), "--by", "system", "--draws", "50", "--out", scratch.at(`${command} once`));
      const file = scratch.write("systems.csv", "id,R,A,T,system\n1,1,0,1,a\n1,0,1,,b\n");
      expectRefused(await rat(["rerun", record]), 65, `${file} [system=a]: these are not the records`);
    }
  });

  it("an audit not on other rows", async () => {
    await done("audit", "prevalence", judged(), "--out", scratch.at("audited"));
    const file = scratch.write("judged.csv", scratch.read("judged.csv").replace("0,1", "1,1"));
    const again = await rat(["rerun", scratch.at("audited/run.json")]);
    expectRefused(again, 65, `${file}: these are not the rows that the run was begun with`);
  });

  it("an audit, but not the map that it saved", async () => {
    const file = scratch.write("stated.csv", "confidence,outcome\n0.9,1\n0.8,0\n0.4,1\n0.2,0\n0.6,1\n0.3,0\n");
    const map = scratch.at("map.json");
    await done("audit", "calibration", file, "--map", "platt", "--save", map, "--out", scratch.at("saved"));
    await done("rerun", scratch.at("saved/run.json"));
  });

  it("from where it was begun, which is said elsewhere", async () => {
    scratch.write("here.csv", table("1,0,1", "0,1,0"));
    const args = ["fit", "here.csv", "--engine", "exact", "--quiet", "--out", "begun"];
    expect((await rat(args, { cwd: scratch.at(".") })).code).toBe(0);
    const again = await rat(["rerun", scratch.at("begun/run.json")]);
    expectRefused(again, 74, "here.csv", "repeat it from there");
  });

  const cells = ["1,0,1", "1,0,1", "1,0,0", "0,0,0"];
  it.each<[string, string[]]>([
    ["one more", [...cells, "1,0,0"]],
    ["other counts of as many labels", ["1,0,1", "1,0,0", "0,0,0", "0,0,0"]],
    ["labels that have changed places", ["1,0,0", "1,0,0", "1,0,1", "0,0,1"]],
  ])("not on other records: fit, %s", async (name, others) => {
    const [file, record] = [scratch.write(`${name}.csv`, table(...cells)), scratch.at(`${name}/run.json`)];
    const quick = ["--seed", "1", "--draws", "50", "--chains", "1"];
    await done("fit", file, ...quick, "--out", scratch.at(name));
    await done("rerun", record);
    scratch.write(`${name}.csv`, table(...others));
    const again = await rat(["rerun", record]);
    expectRefused(again, 65, `${file}: these are not the records that the run was begun with`);
  });

  it("not on other records: sweep", async () => {
    const cell = (row: string, count: number): string[] => Array(count).fill(row);
    const rows = (good: number, bad: number): string => table(...cell("1,0,1", good), ...cell("0,1,0", bad));
    const file = scratch.write("sweep.csv", rows(20, 20));
    const quick = ["--seed", "1", "--draws", "50", "--base", "10", "--add", "10", "--replicates", "1"];
    await done("sweep", file, ...quick, "--out", scratch.at("swept"));
    await done("rerun", scratch.at("swept/run.json"));
    scratch.write("sweep.csv", rows(21, 19));
    const again = await rat(["rerun", scratch.at("swept/run.json")]);
    expectRefused(again, 65, `${file}: these are not the records that the run was begun with`);
  });

  it.each<[string, number, RegExp]>([
    ["more", 4, /groups\.csv \[system=c\]: these are not the records/],
    ["fewer", 2, /groups\.csv \[system=b\]: the run was begun with these records too, and they are gone/],
  ])("not on %s groups of records than it had", async (_name, count, message) => {
    const lines = ["R,A,T,system", "1,0,1,a", "0,1,,b", "1,0,0,c"];
    const file = scratch.write("groups.csv", lines.slice(0, 3).join("\n"));
    const quick = ["--seed", "1", "--draws", "50", "--chains", "1", "--by", "system", "--overwrite"];
    await done("fit", file, ...quick, "--out", scratch.at("grouped"));
    scratch.write("groups.csv", lines.slice(0, count).join("\n"));
    expectRefused(await rat(["rerun", scratch.at("grouped/run.json"), "--json"]), 65, message);
  });
});
