import { betaQuantile, halfWidthOfT } from "../distributions.js";
import { normalWidth } from "../estimate.js";

/** An interval, and the share that it lies around: without pseudo-counts, but for those beyond one a row. */
export interface RateInterval {
  readonly lower: number;
  readonly upper: number;
  readonly centre: number;
}

interface RateInput {
  /** With pseudo-counts. */
  readonly value: number;
  /** NaN on the boundary, where the votes count as if their classes were known. */
  readonly error: number;
  /** Expected votes, with pseudo-counts. */
  readonly mass: number;
  /** Pseudo-counts of each label, and how many of these there are. */
  readonly pseudo: number;
  readonly classes: number;
  readonly level: number;
  /** Degrees of freedom of the error, at most; Infinity where items are independent, 0 where nothing tells the error. */
  readonly degrees: number;
}

/**
 * Interval of a rate whose class isn't seen: Jeffreys' interval, Beta(x + 1/2, n - x + 1/2), of the number of votes that,
 * were the classes known, would have the same standard error, N = v (1 - v) / error^2 with pseudo-counts (after Korn and
 * Graubard 1998, "Confidence intervals for proportions with small expected number of positive counts estimated from survey
 * data", Survey Methodology 24, 193-201, who shrink n by (z / t)^2 too: the error of few votes is itself uncertain).
 * Where classes are known it is Jeffreys' own, but for that. Pseudo-counts beyond one a row, as many as Jeffreys' has, are
 * added: they are the user's word on what rates are, and the interval lies around what they make of the votes.
 */
export function rateInterval({ value, error, mass, pseudo, classes, level, degrees }: RateInput): RateInterval | null {
  const tells = Number.isFinite(error) && error > 0;
  // Votes whose classes aren't seen tell no more than those whose are: bootstraps near 0 or 1 say otherwise.
  const seen = Math.min(mass, tells ? (value * (1 - value)) / error ** 2 : mass);
  const size = degrees < Infinity ? Math.min(seen, sizeOfClusters(value, tells ? error : 0, mass, degrees + 1)) : seen;
  if (!(size > 0 && degrees > 0)) return null;
  const allPseudo = classes * pseudo;
  const shrink = (normalWidth(level) / widthOfT(level, Math.min(degrees, Math.max(1, size)))) ** 2;
  const n = Math.max(0, size - allPseudo);
  const x = Math.min(n, Math.max(0, value * size - pseudo));
  const more = Math.max(0, allPseudo - 1) / classes;
  const [a, b] = [x * shrink + 0.5 + more, (n - x) * shrink + 0.5 + (classes - 1) * more];
  const lower = value === 0 || a === 0.5 ? 0 : betaQuantile((1 - level) / 2, a, b);
  const upper = value === 1 || b === 0.5 ? 1 : betaQuantile((1 + level) / 2, a, b);
  const known = n + classes * more;
  return {
    lower: Math.min(lower, value),
    upper: Math.max(upper, value),
    centre: known > 0 ? (x + more) / known : value,
  };
}

/**
 * Independent votes that tell as much as those of clusters do, told by them and by two clusters more, one of this label alone
 * and one without it, as `clusteredShare` does: where nearly all votes are alike, the few that aren't may not show how alike
 * votes of a cluster are.
 */
function sizeOfClusters(share: number, error: number, votes: number, clusters: number): number {
  const each = votes / clusters;
  const spread = share * (1 - share);
  const alike = error > 0 && spread > 0 ? Math.min(each, Math.max(1, (votes * error ** 2) / spread)) : each;
  const added = (each + alike) / 2;
  const all = votes + 2 * added;
  const sums = ((clusters - 1) / clusters) * (error * votes) ** 2 + added ** 2 * ((1 - share) ** 2 + share ** 2);
  const shrunk = (share * votes + added) / all;
  return (shrunk * (1 - shrunk)) / (((clusters + 2) / (clusters + 1)) * (sums / all ** 2));
}

/**
 * Interval of (sum of rates - 1) / (rates - 1) from those of the rates: the distances to their ends, squared and summed
 * (MOVER: Newcombe 1998, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17,
 * 873-890, method 10), times what correlation makes of the sum of their variances.
 *
 * @param inflation variance of the sum over the sum of the variances
 */
export function sumInterval(rates: readonly RateInterval[], inflation: number): { lower: number; upper: number } {
  const of = (sum: number): number => (sum - 1) / (rates.length - 1);
  const [low, high] = [of(0), 1];
  const centre = rates.reduce((sum, rate) => sum + rate.centre, 0);
  const distance = (end: "lower" | "upper"): number =>
    Math.sqrt(inflation * rates.reduce((sum, rate) => sum + (rate[end] - rate.centre) ** 2, 0));
  return {
    lower: Math.max(low, of(centre - distance("lower"))),
    upper: Math.min(high, of(centre + distance("upper"))),
  };
}

const widths = new Map<string, number>();

/** Student's quantile; judges of a panel ask for the same ones. */
function widthOfT(level: number, degrees: number): number {
  // Beyond, a normal one to four digits.
  if (degrees > 1e5) return normalWidth(level);
  const rounded = Math.max(1, Number(degrees.toPrecision(3)));
  const key = `${level} ${rounded}`;
  const width = widths.get(key) ?? halfWidthOfT(level, rounded);
  if (widths.size < 5000) widths.set(key, width);
  return width;
}
