import type { Sweep } from "../documents.js";
import type { OutputFolder } from "./output.js";
import { jsonText, print } from "./run.js";

/** Written last: a folder that holds it held a whole run. */
export const sweepFile = "sweep.json";

const measures = ["mae", "width"] as const;

/** What `writeSweeps` writes. */
export const resultFiles: readonly string[] = [
  ...["sweep.csv", "paired.csv", sweepFile],
  ...measures.flatMap((measure) => [`${measure}.svg`, `${measure}.png`]),
];

/** The tables for people; the screen shows each strategy against the first one, files hold every pair. */
export async function printSweep(sweep: Sweep, colour: boolean): Promise<void> {
  const { sweepTable } = await import("../report/table.js");
  const first = sweep.cells.find(({ strategy }) => strategy !== "base")?.strategy;
  const shown = { ...sweep, paired: sweep.paired.filter(({ versus }) => versus === first) };
  await print(`${sweepTable(shown, { colour })}\n\n`);
}

/** Tables and figures of a whole run. */
export async function writeSweeps(folder: OutputFolder, sweeps: readonly Sweep[], level: number): Promise<void> {
  const [{ pairedCsv, sweepCsv }, { allocationFigure, toPng }] = await Promise.all([
    import("../report/csv.js"),
    import("../report/figure.js"),
  ]);
  await folder.write("sweep.csv", sweepCsv(sweeps));
  await folder.write("paired.csv", pairedCsv(sweeps));
  for (const measure of measures) {
    const svg = await allocationFigure(sweeps, measure, { level });
    await folder.write(`${measure}.svg`, svg);
    await folder.write(`${measure}.png`, await toPng(svg));
  }
  await folder.write(sweepFile, jsonText({ sweeps }));
}
