import { readFileSync } from "node:fs";

/** Values of one variable in the file of references; null = NA. */
export interface Reference {
  mean: number;
  sd: number;
  quantiles: Record<string, number>;
  rhat: number | null;
  rhat_basic_split: number | null;
  rhat_basic_nosplit: number | null;
  ess_bulk: number | null;
  ess_tail: number | null;
  ess_basic: number | null;
  ess_mean: number | null;
  ess_sd: number | null;
  mcse_mean: number | null;
  mcse_sd: number | null;
  mcse_quantile: Record<string, number | null>;
  ess_quantile: Record<string, number | null>;
}

export interface Case {
  name: string;
  /** [chains x draws], chain by chain. */
  draws: Float64Array;
  chains: number;
  expected: Reference;
}

interface ReferenceFile {
  variables: Record<string, Reference>;
  formula_sets: { results: Record<string, Reference> };
}

function readData(name: string): string {
  return readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8");
}

/** Every set of draws with values from the R package posterior 1.4.0; a missing file throws. */
export function referenceCases(): Case[] {
  const file = JSON.parse(readData("diagnostics-reference.json")) as ReferenceFile;
  const columns = readColumns(readData("diagnostics-draws.csv"));
  const cases: Case[] = Object.entries(file.variables).map(([name, expected]) => {
    const draws = columns.get(name);
    if (draws === undefined) throw new Error(`diagnostics-draws.csv has no column ${name}`);
    return { name, draws, chains: 4, expected };
  });
  const sets = formulaSets();
  for (const [name, expected] of Object.entries(file.formula_sets.results)) {
    const chains = sets[name];
    if (chains === undefined) throw new Error(`no formula for ${name}`);
    cases.push({ name, draws: Float64Array.from(chains.flat()), chains: chains.length, expected });
  }
  return cases;
}

function readColumns(csv: string): Map<string, Float64Array> {
  const [header, ...rows] = csv
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  // Rows are sorted by chain, then iteration, which is the layout wanted.
  const columns = header.map((name, column) => [name, Float64Array.from(rows, (row) => Number(row[column]))] as const);
  return new Map(columns);
}

/** The draws that the file defines by formula, as lists of chains. */
function formulaSets(): Record<string, number[][]> {
  const chainNumbers = [1, 2, 3, 4];
  const uniform = chainNumbers.map((c) =>
    Array.from({ length: 400 }, (_, index) => {
      const i = index + 1;
      const x = i * 0.6180339887 + c * 0.3819660113 + Math.sin(i * c) * 0.37;
      return roundLikeR(x - Math.floor(x));
    }),
  );
  const autoregressive = uniform.map((chain) => {
    const out = [chain[0]];
    for (let i = 1; i < chain.length; i++) out.push(roundLikeR(0.6 * out[i - 1] + 0.4 * chain[i]));
    return out;
  });
  return {
    formula_uniform: uniform,
    formula_ar: autoregressive,
    odd_length_101: uniform.map((chain) => chain.slice(0, 101)),
    one_chain_200: [uniform[0].slice(0, 200)],
    tiny_8x2: [
      [1, 2, 3, 4, 5, 6, 7, 8],
      [2, 1, 4, 3, 6, 5, 8, 9],
    ],
  };
}

/** R's round(x, 6) for x >= 0 (R 4.0.0 and later): the nearer of the two candidates, the even one of a tie. */
function roundLikeR(x: number): number {
  const below = Math.floor(x * 1e6);
  const low = below / 1e6;
  const high = Math.ceil(x * 1e6) / 1e6;
  const toLow = x - low;
  const toHigh = high - x;
  return toLow < toHigh || (toLow === toHigh && below % 2 === 0) ? low : high;
}
