import { Command } from "commander";
import { dataError, RatError } from "../errors.js";
import { version } from "../generated/version.js";
import { auditRuns } from "./audit.js";
import type { AuditFlags } from "./audit-run.js";
import { type CompareFlags, runCompare } from "./compare.js";
import { type FitFlags, runFit } from "./fit.js";
import { type GainFlags, runGain } from "./gain.js";
import { type ReproduceFlags, runReproduce } from "./reproduce.js";
import { type RunRecord, readRunRecord } from "./run.js";
import { runSweep, type SweepFlags } from "./sweep.js";

interface RerunFlags {
  out?: string;
  overwrite?: boolean;
  json?: boolean;
  quiet?: boolean;
  workers?: string;
}

export function rerunCommand(): Command {
  return new Command("rerun")
    .description("repeat a run from its run.json: same options, same seed, same numbers")
    .argument("<record>", "run.json of an --out folder")
    .option("--out <folder>", "write results there too")
    .option("--overwrite", "replace the run that the folder holds")
    .option("--workers <number>", "threads (default: as in the run)")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .option("--quiet", "no progress, no notices")
    .action(rerun);
}

async function rerun(path: string, flags: RerunFlags): Promise<void> {
  const record = await readRunRecord(path);
  try {
    await repeat(path, record, flags);
  } catch (error) {
    const hint = error instanceof RatError ? hintOf(error, record) : null;
    if (hint === null || !(error instanceof RatError)) throw error;
    throw new RatError(error.kind, `${error.message}; ${hint}`, error.place, { cause: error });
  }
}

/** What to do where a run's records aren't where they were; null where that is not the matter. */
function hintOf({ kind, place: { file } }: RatError, { files }: RunRecord): string | null {
  if (kind === "data" && files.includes("-") && file === "standard input") {
    return "the run read standard input: give it the same again";
  }
  const isLost = kind === "io" && file !== undefined && files.includes(file);
  return isLost ? "the run was begun where this name leads to its records: repeat it from there" : null;
}

async function repeat(path: string, record: RunRecord, flags: RerunFlags): Promise<void> {
  if (record.version !== version && !flags.quiet) {
    process.stderr.write(
      `rat: the run was made by version ${record.version}, this is ${version}: numbers may differ\n`,
    );
  }
  const { json: _json, quiet: _quiet, ...options } = record.options;
  const again = { ...options, engine: record.engine, ...flags };
  if (record.command === "fit") return runFit([...record.files], again as unknown as FitFlags, record);
  if (record.command === "compare") return runCompare([...record.files], again as unknown as CompareFlags, record);
  if (record.command === "gain") return runGain([...record.files], again as unknown as GainFlags, record);
  if (record.command === "sweep") return runSweep([...record.files], again as unknown as SweepFlags, record);
  if (record.command === "reproduce") {
    const { engine: _engine, ...own } = again;
    return runReproduce({ ...own, engine: options.engine, seed: String(record.seed) } as ReproduceFlags);
  }
  if (Object.hasOwn(auditRuns, record.command)) {
    // What it saved elsewhere stays as it is.
    const { engine: _engine, workers: _workers, save: _save, map: _map, ...own } = again as Record<string, unknown>;
    // An audit of rates has no file.
    return auditRuns[record.command](record.files[0], own as AuditFlags);
  }
  throw dataError(`rat ${record.command} is not a run that can be repeated`, { file: path });
}
