import type { Measured } from "./interval.js";
import type { Scale } from "./labels.js";
import { sumOver, type Tallies } from "./tally.js";

/**
 * Krippendorff's alpha = 1 - D_o / D_e (2011, "Computing Krippendorff's Alpha-Reliability"; 2004, "Content Analysis",
 * chapter 11), from coincidences o_ck among the labels of items with two or more: D_o = sum o_ck delta_ck / n and D_e = sum
 * n_c n_k delta_ck / (n (n - 1)), delta 1 for any two categories (nominal), squared differences of values (interval), or
 * squared numbers of labels between two categories, half of those in them included (ordinal).
 */
export interface Coincidences {
  /** o_ck, row after row. */
  readonly pairs: Float64Array;
  /** n_c, the sums of its rows. */
  readonly labels: Float64Array;
}

/** What one item adds: pairs that each add 1 / (labels - 1), and its labels. */
export function addItem({ pairs, labels }: Coincidences, row: readonly number[], n: number): void {
  if (row.length < 2) return;
  const q = labels.length;
  const share = n / (row.length - 1);
  for (let a = 0; a < row.length; a++) {
    labels[row[a]] += n;
    for (let b = 0; b < row.length; b++) if (a !== b) pairs[row[a] * q + row[b]] += share;
  }
}

export const noCoincidences = (categories: number): Coincidences => ({
  pairs: new Float64Array(categories * categories),
  labels: new Float64Array(categories),
});

/** Places of the categories, the squared distances of which are delta; null: all are 1 apart. */
export function placesOf(scale: Scale, values: readonly number[], labels: ArrayLike<number>): Float64Array | null {
  if (scale === "nominal") return null;
  if (scale === "interval") return Float64Array.from(values);
  let before = 0;
  return Float64Array.from(labels, (n) => {
    before += n;
    return before - n / 2;
  });
}

/** Sums over all pairs of coincidences, and over all pairs of labels, of how far they are apart. */
interface Disagreement {
  readonly n: number;
  readonly observed: number;
  readonly expected: number;
}

function disagreementOf({ pairs, labels }: Coincidences, places: Float64Array | null): Disagreement {
  const q = labels.length;
  let [n, observed, expected] = [0, 0, 0];
  for (let c = 0; c < q; c++) {
    n += labels[c];
    for (let k = 0; k < c; k++) {
      const delta = places === null ? 1 : (places[c] - places[k]) ** 2;
      observed += 2 * pairs[c * q + k] * delta;
      expected += 2 * labels[c] * labels[k] * delta;
    }
  }
  return { n, observed, expected };
}

/** null where all labels are the same. */
export function alphaOf(found: Coincidences, scale: Scale, values: readonly number[]): number | null {
  const { n, observed, expected } = disagreementOf(found, placesOf(scale, values, found.labels));
  return expected > 0 ? 1 - ((n - 1) * observed) / expected : null;
}

/**
 * alpha and its derivative along one more item of a pattern: of alpha = 1 - (n - 1) D / E, with D the sum of observed and E
 * that of expected disagreements, it is -[dn D + (n - 1) dD] / E + (n - 1) D dE / E^2. On an ordinal scale D and E change
 * with the places of the categories too, which an item's labels move.
 */
export const measureAlpha =
  (scale: Scale) =>
  ({ given, patterns, comparable }: Tallies): Measured => {
    const { counts, values, categories } = patterns;
    const q = categories.length;
    const all = noCoincidences(q);
    given.forEach((row, m) => {
      addItem(all, row, counts[m]);
    });
    const places = placesOf(scale, values, all.labels);
    const { n, observed, expected } = disagreementOf(all, places);
    const value = 1 - ((n - 1) * observed) / expected;
    const apart = (c: number, k: number): number => (c === k ? 0 : places === null ? 1 : (places[c] - places[k]) ** 2);
    const labels = Array.from(all.labels);
    const ofExpected = labels.map((_, c) => 2 * labels.reduce((sum, own, k) => sum + own * apart(c, k), 0));
    const moved = scale === "ordinal" && places !== null ? movesOf(all, places) : null;
    const change = (m: number): number => {
      const row = given[m];
      if (row.length < 2) return 0;
      let [dObserved, dExpected] = [0, 0];
      row.forEach((c, a) => {
        for (let b = 0; b < a; b++) dObserved += (2 * apart(c, row[b])) / (row.length - 1);
        dObserved += moved?.observed[c] ?? 0;
        dExpected += ofExpected[c] + (moved?.expected[c] ?? 0);
      });
      return (
        -(row.length * observed + (n - 1) * dObserved) / expected + ((n - 1) * observed * dExpected) / expected ** 2
      );
    };
    const changes = counts.map((_, m) => change(m));
    // Not quite 0, by the - 1 of n - 1.
    const mean = sumOver(counts, (m) => changes[m]) / comparable;
    const same = labels.reduce((sum, own) => sum + own * (own - 1), 0) / (n * (n - 1));
    return { value, influence: (m) => (given[m].length < 2 ? 0 : changes[m] - mean), chance: same, singles: false };
  };

/** [category]: what one more label of it does to the sums of disagreements by moving the places of categories. */
function movesOf({ pairs, labels }: Coincidences, places: Float64Array) {
  const q = labels.length;
  const slope = (weight: (c: number, k: number) => number): number[] =>
    Array.from({ length: q }, (_, c) => {
      let sum = 0;
      for (let k = 0; k < q; k++) sum += weight(c, k) * (places[c] - places[k]);
      return 4 * sum;
    });
  // A label moves the middle of its own category by a half and those after it by 1.
  const summed = (slopes: readonly number[]): number[] => {
    let after = 0;
    const found = new Array<number>(q).fill(0);
    for (let c = q - 1; c >= 0; c--) {
      found[c] = after + slopes[c] / 2;
      after += slopes[c];
    }
    return found;
  };
  return {
    observed: summed(slope((c, k) => pairs[c * q + k])),
    expected: summed(slope((c, k) => labels[c] * labels[k])),
  };
}
