import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeProbabilities, rowEntries } from "../../src/network/density.js";
import { type CompiledNetwork, compileNetwork, rat, ratJudge, ratJudgeIndependent } from "../../src/network/index.js";
import { evaluateQuantity, greatestProbability, leastProbability } from "../../src/network/quantity.js";
import { relativeError } from "../support/accuracy.js";
import { anyPosterior } from "../support/arbitrary.js";
import { type Assignment, assignments, parametersAt } from "../support/model.js";
import { fiveVariables, ternary } from "../support/networks.js";
import { Inputs } from "../support/random.js";

type Levels = Readonly<Record<string, string>>;
type Weight = (levels: Levels) => number;

/** Every quantity of a network at some parameters, by name. */
function valuesAt(network: CompiledNetwork, logits: ArrayLike<number>): Map<string, number> {
  const entries = rowEntries(logits);
  const values = [...nodeProbabilities(network, entries), ...entries];
  return new Map(network.quantities.map((quantity) => [quantity.name, evaluateQuantity(quantity, values)]));
}

/** Cells with their levels by name. */
function namedCells(network: CompiledNetwork, logits: ArrayLike<number>) {
  const cells: Assignment[] = assignments(network.definition, parametersAt(network.definition, logits));
  return cells.map(({ levels, probability }) => ({
    probability,
    levels: Object.fromEntries(
      network.variables.map(({ name, levels: names }, v) => [name, names[levels[v]]]),
    ) as Levels,
  }));
}

/** P(event | condition) by summing cells. */
function conditional(cells: ReturnType<typeof namedCells>, event: Weight, condition: Weight = () => 1): number {
  let both = 0;
  let given = 0;
  for (const { levels, probability } of cells) {
    given += probability * condition(levels);
    both += probability * condition(levels) * event(levels);
  }
  return both / given;
}

const is =
  (wanted: Levels): Weight =>
  (levels) =>
    Object.entries(wanted).every(([name, level]) => levels[name] === level) ? 1 : 0;

/** G of the base network, in words: abstain when retrieval failed, answer correctly when it succeeded. */
const adherent: Weight = ({ R, A, T }) => ((R === "0" && A === "1") || (R === "1" && A === "0" && T === "1") ? 1 : 0);

const meanings: Record<string, [Weight, Weight?]> = {
  theta_R: [is({ R: "1" })],
  "theta_A-": [is({ A: "1" }), is({ R: "0" })],
  "theta_A+": [is({ A: "1" }), is({ R: "1" })],
  "theta_T-": [is({ T: "1" }), is({ R: "0", A: "0" })],
  "theta_T+": [is({ T: "1" }), is({ R: "1", A: "0" })],
  "P(R=1)": [is({ R: "1" })],
  "P(A=1)": [is({ A: "1" })],
  "P(T=1)": [is({ T: "1" })],
  "P(G=1)": [adherent],
  TPR_R: [is({ R_J: "1" }), is({ R: "1" })],
  FPR_R: [is({ R_J: "1" }), is({ R: "0" })],
  TPR_T: [is({ T_J: "1" }), is({ T: "1" })],
  FPR_T: [is({ T_J: "1" }), is({ T: "0" })],
  "P(R_J=1)": [is({ R_J: "1" })],
  "P(T_J=1)": [is({ T_J: "1" })],
};

describe("the quantities", () => {
  it.each([rat, ratJudge(), ratJudgeIndependent])(
    "of $name are the conditional probabilities that they stand for, by summing cells, to 1e-13",
    (definition) => {
      const network = compileNetwork(definition);
      const inputs = new Inputs(21);
      for (let repeat = 0; repeat < 20; repeat++) {
        const logits = inputs.array(network.rowNames.length, () => inputs.uniform(-6, 6));
        const cells = namedCells(network, logits);
        const values = valuesAt(network, logits);
        expect(values.size).toBe(definition.quantities.length);
        for (const [name, value] of values) {
          expect(relativeError(value, conditional(cells, ...meanings[name])), name).toBeLessThan(1e-13);
        }
      }
    },
  );

  it("of the base network are its five parameters, to the last bit", () => {
    const network = compileNetwork(rat);
    const logits = [-30, 2, -0.5, 0.25, 30];
    const values = valuesAt(network, logits);
    ["theta_R", "theta_A-", "theta_A+", "theta_T-", "theta_T+"].forEach((name, k) => {
      expect(values.get(name)).toBe(1 / (1 + Math.exp(-logits[k])));
    });
  });

  it("of the base network at hand-made parameters", () => {
    const half = valuesAt(compileNetwork(rat), [0, 0, 0, 0, 0]);
    expect(half.get("P(A=1)")).toBe(0.5);
    expect(half.get("P(T=1)")).toBe(0.25);
    expect(half.get("P(G=1)")).toBe(0.375);
  });

  it("of five variables equal sums over cells, to 1e-13", () => {
    const network = compileNetwork(fiveVariables);
    const inputs = new Inputs(22);
    for (let repeat = 0; repeat < 20; repeat++) {
      const logits = inputs.array(network.rowNames.length, () => inputs.uniform(-4, 4));
      const cells = namedCells(network, logits);
      const values = valuesAt(network, logits);
      const odds = conditional(cells, is({ X: "mid", Y: "1" })) / conditional(cells, is({ X: "mid", Y: "0" }));
      expect(relativeError(values.get("P(Z=1)")!, conditional(cells, is({ Z: "1" })))).toBeLessThan(1e-13);
      expect(relativeError(values.get("odds")!, odds)).toBeLessThan(1e-13);
      const given = conditional(cells, is({ V: "d" }), is({ X: "mid", Z: "1" }));
      expect(relativeError(values.get("P(V=d | X=mid, Z=1)")!, given)).toBeLessThan(1e-13);
    }
  });
});

