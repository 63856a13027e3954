import type { FileHandle } from "node:fs/promises";
import { access, constants, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { RatError, usageError } from "../errors.js";
import { writeError } from "./io.js";

/** Marks a folder as one that holds a run. */
export const runFile = "run.json";

/** Folder of a run's results. Nothing is created before the first file is written. */
export class OutputFolder {
  readonly path: string;
  private readonly existing: readonly string[];
  private made = false;

  private constructor(path: string, existing: readonly string[]) {
    this.path = path;
    this.existing = existing;
  }

  /**
   * Checks that a folder can take a run's results.
   * @throws RatError (usage) where it holds something already, (io) where it can't be written
   */
  static async open(path: string, overwrite: boolean): Promise<OutputFolder> {
    if (path.trim() === "") throw usageError("--out needs the name of a folder");
    const existing = await entriesOf(path);
    if (existing === null) {
      await checkParent(path);
      return new OutputFolder(path, []);
    }
    const holdsRun = existing.includes(runFile);
    if (existing.length > 0 && !holdsRun)
      throw usageError(`--out ${path}: the folder is not empty and holds no run; name another one`);
    if (holdsRun && !overwrite)
      throw usageError(`--out ${path}: the folder holds a run already; name another one, or add --overwrite`);
    await checkWritable(path, path);
    return new OutputFolder(path, existing);
  }

  /** Writes a whole file: under its name there is either all of it or none. */
  async write(name: string, content: string | Uint8Array): Promise<void> {
    await this.attempt(name, async () => {
      await this.make();
      const target = join(this.path, name);
      await writeFile(`${target}.part`, content);
      await rename(`${target}.part`, target);
    });
  }

  /** Opens a file to which lines are appended as they come. */
  async append(name: string): Promise<LineWriter> {
    return this.attempt(name, async () => {
      await this.make();
      return new LineWriter(join(this.path, name), await open(join(this.path, name), "w"));
    });
  }

  /** Makes the folder; a run that is overwritten goes first, so that no old file stands beside new ones. */
  private async make(): Promise<void> {
    if (this.made) return;
    this.made = true;
    await mkdir(this.path, { recursive: true });
    for (const name of this.existing.filter(isResult)) await rm(join(this.path, name));
  }

  private async attempt<T>(name: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw writeError(join(this.path, name), error);
    }
  }
}

/** Lines appended to a file; each call is on its way to the disk when it returns. */
export class LineWriter {
  constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  async write(lines: readonly string[]): Promise<void> {
    try {
      await this.handle.writeFile(lines.map((line) => `${line}\n`).join(""));
    } catch (error) {
      throw writeError(this.path, error);
    }
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

/** Files of ours: whatever else is in the folder is not ours to remove. */
const isResult = (name: string): boolean =>
  /^(?:(?:run|fit|sweep)\.json|(?:fit|sweep|paired|rows|rows-.+)\.csv|(?:mae|width)\.(?:svg|png))(?:\.part)?$/.test(
    name,
  );

/** Names in a folder; null where there is none. */
async function entriesOf(path: string): Promise<string[] | null> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw writeError(path, error);
  }
}

/** The nearest folder that exists must be one, and writable. */
async function checkParent(path: string): Promise<void> {
  for (let at = dirname(resolve(path)); ; at = dirname(at)) {
    const found = await stat(at).catch(() => null);
    if (found !== null) {
      if (!found.isDirectory()) throw new RatError("io", `can't write this: ${at} is not a folder`, { file: path });
      return checkWritable(at, path);
    }
  }
}

async function checkWritable(folder: string, path: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw writeError(path, error);
  }
}
