import { describe, expect, it } from "vitest";
import { type Draws, type Fit, type FitOptions, fit, networkNamed, sweep } from "../../dist/index.js";
import { quantity } from "../fit/support.js";
import { all, judgeOnly, recordsOf, world } from "./support.js";

/*
 * Without labels of R the independent judge's posterior is the same with R = 0 and R = 1 exchanged: theta_R as 1 - theta_R,
 * TPR_R as FPR_R and so on. Either half alone looks like an answer.
 */
const network = networkNamed("rat-judge-independent");
const blind = recordsOf(world, [["A T R_J T_J", 1000]]);
const chains = 8;
const switched =
  /^no record holds both R and R_J: only the prior tells a judge that is right from one that is always wrong/;

async function fitted(records: readonly object[], options: FitOptions): Promise<[Fit, Draws]> {
  let draws: Draws | null = null;
  const source = { name: "x", records: records as Record<string, unknown>[] };
  const onFit = (_fit: Fit, kept: Draws): void => {
    draws = kept;
  };
  const { fits } = await fit([source], { network, seed: 1, ...options, onFit });
  if (draws === null) throw new Error("no draws");
  return [fits[0], draws];
}

/** Mean of a quantity in each chain. */
function chainMeans({ quantities }: Fit, { values, chains, draws }: Draws, name: string): number[] {
  const column = values[quantities.findIndex((q) => q.name === name)];
  return Array.from({ length: chains }, (_, chain) => {
    const own = column.subarray(chain * draws, (chain + 1) * draws);
    return own.reduce((sum, value) => sum + value, 0) / draws;
  });
}

describe("no labels of R, many of the judge, chains started apart", () => {
  // Each chain takes either half with probability 1/2: all eight the same one with 1 seed in 128.
  it("nuts: chains are right or mirrored, and R-hat says that they disagree", async () => {
    const [found, draws] = await fitted(blind, { chains });
    const means = chainMeans(found, draws, "TPR_R");
    const mirrored = means.filter((mean) => mean < 0.5).length;
    expect(mirrored).toBeGreaterThan(0);
    expect(mirrored).toBeLessThan(chains);
    // Near 0.85 or near 0.15, never between.
    for (const mean of means) expect(Math.abs(mean - 0.5)).toBeGreaterThan(0.25);
    for (const name of ["theta_A-", "theta_A+", "TPR_R", "FPR_R", "P(G=1)"]) {
      expect(quantity(found, name).rhat).toBeGreaterThan(1.2);
    }
    // What doesn't depend on which half it is agrees.
    for (const name of ["P(A=1)", "P(T=1)", "P(R_J=1)", "TPR_T"]) expect(quantity(found, name).rhat).toBeLessThan(1.01);
    expect(found.warnings[0]).toMatch(/^R-hat above 1\.01 for theta_R, .*: the chains disagree; .* several modes/);
    expect(found.warnings.some((text) => switched.test(text))).toBe(true);
  });

  it.each(["nuts", "hmc"] as const)(
    "%s: two chains in one half agree, and the warning is there all the same",
    async (sampler) => {
      const agreeing: Fit[] = [];
      for (let seed = 1; agreeing.length === 0 && seed <= 20; seed++) {
        const [found] = await fitted(blind, { sampler, chains: 2, seed });
        if (Math.max(...found.quantities.map(({ rhat }) => rhat ?? 1)) < 1.05) agreeing.push(found);
      }
      expect(agreeing).toHaveLength(1);
      const [{ quantities, warnings }] = agreeing;
      expect(quantities.find(({ name }) => name === "TPR_R")?.sd).toBeLessThan(0.1);
      expect(warnings.filter((text) => switched.test(text))).toHaveLength(1);
    },
  );

  it("twenty records with labels of R: one answer, and the right one", async () => {
    const records = recordsOf(world, [
      ["A T R_J T_J", 1000],
      [all, 20],
    ]);
    const [found, draws] = await fitted(records, { chains });
    for (const mean of chainMeans(found, draws, "TPR_R")) expect(Math.abs(mean - 0.85)).toBeLessThan(0.1);
    expect(Math.max(...found.quantities.map(({ rhat }) => rhat ?? 1))).toBeLessThan(1.02);
    expect(found.warnings.some((text) => switched.test(text))).toBe(false);
  });

  it("the joint judge, free in every state, has no modes but knows nothing: and that is said", async () => {
    const [found] = await fitted(blind, { network: networkNamed("rat-judge") });
    expect(quantity(found, "theta_R").sd).toBeGreaterThan(0.2); // of a uniform prior: 0.29
    expect(found.warnings.some((text) => switched.test(text))).toBe(true);
  });
});

it("a sweep without gold labels says how badly its chains disagree", async () => {
  const notices: string[] = [];
  const { sweeps } = await sweep([{ name: "x", records: recordsOf(world, [[all, 4000]]) }], {
    network,
    sampler: "nuts",
    chains: 4,
    base: 0,
    add: [1000],
    strategies: "judge",
    replicates: 10,
    seed: 1,
    onNotice: (notice) => notices.push(notice),
  });
  const cell = sweeps[0].cells.find(({ strategy, quantity }) => strategy === "judge" && quantity === "P(G=1)");
  expect(cell?.maxRhat).toBeGreaterThan(1.5);
  expect(notices.join("\n")).toMatch(/R-hat up to \d+\.?\d*: in some refits the chains disagree; .* several modes/);
});

it("judge labels alone, of neither R nor T gold: both labels are named where both are hidden", async () => {
  const nothing = recordsOf({ ...world, A: [0, 0] }, [[judgeOnly, 500]]);
  const [{ warnings }] = await fitted(nothing, { chains: 2 });
  for (const label of ["R", "T"]) {
    expect(warnings.filter((text) => text.startsWith(`no record holds both ${label} and ${label}_J`))).toHaveLength(1);
  }
});
