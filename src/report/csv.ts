/** The documents as CSV: every number in full (its shortest text that reads back the same), null as an empty field. */
import Papa from "papaparse";
import type { Fit, Sweep } from "../documents.js";

type Field = string | number | boolean | null;

const fitColumns = [
  "source",
  "quantity",
  "mean",
  "sd",
  "median",
  "lower",
  "upper",
  "mcse",
  "essBulk",
  "essTail",
  "rhat",
  "k",
  "n",
  "nObserved",
  "nMissing",
  "noData",
];

const cellColumns = [
  "strategy",
  "base",
  "add",
  "replicates",
  "quantity",
  "mae",
  "maeSe",
  "bias",
  "biasSe",
  "rmse",
  "width",
  "widthSe",
  "coverage",
  "coverageSe",
  "maxRhat",
  "minEss",
] as const;

const pairedColumns = [
  "strategy",
  "versus",
  "add",
  "quantity",
  "maeDifference",
  "maeDifferenceSe",
  "widthDifference",
  "widthDifferenceSe",
] as const;

/** One row a source and quantity. */
export function fitCsv(fits: readonly Fit[]): string {
  const rows = fits.flatMap((fit) =>
    fit.quantities.map((q): Field[] => [
      fit.source,
      q.name,
      q.mean,
      q.sd,
      q.median,
      q.lower,
      q.upper,
      q.mcse,
      q.essBulk,
      q.essTail,
      q.rhat,
      q.counted?.k ?? null,
      q.counted?.n ?? null,
      q.nObserved,
      q.nMissing,
      q.noData ?? null,
    ]),
  );
  return toCsv(fitColumns, rows);
}

/** One row a cell of a sweep. */
export function sweepCsv(sweeps: readonly Sweep[]): string {
  const rows = sweeps.flatMap(({ source, cells }) =>
    cells.map((cell): Field[] => [source, ...cellColumns.map((column) => cell[column])]),
  );
  return toCsv(["source", ...cellColumns], rows);
}

/** One row a paired difference of a sweep. */
export function pairedCsv(sweeps: readonly Sweep[]): string {
  const rows = sweeps.flatMap(({ source, paired }) =>
    paired.map((pair): Field[] => [source, ...pairedColumns.map((column) => pair[column])]),
  );
  return toCsv(["source", ...pairedColumns], rows);
}

function toCsv(fields: readonly string[], data: readonly Field[][]): string {
  const text = Papa.unparse({ fields: [...fields], data: [...data] }, { newline: "\n" });
  return text.endsWith("\n") ? text : `${text}\n`;
}
