import type { PairCheck } from "../documents.js";
import { STREAM_PREDICTIVE } from "../generated/layout.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { Stream } from "../random/stream.js";
import { Variates } from "../random/variates.js";

/** Data sets that are drawn from the independent judge. */
const replicates = 2000;

/** Records of each state: [R][A][T][R_J][T_J] as bits of an index, R the highest. */
type Table = Float64Array;
const bits = { R: 16, A: 8, T: 4, R_J: 2, T_J: 1 } as const;
type Label = keyof typeof bits;

interface Pair {
  readonly name: string;
  /** 1 where each of the two happens, from the index of a cell. */
  readonly first: (cell: number) => number;
  readonly second: (cell: number) => number;
  /** Cells of one stratum, in which the independent judge lets neither tell of the other. */
  readonly strata: readonly Label[];
  /** Whether a cell counts at all. */
  readonly within?: (cell: number) => boolean;
}

const has = (cell: number, label: Label): number => ((cell & bits[label]) === 0 ? 0 : 1);
const errorOf = (judged: "R_J" | "T_J", truth: "R" | "T") => (cell: number) =>
  has(cell, judged) === has(cell, truth) ? 0 : 1;
const answered = (cell: number): boolean => has(cell, "A") === 0;

/** What the judge's errors might move together with; each is impossible under P(R_J | R) P(T_J | T). */
const pairs: readonly Pair[] = [
  {
    name: "errors of R_J and errors of T_J",
    first: errorOf("R_J", "R"),
    second: errorOf("T_J", "T"),
    strata: ["R", "A", "T"],
  },
  { name: "errors of R_J and abstention", first: errorOf("R_J", "R"), second: (c) => has(c, "A"), strata: ["R"] },
  {
    name: "errors of R_J and task success",
    first: errorOf("R_J", "R"),
    second: (c) => has(c, "T"),
    strata: ["R"],
    within: answered,
  },
  {
    name: "errors of T_J and retrieval success",
    first: errorOf("T_J", "T"),
    second: (c) => has(c, "R"),
    strata: ["T"],
    within: answered,
  },
  { name: "errors of T_J and abstention", first: errorOf("T_J", "T"), second: (c) => has(c, "A"), strata: ["T"] },
];

/**
 * Posterior predictive check of the independent judge: how often each pair of events comes together beyond what it
 * allows, in the records and in data sets drawn from its posterior with the same R, A and T.
 * @param counts of a network over R, A, T, R_J, T_J: [patterns], fully labelled records alone are looked at
 */
export function pairsTogether(network: CompiledNetwork, counts: ArrayLike<number>, seed: number): PairCheck[] {
  const observed = tableOf(network, counts);
  const total = observed.reduce((sum, n) => sum + n, 0);
  if (total === 0) return [];
  const drawn = pairs.map(() => new Float64Array(replicates));
  const variates = new Variates(new Stream(seed, 0, STREAM_PREDICTIVE));
  for (let i = 0; i < replicates; i++) {
    const table = replicate(observed, variates);
    pairs.forEach((pair, p) => {
      drawn[p][i] = (1000 * excess(pair, table)) / total;
    });
  }
  return pairs.map((pair, p) => {
    const values = drawn[p].sort();
    const value = (1000 * excess(pair, observed)) / total;
    const below = values.filter((v) => v < value).length + values.filter((v) => v === value).length / 2;
    const tail = Math.min(below, replicates - below) / replicates;
    const at = (q: number): number => values[Math.round(q * (replicates - 1))];
    return {
      pair: pair.name,
      observed: value,
      lower: at(0.025),
      upper: at(0.975),
      p: Math.max(2 * tail, 1 / replicates),
    };
  });
}

/** Records in which both happen, beyond what independence within each stratum expects. */
function excess({ first, second, strata, within }: Pair, table: Table): number {
  const sums = new Map<number, { n: number; a: number; b: number; both: number }>();
  table.forEach((n, cell) => {
    if (n === 0 || within?.(cell) === false) return;
    const key = strata.reduce((mask, label) => mask | (cell & bits[label]), 0);
    const sum = sums.get(key) ?? { n: 0, a: 0, b: 0, both: 0 };
    sums.set(key, sum);
    const [x, y] = [first(cell), second(cell)];
    sum.n += n;
    sum.a += n * x;
    sum.b += n * y;
    sum.both += n * x * y;
  });
  return [...sums.values()].reduce((all, { n, a, b, both }) => all + both - (a * b) / n, 0);
}

/** The same R, A and T with labels of an independent judge, whose rates are a draw from their posterior. */
function replicate(observed: Table, variates: Variates): Table {
  const rate = (judged: "R_J" | "T_J", truth: "R" | "T"): number[] =>
    [0, 1].map((level) => {
      const seen = [0, 0];
      observed.forEach((n, cell) => {
        if (has(cell, truth) === level) seen[has(cell, judged)] += n;
      });
      return 1 / (1 + Math.exp(-variates.logitBeta(seen[1] + 1, seen[0] + 1)));
    });
  const [retrieval, task] = [rate("R_J", "R"), rate("T_J", "T")];
  const table = new Float64Array(32);
  for (let state = 0; state < 32; state += 4) {
    const n = observed.subarray(state, state + 4).reduce((sum, k) => sum + k, 0);
    if (n === 0) continue;
    const saidR = variates.binomial(n, retrieval[has(state, "R")]);
    const both = variates.binomial(saidR, task[has(state, "T")]);
    const onlyT = variates.binomial(n - saidR, task[has(state, "T")]);
    table[state | bits.R_J | bits.T_J] = both;
    table[state | bits.R_J] = saidR - both;
    table[state | bits.T_J] = onlyT;
    table[state] = n - saidR - onlyT;
  }
  return table;
}

function tableOf({ variables, patterns }: CompiledNetwork, counts: ArrayLike<number>): Table {
  const table = new Float64Array(32);
  const labels = variables.map(({ name }) => bits[name as Label]);
  patterns.forEach(({ levels }, m) => {
    if (levels.includes(-1)) return;
    table[levels.reduce((cell, level, v) => cell | (level === 1 ? labels[v] : 0), 0)] += counts[m];
  });
  return table;
}
