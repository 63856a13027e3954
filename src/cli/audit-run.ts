import { createHash } from "node:crypto";
import type { Command } from "commander";
import { dataError, RatError } from "../errors.js";
import type { AuditTextOptions } from "../report/audit-estimates.js";
import type { MainNumber } from "./audit-fail-on.js";
import type { AuditRow } from "./audit-rows.js";
import type { OutputFolder as Folder } from "./output.js";
import { interruptSignal, jsonText, print, runRecord, wantsColour } from "./run.js";

/** What every audit takes, as commander gives it: text. */
export interface AuditFlags {
  cluster?: string;
  level?: string;
  failOn?: string[];
  out?: string;
  overwrite?: boolean;
  json?: boolean;
  quiet?: boolean;
  /** Of the file's rows, when a run was begun; no option, but kept with them. */
  rows?: string;
}

/** One audit of one file: from rows to a document, and what is made of that. */
export interface AuditJob<Document> {
  /** Of the command; its document goes to audit-NAME.json. */
  readonly name: string;
  /** null: there are numbers instead. */
  readonly file: string | null;
  readonly flags: AuditFlags;
  /** Of random numbers; null where there are none. */
  readonly seed: number | null;
  /** @param source the file's name for people */
  readonly audit: (rows: readonly AuditRow[], source: string, level: number) => Document | Promise<Document>;
  readonly text: (document: Document, options: AuditTextOptions) => string;
  /** What --fail-on may name. */
  readonly numbers: (document: Document) => Readonly<Record<string, MainNumber>>;
  /** SVG text by the figure's name, for --out. */
  readonly figures?: (document: Document) => Promise<Readonly<Record<string, string>>>;
}

export const auditFileArgument = ["<file>", "CSV, TSV, JSONL or JSON, also .gz; - is standard input"] as const;

/** @param example of a condition */
export function addAuditOptions(command: Command, example: string): Command {
  return command
    .option("--cluster <column>", "rows of one value err together, as claims of one answer do: intervals allow for it")
    .option("--level <number>", "probability inside the intervals (default: 0.95)")
    .option(
      "--fail-on <condition>",
      `exit with 1 where a number of the audit meets it, as in '${example}'; repeatable`,
      (value: string, all: string[] = []) => [...all, value],
    )
    .option("--out <folder>", "write the JSON document, figures and run.json there too")
    .option("--overwrite", "replace the run that the folder holds")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .option("--quiet", "no notes on what the audit takes for granted and can't show");
}

/**
 * Reads a file, audits it, prints and writes what came out.
 * @throws RatError (gate) where a condition says so
 */
export async function runAudit<Document>({ name, file, flags, seed, ...job }: AuditJob<Document>): Promise<void> {
  const [{ samplingOptions }, { readAuditRows }, { conditionsMet, parseCondition }, { OutputFolder, runFile }] =
    await Promise.all([
      import("../options.js"),
      import("./audit-rows.js"),
      import("./audit-fail-on.js"),
      import("./output.js"),
    ]);
  const level = flags.level === undefined ? 0.95 : samplingOptions.level.read(flags.level);
  const conditions = (flags.failOn ?? []).map(parseCondition);
  let folder: Folder | null = null;
  try {
    folder = flags.out === undefined ? null : await OutputFolder.open(flags.out, flags.overwrite ? "overwrite" : "new");
    const { rows, source } = file === null ? { rows: [], source: "" } : await read(file, readAuditRows);
    const fingerprint = flags.rows === undefined && folder === null ? undefined : fingerprintOf(rows);
    if (flags.rows !== undefined && flags.rows !== fingerprint) {
      throw dataError("these are not the rows that the run was begun with", { file: source });
    }
    const document = await inFile(source, async () => job.audit(rows, source, level));
    const reasons = conditionsMet(conditions, job.numbers(document));
    const text = (): string => `${job.text(document, { colour: wantsColour(), notes: !flags.quiet })}\n`;
    await print(flags.json ? jsonText(document) : text());
    if (folder !== null) {
      const { out: _out, overwrite: _overwrite, ...given } = flags;
      const options = { ...given, rows: fingerprint, ...(seed === null ? {} : { seed: String(seed) }) };
      const files = file === null ? [] : [file];
      const record = runRecord({ command: `audit ${name}`, files, options, seed, engine: null, adapter: null });
      await folder.write(runFile, jsonText(record));
      await folder.write(`audit-${name}.json`, jsonText(document));
      await writeFigures(folder, (await job.figures?.(document)) ?? {}, flags.quiet === true);
    }
    if (reasons.length > 0) throw new RatError("gate", reasons.join("; "));
  } finally {
    await folder?.close();
  }
}

function fingerprintOf(rows: readonly AuditRow[]): string {
  const hash = createHash("sha256");
  for (const { values } of rows) hash.update(JSON.stringify(values));
  return hash.digest("hex").slice(0, 16);
}

/** Ctrl-C ends a reading in words, and all that follows at once: there is nothing to keep. */
async function read<T>(file: string, rowsOf: (file: string, signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, release } = interruptSignal();
  try {
    return await rowsOf(file, signal);
  } finally {
    release();
  }
}

async function writeFigures(folder: Folder, figures: Readonly<Record<string, string>>, quiet: boolean): Promise<void> {
  const { writeFigure } = await import("./figures.js");
  const onNotice = (notice: string): void => {
    if (!quiet) process.stderr.write(`rat: ${notice}\n`);
  };
  for (const [name, svg] of Object.entries(figures)) await writeFigure(folder, name, svg, onNotice);
}

/** What audits say of content they know no file of. */
async function inFile<T>(file: string, audit: () => Promise<T>): Promise<T> {
  try {
    return await audit();
  } catch (error) {
    if (!(error instanceof RatError) || error.kind !== "data" || error.place.file !== undefined) throw error;
    throw dataError(error.message, { ...error.place, file }, { cause: error });
  }
}
