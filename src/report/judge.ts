/** What a fit or sweep says of its judge, as lines of its table. */
import type { JudgeComparison, JudgeModel, PairCheck } from "../documents.js";
import { brief, counted, fixed, signed, whole } from "./format.js";
import { type Column, drawGrid, numberColumn, type Painter, pairColumn } from "./grid.js";

/** What isn't learnt about the judge, where that is anything beyond the usual. */
export function judgeLines(judge: JudgeModel | undefined): string[] {
  if (judge === undefined) return [];
  const { held, concentration } = judge;
  if (held !== null) {
    const rates = Object.entries(held).map(([name, rate]) => `${name} ${rate}`);
    return [`judge: rates held at ${rates.join(", ")}`];
  }
  if (concentration === null || concentration === 1) return [];
  return [`judge: Dirichlet prior of concentration ${brief(concentration)} in each state`];
}

export function comparisonLines(comparison: JudgeComparison | undefined, paint: Painter): string[] {
  if (comparison === undefined) return [];
  const { records, logBayesFactor, checks, verdict } = comparison;
  const labelled = `${counted(whole(records), "record")} with all five labels`;
  const lines = [
    paint.bold(`Joint or independent judge, from ${labelled}`),
    "",
    `log Bayes factor ${signed(logBayesFactor, 1)} (+ is for the joint judge)`,
  ];
  if (checks.length > 0) lines.push("", drawGrid(pairColumns, checks, paint));
  return [...lines, "", ...verdict.split(/(?<=;) /), ""];
}

const pairColumns: readonly Column<PairCheck>[] = [
  { head: "together beyond chance, in 1,000 records", align: "left", cells: (pairs) => pairs.map(({ pair }) => pair) },
  numberColumn("seen", ({ observed }) => signed(observed, 2)),
  pairColumn("independent allows", ({ lower, upper }) => [signed(lower, 2), signed(upper, 2)], ["[", ", ", "]"]),
  numberColumn("p", ({ p }) => (p <= 1 / 2000 ? "<0.001" : fixed(p, 3))),
];
