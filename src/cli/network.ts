import { Command } from "commander";
import type { CompiledNetwork } from "../network/index.js";
import type { Source } from "../source.js";
import { addModelOptions, addQuantityOptions, type CommonFlags, modelOf, quantitiesOf, recordsOf } from "./options.js";
import { interruptSignal, jsonText, print, wantsColour } from "./run.js";

type ExportFlags = Omit<CommonFlags, "seed" | "sampler"> & { stan?: boolean };

export function networkCommand(): Command {
  return new Command("network")
    .description("check a network of your own, or write one for Stan")
    .addCommand(checkCommand())
    .addCommand(exportCommand());
}

function checkCommand(): Command {
  return new Command("check")
    .description("read a network file and print what it is: variables, rows, cells, ambiguous patterns, quantities")
    .argument("<file>", "JSON file of a network, or the name of a shipped one")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .action(runCheck);
}

function exportCommand(): Command {
  const command = new Command("export")
    .description("write a network as a program with the same posterior for another sampler")
    .argument("[files...]", "files of records to write as the program's data; - is standard input")
    .option("--stan", "as a Stan program");
  return addQuantityOptions(addModelOptions(command))
    .option("--out <folder>", "write model.stan there, and data.json where there are records")
    .option("--overwrite", "replace those files where the folder holds them")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .option("--quiet", "no notices")
    .action(runExport);
}

async function runCheck(file: string, flags: { json?: boolean }): Promise<void> {
  const [{ chosenNetwork }, { describeNetwork }, { networkTable }] = await Promise.all([
    import("./network-file.js"),
    import("../network/index.js"),
    import("../report/network.js"),
  ]);
  const { network } = await chosenNetwork({ network: file });
  const document = describeNetwork(network);
  await print(flags.json ? jsonText(document) : `${networkTable(document, { colour: wantsColour() })}\n`);
}

async function runExport(files: string[], flags: ExportFlags): Promise<void> {
  const [{ usageError }, { chosenNetwork }, { networkOf }, { emitStan }, { sourcesOf }] = await Promise.all([
    import("../errors.js"),
    import("./network-file.js"),
    import("../fit.js"),
    import("../network/index.js"),
    import("./input.js"),
  ]);
  if (!flags.stan) throw usageError("name a language to export to: --stan");
  const { signal, release } = interruptSignal();
  try {
    const { network: definition } = await chosenNetwork(flags);
    const network = networkOf({
      network: definition,
      ...modelOf(flags),
      quantitySet: flags.quantities,
      quantities: quantitiesOf(flags.quantity),
    });
    const hasRecords = files.length > 0 || flags.preset !== undefined;
    const sources = hasRecords ? sourcesOf(files, flags.preset, signal) : [];
    if (hasRecords && flags.out === undefined && !flags.json) {
      throw usageError("the program is printed, its data are not: add --out FOLDER for both, or --json");
    }
    const data = await dataOf(sources, network, flags, signal);
    const program = emitStan(network);
    if (flags.out !== undefined) await writeFiles(flags.out, flags.overwrite === true, program, data);
    if (flags.json) await print(jsonText({ network: network.name, program, data }));
    else if (flags.out === undefined) await print(program);
  } finally {
    release();
  }
}

interface SourceData {
  readonly source: string;
  /** Records a pattern. */
  readonly n: number[];
}

async function dataOf(
  sources: readonly Source[],
  network: CompiledNetwork,
  flags: ExportFlags,
  signal: AbortSignal,
): Promise<SourceData[]> {
  const [{ checkSources, countSource }, { stanData }] = await Promise.all([
    import("../source.js"),
    import("../network/index.js"),
  ]);
  const options = { ...recordsOf(flags), signal };
  checkSources(sources, options);
  const data: SourceData[] = [];
  for (const source of sources) {
    const { counts, notices } = await countSource(source, network, options);
    for (const notice of notices) if (!flags.quiet) process.stderr.write(`rat: ${source.name}: ${notice}\n`);
    data.push({ source: source.name, ...stanData(counts) });
  }
  return data;
}

/** @throws RatError (usage) where a file is there already and may not be replaced, (io) */
async function writeFiles(
  folder: string,
  overwrite: boolean,
  program: string,
  data: readonly SourceData[],
): Promise<void> {
  const [{ access, writeFile }, { join }, { usageError }, { makeFolder, writeError }, { fileNames }] =
    await Promise.all([
      import("node:fs/promises"),
      import("node:path"),
      import("../errors.js"),
      import("./io.js"),
      import("./names.js"),
    ]);
  if (folder.trim() === "") throw usageError("--out needs the name of a folder");
  const nameOf = fileNames();
  const files = new Map([["model.stan", program]]);
  for (const { source, n } of data) {
    files.set(data.length === 1 ? "data.json" : `data-${nameOf(source)}.json`, `${JSON.stringify({ n })}\n`);
  }
  for (const name of files.keys()) {
    const isThere = await access(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (isThere && !overwrite)
      throw usageError(`--out ${folder}: ${name} is there already; add --overwrite to replace it`);
  }
  for (const [name, content] of files) {
    try {
      await makeFolder(folder);
      await writeFile(join(folder, name), content);
    } catch (error) {
      throw writeError(join(folder, name), error);
    }
  }
}
