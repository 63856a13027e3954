import { Command } from "commander";
import { dataError, RatError } from "../errors.js";
import { defaultStrategies } from "../experiments/purchase.js";
import type { RawRow } from "../records/index.js";
import type { Source } from "../source.js";
import { FitLog } from "./fit-log.js";
import { chosenNetwork } from "./network-file.js";
import { addCommonOptions, type CommonFlags, collect, modelOf, recordsOf, samplingOf } from "./options.js";
import type { OutputFolder as Folder } from "./output.js";
import { interruptSignal, jsonText, print, type RunRecord, wantsColour } from "./run.js";

export interface GainFlags extends CommonFlags {
  by?: string;
  strategies?: string[];
  verify?: boolean;
}

/** Of the sweep that `--verify` runs. */
const verification = { base: 100, add: [500], replicates: 200 };

export function gainCommand(): Command {
  const command = new Command("gain")
    .description("how many bits each kind of label tells about P(G=1) and P(T=1), one record by itself")
    .argument("[files...]", "CSV, TSV, JSONL or JSON, also .gz; - is standard input");
  return addCommonOptions(command)
    .option("--by <column>", "each value of a column by itself")
    .option("--strategies <names>", `as for sweep; repeatable (default: ${defaultStrategies})`, collect)
    .option(
      "--verify",
      `simulate too, ${verification.replicates} samples of ${verification.base} + ${verification.add} records, and warn ` +
        "where the order differs; needs fully labelled records",
    )
    .action((files: string[], flags: GainFlags) => runGain(files, flags));
}

/** @param repeated the record of a run that this one is to repeat */
export async function runGain(files: string[], flags: GainFlags, repeated?: RunRecord): Promise<void> {
  const [{ gain, verifyGains }, { sourcesOf }, { OutputFolder, runFile }, { gainTable }] = await Promise.all([
    import("../gain.js"),
    import("./input.js"),
    import("./output.js"),
    import("../report/gain.js"),
  ]);
  const { signal, release } = interruptSignal();
  let folder: Folder | null = null;
  try {
    folder = flags.out === undefined ? null : await OutputFolder.open(flags.out, flags.overwrite ? "overwrite" : "new");
    const given = sourcesOf(files, flags.preset, signal);
    // Read twice, which standard input can't be.
    const sources = flags.verify ? await Promise.all(given.map(held)) : given;
    const { network, ...chosen } = await chosenNetwork(flags);
    const onNotice = (notice: string): void => {
      if (!flags.quiet) process.stderr.write(`rat: ${notice}\n`);
    };
    const strategies = flags.strategies?.join(",");
    const model = { ...recordsOf(flags), ...modelOf(flags), network, strategies, signal };
    const log = new FitLog(repeated);
    let document = await gain(sources, { ...samplingOf(flags), ...model, onNotice, onFit: log.onFit });
    log.checkAll();
    if (flags.verify) {
      const { sweep } = await import("../sweep.js");
      const { seed, engine, workers } = samplingOf(flags);
      const { sweeps } = await sweep(sources, { ...model, ...verification, seed, engine, workers }).catch((error) => {
        if (error instanceof RatError && error.kind === "data" && error.message.includes("--base")) {
          const needed = verification.base + verification.add[0];
          throw dataError(`--verify needs ${needed} fully labelled records to draw samples from`, error.place);
        }
        throw error;
      });
      const before = document;
      document = verifyGains(document, sweeps);
      before.gains.forEach(({ source, quantity, warnings }, i) => {
        if (document.gains[i].warnings.length === warnings.length) {
          onNotice(`${source}: simulation puts the strategies for ${quantity} in no other order`);
        }
      });
    }
    if (flags.json) await print(jsonText(document));
    else for (const one of document.gains) await print(`${gainTable(one, { colour: wantsColour() })}\n\n`);
    if (folder === null) return;
    await folder.write(runFile, jsonText(log.record("gain", files, { ...flags, ...chosen })));
    await folder.write("gain.json", jsonText(document));
  } finally {
    release();
    await (folder as Folder | null)?.close();
  }
}

/** A source whose rows can be read again. */
async function held(source: Source): Promise<Source> {
  if (!("rows" in source)) return source;
  const rows: RawRow[] = [];
  for await (const row of source.rows) rows.push(row);
  return { name: source.name, rows };
}
