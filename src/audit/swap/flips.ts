import { logTwoTailsOfNormal } from "../distributions.js";
import { noSignificance, type Significance, significance } from "../significance.js";

/** Up to so many clusters the distribution over all signs is counted out: the least of its probabilities is a double. */
const mostExactClusters = 1000;
/** And up to so many steps of the counting, for sums of up to so many units. */
const mostSteps = 3e7;
const mostUnits = 1e6;
/** Of that to which they are rounded where there are more. */
const roundedUnits = 1e4;

const tooFew = "undefined (fewer than two clusters): nothing tells how they differ";

/**
 * Two-sided test that clusters' sums are as likely to have the other sign, which without a slot effect they are however
 * alike the rows of a cluster may be: the share of all signs whose total is at least as far from 0 (Fisher 1935, "The
 * Design of Experiments", section 21; Canay, Romano and Shaikh 2017, "Randomization tests under an approximate symmetry
 * assumption", Econometrica 85, 1013-1030). Of many clusters the total over the root of the sum of squares is normal
 * (of rows' ranks: Rosner, Glynn and Lee 2006, "The Wilcoxon signed rank test for paired comparisons of clustered data",
 * Biometrics 62, 185-192). With a row a cluster these are the tests of independent rows. The statistic is the total over
 * that root in either case.
 *
 * @param sums one a cluster
 * @param what of the rows is summed, for the test's name
 */
export function flipTest(sums: Float64Array, what: string): Significance {
  const name = `${what}, all signs of whole clusters`;
  if (sums.length < 2) return noSignificance(name, tooFew);
  const exact = logOfAllSigns(sums);
  return exact === null ? normalFlips(sums, what) : significance(name, zOfFlips(sums), exact);
}

/**
 * log of the share of all signs whose total is as far from 0; null where they are too many to be counted out.
 *
 * Sums are counted in whole units: the largest that all are multiples of, or, where that would take too many steps, a small
 * one to which they are rounded. Rounding treats both signs alike, so that the test keeps its level: it is that of the
 * rounded sums.
 */
export function logOfAllSigns(sums: ArrayLike<number>): number | null {
  const given = Array.from(sums).filter((sum) => sum !== 0);
  if (given.length > mostExactClusters) return null;
  const total = (sign: number): number => given.reduce((all, sum) => all + Math.max(0, sign * sum), 0);
  const least = Math.min(total(1), total(-1));
  // On one side all sums are as far from 0 as they can be, whatever their sizes.
  if (least === 0) return Math.min(0, (1 - given.length) * Math.LN2);
  const common = commonUnit(given);
  const isCountable = common !== null && least / common <= Math.min(mostUnits, mostSteps / given.length);
  const unit = isCountable ? common : least / roundedUnits;
  const sizes: number[] = [];
  let [up, down] = [0, 0];
  for (const sum of given) {
    const size = Math.round(Math.abs(sum) / unit);
    if (size === 0) continue;
    sizes.push(size);
    if (sum > 0) up += size;
    else down += size;
  }
  return up === down ? 0 : logBothTails(sizes, Math.min(up, down));
}

/** The largest number that these are whole multiples of, by Euclid's algorithm; null where there is none but for rounding. */
function commonUnit(sums: readonly number[]): number | null {
  const largest = sums.reduce((most, sum) => Math.max(most, Math.abs(sum)), 0);
  const rounding = 1e-10 * largest;
  let unit = 0;
  for (const sum of sums) {
    let [a, b] = [Math.abs(sum), unit];
    while (b > rounding) {
      const rest = a % b;
      [a, b] = [b, b - rest <= rounding ? 0 : rest];
    }
    unit = a;
  }
  const isCommon = sums.every((sum) => Math.abs(sum / unit - Math.round(sum / unit)) < 1e-4);
  return isCommon ? unit : null;
}

export function normalFlips(sums: Float64Array, what: string): Significance {
  const name = `${what}, normal over whole clusters`;
  if (sums.length < 2) return noSignificance(name, tooFew);
  const z = zOfFlips(sums);
  return significance(name, z, logTwoTailsOfNormal(z));
}

/** Total / sqrt(sum of squares), which is the statistic of all signs too. */
export function zOfFlips(sums: ArrayLike<number>): number {
  let [total, squares] = [0, 0];
  for (let g = 0; g < sums.length; g++) {
    total += sums[g];
    squares += sums[g] * sums[g];
  }
  return total === 0 ? 0 : total / Math.sqrt(squares);
}

/**
 * log of 2 P(S <= most), at most 0, for the sum S of those sizes that a fair coin picks, each by a toss of its own.
 * @param sizes whole numbers above 0; up to a thousand, whose halvings doubles hold
 */
export function logBothTails(sizes: readonly number[], most: number): number {
  // Probabilities of sums up to `most` alone.
  const probability = new Float64Array(most + 1);
  probability[0] = 1;
  for (const size of sizes) {
    for (let sum = most; sum >= 0; sum--) {
      probability[sum] = (probability[sum] + (sum >= size ? probability[sum - size] : 0)) / 2;
    }
  }
  return Math.min(0, Math.LN2 + Math.log(probability.reduce((total, value) => total + value, 0)));
}
