import { logTwoTailsOfNormal } from "../distributions.js";
import { noSignificance, type Significance, significance } from "../significance.js";

/** Up to so many differences the distribution is counted out, beyond it is normal. */
export const mostExactDifferences = 200;

/** Ranks of absolute differences, doubled so that averages over ties are whole. */
interface Ranks {
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
  if (n === 0) return noSignificance(name, "undefined (no differences): all scores are the same in both slots");
  const ranks = ranksOf(differences, rounding);
  const doubledW = Math.min(ranks.up, ranks.down);
  return significance(
    name,
    doubledW / 2,
    isExact ? logExact(ranks.doubled, doubledW) : logNormal(n, doubledW / 2, ranks),
  );
}

function ranksOf(differences: readonly number[], rounding: number): Ranks {
  const sorted = differences.toSorted((a, b) => Math.abs(a) - Math.abs(b));
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
  return { doubled, up, down, ties };
}

/** log of 2 P(W <= w), at most 0: each sign is as likely as the other, so that a rank is in the sum or not. */
function logExact(doubled: readonly number[], w: number): number {
  // Probabilities of sums up to w alone; at most 200 halvings, which doubles hold.
  const probability = new Float64Array(w + 1);
  probability[0] = 1;
  for (const rank of doubled) {
    for (let sum = w; sum >= 0; sum--) {
      probability[sum] = (probability[sum] + (sum >= rank ? probability[sum - rank] : 0)) / 2;
    }
  }
  return Math.min(0, Math.LN2 + Math.log(probability.reduce((total, value) => total + value, 0)));
}

function logNormal(n: number, w: number, { ties }: Ranks): number {
  const mean = (n * (n + 1)) / 4;
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48;
  return logTwoTailsOfNormal((w - mean) / Math.sqrt(variance));
}
