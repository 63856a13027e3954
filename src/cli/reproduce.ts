import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import type { ReproduceDocument } from "../documents.js";
import { RatError, usageError } from "../errors.js";
import { samplingOptions } from "../options.js";
import type { Progress } from "../report/progress.js";
import { type Figures, isOfSystems } from "../report/reproduce-cells.js";
import { type CommonFlags, samplingOf } from "./options.js";
import type { OutputFolder as Folder } from "./output.js";
import { runFile } from "./output.js";
import type { KeptSweeps as Kept } from "./reproduce-run.js";
import {
  differenceOf,
  interruptSignal,
  jsonText,
  print,
  type RunRecord,
  readRunRecord,
  runRecord,
  wantsColour,
} from "./run.js";

export interface ReproduceFlags
  extends Pick<CommonFlags, "out" | "overwrite" | "json" | "quiet" | "seed" | "engine" | "workers"> {
  only?: string;
  quick?: boolean;
  resume?: boolean;
}

/** Written last: a folder that holds it held a whole run. */
const documentFile = "reproduce.json";

export function reproduceCommand(): Command {
  const command = new Command("reproduce").description(
    "every table, figure and claim of the paper, recomputed from the shipped counts: one HTML report",
  );
  for (const name of ["seed", "engine", "workers"] as const) {
    const { description, defaultText } = samplingOptions[name];
    command.option(`--${name} <${name === "engine" ? "name" : "number"}>`, `${description} (default: ${defaultText})`);
  }
  return command
    .option("--out <folder>", "write the report there: HTML, Markdown, JSON, CSV, figures, and each experiment's rows")
    .option(
      "--only <names>",
      "some of it, separated by commas: table1 to table11, fig1 to fig3, coverage, appendixF, claims",
    )
    .option("--quick", "fewer replicates, in seconds")
    .option("--resume", "go on with the run that the --out folder holds, or begin it")
    .option("--overwrite", "replace the run that the folder holds")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .option("--quiet", "no progress, no notices")
    .action((flags: ReproduceFlags) => runReproduce(flags));
}

export async function runReproduce(flags: ReproduceFlags): Promise<void> {
  const [{ reproduce }, { KeptSweeps }, { OutputFolder }, { Progress }] = await Promise.all([
    import("../reproduce/reproduce.js"),
    import("./reproduce-run.js"),
    import("./output.js"),
    import("../report/progress.js"),
  ]);
  const { out, resume, overwrite, quick = false } = flags;
  if (resume && overwrite) throw usageError("--resume keeps what --overwrite would remove: give one of them");
  if (resume && out === undefined) throw usageError("--resume needs --out, the folder of the run");
  const { signal, release } = interruptSignal();
  const progress = new Progress({ quiet: flags.quiet === true });
  const mode = resume ? "resume" : overwrite ? "overwrite" : "new";
  let folder: Folder | null = null;
  let sweeps: Kept | null = null;
  try {
    folder = out === undefined ? null : await OutputFolder.open(out, mode);
    const earlier = folder?.resumes ? await readRunRecord(folder.file(runFile)) : null;
    const sampling = samplingOf({ ...flags, network: "rat" });
    const seed = sampling.seed ?? earlier?.seed ?? randomSeed();
    const only = flags.only?.split(",");
    const record = recordOf(flags, seed);
    if (folder !== null && earlier !== null) {
      const difference = differenceOf(record, earlier);
      if (difference !== null) throw usageError(`--resume ${folder.path}: this is another run: ${difference}`);
    }
    const onNotice = (notice: string): void => {
      if (!flags.quiet) process.stderr.write(`rat: ${notice}\n`);
    };
    const begin = async (): Promise<void> => {
      if (folder === null) return;
      await folder.write(runFile, jsonText(record));
      if (mode === "overwrite") await removeExperiments(folder);
    };
    const isDone = folder?.holds(documentFile) === true;
    sweeps = folder === null ? null : new KeptSweeps(folder, mode === "overwrite" ? "new" : mode, begin);
    const document = isDone
      ? ((await folder?.readJson(documentFile)) as ReproduceDocument)
      : await reproduce({
          ...sampling,
          ...{ seed, only, quick, signal, onNotice },
          onProgress: showIn(progress),
          ...(sweeps !== null && { run: sweeps.run }),
        });
    progress.stop();
    if (flags.json) await print(jsonText(document));
    else {
      const { reproduceText } = await import("../report/reproduce-text.js");
      await print(`${reproduceText(document, { colour: wantsColour() })}\n`);
    }
    if (folder === null) {
      if (!flags.json) onNotice("add --out DIR for the report");
      return;
    }
    await sweeps?.begin();
    await writeReport(folder, document);
    if (!flags.json) await print(`report: ${join(folder.path, "report.html")}\n`);
  } catch (error) {
    progress.stop();
    if (!signal.aborted) throw error;
    const kept = sweeps?.kept ?? 0;
    const how = `; ${kept} finished refits are kept in ${folder?.path}, and --resume goes on with them`;
    throw new RatError("interrupted", `interrupted${kept === 0 ? "" : how}`, {}, { cause: error });
  } finally {
    release();
    await folder?.close();
  }
}

