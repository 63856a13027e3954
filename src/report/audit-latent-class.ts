import type { Estimate } from "../audit/estimate.js";
import type { AuditLatentClassDocument } from "../documents.js";
import { type AuditTextOptions, auditText, estimateGrid, inClusters } from "./audit-estimates.js";
import { bounded, counted, fixed, percent, whole } from "./format.js";
import { drawGrid, numberColumn, type Painter, textColumn } from "./grid.js";

type Judge = AuditLatentClassDocument["judges"][number];
type Class = AuditLatentClassDocument["classes"][number];

/** Rates of more are in the document and the figure alone. */
const mostClasses = 6;

/** Classes whose rates have room beside each other; of more each has a row. */
const mostAcross = 2;

/** Classes, judges, and how far the model can be trusted; what is said of each item is in the document alone. */
export const latentClassText = (document: AuditLatentClassDocument, options: AuditTextOptions = {}): string =>
  auditText(document, options, (paint) => latentClassBlocks(document, paint));

function latentClassBlocks(document: AuditLatentClassDocument, paint: Painter): string[] {
  const { source, items, judgeCount, votes, clusters, classes, judges, gold, level, seed } = document;
  const counts = [counted(whole(items), "item"), counted(whole(judgeCount), "judge"), counted(whole(votes), "vote")];
  const blocks = [
    paint.bold(`${source}: ${counts.join(", ")}${inClusters(clusters)}`),
    paint.bold(`${percent(level)} intervals`),
    drawGrid(classColumns, classes, paint),
    judgesBlock(judges, classes, paint),
    independenceText(document),
  ];
  if (gold !== null) {
    const grid = estimateGrid(
      [
        { name: "this model", estimate: gold.fitted },
        { name: "majority vote", estimate: gold.majority },
        { name: "difference", estimate: gold.difference },
      ],
      level,
      paint,
    );
    blocks.push(`${paint.bold(`share right of ${counted(whole(gold.items), "item")} with gold`)}\n\n${grid}`);
  }
  blocks.push(`seed ${seed}; what is probable of each item is in the JSON document: --json or --out FOLDER`);
  return blocks;
}

const classColumns = [
  textColumn<Class>("class", ({ name }) => name),
  numberColumn<Class>("prevalence", ({ prevalence }) => withInterval(prevalence)),
];

function judgesBlock(judges: readonly Judge[], classes: readonly Class[], paint: Painter): string {
  if (classes.length > mostAcross && classes.length <= mostClasses) return longBlock(judges, classes, paint);
  const rates = classes.length > mostClasses ? [] : classes.map(({ name }, c) => ({ head: headOf(name, c), c }));
  const columns = [
    textColumn<Judge>("judge", ({ judge }) => judge),
    numberColumn<Judge>("votes", ({ votes }) => whole(votes)),
    ...rates.map(({ head, c }) => numberColumn<Judge>(head, (judge) => withInterval(rateOf(judge, c)))),
    numberColumn<Judge>("informedness", ({ informedness }) => withInterval(informedness)),
  ];
  return drawGrid(columns, judges, paint);
}

const rateOf = ({ confusion, lower, upper }: Judge, c: number) => ({
  value: confusion[c][c],
  lower: lower[c][c],
  upper: upper[c][c],
});

/** A row a judge and class. */
function longBlock(judges: readonly Judge[], classes: readonly Class[], paint: Painter): string {
  const rows = judges.flatMap((judge) => classes.map(({ name }, c) => ({ judge, name, c })));
  type Row = (typeof rows)[number];
  /** Of a judge's first row alone. */
  const once = (of: (judge: Judge) => string) => (row: Row) => (row.c === 0 ? of(row.judge) : "");
  const columns = [
    textColumn<Row>(
      "judge",
      once(({ judge }) => judge),
    ),
    numberColumn<Row>(
      "votes",
      once(({ votes }) => whole(votes)),
    ),
    textColumn<Row>("class", ({ name }) => name),
    numberColumn<Row>("P(says it | it is it)", ({ judge, c }) => withInterval(rateOf(judge, c))),
    numberColumn<Row>(
      "informedness",
      once(({ informedness }) => withInterval(informedness)),
    ),
  ];
  return drawGrid(columns, rows, paint);
}

/** Three decimals: a line holds three of these. */
function withInterval({ value, lower, upper }: Pick<Estimate, "value" | "lower" | "upper">): string {
  const text = (number: number | null): string => bounded(number, 3);
  return lower === null || upper === null ? text(value) : `${text(value)} [${text(lower)}, ${text(upper)}]`;
}

function headOf(name: string, c: number): string {
  return c === 1 ? `sensitivity (${name})` : `specificity (${name})`;
}

function independenceText({ independence, independenceNote }: AuditLatentClassDocument): string {
  if (independence === null) return independenceNote ?? "";
  const { p, pairs, falseAlarm, fails } = independence;
  const chance = `independent ones fail ${fixed(falseAlarm, 2)} of the time`;
  return `independence of the judges, ${counted(whole(pairs), "pair")}: p ${fixed(p, 2)}, ${fails ? "fails" : "passes"} (${chance})`;
}
