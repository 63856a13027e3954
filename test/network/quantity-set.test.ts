import { describe, expect, it } from "vitest";
import { nodeProbabilities, rowEntries } from "../../src/network/density.js";
import {
  compileNetwork,
  type QuantitySet,
  quantitiesIn,
  rat,
  ratJudge,
  ratJudgeIndependent,
  ratTernary,
} from "../../src/network/index.js";
import { evaluateQuantity } from "../../src/network/quantity.js";
import { failure } from "../records/support.js";
import { fiveVariables } from "../support/networks.js";
import { Inputs } from "../support/random.js";

type Levels = Readonly<Record<string, string>>;

/** What people ask of a RAG system, by summing cells: P is the probability of what the test holds for. */
const meanings: Record<
  string,
  (P: (test: (levels: Levels) => boolean) => number, failed: string, found: string) => number
> = {
  gap_A: (P, failed, found) =>
    P(({ R, A }) => R === failed && A === "1") / P(({ R }) => R === failed) -
    P(({ R, A }) => R === found && A === "1") / P(({ R }) => R === found),
  gap_T: (P, failed, found) =>
    P(({ R, A, T }) => R === found && A === "0" && T === "1") / P(({ R, A }) => R === found && A === "0") -
    P(({ R, A, T }) => R === failed && A === "0" && T === "1") / P(({ R, A }) => R === failed && A === "0"),
  unsupported: (P, failed) => P(({ R, A }) => R === failed && A === "0"),
  precision_A: (P, failed) => P(({ R, A }) => R === failed && A === "1") / P(({ A }) => A === "1"),
  recall_A: (P, failed) => P(({ R, A }) => R === failed && A === "1") / P(({ R }) => R === failed),
  accuracy_answered: (P) => P(({ T }) => T === "1") / P(({ A }) => A === "0"),
  PPV_R: (P) => P(({ R, R_J }) => R === "1" && R_J === "1") / P(({ R_J }) => R_J === "1"),
  NPV_R: (P) => P(({ R, R_J }) => R === "0" && R_J === "0") / P(({ R_J }) => R_J === "0"),
  PPV_T: (P) => P(({ T, T_J }) => T === "1" && T_J === "1") / P(({ T_J }) => T_J === "1"),
  NPV_T: (P) => P(({ T, T_J }) => T === "0" && T_J === "0") / P(({ T_J }) => T_J === "0"),
  agree_R: (P) => P(({ R, R_J }) => R === R_J),
  agree_T: (P) => P(({ T, T_J }) => T === T_J),
};

describe("all quantities", () => {
  it.each([rat, ratTernary, ratJudge(), ratJudgeIndependent])(
    "of $name are the base ones and those that people ask for",
    (definition) => {
      expect(quantitiesIn(definition)).toBe(definition.quantities);
      expect(quantitiesIn(definition, "base")).toBe(definition.quantities);
      const all = quantitiesIn(definition, "all");
      expect(all.slice(0, definition.quantities.length)).toEqual(definition.quantities);
      const more = all.slice(definition.quantities.length);
      const judged = definition.variables.some(({ name }) => name === "R_J");
      expect(more.map(({ name }) => name)).toEqual(Object.keys(meanings).slice(0, judged ? 12 : 6));

      const network = compileNetwork(definition, { quantities: all });
      const { levels } = network.variables[0];
      const inputs = new Inputs(31);
      for (let repeat = 0; repeat < 20; repeat++) {
        const entries = rowEntries(inputs.array(network.rowNames.length, () => inputs.uniform(-4, 4)));
        const values = nodeProbabilities(network, entries);
        const P = (test: (levels: Levels) => boolean): number =>
          network.cells.reduce((sum, cell) => {
            const named = network.variables.map(({ name, levels: names }, v) => [name, names[cell.levels[v]]]);
            return sum + (test(Object.fromEntries(named)) ? values[cell.node] : 0);
          }, 0);
        for (const quantity of network.quantities.slice(definition.quantities.length)) {
          const expected = meanings[quantity.name](P, levels[0], levels[levels.length - 1]);
          const actual = evaluateQuantity(quantity, [...values, ...entries]);
          expect(Math.abs(actual - expected), quantity.name).toBeLessThan(1e-13);
        }
      }
    },
  );

  it("of a network that has no more are the base ones; unknown sets are refused", async () => {
    expect(quantitiesIn(fiveVariables, "all")).toEqual(fiveVariables.quantities);
    const error = await failure(() => quantitiesIn(rat, "most" as QuantitySet));
    expect(error.exitCode).toBe(64);
    expect(error.message).toBe('--quantities must be one of base, all, not "most"');
  });
});
