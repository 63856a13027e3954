import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);
const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const server = [process.execPath, at("dist/cli/bin.js"), "serve"];

// Users without Python can run all other tests; continuous integration must have it.
const hasPython = spawnSync("python3", ["--version"]).status === 0 || process.env.CI !== undefined;

describe("examples of callers in other languages", () => {
  it.runIf(hasPython)("Python (skipped only where there is no python3)", async () => {
    const { stdout } = await run("python3", [at("examples/serve.py"), ...server]);
    expect(stdout).toMatch(/^P\(G=1\) 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\]\n(width 0\.\d{3}\n){3}$/);
  });

  it("Node", async () => {
    const { stdout } = await run(process.execPath, [at("examples/serve.mjs"), ...server]);
    expect(stdout).toMatch(/^(system \d: 0\.\d{3} \[0\.\d{3}, 0\.\d{3}\]\n){2}$/);
  });
});
