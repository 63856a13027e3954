import { Command, Option } from "commander";
import type { Fit } from "../documents.js";
import type { Draws } from "../engines/engine.js";
import type { RecordCounts } from "../records/index.js";
import type { FitDensities } from "../report/densities-figure.js";
import type { DrawsFormat } from "../report/draws.js";
import type { DrawsFolder } from "./draws-out.js";
import { FitLog } from "./fit-log.js";
import { chosenNetwork } from "./network-file.js";
import {
  addCommonOptions,
  addQuantityOptions,
  type CommonFlags,
  modelOf,
  quantitiesOf,
  recordsOf,
  samplingOf,
} from "./options.js";
import type { OutputFolder as Folder } from "./output.js";
import { interruptSignal, jsonText, print, type RunRecord, wantsColour } from "./run.js";

export interface FitFlags extends CommonFlags {
  by?: string;
  compareJudges?: boolean;
  priorSensitivity?: boolean;
  drawsOut?: string;
  drawsFormat: DrawsFormat;
}

export function fitCommand(): Command {
  const command = new Command("fit")
    .description("posterior of every quantity from files of records")
    .argument("[files...]", "CSV, TSV, JSONL or JSON, also .gz; - is standard input");
  return addQuantityOptions(addCommonOptions(command))
    .option("--by <column>", "fit each value of a column by itself")
    .option(
      "--compare-judges",
      "also whether the judge needs its joint distributions or an independent one would do (rat-judge)",
    )
    .option("--prior-sensitivity", "also fit under three stated priors, and say what depends on them")
    .option("--draws-out <folder>", "write every draw there")
    .addOption(
      new Option(
        "--draws-format <name>",
        "cmdstan: CSV as CmdStan writes it, one file a chain; arrow: one Arrow IPC file",
      )
        .choices(["cmdstan", "arrow"])
        .default("cmdstan"),
    )
    .action(runFit);
}

/** @param repeated the record of a run that this one is to repeat */
export async function runFit(files: string[], flags: FitFlags, repeated?: RunRecord): Promise<void> {
  const [{ fit }, { sourcesOf }, { OutputFolder, runFile }, { fitTable }] = await Promise.all([
    import("../fit.js"),
    import("./input.js"),
    import("./output.js"),
    import("../report/table.js"),
  ]);
  const { signal, release } = interruptSignal();
  let folder: Folder | null = null;
  try {
    const sources = sourcesOf(files, flags.preset, signal);
    const { network, ...chosen } = await chosenNetwork(flags);
    const options = {
      ...samplingOf(flags),
      ...recordsOf(flags),
      network,
      ...modelOf(flags),
      quantitySet: flags.quantities,
      quantities: quantitiesOf(flags.quantity),
      compareJudges: flags.compareJudges,
      priorSensitivity: flags.priorSensitivity,
    };
    folder = flags.out === undefined ? null : await OutputFolder.open(flags.out, flags.overwrite ? "overwrite" : "new");
    const onNotice = (notice: string): void => {
      if (!flags.quiet) process.stderr.write(`rat: ${notice}\n`);
    };
    const drawsFolder = await drawsFolderOf(flags);
    const log = new FitLog(repeated);
    const { fitDensities, mostFits, densitiesFigure } = await import("../report/densities-figure.js");
    const densities: FitDensities[] = [];
    const onFit = async (result: Fit, draws: Draws, counts: RecordCounts): Promise<void> => {
      log.onFit(result, draws, counts);
      if (folder !== null && densities.length < mostFits) densities.push(fitDensities(result, draws.values));
      await drawsFolder?.write(result, draws);
      if (!flags.json) await print(`${fitTable(result, { colour: wantsColour() })}\n\n`);
    };
    const document = await fit(sources, { ...options, signal, trace: drawsFolder !== null, onNotice, onFit });
    log.checkAll();
    if (flags.json) await print(jsonText(document));
    if (folder === null) return;
    const { fitCsv } = await import("../report/csv.js");
    await folder.write(runFile, jsonText(log.record("fit", files, { ...flags, ...chosen })));
    await folder.write("fit.json", jsonText(document));
    await folder.write("fit.csv", fitCsv(document.fits));
    const { writeFigure } = await import("./figures.js");
    await writeFigure(folder, "densities", await densitiesFigure(densities, document.fits.length), onNotice);
  } finally {
    release();
    await (folder as Folder | null)?.close();
  }
}

async function drawsFolderOf(flags: FitFlags): Promise<DrawsFolder | null> {
  if (flags.drawsOut === undefined) return null;
  const { DrawsFolder } = await import("./draws-out.js");
  return DrawsFolder.open(flags.drawsOut, flags.drawsFormat, flags.overwrite === true);
}
