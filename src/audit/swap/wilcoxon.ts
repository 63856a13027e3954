import { type Clusters, clusterSums } from "../cluster.js";
import { logTwoTailsOfNormal } from "../distributions.js";
import { noSignificance, type Significance, significance } from "../significance.js";
import { flipTest, logBothTails } from "./flips.js";

/** Up to so many differences the distribution is counted out, beyond it is normal. */
const mostExactDifferences = 200;

const noDifferences = "undefined (no differences): all scores are the same in both slots";

/** Ranks of absolute differences, doubled so that averages over ties are whole. */
interface Ranks {
  /** The differences by their sizes. */
  readonly order: Uint32Array;
  readonly doubled: readonly number[];
  /** Twice the sum of ranks of positive differences, and of negative ones. */
  readonly up: number;
  readonly down: number;
  /** Sum of t^3 - t over groups of t tied ones. */
  readonly ties: number;
}

/**
 * Two-sided signed-rank test (Wilcoxon 1945, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 80-83):
 * no differences of 0 among these, tied ones share their average rank, W is the smaller sum of ranks. Of few, W's
 * distribution over all signs given the ranks, ties included; of many a normal one with the variance corrected for ties,
 * without continuity correction (Lehmann 1975, "Nonparametrics: Statistical Methods Based on Ranks", section 3.2).
 *
 * @param differences none of them 0
 * @param rounding differences that this sets apart are tied
 */
export function wilcoxon(differences: readonly number[], rounding: number): Significance {
  const n = differences.length;
  const isExact = n <= mostExactDifferences;
  const name = isExact ? "exact Wilcoxon signed-rank" : "normal Wilcoxon signed-rank, corrected for ties";
  if (n === 0) return noSignificance(name, noDifferences);
  const ranks = ranksOf(differences, rounding);
  const doubledW = Math.min(ranks.up, ranks.down);
  return significance(
    name,
    doubledW / 2,
    isExact ? logBothTails(ranks.doubled, doubledW) : logNormal(n, doubledW / 2, ranks),
  );
}

/**
 * The same of rows in clusters: sums of a cluster's signed ranks change their signs together (Rosner, Glynn and Lee 2006,
 * "The Wilcoxon signed rank test for paired comparisons of clustered data", Biometrics 62, 185-192).
 * @param differences those of 0 too, which have no rank
 */
export function clusteredWilcoxon(differences: readonly number[], rounding: number, clusters: Clusters): Significance {
  const name = "Wilcoxon signed-rank";
  const rows = differences.flatMap((value, i) => (value === 0 ? [] : [i]));
  if (rows.length === 0) return noSignificance(name, noDifferences);
  const { order, doubled } = ranksOf(
    rows.map((row) => differences[row]),
    rounding,
  );
  const signed = new Float64Array(differences.length);
  order.forEach((at, i) => {
    signed[rows[at]] = Math.sign(differences[rows[at]]) * doubled[i];
  });
  return flipTest(clusterSums(signed, clusters), name);
}

function ranksOf(differences: readonly number[], rounding: number): Ranks {
  const order = Uint32Array.from(differences.keys()).sort(
    (a, b) => Math.abs(differences[a]) - Math.abs(differences[b]),
  );
  const sorted = Array.from(order, (i) => differences[i]);
  const doubled: number[] = [];
  let [up, down, ties] = [0, 0, 0];
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (end < sorted.length && Math.abs(sorted[end]) - Math.abs(sorted[start]) <= rounding) end++;
    const rank = start + 1 + end;
    for (let i = start; i < end; i++) {
      doubled.push(rank);
      if (sorted[i] > 0) up += rank;
      else down += rank;
    }
    ties += (end - start) ** 3 - (end - start);
    start = end;
  }
  return { order, doubled, up, down, ties };
}

function logNormal(n: number, w: number, { ties }: Ranks): number {
  const mean = (n * (n + 1)) / 4;
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48;
  return logTwoTailsOfNormal((w - mean) / Math.sqrt(variance));
}
