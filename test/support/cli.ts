import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

/** The command as it is built; `npm test` builds it first. */
const bin = fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));

/** An environment in which WebGPU finds no driver, whatever the machine has. */
export const noAdapter = {
  VK_ICD_FILENAMES: "/nowhere/icd.json",
  VK_DRIVER_FILES: "/nowhere/icd.json",
  LD_LIBRARY_PATH: "",
};

export interface Ended {
  /** null: ended by a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** What standard input holds; left out: nothing. */
  input?: string | Buffer;
  cwd?: string;
  /** Beside, or instead of, this process's own variables. */
  env?: Record<string, string>;
}

export function start(args: readonly string[], { cwd, env }: RunOptions = {}): ChildProcess {
  return spawn(process.execPath, [bin, ...args], { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
}

export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

/** Runs `rat` with these arguments to its end. */
export function rat(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = start(args, options);
  child.stdin?.on("error", () => {}); // who refuses its options doesn't read
  child.stdin?.end(options.input ?? "");
  return ended(child);
}

/** Refused with one message for people: on stderr, no stack trace, nothing on stdout. */
export function expectRefused(
  { code, stdout, stderr }: Ended,
  expected: number,
  ...fragments: (string | RegExp)[]
): void {
  expect({ code, stdout, stderr }).toMatchObject({ code: expected, stdout: "" });
  expect(stderr).toMatch(/^rat: /);
  expect(stderr).not.toMatch(/^\s+at .*:\d+/m);
  expect(stderr).not.toMatch(/unexpected failure|Error:/);
  for (const fragment of fragments) {
    if (typeof fragment === "string") expect(stderr).toContain(fragment);
    else expect(stderr).toMatch(fragment);
  }
}

/** A folder of the test's own. */
export class Scratch {
  readonly root = mkdtempSync(join(tmpdir(), "rat-cli-"));

  at(name: string): string {
    return join(this.root, name);
  }

  write(name: string, content: string | Buffer): string {
    const path = this.at(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  read(name: string): string {
    return readFileSync(this.at(name), "utf8");
  }

  json(name: string) {
    return JSON.parse(this.read(name));
  }

  exists(name: string): boolean {
    return existsSync(this.at(name));
  }

  /** Names in a folder, sorted. */
  list(name: string): string[] {
    return readdirSync(this.at(name)).sort();
  }

  /** Name, size and time of everything in a folder: to tell whether it was touched. */
  snapshot(name: string): string[] {
    return this.list(name).map((file) => {
      const { size, mtimeMs, ino } = statSync(join(this.at(name), file));
      return `${file} ${size} ${mtimeMs} ${ino}`;
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A file of test/data/cases. */
export const caseFile = (name: string): string => fileURLToPath(new URL(`../data/cases/${name}`, import.meta.url));
