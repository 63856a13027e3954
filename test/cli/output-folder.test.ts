import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { OutputFolder, type OutputMode } from "../../src/cli/output.js";

const root = mkdtempSync(join(tmpdir(), "rat-output-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("two runs that open a new folder at once: the second to write is refused as wrong usage, not as a fault of the disk", async () => {
  const path = join(root, "new");
  const [first, second] = await Promise.all([OutputFolder.open(path, "new"), OutputFolder.open(path, "new")]);
  await first.write("run.json", "first");
  const working = { kind: "usage", message: expect.stringMatching(/another run \(process \d+\) works in this folder/) };
  await expect(second.write("run.json", "second")).rejects.toMatchObject(working);
  await expect(second.append("rows.csv")).rejects.toMatchObject(working);
  await second.close();
  expect(readFileSync(join(path, "run.json"), "utf8")).toBe("first");
  await first.close();
  expect(readdirSync(path)).toEqual(["run.json"]);
});

it.each<[OutputMode, boolean]>([
  ["new", false],
  ["resume", false],
  ["new", true],
])(
  "a run that has come and gone since is not written over: %s, in a folder that was there: %s",
  async (mode, isThere) => {
    const path = join(root, `${mode}-${isThere}`);
    if (isThere) mkdirSync(path);
    const late = isThere ? null : await OutputFolder.open(path, mode);
    const other = await OutputFolder.open(path, "new");
    await other.write("run.json", "other");
    await other.close();
    const refused = { kind: "usage", message: expect.stringMatching(/the folder holds a run already/) };
    const writing = late === null ? OutputFolder.open(path, mode) : late.write("run.json", "late");
    await expect(writing).rejects.toMatchObject(refused);
    await late?.close();
    expect(readFileSync(join(path, "run.json"), "utf8")).toBe("other");
    expect(readdirSync(path)).toEqual(["run.json"]);
  },
);

it("overwriting removes a run that has come since", async () => {
  const path = join(root, "overwrite");
  const late = await OutputFolder.open(path, "overwrite");
  const other = await OutputFolder.open(path, "new");
  for (const name of ["run.json", "sweep.json"]) await other.write(name, "other");
  await other.close();
  await late.write("run.json", "late");
  await late.close();
  expect(readdirSync(path)).toEqual(["run.json"]);
});
