import { version } from "../generated/version.js";
import { writeError } from "./io.js";

/** Everything that is needed to repeat a run, as `run.json` keeps it. */
export interface RunRecord {
  readonly command: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly engine: string;
  readonly adapter: string | null;
}

export function runRecord(record: Omit<RunRecord, "version">): string {
  return jsonText({ ...record, version });
}

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * A signal that Ctrl-C (or a request to terminate) aborts: work stops at the next row and what is finished is kept. A
 * second Ctrl-C ends the process at once.
 */
export function interruptSignal(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  const release = (): void => {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  };
  return { signal: controller.signal, release };
}

/**
 * Text on standard output, whole even where the reader is slow. A reader that has gone away, as `head` does, has seen
 * enough.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error || (error as NodeJS.ErrnoException).code === "EPIPE") resolve();
      else reject(writeError("standard output", error));
    });
  });
}

/** Failures to write are told to whoever writes; without a listener they would end the process as well. */
export function survivePipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

export const wantsColour = (): boolean => process.stdout.isTTY === true && !process.env.NO_COLOR;
