import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fit } from "../documents.js";
import type { Draws } from "../engines/engine.js";
import { usageError } from "../errors.js";
import type { DrawsFormat } from "../report/draws.js";
import { makeFolder, writeError } from "./io.js";
import { fileNames } from "./names.js";

/** Writes the draws of each fit to a folder. */
export class DrawsFolder {
  private readonly nameOf = fileNames();

  private constructor(
    private readonly path: string,
    private readonly format: DrawsFormat,
  ) {}

  /** @throws RatError (usage) where the folder holds files already */
  static async open(path: string, format: DrawsFormat, overwrite: boolean): Promise<DrawsFolder> {
    const existing = await readdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw writeError(path, error);
    });
    if (existing.length > 0 && !overwrite) {
      throw usageError(`--draws-out ${path}: the folder is not empty; name another one, or add --overwrite`);
    }
    return new DrawsFolder(path, format);
  }

  async write(fit: Fit, draws: Draws): Promise<void> {
    const { drawsFiles } = await import("../report/draws.js");
    for (const { name, content } of await drawsFiles(this.nameOf(fit.source), fit, draws, this.format)) {
      const file = join(this.path, name);
      try {
        await makeFolder(this.path);
        await writeFile(file, content);
      } catch (error) {
        throw writeError(file, error);
      }
    }
  }
}
