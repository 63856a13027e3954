import { join } from "node:path";
import { Command } from "commander";
import type { Sweep, SweepDocument } from "../documents.js";
import { dataError, usageError } from "../errors.js";
import type { Row } from "../experiments/rows.js";
import { parseShard, type Shard, wholeShard } from "../experiments/shard.js";
import type { SweepPlan } from "../sweep.js";
import { readJsonFile } from "./io.js";
import type { StoredRows } from "./rows-file.js";
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
    .option("--out <folder>", "write the tables and figures of the whole sweep there")
    .option("--overwrite", "replace the run that the folder holds")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .action(runMerge);
}

/** A folder with a finished shard. */
interface Part {
  readonly folder: string;
  readonly record: RunRecord;
  readonly shard: Shard;
  readonly document: SweepDocument;
}

async function runMerge(folders: string[], flags: MergeFlags): Promise<void> {
  const parts = inOrder(await Promise.all(folders.map(readPart)));
  const [{ mergeSweeps }, { readStoredRows }, { OutputFolder, runFile }] = await Promise.all([
    import("../sweep.js"),
    import("./rows-file.js"),
    import("./output.js"),
  ]);
  const mode = flags.overwrite ? "overwrite" : "new";
  const folder = flags.out === undefined ? null : await OutputFolder.open(flags.out, mode);
  try {
    const sweeps: Sweep[] = [];
    const [{ record }] = parts;
    for (const [number, { rows, plan }] of (record.sources ?? []).entries()) {
      const sweep = await mergeSweeps(
        parts.map((part) => {
          const own = part.record.sources?.[number]?.plan ?? plan;
          const { seconds, workers } = part.document.sweeps[number];
          const path = join(part.folder, rows);
          return { plan: own, rows: complete(part, path, own, readStoredRows(path, own)), seconds, workers };
        }),
      );
      sweeps.push(sweep);
      if (!flags.json) await printSweep(sweep, wantsColour());
    }
    if (flags.json) await print(jsonText({ sweeps }));
    if (folder === null) return;
    const { shard: _shard, ...options } = record.options;
    await folder.write(runFile, jsonText(runRecord({ ...record, options })));
    await writeSweeps(folder, sweeps, record.sources?.[0]?.plan.sampling.level ?? 0.95);
  } finally {
    await folder?.close();
  }
}

async function readPart(folder: string): Promise<Part> {
  const record = await readRunRecord(join(folder, "run.json"));
  if (record.command !== "sweep" || record.sources === undefined) {
    throw dataError(`this is the record of rat ${record.command}, not of a sweep`, { file: join(folder, "run.json") });
  }
  const text = record.options.shard;
  const shard = typeof text === "string" ? parseShard(text) : wholeShard;
  const document = await readJsonFile(join(folder, sweepFile)).catch((error) => {
    throw dataError(
      `shard ${nameOf(shard)} is not finished: go on with it by --resume`,
      { file: folder },
      { cause: error },
    );
  });
  return { folder, record, shard, document: document as SweepDocument };
}

/** @throws RatError (usage) for shards of different runs, missing or doubled ones */
function inOrder(parts: readonly Part[]): Part[] {
  const [first] = parts;
  for (const part of parts) {
    const difference = differenceOf(part.record, first.record, ["shard"]);
    if (difference !== null) {
      throw usageError(
        `${part.folder} and ${first.folder} are of different runs: in the first, ${difference} in the second`,
      );
    }
    if (part.shard.count !== first.shard.count) {
      throw usageError(
        `${part.folder} is shard ${nameOf(part.shard)}, ${first.folder} shard ${nameOf(first.shard)}: of different runs`,
      );
    }
  }
  return Array.from({ length: first.shard.count }, (_, index) => {
    const found = parts.filter(({ shard }) => shard.index === index);
    const name = nameOf({ index, count: first.shard.count });
    if (found.length === 0) throw usageError(`shard ${name} is missing`);
    if (found.length > 1) {
      throw usageError(`shard ${name} is there more than once: ${found.map(({ folder }) => folder).join(", ")}`);
    }
    return found[0];
  });
}

const nameOf = ({ index, count }: Shard): string => `${index}/${count}`;

/** The rows of a shard. @throws RatError (data) where some are missing */
async function* complete(
  part: Part,
  path: string,
  plan: SweepPlan,
  stored: StoredRows,
): AsyncGenerator<readonly Row[]> {
  let replicates = 0;
  for await (const rows of stored.replicates) {
    replicates++;
    yield rows;
  }
  const expected = plan.end - plan.first;
  if (replicates < expected) {
    throw dataError(`shard ${nameOf(part.shard)} has ${replicates} of ${expected} replicates`, { file: path });
  }
}
