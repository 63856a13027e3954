import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { usageError } from "../errors.js";
import { makeFolder, writeError } from "./io.js";

/** A document in a folder that may hold others. */
export class DocumentFile {
  private constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {}

  /** @throws RatError (usage) where it is there already and may not be replaced */
  static async open(folder: string, name: string, overwrite: boolean): Promise<DocumentFile> {
    if (folder.trim() === "") throw usageError("--out needs the name of a folder");
    const isThere = await access(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (isThere && !overwrite) {
      throw usageError(`--out ${folder}: ${name} is there already; add --overwrite to replace it`);
    }
    return new DocumentFile(folder, name);
  }

  /** @throws RatError (io) */
  async write(text: string): Promise<void> {
    const path = join(this.folder, this.name);
    try {
      await makeFolder(this.folder);
      await writeFile(path, text);
    } catch (error) {
      throw writeError(path, error);
    }
  }
}
