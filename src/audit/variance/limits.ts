import { quantileOfF, quantileOfMeanSquare } from "../distributions.js";
import type { Squares } from "./squares.js";

/** A mean square, and its degrees of freedom. */
export interface MeanSquare {
  readonly square: number;
  readonly degrees: number;
}

/** Constants of modified large-sample limits, exact where one mean square is all there is. */
interface Reach {
  readonly g: number;
  readonly h: number;
}

/** @param tail probability beyond either end */
function reachOf(degrees: number, tail: number): Reach {
  return {
    g: 1 - 1 / quantileOfMeanSquare(1 - tail, degrees),
    h: 1 / quantileOfMeanSquare(tail, degrees) - 1,
  };
}

/** Of a difference of two, exact where either is far above the other. */
function crossReach(top: number, bottom: number, tail: number): Reach {
  const [one, other] = [reachOf(top, tail), reachOf(bottom, tail)];
  const [high, low] = [quantileOfF(1 - tail, top, bottom), quantileOfF(tail, top, bottom)];
  return {
    g: ((high - 1) ** 2 - (one.g * high) ** 2 - other.h ** 2) / high,
    h: ((1 - low) ** 2 - (one.h * low) ** 2 - other.g ** 2) / low,
  };
}

/**
 * Modified large-sample limits of a linear combination of independent mean squares (Ting, Burdick, Graybill, Jeyaratnam and
 * Lu 1990, "Confidence intervals on linear combinations of variance components that are unrestricted in sign", Journal of
 * Statistical Computation and Simulation 35, 135-143). Cross terms are those of the first mean square with the others, where
 * their signs differ.
 *
 * @returns limits for given weights, one a mean square
 */
export function combinationLimits(
  squares: readonly MeanSquare[],
  tail: number,
): (weights: readonly number[]) => { readonly value: number; readonly lower: number; readonly upper: number } {
  const own = squares.map(({ degrees }) => reachOf(degrees, tail));
  const cross = squares.slice(1).map(({ degrees }) => crossReach(squares[0].degrees, degrees, tail));
  return (weights) => {
    const terms = squares.map(({ square }, i) => weights[i] * square);
    let [value, below, above] = [0, 0, 0];
    terms.forEach((term, i) => {
      const { g, h } = own[i];
      value += term;
      below += (term * (term > 0 ? g : h)) ** 2;
      above += (term * (term > 0 ? h : g)) ** 2;
      if (i > 0 && terms[0] > 0 && term < 0) {
        below -= cross[i - 1].g * terms[0] * term;
        above -= cross[i - 1].h * terms[0] * term;
      }
    });
    return {
      value,
      lower: value - Math.sqrt(Math.max(0, below)),
      upper: value + Math.sqrt(Math.max(0, above)),
    };
  };
}

/**
 * The same limits of ofQuery MS_query + ofJudge (MS_judge - noise) + ofError MS_error: what a table's variances, and sums of
 * them, are. Of independent queries the noise is MS_error, and counts with it.
 */
export function tableLimits({ query, judge, noise, error, degrees }: Squares, tail: number) {
  const isOne = noise === error;
  const limits = combinationLimits(
    [
      { square: query, degrees: degrees.query },
      { square: judge, degrees: degrees.judge },
      { square: error, degrees: degrees.error },
      ...(isOne ? [] : [{ square: noise, degrees: degrees.noise }]),
    ],
    tail,
  );
  return (ofQuery: number, ofJudge: number, ofError: number) =>
    limits(isOne ? [ofQuery, ofJudge, ofError - ofJudge] : [ofQuery, ofJudge, ofError, -ofJudge]);
}
