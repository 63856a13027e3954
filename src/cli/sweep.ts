import { Command, Option } from "commander";
import type { Sweep } from "../documents.js";
import type { EngineName } from "../engines/engine.js";
import { RatError, usageError } from "../errors.js";
import { type Budget, budgetUnits } from "../experiments/budget.js";
import { defaultStrategies } from "../experiments/purchase.js";
import { parseShard } from "../experiments/shard.js";
import { fileNames } from "./names.js";
import { chosenNetwork } from "./network-file.js";
import { addCommonOptions, type CommonFlags, collect, modelOf, recordsOf, samplingOf } from "./options.js";
import type { OutputFolder as Folder } from "./output.js";
import { interruptSignal, jsonText, print, type RunRecord, readRunRecord, wantsColour } from "./run.js";
import { printSweep, resultFiles, writeSweeps } from "./sweep-results.js";
import { SweepRun } from "./sweep-run.js";

export interface SweepFlags extends CommonFlags {
  base: string;
  add: string;
  strategies?: string[];
  replicates: string;
  budget?: Budget["unit"];
  skipImplied?: boolean;
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
    .addOption(
      new Option(
        "--budget <unit>",
        "what --add counts; of labels a record with R and T costs two (default: records)",
      ).choices(budgetUnits),
    )
    .option("--skip-implied", "buy another label instead of T where A = 1 implies it")
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
    const { network, ...chosen } = await chosenNetwork(flags);
    const options = {
      ...samplingOf(flags),
      ...recordsOf(flags),
      network,
      ...modelOf(flags),
      base: wholeNumber("--base", flags.base),
      add: flags.add.split(",").map((text) => wholeNumber("--add", text)),
      strategies: flags.strategies?.join(","),
      budget: flags.budget,
      skipImplied: flags.skipImplied,
      replicates: wholeNumber("--replicates", flags.replicates),
      shard: flags.shard === undefined ? undefined : parseShard(flags.shard),
    };
    const mode = flags.resume ? "resume" : flags.overwrite ? "overwrite" : "new";
    folder = flags.out === undefined ? null : await OutputFolder.open(flags.out, mode);
    const earlier = folder?.resumes ? await readRunRecord(folder.file("run.json")) : null;
    const seed = options.seed ?? earlier?.seed ?? undefined;
    // What auto chose at first goes on, whatever it would choose today.
    const engine = (options.engine ?? "auto") === "auto" ? (earlier?.engine as EngineName) : options.engine;
    run = new SweepRun(
      folder,
      files,
      { ...flags, ...chosen },
      earlier,
      rowsFiles(sources.map(({ name }) => name)),
      repeated,
    );
    const current = run;
    const onNotice = (notice: string): void => {
      if (!flags.quiet) process.stderr.write(`rat: ${notice}\n`);
    };
    for (const lost of await current.look()) onNotice(lost);
    const document = await sweep(sources, {
      ...options,
      seed,
      engine,
      signal,
      onNotice,
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
    const isWhole = current.isFinished && resultFiles.every((name) => folder?.holds(name));
    if (folder !== null && !isWhole) await writeSweeps(folder, finished.sweeps, current.level);
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

/** A file of rows for each source. */
export function rowsFiles(sources: readonly string[]): string[] {
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
