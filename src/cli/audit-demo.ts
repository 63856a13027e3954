import { Command } from "commander";
import type { AuditDemoDocument } from "../documents.js";
import { jsonText, print, runRecord, wantsColour } from "./run.js";

interface DemoFlags {
  seed?: string;
  out?: string;
  overwrite?: boolean;
  json?: boolean;
  quiet?: boolean;
}

const defaultSeed = 1;

export function auditDemoCommand(): Command {
  return new Command("demo")
    .description("an article's findings about judges, simulated with a known truth, each beside the printed number")
    .option("--seed <number>", `key of all random numbers, a whole number below 2^53 (default: ${defaultSeed})`)
    .option("--out <folder>", "write the document, the simulated data, figures and run.json there too")
    .option("--overwrite", "replace the run that the folder holds")
    .option("--json", "print one JSON document on standard output, and nothing else there")
    .option("--quiet", "no progress, no notes")
    .action((flags: DemoFlags) => runDemo(flags));
}

/** Simulates and audits the panels, prints and writes what came out. */
export async function runDemo(flags: DemoFlags): Promise<void> {
  const [{ samplingOptions }, demo, { demoCsv, demoFiles }, { demoText }, { Progress }, { OutputFolder, runFile }] =
    await Promise.all([
      import("../options.js"),
      import("../audit/demo.js"),
      import("../report/audit-demo-files.js"),
      import("../report/audit-demo.js"),
      import("../report/progress.js"),
      import("./output.js"),
    ]);
  const seed = flags.seed === undefined ? defaultSeed : samplingOptions.seed.read(flags.seed);
  const { out, overwrite, ...given } = flags;
  const folder = out === undefined ? null : await OutputFolder.open(out, overwrite ? "overwrite" : "new");
  const progress = new Progress({ quiet: flags.quiet === true });
  try {
    progress.start(demo.demoSets, "simulating", "sets");
    let finished = 0;
    const scenes = demo.auditDemo(seed, () => progress.update(++finished));
    progress.stop();
    const files = demoFiles(scenes, seed);
    const findings = Object.values(scenes).flatMap(({ panel }) => panel.findings);
    const document: AuditDemoDocument = {
      seed,
      level: demo.demoLevel,
      rule: demo.agreementRule,
      panels: Object.values(scenes).map(({ panel }) => ({
        ...panel,
        files: files
          .filter((file) => file.panel === panel.panel)
          .map(({ name, rows, command }) => ({ name, rows, command })),
      })),
      compared: findings.filter(({ agrees }) => agrees !== null).length,
      agreeing: findings.filter(({ agrees }) => agrees === true).length,
      curves: {
        reliability: scenes.calibration.diagram,
        panels: scenes.variance.plan,
        differences: scenes.latentClass.differences,
      },
    };
    const text = { colour: wantsColour(), notes: !flags.quiet, folder: out ?? null };
    await print(flags.json ? jsonText(document) : `${demoText(document, text)}\n`);
    if (folder === null) return;
    const options = { ...given, seed: String(seed) };
    const record = runRecord({ command: "audit demo", files: [], options, seed, engine: null, adapter: null });
    await folder.write(runFile, jsonText(record));
    await folder.write("audit-demo.json", jsonText(document));
    await folder.write("audit-demo.csv", demoCsv(document));
    for (const { name, text: content } of files) await folder.write(name, content);
    const [{ demoFigures }, { writeFigure }] = await Promise.all([
      import("../report/audit-demo-figure.js"),
      import("./figures.js"),
    ]);
    for (const [name, svg] of Object.entries(await demoFigures(document))) {
      await writeFigure(folder, name, svg, (notice) => {
        if (!flags.quiet) process.stderr.write(`rat: ${notice}\n`);
      });
    }
  } finally {
    progress.stop();
    await folder?.close();
  }
}
