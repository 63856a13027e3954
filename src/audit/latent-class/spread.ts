import { type Clusters, expectedVariance } from "../cluster.js";
import type { ExpectedCounts } from "./em.js";
import type { Patterns } from "./votes.js";

/**
 * The model's rows of probabilities: the prevalence, which each item is of, then those of judge 0 given each class, and so on,
 * which its votes are of, in parts where its class isn't sure.
 */
export const rowOf = (classes: number, judge: number, c: number): number => 1 + judge * classes + c;

/** Adds what an item holds of each row. */
export function addMasses(masses: Float64Array, patterns: Patterns, posterior: Float64Array, p: number): void {
  const { classes, starts, codes } = patterns;
  masses[0]++;
  for (let v = starts[p]; v < starts[p + 1]; v++) {
    const first = rowOf(classes, Math.floor(codes[v] / classes), 0);
    for (let c = 0; c < classes; c++) masses[first + c] += posterior[p * classes + c];
  }
}

/** What all items hold of each row. */
export function totalMasses({ counts }: ExpectedCounts, { judges, classes, voted }: Patterns): Float64Array {
  const totals = new Float64Array(1 + judges * classes);
  totals[0] = voted;
  for (let j = 0; j < judges; j++) {
    for (let l = 0; l < classes; l++) {
      for (let c = 0; c < classes; c++) totals[rowOf(classes, j, c)] += counts[(j * classes + l) * classes + c];
    }
  }
  return totals;
}

/** Effective clusters up to which there is one, but for rounding. */
const oneCluster = 1 + 1e-6;

/**
 * Degrees of freedom of each row's errors: a class that is in few clusters, or a judge that saw few, has few of them, however
 * many there are: as `degreesOf` of the clusters' parts of the row. 0 of one that is in one cluster alone.
 */
export function degreesOfRows(posterior: Float64Array, patterns: Patterns, clusters: Clusters): Float64Array {
  const rows = 1 + patterns.judges * patterns.classes;
  const [own, sums, squares] = [new Float64Array(rows), new Float64Array(rows), new Float64Array(rows)];
  for (const items of membersOf(clusters)) {
    own.fill(0);
    for (const item of items) addMasses(own, patterns, posterior, patterns.patternOf[item]);
    for (let r = 0; r < rows; r++) {
      const variance = expectedVariance(own[r]);
      sums[r] += variance;
      squares[r] += variance * variance;
    }
  }
  return sums.map((sum, r) => {
    const effective = squares[r] > 0 ? sum ** 2 / squares[r] : 0;
    return effective > oneCluster ? Math.max(1, effective - 1) : 0;
  });
}

/** The items of each cluster. */
export function membersOf({ of, count }: Clusters): Uint32Array[] {
  const sizes = new Uint32Array(count);
  for (const g of of) if (g >= 0) sizes[g]++;
  const members = Array.from(sizes, (n) => new Uint32Array(n));
  sizes.fill(0);
  of.forEach((g, i) => {
    if (g >= 0) members[g][sizes[g]++] = i;
  });
  return members;
}
