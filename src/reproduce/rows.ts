import type { ReproducedRow } from "../documents.js";

/** Standard errors within which an estimate meets a printed number: by chance, one in 370 doesn't. */
export const tolerance = 3;

/** Half a unit of the last digit of a number as printed. */
export function halfUnit(printed: string): number {
  const decimals = printed.includes(".") ? printed.length - printed.indexOf(".") - 1 : 0;
  return 0.5 * 10 ** -decimals;
}

/** Whether a printed number is a rounding of ours, to either side where ours lies half way. */
export const meetsDigits = (printed: string, ours: number): boolean =>
  Math.abs(ours - Number(printed)) <= halfUnit(printed) + 1e-9;

/** Whether a printed number is within `tolerance` standard errors of one that rounds to it. */
export const meetsWithin = (printed: string, ours: number, se: number): boolean =>
  Math.abs(ours - Number(printed)) - halfUnit(printed) <= tolerance * se + 1e-9;

interface Place {
  readonly labels: readonly string[];
  readonly column: string;
  readonly variant?: string;
}

/** A number that has no Monte Carlo error. */
export function exactRow(place: Place, printed: string | null, ours: number | null): ReproducedRow {
  const isCompared = printed !== null && ours !== null;
  return row(place, printed, ours, null, isCompared ? meetsDigits(printed, ours) : null);
}

/**
 * An average over replicates.
 * @param printedSe of the printed number, which is an average too
 */
export function estimatedRow(
  place: Place,
  printed: string | null,
  { value, se }: { readonly value: number | null; readonly se: number | null },
  printedSe: number,
): ReproducedRow {
  const isCompared = printed !== null && value !== null && se !== null;
  return row(place, printed, value, se, isCompared ? meetsWithin(printed, value, Math.hypot(se, printedSe)) : null);
}

/** A number that there are no counts to recompute it from. */
export const printedRow = (place: Place, printed: string): ReproducedRow => row(place, printed, null, null, null);

function row(
  { labels, column, variant }: Place,
  printed: string | null,
  ours: number | null,
  se: number | null,
  met: boolean | null,
): ReproducedRow {
  const label = [...labels, column].filter((part) => part !== "").join(", ");
  const difference = met === null ? null : (ours as number) - Number(printed);
  return { labels, label, column, variant: variant ?? null, printed, ours, se, difference, met, mark: null };
}

/**
 * Marks the highest and the lowest printed number of each column; where numbers are equal, all of them.
 * @param groupOf a row: those of each group are compared with one another
 */
export function marked(
  rows: readonly ReproducedRow[],
  groupOf: (row: ReproducedRow) => string = () => "",
): ReproducedRow[] {
  return rows.map((one) => {
    if (one.printed === null) return one;
    const peers = rows.filter((other) => other.column === one.column && groupOf(other) === groupOf(one));
    const values = peers.map(({ printed }) => Number(printed ?? Number.NaN));
    const value = Number(one.printed);
    const mark = value === Math.max(...values) ? "best" : value === Math.min(...values) ? "worst" : null;
    return { ...one, mark };
  });
}
