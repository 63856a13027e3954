import { open, readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { usageError } from "../errors.js";
import { writeError } from "./io.js";

/** Who works in a folder. A process number alone could be somebody else's by now, so its start is kept too. */
interface Owner {
  readonly process: number;
  readonly host: string;
  /** Start of the process in the kernel's own units; null where the system doesn't tell. */
  readonly started: string | null;
}

export const lockFile = "run.lock";

/**
 * Keeps two runs out of one folder. A run that died, in whatever way, leaves a lock that the next one takes over: its
 * process is gone.
 * @returns a function that gives the folder free
 * @throws RatError (usage) where another run works in the folder
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, lockFile);
  const mine = JSON.stringify({
    process: process.pid,
    host: hostname(),
    started: (await statusOf(process.pid)).started,
  });
  for (let tries = 0; tries < 3; tries++) {
    try {
      const handle = await open(path, "wx");
      await handle.writeFile(mine);
      await handle.close();
      return async () => {
        await rm(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw writeError(path, error);
    }
    const owner = await ownerOf(path);
    if (owner !== null && (await isAlive(owner))) {
      const where = owner.host === hostname() ? "" : ` on ${owner.host}`;
      throw usageError(
        `--out ${folder}: another run (process ${owner.process}${where}) works in this folder; if it is over, remove ${path}`,
      );
    }
    await rm(path, { force: true });
  }
  throw usageError(`--out ${folder}: other runs are taking this folder; name another one`);
}

async function ownerOf(path: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Owner;
  } catch {
    return null; // gone in the meantime, or torn by a run that died as it wrote it
  }
}

async function isAlive(owner: Owner): Promise<boolean> {
  if (owner.host !== hostname()) return true; // nobody here can tell
  try {
    process.kill(owner.process, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const { started, isZombie } = await statusOf(owner.process);
  if (isZombie) return false; // dead, and only not yet counted so by its parent
  return owner.started === null || started === null || started === owner.started;
}

/**
 * State and start of a process, fields 3 and 22 of Linux's /proc/PID/stat; the command, in parentheses before them, may
 * hold blanks. Elsewhere nothing is known.
 */
async function statusOf(pid: number): Promise<{ started: string | null; isZombie: boolean }> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { started: fields[19] ?? null, isZombie: fields[0] === "Z" };
  } catch {
    return { started: null, isZombie: false };
  }
}
