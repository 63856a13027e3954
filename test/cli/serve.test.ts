import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ended, rat, start } from "../support/cli.js";

const info = `${JSON.stringify({ id: 1, method: "info" })}\n`;
const counts = Array.from({ length: 100_000 }, () => [10, 5]);
/** Some minutes of work, if nothing stops it. */
const long = `${JSON.stringify({
  id: 2,
  method: "refits",
  params: { observations: [{ R: 1, A: 0, T: 1 }, { A: 1 }], counts, draws: 1000, progress: true },
})}\n`;

const seconds = async (work: Promise<unknown>): Promise<number> => {
  const begin = performance.now();
  await work;
  return (performance.now() - begin) / 1000;
};

it("answers all requests of its input and ends with 0", async () => {
  const { code, stdout, stderr } = await rat(["serve", "--workers", "0"], { input: `${info}\n{oops\n` });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trim().split("\n")).toHaveLength(2);
});

// The end of the reader is told by the next write, so that the server has to be writing.
it("ends with 0 and without a word when its reader goes away, though its input stays open and work is under way", async () => {
  const child = start(["serve", "--workers", "1"]);
  const end = ended(child);
  child.stdin?.on("error", () => {});
  child.stdin?.write(long);
  await new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()));
  child.stdout?.destroy();
  expect(await seconds(end)).toBeLessThan(20);
  const { code, stderr } = await end;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

it.runIf(process.platform === "linux")(
  "ends with 74 and one line where it can't write, though its input stays open (Linux: /dev/full)",
  async () => {
    const bin = fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));
    const stdio: ("pipe" | number)[] = ["pipe", openSync("/dev/full", "w"), "pipe"];
    const child: ChildProcess = spawn(process.execPath, [bin, "serve", "--workers", "1"], { stdio });
    const end = ended(child);
    child.stdin?.on("error", () => {});
    child.stdin?.write(long + info);
    expect(await seconds(end)).toBeLessThan(20);
    const { code, stderr } = await end;
    expect(code).toBe(74);
    expect(stderr).toBe("rat: standard output: can't write this: the disk is full\n");
  },
);

it("interrupted, answers what is under way so, and ends with 130", async () => {
  const child = start(["serve", "--workers", "1"]);
  const end = ended(child);
  child.stdin?.write(long);
  await new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()));
  child.kill("SIGINT");
  const { code, stdout, stderr } = await end;
  expect({ code, stderr }).toEqual({ code: 130, stderr: "rat: interrupted\n" });
  expect(JSON.parse(stdout.trim().split("\n").at(-1) as string)).toMatchObject({
    id: 2,
    error: { kind: "interrupted" },
  });
});

it.each([
  [["--workers", "x"], /--workers must be a whole number from 0 to 1024, not "x"/],
  [["--engine", "cuda"], /--engine must be one of/],
  [["--queue", "0"], /--queue must be a whole number of at least 1, not 0/],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await rat(["serve", ...args]);
  expect(code).toBe(64);
  expect(stderr).toMatch(message);
});
