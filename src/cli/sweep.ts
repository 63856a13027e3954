import { Command } from "commander";
import type { Sweep, SweepDocument } from "../documents.js";
import { RatError, usageError } from "../errors.js";
import { defaultStrategies } from "../experiments/purchase.js";
import { formatRow, type Row, rowHeader } from "../experiments/rows.js";
import { parseShard } from "../experiments/shard.js";
import { networkNamed } from "../network/index.js";
import type { SweepPlan } from "../sweep.js";
import { fileNames } from "./names.js";
import { addCommonOptions, type CommonFlags, collect, priorsOf, recordsOf, samplingOf } from "./options.js";
import type { OutputFolder as Folder, LineWriter } from "./output.js";
import {
  checkSameRecords,
  differenceOf,
  interruptSignal,
  jsonText,
  print,
  type RunRecord,
  readRunRecord,
  runRecord,
  wantsColour,
} from "./run.js";
import { printSweep, sweepFile, writeSweeps } from "./sweep-results.js";

export interface SweepFlags extends CommonFlags {
  base: string;
  add: string;
  strategies?: string[];
  replicates: string;
  resume?: boolean;
  shard?: string;
}

export function sweepCommand(): Command {
  const command = new Command("sweep")
    .description("allocation experiment: which labels to buy for P(G=1) and P(T=1)")
    .argument("[files...]", "files of fully labelled records; - is standard input");
  return addCommonOptions(command)
    .option("--base <number>", "fully labelled records that every refit starts from", "100")
    .option("--add <numbers>", "additional records, separated by commas", "60,100,200,500")
    .option(
      "--strategies <names>",
      "which labels the additional records reveal: names separated by commas, or one of your own such as " +
        "'mine: joint 50%, R 30%, T 20%' (kinds joint, R, T, judge, R_J, T_J); repeatable " +
        `(default: ${defaultStrategies})`,
      collect,
    )
    .option("--replicates <number>", "random subsamples a cell", "500")
    .option("--shard <i/n>", "only part i of n of the replicates, i from 0; rat merge puts the parts together")
    .option("--resume", "go on with the run that the --out folder holds, or begin it")
    .action(runSweep);
}

/** @param repeated the record of a run that this one is to repeat */
export async function runSweep(files: string[], flags: SweepFlags, repeated?: RunRecord): Promise<void> {
  const [{ sweep }, { sourcesOf }, { OutputFolder }, { Progress }] = await Promise.all([
    import("../sweep.js"),
    import("./input.js"),
    import("./output.js"),
    import("../report/progress.js"),
  ]);
  const { signal, release } = interruptSignal();
  const progress = new Progress({ quiet: flags.quiet === true });
  let folder: Folder | null = null;
  let run: SweepRun | null = null;
  try {
    if (flags.resume && flags.overwrite)
      throw usageError("--resume keeps what --overwrite would remove: give one of them");
    if (flags.resume && flags.out === undefined) throw usageError("--resume needs --out, the folder of the run");
    const sources = sourcesOf(files, flags.preset, signal);
    const options = {
      ...samplingOf(flags),
      ...recordsOf(flags),
      network: networkNamed(flags.network),
      priors: priorsOf(flags.prior),
      base: wholeNumber("--base", flags.base),
      add: flags.add.split(",").map((text) => wholeNumber("--add", text)),
      strategies: flags.strategies?.join(","),
      replicates: wholeNumber("--replicates", flags.replicates),
      shard: flags.shard === undefined ? undefined : parseShard(flags.shard),
    };
    const mode = flags.resume ? "resume" : flags.overwrite ? "overwrite" : "new";
    folder = flags.out === undefined ? null : await OutputFolder.open(flags.out, mode);
    const earlier = folder?.resumes ? await readRunRecord(folder.file("run.json")) : null;
    const seed = options.seed ?? earlier?.seed;
    run = new SweepRun(folder, files, flags, earlier, rowsFiles(sources.map(({ name }) => name)), repeated);
    const current = run;
    const document = await sweep(sources, {
      ...options,
      seed,
      signal,
      onNotice: (notice) => {
        if (!flags.quiet) process.stderr.write(`rat: ${notice}\n`);
      },
      onStart: async (plan) => {
        await current.begin(plan);
        progress.start((plan.end - plan.first) * plan.cells.length, plan.source);
      },
      finished: (plan) => current.finished(plan),
      onProgress: (finished) => progress.update(finished),
      onRows: (rows) => current.keep(rows),
      onSweep: async (result: Sweep) => {
        progress.stop();
        await current.end();
        if (!flags.json && !current.isFinished) await printSweep(result, wantsColour());
      },
    });
    const finished = await current.documentOf(document);
    if (current.isFinished && !flags.json)
      for (const result of finished.sweeps) await printSweep(result, wantsColour());
    if (flags.json) await print(jsonText(finished));
    if (folder !== null && !current.isFinished) await writeSweeps(folder, document.sweeps, current.level);
  } catch (error) {
    progress.stop();
    await run?.end();
    if (signal.aborted) {
      const kept = run?.kept ?? 0;
      const how = `; ${kept} finished refits are kept in ${folder?.path}, and --resume goes on with them`;
      throw new RatError("interrupted", `interrupted${folder === null || kept === 0 ? "" : how}`, {}, { cause: error });
    }
    throw error;
  } finally {
    release();
    await folder?.close();
  }
}

