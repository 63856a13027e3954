import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LineWriter } from "../../src/cli/output.js";

let folder: string;
let path: string;
let handle: FileHandle;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "rat-lines-"));
  path = join(folder, "rows.csv");
  handle = await open(path, "w");
});

afterEach(async () => {
  await handle.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The handle of a disk with room for so many more bytes. */
function fullAfter(room: number): FileHandle {
  let left = room;
  return new Proxy(handle, {
    get(target, name) {
      if (name !== "write") return Reflect.get(target, name).bind(target);
      return async (data: Buffer, start: number, length: number, position: number) => {
        const some = Math.min(length, left);
        if (some === 0) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
        left -= some;
        return target.write(data, start, some, position);
      };
    },
  });
}

it("a full disk is told by name, and leaves whole lines", async () => {
  const writer = new LineWriter(path, fullAfter(12), 0);
  await writer.write(["first", "2nd"]);
  await expect(writer.write(["third", "fourth"])).rejects.toMatchObject({
    kind: "io",
    message: "can't write this: the disk is full",
    place: { file: path },
  });
  expect(readFileSync(path, "utf8")).toBe("first\n2nd\n");
});

it("writes that the system cuts short are gone on with", async () => {
  let calls = 0;
  const slow = new Proxy(handle, {
    get(target, name) {
      if (name !== "write") return Reflect.get(target, name).bind(target);
      return (data: Buffer, start: number, length: number, position: number) => {
        calls++;
        return target.write(data, start, Math.min(length, 3), position);
      };
    },
  });
  await new LineWriter(path, slow, 0).write(["abcdefgh"]);
  expect(readFileSync(path, "utf8")).toBe("abcdefgh\n");
  expect(calls).toBe(3);
});
