import type { Command } from "commander";
import { dataError, RatError } from "../errors.js";
import type { MainNumber } from "./audit-fail-on.js";
import type { AuditRow } from "./audit-rows.js";
import { interruptSignal, jsonText, print, wantsColour } from "./run.js";

/** What every audit takes, as commander gives it: text. */
export interface AuditFlags {
  level?: string;
  failOn?: string[];
  out?: string;
  overwrite?: boolean;
  json?: boolean;
  quiet?: boolean;
}

export interface AuditTextOptions {
  readonly colour: boolean;
  /** Whether to say what the audit takes for granted and can't show. */
  readonly notes: boolean;
}

/** One audit of one file: from rows to a document, and what is made of that. */
export interface AuditJob<Document> {
  /** Of the command; its document goes to audit-NAME.json. */
  readonly name: string;
  /** null: there are numbers instead. */
  readonly file: string | null;
  readonly flags: AuditFlags;
  /** @param source the file's name for people */
  readonly audit: (rows: readonly AuditRow[], source: string, level: number) => Document | Promise<Document>;
  readonly text: (document: Document, options: AuditTextOptions) => string;
  /** What --fail-on may name. */
  readonly numbers: (document: Document) => Readonly<Record<string, MainNumber>>;
}

export const auditFileArgument = ["<file>", "CSV, TSV, JSONL or JSON, also .gz; - is standard input"] as const;

/** @param example of a condition */
export function addAuditOptions(command: Command, example: string): Command {
  return command
    .option("--level <number>", "probability inside the intervals (default: 0.95)")
    .option(
      "--fail-on <condition>",
      `exit with 1 where a number of the audit meets it, as in '${example}'; repeatable`,
      (value: string, all: string[] = []) => [...all, value],
    )
    .option("--out <folder>", "write the JSON document there too")
    .option("--overwrite", "replace the document where the folder holds it")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .option("--quiet", "no notes on what the audit takes for granted and can't show");
}

/**
 * Reads a file, audits it, prints and writes what came out.
 * @throws RatError (gate) where a condition says so
 */
export async function runAudit<Document>({ name, file, flags, ...job }: AuditJob<Document>): Promise<void> {
  const [{ samplingOptions }, { readAuditRows }, { conditionsMet, parseCondition }, { DocumentFile }] =
    await Promise.all([
      import("../options.js"),
      import("./audit-rows.js"),
      import("./audit-fail-on.js"),
      import("./document-file.js"),
    ]);
  const level = flags.level === undefined ? 0.95 : samplingOptions.level.read(flags.level);
  const conditions = (flags.failOn ?? []).map(parseCondition);
  const target =
    flags.out === undefined ? null : await DocumentFile.open(flags.out, `audit-${name}.json`, flags.overwrite === true);
  const { signal, release } = interruptSignal();
  try {
    const { rows, source } = file === null ? { rows: [], source: "" } : await readAuditRows(file, signal);
    const document = await inFile(source, async () => job.audit(rows, source, level));
    const reasons = conditionsMet(conditions, job.numbers(document));
    const text = (): string => `${job.text(document, { colour: wantsColour(), notes: !flags.quiet })}\n`;
    await print(flags.json ? jsonText(document) : text());
    await target?.write(jsonText(document));
    if (reasons.length > 0) throw new RatError("gate", reasons.join("; "));
  } finally {
    release();
  }
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
