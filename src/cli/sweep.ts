import { Command } from "commander";
import type { Sweep } from "../documents.js";
import { RatError, usageError } from "../errors.js";
import { addCommonOptions, type CommonFlags, networkNamed, priorsOf, recordsOf, samplingOf } from "./options.js";
import type { LineWriter } from "./output.js";
import { interruptSignal, jsonText, print, runRecord, wantsColour } from "./run.js";

interface SweepFlags extends CommonFlags {
  base: string;
  add: string;
  strategies: string[];
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
      "--strategies <names...>",
      "which labels the additional records reveal: names, or 'mine: joint 50%, R 30%, T 20%' (kinds joint, R, T, judge, R_J, T_J)",
      ["all-joint,half-joint-R,half-joint-T,all-R,all-T"],
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
  const sources = sourcesOf(files, flags.preset);
  const sampling = samplingOf(flags);
  const options = {
    ...sampling,
    ...recordsOf(flags),
    network: networkNamed(flags.network),
    priors: priorsOf(flags.prior),
    base: wholeNumber("--base", flags.base),
    add: flags.add.split(",").map((text) => wholeNumber("--add", text)),
    strategies: flags.strategies.join(","),
    replicates: wholeNumber("--replicates", flags.replicates),
  };
  const folder = flags.out === undefined ? null : await OutputFolder.open(flags.out, flags.overwrite === true);
  const progress = new Progress({ quiet: flags.quiet === true });
  const { signal, release } = interruptSignal();
  let rows: LineWriter | null = null;
  let kept = 0;
  const record = (seed: number, engine: string, adapter: string | null): string => {
    const { out: _out, overwrite: _overwrite, ...given } = flags;
    return runRecord({ command: "sweep", files, options: { ...given, seed }, seed, engine, adapter });
  };
  try {
    const document = await sweep(sources, {
      ...options,
      signal,
      onNotice: (notice) => {
        if (!flags.quiet) process.stderr.write(`rat: ${notice}\n`);
      },
      onStart: async ({ source, refits, quantities, sampling: { seed }, engine, adapter }) => {
        if (folder !== null) {
          await folder.write(runFile, record(seed, engine, adapter));
          rows = await folder.append(rowsFile(source, sources.length));
          await rows.write([rowHeader(quantities)]);
        }
        progress.start(refits, source);
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
    if (folder !== null) await writeResults(folder, document.sweeps, sampling.level ?? 0.95);
  } catch (error) {
    progress.stop();
    await (rows as LineWriter | null)?.close();
    if (signal.aborted) {
      const where = folder === null ? "" : `; ${kept} finished refits are kept in ${folder.path}`;
      throw new RatError("interrupted", `interrupted${where}`, {}, { cause: error });
    }
    throw error;
  } finally {
    release();
  }
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

/** A file name that every system takes. */
const rowsFile = (source: string, sources: number): string =>
  sources === 1 ? "rows.csv" : `rows-${source.replace(/[^\w.-]+/g, "_").replace(/^_+|_+$/g, "")}.csv`;

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value))
    throw usageError(`${option} must be whole numbers, not ${JSON.stringify(text)}`);
  return value;
}
