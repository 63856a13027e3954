import type { ChildProcess } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { ended, Scratch, start } from "../support/cli.js";

const scratch = new Scratch();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL"); // only where a test failed is there one left
});
afterAll(() => scratch.remove());

/** Hours of work, if nothing stops it. */
const long = ["sweep", "--preset", "nq-sparse-gemma3", "--replicates", "1000000", "--seed", "3"];

function begin(args: readonly string[]): ChildProcess {
  const child = start(args);
  children.push(child);
  return child;
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** Resolves once the child has said this on a stream: from then on it listens to signals. */
const heard = (child: ChildProcess, words: string, stream: "stdout" | "stderr" = "stderr"): Promise<void> =>
  new Promise((resolve) => {
    let text = "";
    child[stream]?.on("data", (more) => {
      text += more;
      if (text.includes(words)) resolve();
    });
  });

const rowsIn = (folder: string): string[] => {
  const text = scratch.read(`${folder}/rows.csv`);
  expect(text.endsWith("\n")).toBe(true);
  return text.trimEnd().split("\n");
};

const hasRows = (folder: string) => (): boolean =>
  existsSync(scratch.at(`${folder}/rows.csv`)) && statSync(scratch.at(`${folder}/rows.csv`)).size > 20_000;

describe("Ctrl-C in the middle of a sweep", () => {
  it.each([
    ["SIGINT", []],
    ["SIGTERM", []],
    ["SIGINT", ["--workers", "0"]],
    ["SIGINT", ["--json"]],
  ] as const)("%s %j: code 130, whole finished rows are kept and counted, nothing on stdout", async (signal, more) => {
    const folder = `kept-${signal}${more.join("")}`;
    const child = begin([...long, ...more, "--out", scratch.at(folder)]);
    const end = ended(child);
    await until(hasRows(folder));
    child.kill(signal);
    const { code, stdout, stderr } = await end;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    const [header, ...rows] = rowsIn(folder);
    expect(stderr).toBe(
      `rat: interrupted; ${rows.length} finished refits are kept in ${scratch.at(folder)}, and --resume goes on with them\n`,
    );
    // Replicates of 21 refits, each whole.
    expect(rows.length % 21).toBe(0);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => Number(row.split(",")[0]))).toEqual(rows.map((_, i) => i));
    expect(new Set([header, ...rows].map((row) => row.split(",").length))).toEqual(new Set([17]));
    expect(scratch.list(folder)).toEqual(["rows.csv", "run.json"]);
    expect(scratch.json(`${folder}/run.json`)).toMatchObject({ command: "sweep", seed: 3 });
  });

  it("rows that are kept are those of an uninterrupted run", async () => {
    const child = begin([...long, "--out", scratch.at("part")]);
    const end = ended(child);
    await until(hasRows("part"));
    child.kill("SIGINT");
    await end;
    const short = ["sweep", "--preset", "nq-sparse-gemma3", "--replicates", "30", "--seed", "3"];
    expect((await ended(begin([...short, "--out", scratch.at("whole")]))).code).toBe(0);
    const kept = rowsIn("part").slice(0, 1 + 30 * 21);
    expect(kept.length).toBeGreaterThan(1);
    expect(kept).toEqual(rowsIn("whole").slice(0, kept.length));
  });

  it("without --out there is nothing to keep, and nothing is said of it", async () => {
    const file = scratch.write("noted.csv", "R,A,T,n,note\n1,0,1,500,x\n0,1,,500,x\n");
    const child = begin(["sweep", file, ...long.slice(3)]);
    const end = ended(child);
    await heard(child, "ignored columns: note");
    child.kill("SIGINT");
    const notice = `rat: ${file}: ignored columns: note\n`;
    expect(await end).toEqual({ code: 130, stdout: "", stderr: `${notice}rat: interrupted\n` });
  });
});

describe("Ctrl-C in a fit", () => {
  it.each([["wasm"], ["exact"]])("that samples on the %s engine: code 130, no output folder", async (engine) => {
    const file = scratch.write(
      "many.csv",
      "R,A,T,n,note\n1,0,1,40,x\n0,0,0,40,\n0,0,1,30,\n1,0,0,30,\n0,1,,20,\n1,1,,9,\n,0,1,200,\n,0,0,200,\n,1,,100,\n",
    );
    const options = ["--engine", engine, "--draws", "9000000", "--out", scratch.at("fitted")];
    const child = begin(["fit", file, ...options]);
    const end = ended(child);
    await heard(child, "ignored columns: note");
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGINT");
    const notice = `rat: ${file}: ignored columns: note\n`;
    expect(await end).toEqual({ code: 130, stdout: "", stderr: `${notice}rat: interrupted\n` });
    expect(scratch.exists("fitted")).toBe(false);
  });

  it("that waits for more of standard input, after a first file: code 130 at once", async () => {
    const file = scratch.write("first.csv", "R,A,T,note\n1,0,1,x\n");
    const child = begin(["fit", file, "-", "--seed", "1"]);
    const end = ended(child);
    child.stdin?.write("R,A,T\n1,0,1\n");
    await heard(child, "1 record", "stdout");
    await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGINT");
    const { code, stdout, stderr } = await end;
    expect({ code, stderr }).toEqual({ code: 130, stderr: `rat: ${file}: ignored columns: note\nrat: interrupted\n` });
    expect(stdout).toContain(`${file}: 1 record,`);
  });
});
