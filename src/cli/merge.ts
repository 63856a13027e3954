import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import type { Sweep, SweepDocument } from "../documents.js";
import { dataError, usageError } from "../errors.js";
import { formatRow, rowHeader } from "../experiments/rows.js";
import { parseShard, shardName, wholeShard } from "../experiments/shard.js";
import { readJsonFile } from "./io.js";
import type { OutputFolder } from "./output.js";
import { differenceOf, jsonText, print, type RunRecord, readRunRecord, runRecord, wantsColour } from "./run.js";
import { printSweep, sweepFile, writeSweeps } from "./sweep-results.js";

interface MergeFlags {
  out?: string;
  overwrite?: boolean;
  json?: boolean;
}

export function mergeCommand(): Command {
  return new Command("merge")
    .description("put the shards of a sweep together")
    .argument("<folders...>", "the --out folders of all shards, in any order")
    .option("--out <folder>", "write the rows, tables and figures of the whole sweep there")
    .option("--overwrite", "replace the run that the folder holds")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .action(runMerge);
}

type StoredSource = NonNullable<RunRecord["sources"]>[number];

/** A folder with a finished shard. */
interface Part {
  readonly folder: string;
  readonly record: RunRecord;
  readonly sources: readonly StoredSource[];
  readonly document: SweepDocument;
}

async function runMerge(folders: string[], flags: MergeFlags): Promise<void> {
  const parts = await Promise.all(folders.map(readPart));
  checkSameOptions(parts);
  if (flags.out !== undefined) await checkOut(flags.out, folders);
  const [{ mergeSweeps, wholePlan }, { OutputFolder, runFile }, { readStoredRows }] = await Promise.all([
    import("../merge.js"),
    import("./output.js"),
    import("./rows-file.js"),
  ]);
  const mode = flags.overwrite ? "overwrite" : "new";
  const folder = flags.out === undefined ? null : await OutputFolder.open(flags.out, mode);
  try {
    const [{ record, sources }] = parts;
    const sweeps: Sweep[] = [];
    for (const number of sources.keys()) {
      const merged = parts.map((part) => {
        const { seconds, workers } = part.document.sweeps[number];
        const { plan, rows } = part.sources[number];
        const stored = readStoredRows(join(part.folder, rows), plan);
        return { plan, rows: stored.replicates, seconds, workers, name: part.folder };
      });
      const sweep = await mergeSweeps(merged);
      sweeps.push(sweep);
      if (!flags.json) await printSweep(sweep, wantsColour());
    }
    if (flags.json) await print(jsonText({ sweeps }));
    if (folder === null) return;
    const { shard: _shard, ...options } = record.options;
    const whole = sources.map(({ rows, plan }) => ({ rows, plan: wholePlan(plan) }));
    await folder.write(runFile, jsonText(runRecord({ ...record, options, sources: whole })));
    for (const number of sources.keys()) await copyRows(parts, number, folder);
    await writeSweeps(folder, sweeps, sources[0].plan.sampling.level);
  } finally {
    await folder?.close();
  }
}

async function readPart(folder: string): Promise<Part> {
  const record = await readRunRecord(join(folder, "run.json"));
  const { sources } = record;
  if (record.command !== "sweep" || sources === undefined) {
    throw dataError(`this is the record of rat ${record.command}, not of a sweep`, { file: join(folder, "run.json") });
  }
  const text = record.options.shard;
  const shard = typeof text === "string" ? parseShard(text) : wholeShard;
  const document = (await readJsonFile(join(folder, sweepFile)).catch((error) => {
    throw dataError(
      `shard ${shardName(shard)} is not finished: go on with it by --resume`,
      { file: folder },
      { cause: error },
    );
  })) as SweepDocument;
  if (document.sweeps?.length !== sources.length) {
    throw dataError("this is not the result of the run beside it", { file: join(folder, sweepFile) });
  }
  return { folder, record, sources, document };
}

/** Options are told by the names that the user gave them; whether the parts make a sweep is for `mergeSweeps` to say. */
function checkSameOptions([first, ...others]: readonly Part[]): void {
  for (const part of others) {
    const difference = differenceOf(part.record, first.record, ["shard", "adapter"]);
    if (difference === null) continue;
    throw usageError(
      `${part.folder} and ${first.folder} are of different runs: in the first, ${difference} in the second`,
    );
  }
}

/** @throws RatError (usage) where the shards' rows, the only ones there are, would be replaced by their sum */
async function checkOut(out: string, folders: readonly string[]): Promise<void> {
  const placeOf = (path: string): Promise<string | null> => realpath(path).catch(() => null);
  const target = await placeOf(out);
  for (const folder of folders) {
    if (target === null || (await placeOf(folder)) !== target) continue;
    throw usageError(`--out ${out}: this is the folder of a shard; name another one`);
  }
}

/** The rows of all shards, so that the folder holds what the whole run's would. */
async function copyRows(parts: readonly Part[], number: number, folder: OutputFolder): Promise<void> {
  const { readStoredRows } = await import("./rows-file.js");
  const stored = parts.map((part) => ({ ...part.sources[number], folder: part.folder }));
  stored.sort((a, b) => a.plan.first - b.plan.first);
  const [{ rows: name, plan: first }] = stored;
  const writer = await folder.append(name);
  try {
    await writer.write([rowHeader(first.quantities)]);
    for (const { folder: from, rows, plan } of stored) {
      for await (const replicate of readStoredRows(join(from, rows), plan).replicates) {
        await writer.write(replicate.map(formatRow));
      }
    }
  } finally {
    await writer.close();
  }
}
