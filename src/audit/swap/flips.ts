import { logTwoTailsOfNormal } from "../distributions.js";
import { noSignificance, type Significance, significance } from "../significance.js";

/** Up to so many clusters the distribution over all signs is counted out: the least of its probabilities is a double. */
const mostExactClusters = 1000;
/** And up to so many steps of the counting. */
const mostSteps = 3e7;

const tooFew = "undefined (fewer than two clusters): nothing tells how they differ";

/**
 * Two-sided test that clusters' sums are as likely to have the other sign, which without a slot effect they are however
 * alike the rows of a cluster may be: the share of all signs whose total is at least as far from 0 (Fisher 1935, "The
 * Design of Experiments", section 21; Canay, Romano and Shaikh 2017, "Randomization tests under an approximate symmetry
 * assumption", Econometrica 85, 1013-1030). Of many clusters the total over the root of the sum of squares is normal
 * (of rows' ranks: Rosner, Glynn and Lee 2006, "The Wilcoxon signed rank test for paired comparisons of clustered data",
 * Biometrics 62, 185-192). With a row a cluster these are the tests of independent rows.
 *
 * @param sums whole numbers, one a cluster
 * @param what of the rows is summed, for the test's name
 */
export function flipTest(sums: Float64Array, what: string): Significance {
  const name = `${what}, all signs of whole clusters`;
  if (sums.length < 2) return noSignificance(name, tooFew);
  const exact = logOfAllSigns(sums);
  return exact === null ? normalFlips(sums, what) : significance(name, zOfFlips(sums), exact);
}

/** log of the share of all signs whose total is as far from 0; null where they are too many to be counted out. */
export function logOfAllSigns(sums: ArrayLike<number>): number | null {
  const sizes: number[] = [];
  let [up, down] = [0, 0];
  for (let g = 0; g < sums.length; g++) {
    if (sums[g] === 0) continue;
    sizes.push(Math.abs(sums[g]));
    if (sums[g] > 0) up += sums[g];
    else down -= sums[g];
  }
  const least = Math.min(up, down);
  if (sizes.length > mostExactClusters || sizes.length * (least + 1) > mostSteps) return null;
  return up === down ? 0 : logBothTails(sizes, least);
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
