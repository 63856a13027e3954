/** What the report's forms have in common: rows as grids, numbers as text. */
import type { ReproduceDocument, ReproducedClaim, ReproducedRow, ReproducedTable } from "../documents.js";
import { absent, decimalsFor, fixed, signed } from "./format.js";

/** A text of each figure: its SVG, or the name of its file. */
export type Figures = Readonly<Partial<Record<"network" | "mae" | "width" | "systems", string>>>;

/** The figure of all systems stands before the first of the tables that it shows. */
export const isOfSystems = ({ id }: Pick<ReproducedTable, "id">): boolean => id === "table1" || id === "table2";

export const systemsTitle = "The 27 systems at a glance";
export const systemsAbout =
  "Tables 1 and 2 as a figure: the posterior mean of each probability under uniform priors, with its 95% interval, by data " +
  "set and retriever, a symbol a generator.";

export const evidenceWords = {
  construction: "by construction",
  independent: "independent test",
  none: "not recomputed",
} as const;

/** Rows with the same labels, by column and variant. */
export interface GridRow {
  readonly labels: readonly string[];
  readonly cells: ReadonlyMap<string, ReproducedRow>;
}

export interface Grid {
  readonly columns: readonly string[];
  readonly rows: readonly GridRow[];
}

/** @param lineOf a row: what stands on one line; @param columnOf a row: where on it */
export function gridOf(
  rows: readonly ReproducedRow[],
  lineOf: (row: ReproducedRow) => readonly string[],
  columnOf: (row: ReproducedRow) => string,
): Grid {
  const lines = new Map<string, { labels: readonly string[]; cells: Map<string, ReproducedRow> }>();
  for (const row of rows) {
    const labels = lineOf(row);
    const key = JSON.stringify(labels);
    const line = lines.get(key) ?? { labels, cells: new Map() };
    line.cells.set(columnOf(row), row);
    lines.set(key, line);
  }
  return { columns: [...new Set(rows.map(columnOf))], rows: [...lines.values()] };
}

const decimalsOf = (printed: string): number => (printed.includes(".") ? printed.length - printed.indexOf(".") - 1 : 0);

/** Decimals of ours: one more than is printed, and as many as show the error. */
function decimals({ printed, ours, se }: ReproducedRow): number {
  if (printed !== null && !printed.includes(".") && Number.isInteger(ours)) return 0;
  const own = printed === null ? 4 : decimalsOf(printed) + 1;
  return se === null ? own : Math.max(own, decimalsFor([se], 1, 4, 6));
}

/** Ours, with its standard error where there is one. */
export function oursText(row: ReproducedRow): string {
  const text = fixed(row.ours, decimals(row));
  return row.se === null || text === absent ? text : `${text} ± ${fixed(row.se, decimals(row))}`;
}

export const differenceText = (row: ReproducedRow): string =>
  row.difference === null ? absent : signed(row.difference, decimals(row));

export interface Tally {
  readonly printed: number;
  readonly compared: number;
  readonly met: number;
}

/** How many printed numbers a table has, and how many of ours meet them; of variants the first is counted. */
export function tallyOf({ rows }: ReproducedTable): Tally {
  const [first] = rows.map(({ variant }) => variant);
  const own = rows.filter(({ variant, printed }) => printed !== null && variant === first);
  const compared = own.filter(({ met }) => met !== null);
  return { printed: own.length, compared: compared.length, met: compared.filter(({ met }) => met).length };
}

export function tallyText({ printed, compared, met }: Tally): string {
  if (printed === 0) return "no printed numbers";
  if (compared === 0) return `${printed} printed, none recomputed`;
  return `${met} of ${compared} met${compared < printed ? `, ${printed - compared} not recomputed` : ""}`;
}

/** What decides a claim, as a number. */
export function measureText({ measure, value, se }: ReproducedClaim): string {
  if (value === null) return absent;
  if (measure === "count") return Number.isInteger(value) ? String(value) : fixed(value, 5);
  if (measure === "posterior probability") {
    if (value === 1) return "P > 0.999";
    if (value === 0) return "P < 0.001";
    return `P = ${fixed(value, 3)}`;
  }
  const places = decimalsFor([se], 1, 4, 6);
  return `${signed(value, places)} ± ${fixed(se, places)}`;
}

export const verdicts = ["holds", "does not hold", "undecided"] as const;

export const countOf = (claims: readonly ReproducedClaim[], verdict: ReproducedClaim["verdict"]): number =>
  claims.filter((claim) => claim.verdict === verdict).length;

/** The run in one line. */
export function runText({ version, seed, quick, experiments }: ReproduceDocument): string {
  const engines = [...new Set(experiments.flatMap(({ sweeps }) => sweeps.map(engineText)))];
  const parts = [`rat-engine ${version}`, `seed ${seed}`, ...engines];
  if (quick) parts.push("quick run");
  return parts.join(", ");
}

const engineText = ({ engine, adapter }: { engine: string; adapter: string | null }): string =>
  adapter === null ? `engine ${engine}` : `engine ${engine} on ${adapter}`;
