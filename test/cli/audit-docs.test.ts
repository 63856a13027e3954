import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { rat } from "../support/cli.js";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Every block of the document that begins with a command of ours: the command, and what it is said to print. */
const examples = [
  ...readFileSync(at("docs/audit.md"), "utf8").matchAll(/^```(\w*)\n\$ rat (audit .*)\n([\s\S]*?)^```$/gm),
].map(([, language, command, output]) => ({ language, command, output: output.trimEnd() }));

/** Numbers of another machine may differ in their last digits. */
function near(value: unknown): unknown {
  if (typeof value === "number" && !Number.isInteger(value)) return expect.closeTo(value, 9);
  if (Array.isArray(value)) return value.map(near);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, near(inner)]));
}

describe("docs/audit.md, with the files in examples/audit", () => {
  it("shows a table and a document of each of six audits", () => {
    const shown = (json: boolean) =>
      new Set(
        examples.filter(({ language }) => (language === "json") === json).map(({ command }) => command.split(" ")[1]),
      );
    expect(shown(false).size).toBeGreaterThanOrEqual(6);
    expect(shown(true).size).toBeGreaterThanOrEqual(6);
  });

  it.each(examples)("$command", async ({ language, command, output }) => {
    // No shell: words, of which quotes make one.
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
    const { stdout } = await rat(words, { cwd: at("examples/audit") });
    // A document is shown in part.
    if (language === "json") expect(JSON.parse(stdout)).toMatchObject(near(JSON.parse(output)) as object);
    else expect(stdout.split("\n\nnote: ")[0].trimEnd()).toBe(output);
  });
});
