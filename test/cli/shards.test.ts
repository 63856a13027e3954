import { readFileSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectRefused, rat, Scratch } from "../support/cli.js";

const scratch = new Scratch();
afterAll(() => scratch.remove());
const at = (name: string): string => scratch.at(name);

const unseeded = ["sweep", "--preset", "nq-dense-gemma3", "--replicates", "40", "--add", "60", "--quiet"];
const sweep = [...unseeded, "--seed", "5"];

/** A document without the fields that say how long it took. */
const timeless = (name: string): unknown =>
  scratch.json(name).sweeps.map((one: object) => ({ ...one, seconds: 0, refitsPerSecond: 0 }));

async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await rat(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

beforeAll(async () => {
  await done(...sweep, "--out", at("whole"));
  for (const i of [0, 1, 2]) await done(...sweep, "--shard", `${i}/3`, "--out", at(`part-${i}`));
});

describe("shards", () => {
  it("merged, in any order, are the whole run: its tables, its figures, its rows and its record", async () => {
    await done("merge", at("part-2"), at("part-0"), at("part-1"), "--out", at("merged"));
    expect(scratch.list("merged")).toEqual(scratch.list("whole"));
    expect(timeless("merged/sweep.json")).toEqual(timeless("whole/sweep.json"));
    for (const name of scratch.list("whole").filter((file) => /\.(csv|svg)$/.test(file))) {
      expect(scratch.read(`merged/${name}`)).toBe(scratch.read(`whole/${name}`));
    }
    expect(scratch.json("merged/run.json")).toEqual(scratch.json("whole/run.json"));
  });

  it("merged are a run like any other: repeated, shown again, gone on with", async () => {
    await done("rerun", at("merged/run.json"), "--out", at("again"));
    expect(scratch.read("again/rows.csv")).toBe(scratch.read("whole/rows.csv"));
    const shown = await done(...sweep, "--out", at("merged"), "--resume", "--json");
    expect(JSON.parse(shown)).toEqual(scratch.json("merged/sweep.json"));
    expect(JSON.parse(await done("merge", at("merged"), "--json")).sweeps[0].cells).toEqual(
      scratch.json("whole/sweep.json").sweeps[0].cells,
    );
  });

  it.each([
    ["a missing one", ["part-0", "part-2"], /shard 1\/3 is missing/],
    ["a missing last one", ["part-0", "part-1"], /shard 2\/3 is missing/],
    [
      "a doubled one",
      ["part-0", "part-1", "part-1", "part-2"],
      /shard 1\/3 is there more than once: .*part-1, .*part-1/,
    ],
    [
      "one of another run",
      ["part-0", "part-1", "whole"],
      /whole and .*part-0 are of different runs: one is shard 0\/1/,
    ],
  ])("are refused with %s, by name", async (_name, folders, message) => {
    expectRefused(await rat(["merge", ...folders.map(at)]), 64, message);
  });

  it("are refused where they were made from different records, and nothing is written", async () => {
    const rows = (good: number): string => `R,A,T,n\n1,0,1,${good}\n0,1,0,40\n`;
    const file = scratch.write("d.csv", rows(40));
    const small = ["sweep", file, "--base", "20", "--add", "10", "--replicates", "10", "--draws", "100", "--seed", "1"];
    await done(...small, "--quiet", "--shard", "0/2", "--out", at("s1"));
    scratch.write("d.csv", rows(41));
    await done(...small, "--quiet", "--shard", "1/2", "--out", at("s2"));
    const merged = await rat(["merge", at("s1"), at("s2"), "--out", at("s")]);
    expectRefused(
      merged,
      64,
      `${at("s2")} and ${at("s1")} are of different runs: they were made from different records`,
    );
    expect(scratch.exists("s")).toBe(false);
  });

  it.each(["3/3", "1", "-1/2", "1/0", "a/b"])("--shard %s is refused", async (shard) => {
    expectRefused(await rat([...sweep, "--shard", shard]), 64, "--shard must be i/n");
  });

  it("are refused before any work without a seed, which they have to share; going on, they have it", async () => {
    const begun = await rat([...unseeded, "--shard", "0/2", "--out", at("unseeded")]);
    expectRefused(begun, 64, "--shard needs --seed, the same for every shard");
    expect(scratch.exists("unseeded")).toBe(false);
    await done(...unseeded, "--shard", "0/3", "--out", at("part-0"), "--resume");
    await done("rerun", at("part-0/run.json"), "--out", at("part-0-again"));
    expect(scratch.read("part-0-again/rows.csv")).toBe(scratch.read("part-0/rows.csv"));
  });
});

describe("rat merge --out", () => {
  it.each([
    ["the folder of a shard", (name: string) => at(name)],
    ["it by another path", (name: string) => join(at("merged"), "..", name)],
    ["it by a link", (name: string) => link(name)],
  ])("refuses %s, whose rows would be lost", async (_name, path) => {
    const parts = ["part-0", "part-1", "part-2"].map(at);
    const before = scratch.snapshot("part-1");
    const merged = await rat(["merge", ...parts, "--out", path("part-1"), "--overwrite"]);
    expectRefused(merged, 64, /--out .*: this is the folder of a shard/);
    expect(scratch.snapshot("part-1")).toEqual(before);
  });
});

function link(name: string): string {
  symlinkSync(at(name), at(`link-to-${name}`));
  return at(`link-to-${name}`);
}

describe("a shard that has lost something", () => {
  it("of its rows is refused, and whole again after --resume", async () => {
    const rows = at("part-1/rows.csv");
    const kept = readFileSync(rows);
    truncateSync(rows, kept.lastIndexOf("\n", kept.length - 2) + 1);
    const parts = ["part-0", "part-1", "part-2"].map(at);
    expectRefused(await rat(["merge", ...parts]), 65, /part-1: shard 1\/3 has 12 of 13 replicates; --resume adds/);
    await done(...sweep, "--shard", "1/3", "--out", at("part-1"), "--resume");
    expect(readFileSync(rows)).toEqual(kept);
    await done("merge", ...parts);
  });

  it("that shows it as finished is refused", async () => {
    rmSync(at("part-1/sweep.json"));
    const merged = await rat(["merge", ...["part-0", "part-1", "part-2"].map(at)]);
    expectRefused(merged, 65, /shard 1\/3 is not finished/);
  });
});