const randomSeed = (): number => Math.floor(Math.random() * 2 ** 32);

function recordOf(flags: ReproduceFlags, seed: number): RunRecord {
  const { out: _out, overwrite: _overwrite, resume: _resume, ...options } = flags;
  const { engine = "auto" } = options;
  return runRecord({ command: "reproduce", files: [], options: { ...options, seed }, seed, engine, adapter: null });
}

/** A new bar whenever something else is worked on. */
function showIn(progress: Progress) {
  let current: string | null = null;
  return (label: string, finished: number, total: number): void => {
    if (label !== current)
      progress.start(total, label, label.includes(",") && !label.startsWith("posteriors") ? "refits" : "systems");
    current = label;
    progress.update(finished);
  };
}

/** Experiments of the run that is overwritten. */
async function removeExperiments(folder: Folder): Promise<void> {
  const { experiments } = await import("../reproduce/experiments.js");
  for (const { name } of experiments) {
    const holdsRun = await stat(join(folder.file(name), runFile)).catch(() => null);
    if (holdsRun !== null) await rm(folder.file(name), { recursive: true });
  }
}

async function writeReport(folder: Folder, document: ReproduceDocument): Promise<void> {
  const [{ allocationFigure, toPng }, { networkFigure }, { reproduceHtml }, text] = await Promise.all([
    import("../report/figure.js"),
    import("../report/network-figure.js"),
    import("../report/reproduce-html.js"),
    import("../report/reproduce-text.js"),
  ]);
  const allocation = document.experiments.find(({ name }) => name === "allocation")?.sweeps ?? [];
  const figures: { -readonly [name in keyof Figures]: string } = {};
  const files: typeof figures = {};
  for (const { id, figure } of document.tables) {
    if (figure === null) continue;
    const svg = figure === "network" ? networkFigure() : await allocationFigure(allocation, figure, { level: 0.95 });
    figures[figure] = svg;
    files[figure] = `${id}.svg`;
    await folder.write(`${id}.svg`, svg);
    await folder.write(`${id}.png`, await toPng(svg));
  }
  if (document.tables.some(isOfSystems)) {
    const [{ systemIntervals }, { systemsFigure }] = await Promise.all([
      import("../reproduce/systems.js"),
      import("../report/systems-figure.js"),
    ]);
    figures.systems = await systemsFigure(await systemIntervals({ seed: document.seed }));
    files.systems = "fig-systems.svg";
    await folder.write("fig-systems.svg", figures.systems);
    await folder.write("fig-systems.png", await toPng(figures.systems));
  }
  await folder.write("numbers.csv", text.numbersCsv(document));
  await folder.write("claims.csv", text.claimsCsv(document));
  await folder.write("report.md", text.reproduceMarkdown(document, files));
  await folder.write("report.html", reproduceHtml(document, figures));
  await folder.write(documentFile, jsonText(document));
}
