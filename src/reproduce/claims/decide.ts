import type { ReproducedClaim, Sweep, SweepCell } from "../../documents.js";
import { normalQuantile } from "../../statistics/normal-quantile.js";

/** A claim before it is decided. */
export type Claim = Pick<ReproducedClaim, "id" | "section" | "claim"> & { readonly contradiction?: string };

/** Probability from which a claim counts as decided, to either side. */
const sure = 0.95;
const z = normalQuantile(sure);

/** By the share of independent posterior draws in which it is true. */
export function byProbability(
  claim: Claim,
  decidedBy: string,
  draws: number,
  isTrue: (draw: number) => boolean,
): ReproducedClaim {
  let hits = 0;
  for (let i = 0; i < draws; i++) if (isTrue(i)) hits++;
  const value = hits / draws;
  const verdict = value >= sure ? "holds" : value <= 1 - sure ? "does not hold" : "undecided";
  const se = Math.sqrt((value * (1 - value)) / draws);
  return finish(claim, { decidedBy, measure: "posterior probability", value, se, verdict });
}

/** A difference with its standard error, and what it is of. */
export interface Difference {
  readonly of: string;
  readonly value: number;
  readonly se: number;
}

/**
 * Holds where all differences are below zero, each with 95 % confidence; does not where one is above zero with as much,
 * its share of the 5 % being that of one among all.
 */
export function byNegative(
  claim: Claim,
  decidedBy: string,
  differences: readonly Difference[],
  paired = true,
): ReproducedClaim {
  const worst = most(differences, ({ value, se }) => value / (se || Number.MIN_VALUE));
  const against = normalQuantile(1 - (1 - sure) / differences.length);
  const verdict =
    worst.value < -z * worst.se ? "holds" : worst.value > against * worst.se ? "does not hold" : "undecided";
  return ofDifference(claim, decidedBy, differences, worst, verdict, paired);
}

/** Holds where all differences are between -margin and margin with 95 % confidence. @param margin of each */
export function byMargin(
  claim: Claim,
  decidedBy: string,
  differences: readonly (Difference & { readonly margin: number })[],
  { paired = true, oneSided = false } = {},
): ReproducedClaim {
  const size = ({ value }: Difference): number => (oneSided ? value : Math.abs(value));
  const worst = most(differences, (one) => (size(one) - one.margin) / (one.se || Number.MIN_VALUE));
  const against = normalQuantile(1 - (1 - sure) / differences.length);
  const beyond = size(worst) - worst.margin;
  const verdict = beyond < -z * worst.se ? "holds" : beyond > against * worst.se ? "does not hold" : "undecided";
  return ofDifference(claim, decidedBy, differences, worst, verdict, paired);
}

/** By counting: nothing is estimated. */
export function byCount(claim: Claim, decidedBy: string, value: number, holds: boolean): ReproducedClaim {
  return finish(claim, { decidedBy, measure: "count", value, se: null, verdict: holds ? "holds" : "does not hold" });
}

function ofDifference(
  claim: Claim,
  decidedBy: string,
  differences: readonly Difference[],
  worst: Difference,
  verdict: ReproducedClaim["verdict"],
  paired: boolean,
): ReproducedClaim {
  const { of, value, se } = worst;
  const which = differences.length === 1 ? of : `the worst of ${differences.length}: ${of}`;
  const measure = paired ? "paired difference" : "difference";
  return finish(claim, { decidedBy: `${decidedBy}; ${which}`, measure, value, se, verdict });
}

const finish = (
  { id, section, claim, contradiction }: Claim,
  decided: Pick<ReproducedClaim, "decidedBy" | "measure" | "value" | "se" | "verdict">,
): ReproducedClaim => ({ id, section, claim, ...decided, contradiction: contradiction ?? null });

const most = <T>(items: readonly T[], size: (item: T) => number): T =>
  items.reduce((a, b) => (size(b) > size(a) ? b : a));

export type Average = "mae" | "width";

const generatorOf = ({ source }: Sweep): string =>
  source.endsWith("apertus") ? "Apertus" : source.endsWith("gemma3") ? "Gemma3" : "Qwen3.5";

const average = (cell: SweepCell, measure: Average): [number, number] =>
  measure === "mae"
    ? [cell.mae ?? Number.NaN, cell.maeSe ?? Number.NaN]
    : [cell.width ?? Number.NaN, cell.widthSe ?? Number.NaN];

export const budgetsOf = ({ cells }: Sweep): number[] =>
  [...new Set(cells.map(({ add }) => add))].filter((add) => add > 0);

/** One average of a sweep. @throws where it has none */
export function cellOf(sweep: Sweep, strategy: string, add: number, quantity: string): SweepCell {
  const isIt = (cell: SweepCell): boolean =>
    cell.strategy === strategy && cell.add === add && cell.quantity === quantity;
  return sweep.cells.find(isIt) as SweepCell;
}

/** Strategy a minus strategy b on the same subsamples. */
export function pairedDifference(
  sweep: Sweep,
  { a, b, add, quantity, measure }: { a: string; b: string; add: number; quantity: string; measure: Average },
): Difference {
  const pair = sweep.paired.find(
    (one) =>
      one.add === add &&
      one.quantity === quantity &&
      [one.strategy, one.versus].includes(a) &&
      [one.strategy, one.versus].includes(b),
  )!;
  const [difference, error] =
    measure === "mae" ? [pair.maeDifference, pair.maeDifferenceSe] : [pair.widthDifference, pair.widthDifferenceSe];
  const sign = pair.strategy === a ? 1 : -1;
  const of = `${measure === "mae" ? "error" : "width"} of ${quantity}, ${a} minus ${b}, ${generatorOf(sweep)}, ${add} additional`;
  return { of, value: sign * (difference ?? Number.NaN), se: error ?? Number.NaN };
}

/** Of two averages of one sweep, as if they were of different subsamples: their errors are at most added. */
export function plainDifference(sweep: Sweep, first: SweepCell, second: SweepCell, measure: Average): Difference {
  const [[a, aSe], [b, bSe]] = [average(first, measure), average(second, measure)];
  const words = (cell: SweepCell): string => (cell.strategy === "base" ? "base alone" : `${cell.strategy} ${cell.add}`);
  const of = `${measure === "mae" ? "error" : "width"} of ${first.quantity}, ${words(first)} minus ${words(second)}, ${generatorOf(sweep)}`;
  return { of, value: a - b, se: Math.hypot(aSe, bSe) };
}
