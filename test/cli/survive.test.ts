import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const bin = fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "rat-survive-"));
const at = (name: string): string => join(root, name);
const sweep = ["sweep", "--preset", "nq-dense-gemma3", "--replicates", "40", "--add", "60", "--seed", "5", "--quiet"];

afterAll(() => rmSync(root, { recursive: true, force: true }));

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

function finish(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (text) => {
    stdout += text;
  });
  child.stderr?.on("data", (text) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

const run = (...args: string[]) => finish(start(...args));

/** A document without the fields that say how long it took. */
function timeless(path: string): unknown {
  const document = JSON.parse(readFileSync(path, "utf8")) as { sweeps: Record<string, unknown>[] };
  return document.sweeps.map((one) => ({ ...one, seconds: 0, refitsPerSecond: 0 }));
}

/** Ends a run the hard way once its file of rows has begun to grow. */
async function killEarly(folder: string): Promise<void> {
  const child = start(...sweep, "--replicates", "100000", "--out", folder);
  const closed = finish(child);
  const rows = join(folder, "rows.csv");
  while (!existsSync(rows) || statSync(rows).size < 5000) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill("SIGKILL");
  await closed;
}

beforeAll(async () => {
  const { code, stderr } = await run(...sweep, "--out", at("whole"));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

describe("a run that is gone on with", () => {
  it.each([0, 1, 200, 3000])("equals an uninterrupted one where its rows end %i bytes early", async (bytes) => {
    const folder = at(`torn-${bytes}`);
    await run(...sweep, "--out", folder);
    const rows = join(folder, "rows.csv");
    for (const name of readdirSync(folder)) if (!["rows.csv", "run.json"].includes(name)) rmSync(join(folder, name));
    truncateSync(rows, statSync(rows).size - bytes);
    const { code, stderr } = await run(...sweep, "--out", folder, "--resume");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(timeless(join(folder, "sweep.json"))).toEqual(timeless(join(at("whole"), "sweep.json")));
    expect(readFileSync(rows, "utf8")).toBe(readFileSync(join(at("whole"), "rows.csv"), "utf8"));
    expect(readdirSync(folder).sort()).toEqual(readdirSync(at("whole")).sort());
  });

  it("takes over the lock of a run that was killed, and keeps the rows it finished", async () => {
    const folder = at("killed");
    await killEarly(folder);
    expect(readdirSync(folder)).toContain("run.lock");
    const before = readFileSync(join(folder, "rows.csv"), "utf8").split("\n").slice(0, -1);
    const child = start(...sweep, "--replicates", "100000", "--out", folder, "--resume");
    const closed = finish(child);
    const size = statSync(join(folder, "rows.csv")).size;
    while (statSync(join(folder, "rows.csv")).size <= size) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGINT");
    expect((await closed).code).toBe(130);
    const after = readFileSync(join(folder, "rows.csv"), "utf8").split("\n");
    const whole = 1 + Math.floor((before.length - 1) / 6) * 6; // the header, and replicates of six refits
    expect(after.slice(0, whole)).toEqual(before.slice(0, whole));
    expect(after.slice(1, -1).map((line) => Number(line.split(",")[0]))).toEqual(
      Array.from({ length: after.length - 2 }, (_, i) => i),
    );
    expect(readdirSync(folder)).not.toContain("run.lock");
  });

  it("prints a finished run again, and writes nothing", async () => {
    const times = () => readdirSync(at("whole")).map((name) => statSync(join(at("whole"), name)).mtimeMs);
    const before = times();
    const { code, stdout } = await run(...sweep, "--out", at("whole"), "--resume", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(at("whole"), "sweep.json"), "utf8")));
    expect(times()).toEqual(before);
  });

  it("begins where there is no run", async () => {
    expect((await run(...sweep, "--out", at("begun"), "--resume")).code).toBe(0);
    expect(timeless(join(at("begun"), "sweep.json"))).toEqual(timeless(join(at("whole"), "sweep.json")));
  });

  it.each([
    ["other options", ["--base", "90"], /base is "90" now and was "100"/],
    ["another seed", ["--seed", "6"], /seed is 6 now and was 5/],
    ["other records", ["--preset", "nq-dense-apertus"], /preset is "nq-dense-apertus" now/],
    ["another sampler", ["--sampler", "nuts"], /sampler is "nuts" now and was "hmc"/],
  ])("refuses %s, and says in what they differ", async (_name, extra, message) => {
    const { code, stderr } = await run(...sweep, ...extra, "--out", at("whole"), "--resume");
    expect(code).toBe(64);
    expect(stderr).toMatch(message);
  });

  it("refuses rows that are not of this run, by line", async () => {
    const folder = at("foreign");
    await run(...sweep, "--out", folder);
    rmSync(join(folder, "sweep.json"));
    appendFileSync(join(folder, "rows.csv"), "7,1,base,0,0,,,,,,,,,,,,\n");
    const { code, stderr } = await run(...sweep, "--out", folder, "--resume");
    expect(code).toBe(65);
    expect(stderr).toMatch(/rows\.csv:242: expected refit/);
  });
});

describe("shards", () => {
  beforeAll(async () => {
    for (const i of [0, 1, 2])
      expect((await run(...sweep, "--shard", `${i}/3`, "--out", at(`part-${i}`))).code).toBe(0);
  });

  it("merged, in any order, are the whole run", async () => {
    const { code } = await run("merge", at("part-2"), at("part-0"), at("part-1"), "--out", at("merged"));
    expect(code).toBe(0);
    expect(timeless(join(at("merged"), "sweep.json"))).toEqual(timeless(join(at("whole"), "sweep.json")));
  });

  it.each([
    ["a missing one", ["part-0", "part-2"], /shard 1\/3 is missing/],
    ["a doubled one", ["part-0", "part-1", "part-1", "part-2"], /shard 1\/3 is there more than once/],
    ["one of another run", ["part-0", "part-1", "whole"], /different runs/],
  ])("are refused with %s, by name", async (_name, folders, message) => {
    const { code, stderr, stdout } = await run("merge", ...folders.map(at));
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it("are refused where one is not finished", async () => {
    rmSync(join(at("part-1"), "sweep.json"));
    const { code, stderr } = await run("merge", at("part-0"), at("part-1"), at("part-2"));
    expect(code).toBe(65);
    expect(stderr).toMatch(/shard 1\/3 is not finished/);
  });

  it.each(["3/3", "1", "-1/2", "1/0", "a/b"])("--shard %s is refused", async (shard) => {
    expect((await run(...sweep, "--shard", shard)).code).toBe(64);
  });
});

describe("a run", () => {
  it("is repeated from its record, with the same numbers", async () => {
    const { code } = await run("rerun", join(at("whole"), "run.json"), "--out", at("again"), "--workers", "1");
    expect(code).toBe(0);
    expect(readFileSync(join(at("again"), "rows.csv"), "utf8")).toBe(
      readFileSync(join(at("whole"), "rows.csv"), "utf8"),
    );
  });

  it.each(["fit", "sweep"])("is not repeated on other records: %s", async (command) => {
    const [file, out] = [at(`${command}.csv`), at(`${command}-then`)];
    const rows = ["R,A,T", ...Array.from({ length: 40 }, (_, i) => (i % 3 ? "1,0,1" : "0,1,0"))];
    writeFileSync(file, rows.join("\n"));
    const size = command === "sweep" ? ["--base", "10", "--add", "10", "--replicates", "1"] : ["--chains", "1"];
    expect((await run(command, file, "--seed", "1", "--draws", "50", ...size, "--out", out)).code).toBe(0);
    writeFileSync(file, [...rows, "1,0,0"].join("\n"));
    const { code, stderr } = await run("rerun", join(out, "run.json"));
    expect(code).toBe(65);
    expect(stderr).toContain(`${file}: these are not the records that the run was begun with`);
  });

  it("keeps another one out of its folder while it works", async () => {
    const child = start(...sweep, "--replicates", "100000", "--out", at("busy"));
    const closed = finish(child);
    while (!existsSync(join(at("busy"), "rows.csv"))) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await run(...sweep, "--replicates", "100000", "--out", at("busy"), "--resume");
    child.kill("SIGINT");
    await closed;
    expect(second.code).toBe(64);
    expect(second.stderr).toMatch(/another run \(process \d+\) works in this folder/);
  });

  it("says so where its folder is removed under it", async () => {
    const child = start(...sweep, "--replicates", "100000", "--out", at("gone"));
    const closed = finish(child);
    while (!existsSync(join(at("gone"), "rows.csv"))) await new Promise((resolve) => setTimeout(resolve, 5));
    rmSync(at("gone"), { recursive: true });
    const { code, stderr } = await closed;
    expect(code).toBe(74);
    expect(stderr).toMatch(/removed while the run was writing to it/);
  });
});
