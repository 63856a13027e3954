import { mkdir, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { dataError, RatError } from "../errors.js";

/** What a failed system call means, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: "no such file or folder",
    EACCES: "permission denied",
    EPERM: "not permitted",
    EISDIR: "it is a folder",
    ENOTDIR: "part of the path is not a folder",
    ENOSPC: "the disk is full",
    EROFS: "the file system is read-only",
    EMFILE: "too many open files",
    Z_DATA_ERROR: "it is not valid gzip data",
    Z_BUF_ERROR: "the gzip data ends too early",
  };
  return (code !== undefined && reasons[code]) || message;
}

export const writeError = (path: string, error: unknown): RatError =>
  new RatError("io", `can't write this: ${reasonOf(error)}`, { file: path }, { cause: error });

/** @throws RatError (io) for a file that can't be read, (data) for one that is no JSON */
export async function readJsonFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new RatError("io", `can't read this: ${reasonOf(error)}`, { file: path }, { cause: error });
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw dataError(`this is not JSON: ${(error as Error).message}`, { file: path });
  }
}

/**
 * Makes a folder and those above it that are missing, one by one: Node's own recursive way never returns from places such
 * as /proc, where a folder can't be made though the one above it is there.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      await mkdir(at);
      break;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") break;
      if (code !== "ENOENT" || dirname(at) === at) throw error;
      missing.push(at);
    }
  }
  for (const folder of missing.reverse()) {
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error; // another run was quicker
    });
  }
}
