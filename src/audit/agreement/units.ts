import type { Coincidences } from "./coincidences.js";
import { addItem, noCoincidences } from "./coincidences.js";
import type { Tallies } from "./tally.js";

/** What a bootstrap draws: sorts of items, or of clusters. */
export interface Units {
  readonly name: string;
  /** How many there are of each sort. */
  readonly counts: readonly number[];
  /** [sort]: patterns and how many items of each one of the sort has. */
  readonly parts: readonly (readonly (readonly [row: readonly number[], n: number])[])[];
}

/** Items by their pattern, or clusters by how many items of which pattern they have. */
export function unitsOf({ patterns, given }: Tallies): Units {
  const { together, counts } = patterns;
  if (together === null) {
    const kept = given.map((row, m) => [row, counts[m]] as const).filter(([row, n]) => row.length >= 2 && n > 0);
    return { name: "items", counts: kept.map(([, n]) => n), parts: kept.map(([row]) => [[row, 1]]) };
  }
  const clusters: Map<number, number>[] = Array.from({ length: together.clusters.count }, () => new Map());
  together.pattern.forEach((m, i) => {
    if (given[m].length < 2) return;
    const own = clusters[together.clusters.of[i]];
    own.set(m, (own.get(m) ?? 0) + together.n[i]);
  });
  const sorts = new Map<string, { own: Map<number, number>; n: number }>();
  for (const own of clusters) {
    if (own.size === 0) continue;
    const key = [...own].sort(([a], [b]) => a - b).join(" ");
    const sort = sorts.get(key) ?? { own, n: 0 };
    sort.n++;
    sorts.set(key, sort);
  }
  const found = [...sorts.values()];
  return {
    name: "clusters",
    counts: found.map(({ n }) => n),
    parts: found.map(({ own }) => [...own].map(([m, n]) => [given[m], n] as const)),
  };
}

/** Coincidences of so many units of each sort. What it returns is overwritten by the next. */
export function sampledCoincidences({ parts }: Units, categories: number): (counts: Float64Array) => Coincidences {
  // Those of one unit, without the zeros.
  const sparse = parts.map((own) => {
    const one = noCoincidences(categories);
    for (const [row, n] of own) addItem(one, row, n);
    return { pairs: nonZero(one.pairs), labels: nonZero(one.labels) };
  });
  const sum = noCoincidences(categories);
  return (counts) => {
    sum.pairs.fill(0);
    sum.labels.fill(0);
    sparse.forEach(({ pairs, labels }, u) => {
      const n = counts[u];
      if (n === 0) return;
      addSparse(sum.pairs, pairs, n);
      addSparse(sum.labels, labels, n);
    });
    return sum;
  };
}

interface Sparse {
  readonly at: Int32Array;
  readonly value: Float64Array;
}

function nonZero(values: Float64Array): Sparse {
  const at = Int32Array.from(values.keys()).filter((i) => values[i] !== 0);
  return { at, value: Float64Array.from(at, (i) => values[i]) };
}

function addSparse(sum: Float64Array, { at, value }: Sparse, n: number): void {
  for (let i = 0; i < at.length; i++) sum[at[i]] += n * value[i];
}