/** Compiles one expression over a network and evaluates it. */
function evaluate(definition: typeof rat, expression: string, logits: ArrayLike<number>): number {
  const network = compileNetwork(definition, { quantities: [{ name: "q", expression }] });
  return valuesAt(network, logits).get("q")!;
}

describe("policy G with soft weights", () => {
  const inputs = new Inputs(23);
  const logits = inputs.array(8, () => inputs.uniform(-3, 3));
  const cells = namedCells(compileNetwork(ternary), logits);
  const weight: Weight = ({ R, A, T }) => {
    if (R === "none") return A === "1" ? 1 : 0;
    if (R === "partial") return A === "1" ? 0.25 : T === "1" ? 0.5 : 0;
    return T === "1" ? 1 : 0;
  };
  const not: Weight = (levels) => 1 - weight(levels);

  it.each<[string, [Weight, Weight?]]>([
    ["P(G=1)", [weight]],
    ["P(G=0)", [not]],
    ["P(G=1 | R=partial)", [weight, is({ R: "partial" })]],
    ["P(G=0 | A=0, T=1)", [not, is({ A: "0", T: "1" })]],
    ["P(R=partial | G=1)", [is({ R: "partial" }), weight]],
    ["P(A=1 | G=0)", [is({ A: "1" }), not]],
    ["P(G=1, R=full)", [(levels) => weight(levels) * is({ R: "full" })(levels)]],
    ["P(G=1 | G=1)", [() => 1]],
    ["P(G=1, G=1)", [weight]],
    ["P(G=0 | G=1)", [() => 0]],
  ])("%s takes the weight of a cell for its share of adherence", (expression, meaning) => {
    expect(evaluate(ternary, expression, logits)).toBeCloseTo(conditional(cells, ...meaning), 14);
  });

  it("P(G=0) and P(G=1) sum to 1, to 1e-15", () => {
    expect(Math.abs(evaluate(ternary, "P(G=0) + P(G=1)", logits) - 1)).toBeLessThan(1e-15);
  });
});

describe("single probabilities", () => {
  it("stay inside (0, 1) where rounding would make them certain", () => {
    const far = [40, 800, 800, 800, 800];
    expect(evaluate(rat, "P(R=1)", far)).toBe(greatestProbability);
    expect(evaluate(rat, "P(A=0 | R=1)", far)).toBe(leastProbability);
    expect(evaluate(rat, "P(R=1, A=0)", far)).toBe(leastProbability);
    expect([leastProbability, greatestProbability]).toEqual([2.2250738585072014e-308, 1 - 2 ** -53]);
  });

  it.each([
    ["P(A=1, T=1)", 0],
    ["P(R=1, R=0)", 0],
    ["P(T=1 | A=1)", 0],
    ["P(R=0 | R=1)", 0],
    ["P(T=0 | A=1)", 1],
    ["P(T=0 | R=1, A=1)", 1],
    ["P(R=1 | R=1)", 1],
    ["P(R=1 | R=1, A=1)", 1],
  ])("%s is %d, for the model says so", (expression, certain) => {
    expect(evaluate(rat, expression, [0.5, -1, 2, 0, 1])).toBe(certain);
  });

  it("of variables that are certain are 1 and 0", () => {
    const definition = {
      ...rat,
      variables: [{ name: "C", levels: ["x", "y"], rows: [{ name: "c", always: "y" }] }, ...rat.variables],
    };
    expect(evaluate(definition, "P(C=y)", [0, 0, 0, 0, 0])).toBe(1);
    expect(evaluate(definition, "P(C=x)", [0, 0, 0, 0, 0])).toBe(0);
  });
});

describe("any probability of any network", () => {
  it("is the sum over cells, to 1e-12", () => {
    const picks = fc.array(fc.nat(), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(anyPosterior, picks, ({ definition, logits }, [cell, eventMask, conditionMask, ...others]) => {
        const plain = compileNetwork(definition);
        // The condition holds for some cell; the event is that cell's, or another's.
        const nameOf = (c: number, mask: number): Levels =>
          Object.fromEntries(
            plain.variables.flatMap(({ name, levels }, v) =>
              (mask >> v) & 1 ? [[name, levels[plain.cells[c % plain.cells.length].levels[v]]]] : [],
            ),
          );
        const condition = nameOf(cell, conditionMask);
        const event = { ...nameOf(others[0], eventMask | (1 << (others[1] % plain.variables.length))) };
        const text = (levels: Levels): string =>
          Object.entries(levels)
            .map((part) => part.join("="))
            .join(", ");
        const given = Object.keys(condition).length === 0 ? "" : ` | ${text(condition)}`;
        const expression = `P(${text(event)}${given})`;
        const used = logits.slice(0, plain.rowNames.length);
        const network = compileNetwork(definition, { quantities: [{ name: "q", expression }] });
        const expected = conditional(namedCells(network, used), is(event), is(condition));
        const actual = valuesAt(network, used).get("q")!;
        expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-12 * expected);
      }),
      { numRuns: 300 },
    );
  });
});
