import { createHash } from "node:crypto";
import type { Fit } from "../documents.js";
import { dataError } from "../errors.js";
import { version } from "../generated/version.js";
import type { SweepPlan } from "../sweep.js";
import { readJsonFile, writeError } from "./io.js";

/** Everything that is needed to repeat a run, as `run.json` keeps it. */
export interface RunRecord {
  readonly command: string;
  readonly version: string;
  /** As typed: relative names are relative to where the command was given. */
  readonly files: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Null where nothing is random. */
  readonly seed: number | null;
  /** Null where nothing is sampled. */
  readonly engine: string | null;
  readonly adapter: string | null;
  /** What a sweep does with each of its sources, and where its rows are. */
  readonly sources?: readonly { readonly rows: string; readonly plan: SweepPlan }[];
  /** The records of each fit. */
  readonly fits?: readonly RecordsSeen[];
}

/** What a source held when it was read: totals for people, and a fingerprint of the counts of all patterns. */
export interface RecordsSeen extends Pick<Fit, "source" | "records" | "observed" | "implied"> {
  readonly counts: string;
}

export const recordsSeen = ({ source, records, observed, implied }: Fit, counts: Float64Array): RecordsSeen => ({
  source,
  records,
  observed,
  implied,
  counts: createHash("sha256").update(counts.join()).digest("hex").slice(0, 16),
});

/**
 * @param now and then: all that tells the records of a source
 * @throws RatError (data) where a source is not what it was when the run was begun
 */
export function checkSameRecords<S extends { readonly source: string }>(now: S, then: S | undefined): void {
  if (JSON.stringify(now) === JSON.stringify(then)) return;
  throw dataError("these are not the records that the run was begun with", { file: now.source });
}

export function runRecord(record: Omit<RunRecord, "version">): RunRecord {
  const { command, ...rest } = record;
  return { command, version, ...rest };
}

/** @throws RatError (data) */
export async function readRunRecord(path: string): Promise<RunRecord> {
  const record = (await readJsonFile(path)) as Partial<RunRecord> | null;
  if (typeof record?.command !== "string" || typeof record.options !== "object" || !Array.isArray(record.files)) {
    throw dataError("this is no record of a run", { file: path });
  }
  return record as RunRecord;
}

/** Options that change where results go and how fast they come, but not what they are. */
const indifferent = new Set(["out", "overwrite", "resume", "json", "quiet", "workers"]);

/** The first thing in which two runs differ, in words; null where they are the same run. */
export function differenceOf(now: RunRecord, then: RunRecord, except: readonly string[] = []): string | null {
  const skip = (name: string): boolean => indifferent.has(name) || except.includes(name);
  const parts = ({ command, version, files, engine, adapter, options }: RunRecord): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries({ command, version, files, engine, adapter, ...options }).filter(([name]) => !skip(name)),
    );
  const [a, b] = [parts(now), parts(then)];
  const name = [...new Set([...Object.keys(a), ...Object.keys(b)])].find(
    (key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]),
  );
  return name === undefined ? null : `${name} is ${show(a[name])} now and was ${show(b[name])}`;
}

const show = (value: unknown): string => (value === undefined ? "not given" : JSON.stringify(value));

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
 * @returns whether there is still a reader
 */
export function print(text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve(true);
      else if ((error as NodeJS.ErrnoException).code === "EPIPE") resolve(false);
      else reject(writeError("standard output", error));
    });
  });
}

/** Failures to write are told to whoever writes; without a listener they would end the process as well. */
export function survivePipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

export const wantsColour = (): boolean => process.stdout.isTTY === true && !process.env.NO_COLOR;
