import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeFolder } from "../../src/cli/io.js";

const root = mkdtempSync(join(tmpdir(), "rat-folder-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("makes a folder and all that is missing above it, also where others do the same", async () => {
  const path = join(root, "a", "b", "c");
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(path)]);
  await makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

it("fails where part of the path is a file", async () => {
  writeFileSync(join(root, "file"), "");
  await expect(makeFolder(join(root, "file", "below"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

// Node's recursive mkdir never returns from here.
it.runIf(process.platform === "linux")("fails where no folder can be made (Linux: in /proc)", async () => {
  await expect(makeFolder("/proc/none/below")).rejects.toHaveProperty("code");
});
