import { Command } from "commander";
import type { Sweep } from "../documents.js";
import { RatError, usageError } from "../errors.js";
import { defaultStrategies } from "../experiments/purchase.js";
import { networkNamed } from "../network/index.js";
import type { SweepPlan } from "../sweep.js";
import { addCommonOptions, type CommonFlags, collect, priorsOf, recordsOf, samplingOf } from "./options.js";
import type { OutputFolder as Folder, LineWriter } from "./output.js";
import { interruptSignal, jsonText, print, runRecord, wantsColour } from "./run.js";

interface SweepFlags extends CommonFlags {
  base: string;
  add: string;
  strategies?: string[];
  replicates: string;
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
    .action(runSweep);
}

async function runSweep(files: string[], flags: SweepFlags): Promise<void> {
  const [{ sweep }, { sourcesOf }, { OutputFolder, runFile }, { sweepTable }, { formatRow, rowHeader }, { Progress }] =
    await Promise.all([
      import("../sweep.js"),
      import("./input.js"),
      import("./output.js"),
      import("../report/table.js"),
      import("../experiments/rows.js"),
      import("../report/progress.js"),
    ]);
  const { signal, release } = interruptSignal();
  const progress = new Progress({ quiet: flags.quiet === true });
  let folder: Folder | null = null;
  let rows: LineWriter | null = null;
  let kept = 0;
  try {
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
    };
    folder = flags.out === undefined ? null : await OutputFolder.open(flags.out, flags.overwrite === true);
    const rowFiles = rowsFiles(sources.map(({ name }) => name));
    let level = 0.95;
    const document = await sweep(sources, {
      ...options,
      signal,
      onNotice: (notice) => {
        if (!flags.quiet) process.stderr.write(`rat: ${notice}\n`);
      },
      onStart: async (plan) => {
        level = plan.sampling.level;
        if (folder !== null) {
          await folder.write(runFile, sweepRecord(files, flags, plan));
          rows = await folder.append(rowFiles.shift() as string);
          await rows.write([rowHeader(plan.quantities)]);
        }
        progress.start(plan.refits, plan.source);
      },
      onProgress: (finished) => progress.update(finished),
      onRows: async (finished) => {
        await rows?.write(finished.map(formatRow));
        kept += finished.length;
      },
      onSweep: async (result: Sweep) => {
        progress.stop();
        await rows?.close();
        rows = null;
        if (!flags.json) await print(`${sweepTable(againstFirst(result), { colour: wantsColour() })}\n\n`);
      },
    });
    if (flags.json) await print(jsonText(document));
    if (folder !== null) await writeResults(folder, document.sweeps, level);
  } catch (error) {
    progress.stop();
    await (rows as LineWriter | null)?.close();
    if (signal.aborted) {
      const where = folder === null || kept === 0 ? "" : `; ${kept} finished refits are kept in ${folder.path}`;
      throw new RatError("interrupted", `interrupted${where}`, {}, { cause: error });
    }
    throw error;
  } finally {
    release();
  }
}

function sweepRecord(files: string[], flags: SweepFlags, { sampling, engine, adapter }: SweepPlan): string {
  const { out: _out, overwrite: _overwrite, ...given } = flags;
  const { seed } = sampling;
  const options = { strategies: [defaultStrategies], ...given, ...sampling };
  return runRecord({ command: "sweep", files, options, seed, engine, adapter });
}

async function writeResults(
  folder: { write(name: string, content: string | Uint8Array): Promise<void> },
  sweeps: readonly Sweep[],
  level: number,
): Promise<void> {
  const [{ pairedCsv, sweepCsv }, { allocationFigure, toPng }] = await Promise.all([
    import("../report/csv.js"),
    import("../report/figure.js"),
  ]);
  await folder.write("sweep.json", jsonText({ sweeps }));
  await folder.write("sweep.csv", sweepCsv(sweeps));
  await folder.write("paired.csv", pairedCsv(sweeps));
  for (const measure of ["mae", "width"] as const) {
    const svg = await allocationFigure(sweeps, measure, { level });
    await folder.write(`${measure}.svg`, svg);
    await folder.write(`${measure}.png`, await toPng(svg));
  }
}

/** The screen shows each strategy against the first one; files hold every pair. */
function againstFirst(sweep: Sweep): Sweep {
  const first = sweep.cells.find(({ strategy }) => strategy !== "base")?.strategy;
  return { ...sweep, paired: sweep.paired.filter(({ versus }) => versus === first) };
}

/** A file of rows for each source: names that every system takes, each different in any case. */
function rowsFiles(sources: readonly string[]): string[] {
  if (sources.length === 1) return ["rows.csv"];
  const taken = new Set<string>();
  return sources.map((source) => {
    const plain = source.replace(/[^\w.-]+/g, "_").replace(/^_+|_+$/g, "");
    let name = `rows-${plain}.csv`;
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `rows-${plain}-${i}.csv`;
    taken.add(name.toLowerCase());
    return name;
  });
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value))
    throw usageError(`${option} must be whole numbers, not ${JSON.stringify(text)}`);
  return value;
}
