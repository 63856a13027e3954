import type { Patterns } from "./labels.js";
import type { Weights } from "./weights.js";

/** Sums over the labels of some items, from which every coefficient follows. */
export interface Tallies {
  readonly patterns: Patterns;
  readonly weights: Weights;
  /** Items with a label. */
  readonly items: number;
  /** Items with labels of two judges or more. */
  readonly comparable: number;
  /** [pattern]: the labels that there are. */
  readonly given: readonly (readonly number[])[];
  /** [pattern]: agreement among its labels, averaged over pairs of judges; 0 without a pair. */
  readonly agreement: readonly number[];
  /** Mean agreement over comparable items; null without any. */
  readonly observed: number | null;
  /** [category]: mean share over items with a label. */
  readonly marginals: readonly number[];
}

export function tally(patterns: Patterns, weights: Weights): Tallies {
  const { labels, counts, categories, judges } = patterns;
  const given = labels.map((row) => (row.length === judges && !row.includes(-1) ? row : row.filter((k) => k >= 0)));
  const agreement = given.map((row) => pairAgreement(row, weights));
  const items = sumOver(counts, (m) => (given[m].length > 0 ? 1 : 0));
  const comparable = sumOver(counts, (m) => (given[m].length >= 2 ? 1 : 0));
  const observed = comparable === 0 ? null : sumOver(counts, (m) => agreement[m]) / comparable;
  const marginals = new Array<number>(categories.length).fill(0);
  given.forEach((row, m) => {
    for (const k of row) marginals[k] += counts[m] / (row.length * items);
  });
  return { patterns, weights, items, comparable, given, agreement, observed, marginals };
}

export const sumOver = (counts: readonly number[], value: (m: number) => number): number =>
  counts.reduce((sum, n, m) => (n === 0 ? sum : sum + n * value(m)), 0);

/** Weighted agreement of all pairs among these labels. */
function pairAgreement(row: readonly number[], weights: Weights): number {
  let sum = 0;
  for (let a = 0; a < row.length; a++) for (let b = 0; b < a; b++) sum += weights[row[a]][row[b]];
  return row.length < 2 ? 0 : sum / ((row.length * (row.length - 1)) / 2);
}

/** [category]: shares among a judge's labels; zeros without labels. */
export function judgeMarginals({ labels, counts, categories }: Patterns, judge: number): number[] {
  const found = new Array<number>(categories.length).fill(0);
  let n = 0;
  labels.forEach((row, m) => {
    if (row[judge] < 0) return;
    found[row[judge]] += counts[m];
    n += counts[m];
  });
  return found.map((count) => count / Math.max(1, n));
}

/** Mean of what the categories of some labels have; 0 without labels. */
export function meanOver(row: readonly number[], of: readonly number[]): number {
  let sum = 0;
  for (const k of row) sum += of[k];
  return row.length === 0 ? 0 : sum / row.length;
}

/**
 * The same items and two more: one on which a pair of judges agrees and one on which it doesn't, each spread evenly over
 * the categories. Of two categories that is half an item in each cell of the table, as Haldane (1956) and Anscombe (1956)
 * have it for the log odds ratio.
 * @param weight of an added item
 */
export function evened(patterns: Patterns, weight: number): Patterns {
  const { categories, judges, labels, counts } = patterns;
  const q = categories.length;
  const row = (a: number, b: number): number[] => Array.from({ length: judges }, (_, j) => [a, b][j] ?? -1);
  const more: number[][] = [];
  const often: number[] = [];
  for (let a = 0; a < q; a++) {
    for (let b = 0; b < q; b++) {
      more.push(row(a, b));
      often.push(a === b ? weight / q : weight / (q * (q - 1)));
    }
  }
  return { ...patterns, labels: [...labels, ...more], counts: [...counts, ...often] };
}
