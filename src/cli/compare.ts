import { Command } from "commander";
import { RatError } from "../errors.js";
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

export interface CompareFlags extends CommonFlags {
  by?: string;
  gate?: string;
}

export function compareCommand(): Command {
  const command = new Command("compare")
    .description("how every two systems differ, with probabilities, and who is best")
    .argument("[files...]", "CSV, TSV, JSONL or JSON, also .gz; - is standard input");
  return addQuantityOptions(addCommonOptions(command))
    .option("--by <column>", "each value of a column is a system")
    .option(
      "--gate <condition>",
      "exit with 1 unless the last system's difference from the first meets it, as in 'P(G=1) > -0.02 @ 0.95'",
    )
    .action((files: string[], flags: CompareFlags) => runCompare(files, flags));
}

/** @param repeated the record of a run that this one is to repeat */
export async function runCompare(files: string[], flags: CompareFlags, repeated?: RunRecord): Promise<void> {
  const [{ compare }, { sourcesOf }, { OutputFolder, runFile }, { compareText }] = await Promise.all([
    import("../compare/compare.js"),
    import("./input.js"),
    import("./output.js"),
    import("../report/compare.js"),
  ]);
  const { signal, release } = interruptSignal();
  let folder: Folder | null = null;
  try {
    folder = flags.out === undefined ? null : await OutputFolder.open(flags.out, flags.overwrite ? "overwrite" : "new");
    const { network, ...chosen } = await chosenNetwork(flags);
    const sampling = samplingOf(flags);
    const onNotice = (notice: string): void => {
      if (!flags.quiet) process.stderr.write(`rat: ${notice}\n`);
    };
    const log = new FitLog(repeated);
    const document = await compare(sourcesOf(files, flags.preset, signal), {
      ...sampling,
      ...recordsOf(flags),
      ...modelOf(flags),
      network,
      quantitySet: flags.quantities,
      quantities: quantitiesOf(flags.quantity),
      gate: flags.gate,
      signal,
      onNotice,
      onFit: log.onFit,
    });
    log.checkAll();
    await print(flags.json ? jsonText(document) : `${compareText(document, { colour: wantsColour() })}\n`);
    if (folder !== null) {
      const [{ differencesFigure }, { writeFigure }] = await Promise.all([
        import("../report/differences-figure.js"),
        import("./figures.js"),
      ]);
      await folder.write(runFile, jsonText(log.record("compare", files, { ...flags, ...chosen })));
      await folder.write("compare.json", jsonText(document));
      const { level = 0.95 } = sampling;
      await writeFigure(folder, "differences", await differencesFigure(document, { level }), onNotice);
    }
    const { gate } = document;
    if (gate?.passed === false) {
      const words = `P = ${gate.probability.toFixed(3)}, wanted ${gate.wanted}`;
      throw new RatError("gate", `the gate ${gate.condition} is not passed: ${words}`);
    }
  } finally {
    release();
    await folder?.close();
  }
}
