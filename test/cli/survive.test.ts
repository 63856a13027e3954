import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
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

/** Waits for what a run does on its way; one that has ended doesn't do it any more. */
async function until(child: ChildProcess, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    if (child.exitCode !== null) throw new Error(`the run has ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A document without the fields that say how long it took. */
function timeless(path: string): unknown {
  const document = JSON.parse(readFileSync(path, "utf8")) as { sweeps: Record<string, unknown>[] };
  return document.sweeps.map((one) => ({ ...one, seconds: 0, refitsPerSecond: 0 }));
}

/** The first lines of a file. */
const linesOf = (path: string, count: number): string =>
  readFileSync(path, "utf8")
    .split("\n")
    .slice(0, count)
    .map((line) => `${line}\n`)
    .join("");

/** Ends a run the hard way once its file of rows has begun to grow. */
async function killEarly(folder: string): Promise<void> {
  const child = start(...sweep, "--replicates", "100000", "--out", folder);
  const closed = finish(child);
  const rows = join(folder, "rows.csv");
  await until(child, () => existsSync(rows) && statSync(rows).size >= 5000);
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
    await until(child, () => statSync(join(folder, "rows.csv")).size > size);
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

  it.each<[string, string, (path: string) => void]>([
    ["all rows", "40 replicates", (path) => rmSync(path)],
    ["its last rows", "3 replicates", (path) => truncateSync(path, linesOf(path, 1 + 37 * 6).length)],
    ["all rows but the header", "40 replicates", (path) => truncateSync(path, linesOf(path, 1).length)],
  ])("is whole again where it was finished and has lost %s since, and says so", async (_name, lost, lose) => {
    const folder = at(`lost-${lost}`);
    rmSync(folder, { recursive: true, force: true });
    cpSync(at("whole"), folder, { recursive: true });
    const rows = join(folder, "rows.csv");
    lose(rows);
    const loud = sweep.filter((arg) => arg !== "--quiet");
    const { code, stderr } = await run(...loud, "--out", folder, "--resume");
    expect({ code, stderr }).toEqual({ code: 0, stderr: `rat: ${rows}: ${lost} are gone and run again\n` });
    expect(readFileSync(rows, "utf8")).toBe(readFileSync(join(at("whole"), "rows.csv"), "utf8"));
    expect(timeless(join(folder, "sweep.json"))).toEqual(timeless(join(at("whole"), "sweep.json")));
  });

  it("has its tables and figures again where it has lost them, and the seconds of its work still", async () => {
    const folder = at("lost-figures");
    cpSync(at("whole"), folder, { recursive: true });
    for (const name of ["mae.png", "paired.csv"]) rmSync(join(folder, name));
    expect((await run(...sweep, "--out", folder, "--resume")).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(readdirSync(at("whole")).sort());
    for (const name of readdirSync(folder).filter((file) => !file.endsWith(".png"))) {
      expect(readFileSync(join(folder, name), "utf8")).toBe(readFileSync(join(at("whole"), name), "utf8"));
    }
  });

  it("knows the records of all its sources, also of those that were yet to begin when it was interrupted", async () => {
    const [first, second, out] = [at("first.csv"), at("second.csv"), at("two-sources")];
    const rows = (good: number): string => `R,A,T,n\n1,0,1,${good}\n0,1,0,40\n`;
    writeFileSync(first, rows(40));
    writeFileSync(second, rows(40));
    const two = [
      "sweep",
      first,
      second,
      "--base",
      "10",
      "--add",
      "10",
      "--replicates",
      "2",
      "--seed",
      "1",
      "--out",
      out,
    ];
    expect((await run(...two)).code).toBe(0);
    rmSync(join(out, "sweep.json"));
    const kept = join(out, readdirSync(out).find((name) => /^rows-.*first/.test(name)) as string);
    const good = readFileSync(kept);
    appendFileSync(kept, "no row\n");
    expect((await run(...two, "--resume")).code).toBe(65);
    writeFileSync(kept, good);
    writeFileSync(second, rows(41));
    const { code, stderr } = await run(...two, "--resume");
    expect(code).toBe(65);
    expect(stderr).toContain(`${second}: these are not the records that the run was begun with`);
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
    // Presets given twice would be refused for that.
    const others = extra[0] === "--preset" ? sweep.filter((word) => !/^--preset$|^nq-/.test(word)) : sweep;
    const { code, stderr } = await run(...others, ...extra, "--out", at("whole"), "--resume");
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
    expect(stderr).toMatch(/rows\.csv:242: there are more rows than the 240 of this run/);
  });
});

describe("a run", () => {
  it("keeps another one out of its folder while it works", async () => {
    const child = start(...sweep, "--replicates", "100000", "--out", at("busy"));
    const closed = finish(child);
    await until(child, () => existsSync(join(at("busy"), "rows.csv")));
    const second = await run(...sweep, "--replicates", "100000", "--out", at("busy"), "--resume");
    child.kill("SIGINT");
    await closed;
    expect(second.code).toBe(64);
    expect(second.stderr).toMatch(/another run \(process \d+\) works in this folder/);
  });

  it("begun at once with another in a new folder leaves it to one of them, and says so as wrong usage", async () => {
    const both = await Promise.all([0, 1].map(() => run(...sweep, "--out", at("together"))));
    expect(both.map(({ code }) => code).sort()).toEqual([0, 64]);
    const { stderr } = both.find(({ code }) => code === 64) as { stderr: string };
    expect(stderr).toMatch(
      /^rat: --out \S+: (another run \(process \d+\) works in this folder|the folder holds a run)/,
    );
    expect(timeless(join(at("together"), "sweep.json"))).toEqual(timeless(join(at("whole"), "sweep.json")));
  });

  it("says so where its folder is removed under it", async () => {
    const child = start(...sweep, "--replicates", "100000", "--out", at("gone"));
    const closed = finish(child);
    await until(child, () => existsSync(join(at("gone"), "rows.csv")));
    rmSync(at("gone"), { recursive: true });
    const { code, stderr } = await closed;
    expect(code).toBe(74);
    expect(stderr).toMatch(/removed while the run was writing to it/);
  });
});
