import type { ArticleFigure } from "./article.js";

/** Probability inside the intervals of estimates: of some twenty, one errs in one run of fifty. */
export const demoLevel = 0.999;

export const agreementRule =
  "agrees: what rounds to the printed number meets our interval (99.9%; of repeated sets, from the least to the greatest), or " +
  "holds our value where it is exact; what the article says in words holds of our whole interval";

/** A number of the article's beside ours. Every number is finite; null is what there isn't. */
export interface DemoFinding {
  readonly id: string;
  readonly finding: string;
  /**
   * `exact`: follows from what was planted by a formula, or holds of any data; `estimate`: from the simulated file, with an
   * interval; `repeated`: over many simulated sets.
   */
  readonly kind: "exact" | "estimate" | "repeated";
  /** The truth that was planted, or what follows from it by a formula; null where no formula tells. */
  readonly planted: number | null;
  readonly value: number;
  readonly lower: number | null;
  readonly upper: number | null;
  /** How the interval was made; null where there is none. */
  readonly interval: string | null;
  /** null where the article says nothing of it. */
  readonly article: ArticleFigure | null;
  /** By the document's rule; null where there is nothing to agree with. */
  readonly agrees: boolean | null;
}

/** One of the article's panels, simulated. */
export interface DemoPanel {
  /** A to E as in the article; `swap` is the swap test, which the article gives no letter. */
  readonly panel: "A" | "B" | "C" | "D" | "swap" | "E";
  readonly title: string;
  /** What was planted, in a sentence. */
  readonly setup: string;
  readonly findings: readonly DemoFinding[];
  /** What the article's numbers can be had from, and what they can't. */
  readonly remarks: readonly string[];
}

interface Ends {
  readonly lower: number | null;
  readonly upper: number | null;
  readonly interval: string | null;
}

const noEnds: Ends = { lower: null, upper: null, interval: null };

/** A number that all simulated data have: without it the demonstration is at fault, not its user. */
export function known(value: number | null | undefined): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Error(`a number of the simulated data is ${value}`);
}

type Head = readonly [id: string, finding: string, article: ArticleFigure | null];

/** What a formula gives. */
export const exact = ([id, finding, article]: Head, value: number): DemoFinding => ({
  ...{ id, finding, kind: "exact", planted: value, value, ...noEnds },
  ...{ article, agrees: agrees(value, noEnds, article) },
});

/** What holds of any data, seen in these, so that there is nothing to estimate. */
export function seen([id, finding, article]: Head, planted: number | null, found: number): DemoFinding {
  // Sums of shares round.
  const value = planted !== null && Math.abs(found - planted) < 1e-12 ? planted : found;
  return { id, finding, kind: "exact", planted, value, ...noEnds, article, agrees: agrees(value, noEnds, article) };
}

/** @param estimate whose value is defined, as it is of all that is simulated here */
export function estimated(
  [id, finding, article]: Head,
  planted: number | null,
  { value, lower, upper, interval }: Ends & { readonly value: number | null },
): DemoFinding {
  const ends = { lower, upper, interval };
  const own = known(value);
  return { id, finding, kind: "estimate", planted, value: own, ...ends, article, agrees: agrees(own, ends, article) };
}

export function repeated(
  [id, finding, article]: Head,
  planted: number | null,
  value: number,
  { lower, upper, interval }: Ends,
): DemoFinding {
  const ends = { lower, upper, interval };
  return { id, finding, kind: "repeated", planted, value, ...ends, article, agrees: agrees(value, ends, article) };
}

/** Rounding errors of a sum of shares. */
const rounding = 1e-9;

function agrees(value: number, { lower, upper }: Ends, article: ArticleFigure | null): boolean | null {
  if (article === null) return null;
  const [least, most] = [lower ?? value, upper ?? value];
  const from = (article.lower ?? -Infinity) - rounding;
  const to = (article.upper ?? Infinity) + rounding;
  return article.inWords ? least >= from && most <= to : least <= to && most >= from;
}
