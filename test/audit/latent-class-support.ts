import type { Votes } from "../../src/audit/latent-class/votes.js";
import { Stream } from "../../src/random/stream.js";

/** Votes of a full table, items by judges; -1 is no vote. */
export function tableVotes(table: number[][], classes = 2): Votes {
  const entries = table.flatMap((row, i) => row.map((l, j) => [i, j, l])).filter(([, , l]) => l >= 0);
  return {
    items: table.length,
    judges: table[0].length,
    classes,
    item: entries.map(([i]) => i),
    judge: entries.map(([, j]) => j),
    label: entries.map(([, , l]) => l),
  };
}

export const unsmoothed = { smoothing: { confusion: 0 }, randomStarts: 0, checkReplicates: 0 } as const;

/** Votes of judges with the given rates, independent given the class; class 1 with the given share. */
export function drawVotes(
  stream: Stream,
  items: number,
  prevalence: number,
  sensitivity: number[],
  specificity: number[],
  missing = 0,
) {
  const truth = Array.from({ length: items }, () => Number(stream.uniform() < prevalence));
  const table = truth.map((y) =>
    sensitivity.map((se, j) => {
      const one = stream.uniform() < (y === 1 ? se : 1 - specificity[j]);
      return stream.uniform() < missing ? -1 : Number(one);
    }),
  );
  return { truth, table };
}

/** Rates between the two, another panel a seed. */
export function panelRates(stream: Stream, judges: number, least = 0.7, most = 0.95): number[] {
  return Array.from({ length: judges }, () => least + (most - least) * stream.uniform());
}

/** Of tests alone. */
export const testStream = (seed: number, id: number): Stream => new Stream(seed, id, 1);

/** Items of a cluster have the truth, and each judge's luck, in common with the given probability. */
export function drawClustered(
  seed: number,
  sizes: readonly number[],
  prevalence: number,
  sensitivity: number[],
  specificity: number[],
  common = 0.6,
) {
  const stream = testStream(seed, 23);
  const [table, of]: [number[][], number[]] = [[], []];
  for (const [g, each] of sizes.entries()) {
    const shared = [prevalence, ...sensitivity].map(() => stream.uniform());
    for (let k = 0; k < each; k++) {
      const luck = shared.map((u) => (stream.uniform() < common ? u : stream.uniform()));
      const positive = luck[0] < prevalence;
      table.push(sensitivity.map((se, j) => Number(positive ? luck[j + 1] < se : luck[j + 1] >= specificity[j])));
      of.push(g);
    }
  }
  return { table, clusters: { of: Int32Array.from(of), count: sizes.length } };
}
