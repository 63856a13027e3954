import { readFile } from "node:fs/promises";
import { ExactEngine } from "../../src/engines/exact/index.js";
import { type CompiledNetwork, compileNetwork, patternIndex, rat } from "../../src/network/index.js";

export const base = compileNetwork(rat);

export const options = { seed: 1, id: 0, chains: 4, draws: 250, level: 0.95 };

export const solve = (network: CompiledNetwork, counts: Float64Array, more: Partial<typeof options> = {}) =>
  new ExactEngine().summarise(network, counts, { ...options, ...more });

/** How many records show each observation (level index or -1 of each variable). */
export type Observations = readonly (readonly [levels: readonly number[], times: number])[];

export function countsOf(network: CompiledNetwork, observations: Observations): Float64Array {
  const counts = new Float64Array(network.patterns.length);
  const index = patternIndex(network);
  for (const [levels, times] of observations) {
    const pattern = index(levels);
    if (pattern < 0) throw new Error(`${levels.join()} contradicts the network`);
    counts[pattern] += times;
  }
  return counts;
}

/** Groups of counts by the labels that are seen: `R0A1T0`, `A1`. */
export type ReferenceCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const baseCounts = (groups: ReferenceCounts): Float64Array =>
  countsOf(
    base,
    Object.values(groups).flatMap((group) =>
      Object.entries(group).map(([labels, times]) => {
        const levels = ["R", "A", "T"].map((name) => Number(new RegExp(`${name}(\\d)`).exec(labels)?.[1] ?? -1));
        return [levels, times] as const;
      }),
    ),
  );

/** The references' names of the base network's quantities. */
export const referenceNames: Readonly<Record<string, string>> = {
  theta_R: "theta_R",
  "theta_A-": "theta_A_minus",
  "theta_A+": "theta_A_plus",
  "theta_T-": "theta_T_minus",
  "theta_T+": "theta_T_plus",
  "P(A=1)": "P_A",
  "P(T=1)": "P_T",
  "P(G=1)": "P_G",
};

export const readReference = async (name: string) =>
  JSON.parse(await readFile(new URL(`../data/${name}`, import.meta.url), "utf8"));
