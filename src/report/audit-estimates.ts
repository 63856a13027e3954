/** What the tables of all audits are made of. */
import type { Alarm } from "../audit/alarm.js";
import type { Estimate } from "../audit/estimate.js";
import type { Significance } from "../audit/significance.js";
import { absent, bounded, brief, counted, fixed, percent, whole } from "./format.js";
import { type Column, drawGrid, numberColumn, type Painter, painter } from "./grid.js";

export interface NamedEstimate {
  readonly name: string;
  readonly estimate: Pick<Estimate, "value" | "lower" | "upper"> & Partial<Pick<Estimate, "error" | "reason">>;
}

interface NamedTest {
  readonly name: string;
  readonly test: Significance;
}

/** Names in full, however long. */
export const nameColumn = <Item>(head: string, read: (item: Item) => string): Column<Item> => ({
  head,
  align: "left",
  cells: (items) => items.map(read),
});

/** Of what a table is of; nothing where rows are independent. */
export const inClusters = (clusters: number | null): string =>
  clusters === null ? "" : ` in ${counted(whole(clusters), "cluster")}`;

const format = (value: number | null): string => {
  if (value === null) return absent;
  // Neither a score of a million nor a variance of a millionth has four decimals that say something.
  const size = Math.abs(value);
  return size === 0 || size === 1 || (size >= 1e-4 && size < 1e5) ? fixed(value, 4) : value.toPrecision(5);
};

export const intervalText = ({ lower, upper }: Pick<Estimate, "lower" | "upper">): string =>
  lower === null && upper === null ? absent : `[${format(lower)}, ${format(upper)}]`;

/** Values, errors and intervals; below them why what is undefined is. */
export function estimateGrid(rows: readonly NamedEstimate[], level: number, paint: Painter): string {
  const grid = drawGrid(
    [
      nameColumn<NamedEstimate>("", ({ name }) => name),
      numberColumn<NamedEstimate>("value", ({ estimate }) => format(estimate.value)),
      numberColumn<NamedEstimate>("std. error", ({ estimate }) => format(estimate.error ?? null)),
      numberColumn<NamedEstimate>(`${percent(level)} interval`, ({ estimate }) => intervalText(estimate)),
    ],
    rows,
    paint,
  );
  return [grid, ...reasons(rows.map(({ name, estimate }) => [name, estimate.reason ?? null]))].join("\n");
}

export function testGrid(rows: readonly NamedTest[], paint: Painter): string {
  const grid = drawGrid(
    [
      nameColumn<NamedTest>("test of", ({ name }) => name),
      nameColumn<NamedTest>("by", ({ test }) => test.test),
      numberColumn<NamedTest>("statistic", ({ test }) => brief(test.statistic)),
      numberColumn<NamedTest>("p", ({ test }) => pText(test)),
    ],
    rows,
    paint,
  );
  return [grid, ...reasons(rows.map(({ name, test }) => [`${name}, ${test.test}`, test.reason]))].join("\n");
}

/** Also below what doubles hold, by its logarithm. */
export function pText({ p, log10P }: Significance): string {
  if (p === null || log10P === null) return absent;
  if (p >= 1e-4) return bounded(p, 4);
  const exponent = Math.floor(log10P);
  return `${(10 ** (log10P - exponent)).toFixed(1)}e${exponent}`;
}

const reasons = (pairs: readonly (readonly [string, string | null])[]): string[] =>
  pairs.flatMap(([name, reason]) => (reason === null ? [] : [`${name}: ${reason}`]));

export interface AuditTextOptions {
  /** Default: none. */
  readonly colour?: boolean;
  /** Whether to say what the audit takes for granted and can't show; default: yes. */
  readonly notes?: boolean;
}

/** The text of an audit: its blocks, then its alarms, warnings and notes. */
export function auditText(
  document: Remarks,
  { colour = false, notes = true }: AuditTextOptions,
  blocks: (paint: Painter) => readonly string[],
): string {
  const paint = painter(colour);
  return [...blocks(paint), ...remarks(document, notes, paint)].join("\n\n");
}

interface Remarks {
  readonly alarms?: readonly Alarm[];
  readonly warnings?: readonly string[];
  readonly notes: readonly string[];
}

/** Alarms and warnings always, notes where they are wanted. */
function remarks({ alarms = [], warnings = [], notes }: Remarks, wantsNotes: boolean, paint: Painter): string[] {
  return [
    ...alarms.map(({ defect, subject, p, detail }) => {
      const of = subject === null ? "" : ` (${subject})`;
      return paint.warn(`alarm: ${defect}${of}: ${detail}${p === null ? "" : `, p ${pOf(p)}`}`);
    }),
    ...warnings.map((warning) => paint.warn(`warning: ${warning}`)),
    ...(wantsNotes ? [notes.map((note) => `note: ${note}`).join("\n")] : []),
  ];
}

const pOf = (p: number): string => (p >= 1e-4 ? bounded(p, 4) : p > 0 ? p.toExponential(1) : "< 1e-300");
