import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeProbabilities, rowEntries } from "../../src/network/density.js";
import { compileNetwork, isAmbiguous, rat, ratJudge, ratJudgeIndependent } from "../../src/network/index.js";
import { worstError } from "../support/accuracy.js";
import { anyPosterior } from "../support/arbitrary.js";
import { assignments, freeRows, parametersAt, priorOf } from "../support/model.js";
import { coin, examples, fiveVariables, sharedRow, ternary } from "../support/networks.js";
import { Inputs } from "../support/random.js";

describe("a compiled network has", () => {
  it.each([
    { name: "rat", definition: rat, rows: 5, families: 5, cells: 6 },
    { name: "rat-judge", definition: ratJudge(), rows: 23, families: 23, cells: 24 },
    { name: "rat-judge-independent", definition: ratJudgeIndependent, rows: 9, families: 23, cells: 24 },
    { name: "ternary", definition: ternary, rows: 8, families: 8, cells: 9 },
    { name: "five", definition: fiveVariables, rows: 13, families: 71, cells: 72 },
    { name: "shared", definition: sharedRow, rows: 5, families: 11, cells: 12 },
    { name: "coin", definition: coin, rows: 1, families: 1, cells: 2 },
  ])("$rows rows, $families families, $cells cells: $name", ({ definition, rows, families, cells }) => {
    const network = compileNetwork(definition);
    expect(network.rowNames).toHaveLength(rows);
    expect(network.familyRow).toHaveLength(families);
    expect(network.familyParent).toHaveLength(families);
    expect(network.nodeCount).toBe(2 * families + 1);
    expect(network.cells).toHaveLength(cells);
  });

  it.each([
    { name: "rat", definition: rat, patterns: 18, ambiguous: 7 },
    { name: "rat-judge", definition: ratJudge(), patterns: 162, ambiguous: 115 },
    { name: "rat-judge-independent", definition: ratJudgeIndependent, patterns: 162, ambiguous: 115 },
  ])("$patterns patterns, $ambiguous of them ambiguous: $name", ({ definition, patterns, ambiguous }) => {
    const network = compileNetwork(definition);
    expect(network.patterns).toHaveLength(patterns);
    expect(network.patterns.filter(isAmbiguous)).toHaveLength(ambiguous);
  });
});

describe("the tree", () => {
  it.each(examples)(
    "of $name lists parents before children, and each node but the leaves is split once",
    (definition) => {
      const { familyParent, nodeCount, cells } = compileNetwork(definition);
      familyParent.forEach((parent, family) => {
        expect(parent).toBeLessThan(2 * family + 1);
      });
      const leaves = cells.map((cell) => cell.node);
      expect([...familyParent, ...leaves].sort((a, b) => a - b)).toEqual(
        Array.from({ length: nodeCount }, (_, n) => n),
      );
    },
  );

  it("names the rows of a variable of three levels by the level that they go beyond", () => {
    const { rowNames, priorSuccess, priorFailure } = compileNetwork(ternary);
    expect(rowNames).toEqual([
      "theta_R>none",
      "theta_R>partial",
      "A|none",
      "A|partial",
      "A|full",
      "T|none",
      "T|partial",
      "T|full",
    ]);
    // Dirichlet(2, 1, 0.5): beyond none ~ Beta(1.5, 2), then beyond partial ~ Beta(0.5, 1).
    expect([...priorSuccess]).toEqual([1.5, 0.5, 0.75, 0.75, 0.75, 1, 1, 1]);
    expect([...priorFailure]).toEqual([2, 1, 1.5, 1.5, 1.5, 1, 1, 1]);
  });

  it("takes priors by the name of their row, instead of the definition's", () => {
    const network = compileNetwork(ternary, { priors: { theta_R: [4, 5, 6], "T|full": [7, 8] } });
    expect([...network.priorSuccess]).toEqual([11, 6, 0.75, 0.75, 0.75, 1, 1, 8]);
    expect([...network.priorFailure]).toEqual([4, 5, 1.5, 1.5, 1.5, 1, 1, 7]);
  });
});

/** Cells as [levels, probability] of the compiled network. */
function compiledCells(network: ReturnType<typeof compileNetwork>, logits: ArrayLike<number>) {
  const p = nodeProbabilities(network, rowEntries(logits));
  return network.cells.map((cell) => ({ levels: cell.levels, probability: p[cell.node] }));
}

const probability = (cell: { probability: number }): number => cell.probability;

describe("cells", () => {
  it.each(examples)("of $name are the definition's, with relative error below 1e-14, and sum to 1", (definition) => {
    const network = compileNetwork(definition);
    const inputs = new Inputs(1);
    for (let repeat = 0; repeat < 20; repeat++) {
      const logits = inputs.array(network.rowNames.length, () => inputs.uniform(-8, 8));
      const expected = assignments(definition, parametersAt(definition, logits));
      const cells = compiledCells(network, logits);
      expect(cells.map((cell) => cell.levels)).toEqual(expected.map((cell) => cell.levels));
      expect(worstError(cells.map(probability), expected.map(probability))).toBeLessThan(1e-14);
      expect(Math.abs(cells.reduce((sum, cell) => sum + cell.probability, 0) - 1)).toBeLessThan(1e-14);
    }
  });

  it("of any network are the definition's, with relative error below 1e-13, and sum to 1", () => {
    fc.assert(
      fc.property(anyPosterior, ({ definition, logits }) => {
        const network = compileNetwork(definition);
        const used = logits.slice(0, network.rowNames.length);
        const expected = assignments(definition, parametersAt(definition, used));
        const cells = compiledCells(network, used);
        expect(cells.map((cell) => cell.levels)).toEqual(expected.map((cell) => cell.levels));
        expect(worstError(cells.map(probability), expected.map(probability))).toBeLessThan(1e-13);
        expect(Math.abs(cells.reduce((sum, cell) => sum + cell.probability, 0) - 1)).toBeLessThan(1e-14);
      }),
    );
  });
});

describe("sticks", () => {
  it.each(examples)("of $name have the moments of their Dirichlet priors, to 1e-14", (definition) => {
    const network = compileNetwork(definition);
    let stick = 0;
    for (const free of freeRows(definition)) {
      const prior = priorOf(free);
      const total = prior.reduce((a, b) => a + b, 0);
      // First and second moments of p_l: products of moments of independent Betas, for they are neutral.
      let mean = 1;
      let square = 1;
      prior.forEach((a, l) => {
        const last = l + 1 === prior.length;
        const [s, f] = last ? [0, 1] : [network.priorSuccess[stick], network.priorFailure[stick]];
        if (!last) stick++;
        const here = last ? { mean, square } : momentsOfFailure(s, f, mean, square);
        const expected = [a / total, (a * (a + 1)) / (total * (total + 1))];
        expect(worstError([here.mean, here.square], expected)).toBeLessThan(1e-14);
        mean *= s / (s + f);
        square *= (s * (s + 1)) / ((s + f) * (s + f + 1));
      });
    }
    expect(stick).toBe(network.rowNames.length);
  });
});

function momentsOfFailure(s: number, f: number, mean: number, square: number) {
  return { mean: mean * (f / (s + f)), square: square * ((f * (f + 1)) / ((s + f) * (s + f + 1))) };
}
