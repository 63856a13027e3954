import type { FileHandle } from "node:fs/promises";
import { access, constants, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { RatError, usageError } from "../errors.js";
import { makeFolder, readJsonFile, writeError } from "./io.js";
import { lockFile, lockFolder } from "./lock.js";

/** Marks a folder as one that holds a run. */
export const runFile = "run.json";

export type OutputMode = "new" | "overwrite" | "resume";

/** Folder of a run's results, locked while the run works in it. Nothing is created before the first file is written. */
export class OutputFolder {
  readonly path: string;
  private existing: readonly string[];
  private readonly mode: OutputMode;
  private made = false;
  private unlock: (() => Promise<void>) | null = null;

  private constructor(path: string, existing: readonly string[], mode: OutputMode) {
    this.path = path;
    this.existing = existing;
    this.mode = mode;
  }

  /**
   * Checks that a folder can take a run's results.
   * @throws RatError (usage) where it holds something already or another run works in it, (io) where it can't be written
   */
  static async open(path: string, mode: OutputMode): Promise<OutputFolder> {
    if (path.trim() === "") throw usageError("--out needs the name of a folder");
    const existing = await usableEntries(path, mode);
    if (existing === null) {
      await checkParent(path);
      return new OutputFolder(path, [], mode);
    }
    await checkWritable(path, path);
    const folder = new OutputFolder(path, existing, mode);
    await folder.lock(mode);
    return folder;
  }

  /** Whether a run that was begun here is gone on with. */
  get resumes(): boolean {
    return this.mode === "resume" && this.existing.includes(runFile);
  }

  holds(name: string): boolean {
    return this.resumes && this.existing.includes(name);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  async readJson(name: string): Promise<unknown> {
    return readJsonFile(this.file(name));
  }

  /** Gives the folder free for other runs. */
  async close(): Promise<void> {
    await this.unlock?.();
    this.unlock = null;
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

  /** Opens a file to which lines are appended as they come. @param bytes what is kept of what it holds */
  async append(name: string, bytes = 0): Promise<LineWriter> {
    return this.attempt(name, async () => {
      await this.make();
      const handle = await open(join(this.path, name), bytes > 0 ? "r+" : "w");
      if (bytes > 0) await handle.truncate(bytes);
      return new LineWriter(join(this.path, name), handle, bytes);
    });
  }

  /** Makes the folder; a run that is overwritten goes first, so that no old file stands beside new ones. */
  private async make(): Promise<void> {
    if (this.made) return;
    await makeFolder(this.path);
    // There was no folder: a run that is in it now is not the one to resume.
    if (this.unlock === null) await this.lock(this.mode === "overwrite" ? "overwrite" : "new");
    if (this.mode === "overwrite") {
      for (const name of this.existing.filter(isResult)) await rm(join(this.path, name));
    }
    this.made = true;
  }

  /** Takes the folder for this run, and looks again: another run may have come and gone in the meantime. */
  private async lock(mode: OutputMode): Promise<void> {
    this.unlock = await lockFolder(this.path);
    try {
      this.existing = (await usableEntries(this.path, mode)) ?? [];
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  private async attempt<T>(name: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw error instanceof RatError ? error : writeError(join(this.path, name), error);
    }
  }
}

/** Lines appended to a file; each call is on its way to the disk when it returns. */
export class LineWriter {
  private readonly path: string;
  private readonly handle: FileHandle;
  private position: number;

  constructor(path: string, handle: FileHandle, position: number) {
    this.path = path;
    this.handle = handle;
    this.position = position;
  }

  /** Writes all lines or, where the disk is full, none. @throws RatError (io) */
  async write(lines: readonly string[]): Promise<void> {
    const data = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    try {
      await this.checkThere();
      for (let done = 0; done < data.length; ) {
        const { bytesWritten } = await this.handle.write(data, done, data.length - done, this.position + done);
        done += bytesWritten;
      }
      this.position += data.length;
    } catch (error) {
      await this.handle.truncate(this.position).catch(() => {});
      throw error instanceof RatError ? error : writeError(this.path, error);
    }
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  /** A file that was removed while it is open would take the rows and lose them. */
  private async checkThere(): Promise<void> {
    const [named, open] = await Promise.all([stat(this.path).catch(() => null), this.handle.stat()]);
    if (named === null || named.ino !== open.ino) {
      throw new RatError("io", "the file or its folder was removed while the run was writing to it", {
        file: this.path,
      });
    }
  }
}

/** Files of ours: whatever else is in the folder is not ours to remove. */
const isResult = (name: string): boolean =>
  /^(?:(?:run|fit|compare|gain|sweep|reproduce|audit-.+)\.json|(?:fit|sweep|paired|rows|rows-.+|numbers|claims|audit-demo|panel-(?:a|a-systems|b-even|b-rare|c|d|e)|swap-(?:lenient|control))\.csv|report\.(?:html|md)|(?:mae|width|densities|differences|fig[123]|fig-systems|audit-.+)\.(?:svg|png))(?:\.part)?$/.test(
    name,
  );

/**
 * Names in a folder, but for the lock's; null where there is none.
 * @throws RatError (usage) where it can't take a run's results
 */
async function usableEntries(path: string, mode: OutputMode): Promise<string[] | null> {
  const entries = (await entriesOf(path))?.filter((name) => name !== lockFile) ?? null;
  if (entries === null) return null;
  const holdsRun = entries.includes(runFile);
  if (entries.length > 0 && !holdsRun) {
    throw usageError(`--out ${path}: the folder is not empty and holds no run; name another one`);
  }
  if (holdsRun && mode === "new") {
    throw usageError(
      `--out ${path}: the folder holds a run already; name another one, or add --overwrite (for a sweep also --resume)`,
    );
  }
  return entries;
}

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