/** What a sweep keeps on disk on its way, and finds there when it goes on. */
class SweepRun {
  kept = 0;
  level = 0.95;
  private readonly started: { rows: string; plan: SweepPlan }[] = [];
  private rows: LineWriter | null = null;

  constructor(
    private readonly folder: Folder | null,
    private readonly files: readonly string[],
    private readonly flags: SweepFlags,
    private readonly earlier: RunRecord | null,
    private readonly rowFiles: readonly string[],
    private readonly repeated: RunRecord | undefined,
  ) {}

  /** The folder holds the whole run: its results are shown again, nothing is written. */
  get isFinished(): boolean {
    return this.folder?.holds(sweepFile) ?? false;
  }

  /** @throws RatError (usage) where the folder holds another run than this one */
  async begin(plan: SweepPlan): Promise<void> {
    this.level = plan.sampling.level;
    const number = this.started.push({ rows: this.rowFiles[this.started.length], plan }) - 1;
    const before = (this.earlier ?? this.repeated)?.sources?.[number]?.plan;
    if (this.folder === null) return checkSameRecords(plan, before);
    const record = this.record(plan);
    if (this.earlier !== null) {
      const difference = differenceOf(record, this.earlier);
      if (difference !== null) throw usageError(`--resume ${this.folder.path}: this is another run: ${difference}`);
    }
    checkSameRecords(plan, before);
    if (!this.isFinished) await this.folder.write("run.json", jsonText(record));
  }

  /** Rows that are there already; then rows can be kept. */
  async *finished(plan: SweepPlan): AsyncGenerator<readonly Row[]> {
    if (this.folder === null) return;
    const { readStoredRows } = await import("./rows-file.js");
    const name = this.rowFiles[this.started.length - 1];
    let bytes = 0;
    if (this.folder.holds(name)) {
      const stored = readStoredRows(this.folder.file(name), plan);
      for await (const rows of stored.replicates) {
        this.kept += rows.length;
        yield rows;
      }
      bytes = stored.bytes();
    }
    if (this.isFinished) return;
    this.rows = await this.folder.append(name, bytes);
    if (bytes === 0) await this.rows.write([rowHeader(plan.quantities)]);
  }

  async keep(rows: readonly Row[]): Promise<void> {
    await this.rows?.write(rows.map(formatRow));
    this.kept += rows.length;
  }

  async end(): Promise<void> {
    await this.rows?.close();
    this.rows = null;
  }

  async documentOf(document: SweepDocument): Promise<SweepDocument> {
    return this.isFinished ? ((await this.folder?.readJson(sweepFile)) as SweepDocument) : document;
  }

  private record({ sampling, engine, adapter }: SweepPlan): RunRecord {
    const { out: _out, overwrite: _overwrite, resume: _resume, ...given } = this.flags;
    const options = { strategies: [defaultStrategies], ...given, ...sampling };
    const { seed } = sampling;
    return runRecord({ command: "sweep", files: this.files, options, seed, engine, adapter, sources: this.started });
  }
}

/** A file of rows for each source. */
function rowsFiles(sources: readonly string[]): string[] {
  if (sources.length === 1) return ["rows.csv"];
  const nameOf = fileNames();
  return sources.map((source) => `rows-${nameOf(source)}.csv`);
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value))
    throw usageError(`${option} must be whole numbers, not ${JSON.stringify(text)}`);
  return value;
}
