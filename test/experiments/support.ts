import { RatError } from "../../src/errors.js";
import type { Budget } from "../../src/experiments/budget.js";
import { type Design, makeDesign } from "../../src/experiments/design.js";
import { defaultStrategies, parseStrategies } from "../../src/experiments/purchase.js";
import { type CompiledNetwork, compileNetwork, rat } from "../../src/network/index.js";

/** What a sweep of the base network looks at. */
export const network = compileNetwork(rat, {
  quantities: ["P(G=1)", "P(T=1)"].map((name) => ({ name, expression: name })),
});

/** HotpotQA, hybrid, Qwen3.5 in the order of the cells: R0A0T0, R0A0T1, R0A1T0, R1A0T0, R1A0T1, R1A1T0. */
export const population = Float64Array.of(2317, 1940, 3675, 641, 1353, 74);

export interface DesignChoice {
  network?: CompiledNetwork;
  population?: Float64Array;
  base?: number;
  strategies?: string;
  adds?: readonly number[];
  budget?: Partial<Budget>;
  seed?: number;
}

export const designOf = (choice: DesignChoice = {}): Design =>
  makeDesign(choice.network ?? network, choice.population ?? population, {
    base: choice.base ?? 100,
    purchases: parseStrategies(choice.strategies ?? defaultStrategies),
    adds: choice.adds ?? [60, 100, 200, 500],
    budget: { unit: "records", skipImplied: false, ...choice.budget },
    seed: choice.seed ?? 1,
    source: "records.csv",
  });

export function refusal(action: () => unknown): RatError {
  try {
    action();
  } catch (error) {
    if (error instanceof RatError) return error;
    throw error;
  }
  throw new Error("expected a RatError, but nothing was thrown");
}

export const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);
