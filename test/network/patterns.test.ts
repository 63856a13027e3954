import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeProbabilities, rowEntries } from "../../src/network/density.js";
import { type CompiledNetwork, compileNetwork, type NetworkDefinition, patternIndex } from "../../src/network/index.js";
import { parentOf } from "../../src/network/tree.js";
import { relativeError } from "../support/accuracy.js";
import { anyPosterior } from "../support/arbitrary.js";
import { assignments, isCompatible, observationProbability, parametersAt } from "../support/model.js";
import { examples } from "../support/networks.js";
import { Inputs } from "../support/random.js";

/** Every observation: a level or -1 of each variable. */
function observations(definition: NetworkDefinition): number[][] {
  let all: number[][] = [[]];
  for (const { levels } of definition.variables) {
    all = all.flatMap((start) => [...levels.keys(), -1].map((level) => [...start, level]));
  }
  return all;
}

/** Nodes all of whose cells are in the set, under no other such node: the only cover that can't be made smaller. */
function smallestCover(network: CompiledNetwork, cells: readonly number[]): number[] {
  const inside = new Uint8Array(network.nodeCount);
  for (const c of cells) inside[network.cells[c].node] = 1;
  for (let family = network.familyParent.length - 1; family >= 0; family--) {
    if (inside[2 * family + 1] && inside[2 * family + 2]) inside[network.familyParent[family]] = 1;
  }
  return [...inside.keys()].filter((node) => inside[node] && !(node > 0 && inside[parentOf(network, node)]));
}

function checkPatterns(definition: NetworkDefinition, network: CompiledNetwork, logits: ArrayLike<number>): void {
  const cells = assignments(definition, parametersAt(definition, logits));
  const p = nodeProbabilities(network, rowEntries(logits));
  const indexOf = patternIndex(network);
  const seen = new Map<string, number>();
  for (const levels of observations(definition)) {
    const compatible = cells.flatMap((cell, c) => (isCompatible(cell.levels, levels) ? [c] : []));
    const index = indexOf(levels);
    if (compatible.length === 0) {
      expect(index).toBe(-1);
      continue;
    }
    const pattern = network.patterns[index];
    expect(pattern.cells).toEqual(compatible);
    expect([...pattern.nodes]).toEqual(smallestCover(network, compatible));
    const probability = pattern.nodes.reduce((sum, node) => sum + p[node], 0);
    expect(relativeError(probability, observationProbability(cells, levels))).toBeLessThan(1e-13);
    const key = compatible.join();
    expect(seen.get(key) ?? index).toBe(index);
    seen.set(key, index);
  }
  expect(network.patterns).toHaveLength(seen.size);
}

describe("patterns", () => {
  const titles =
    "one for each set of cells that an observation leaves, with the fewest nodes that cover it, disjoint, " +
    "and the probability of the observation to 1e-13";

  it.each(examples)(`of $name: ${titles}`, (definition) => {
    const network = compileNetwork(definition);
    const inputs = new Inputs(2);
    checkPatterns(
      definition,
      network,
      inputs.array(network.rowNames.length, () => inputs.uniform(-5, 5)),
    );
  });

  it(`of any network: ${titles}`, () => {
    fc.assert(
      fc.property(anyPosterior, ({ definition, logits }) => {
        const network = compileNetwork(definition);
        checkPatterns(definition, network, logits.slice(0, network.rowNames.length));
      }),
    );
  });

  it.each(examples)("of $name can be read off their own observation, complete ones first", (definition) => {
    const network = compileNetwork(definition);
    const indexOf = patternIndex(network);
    network.patterns.forEach(({ levels }, m) => {
      expect(indexOf(levels)).toBe(m);
    });
    expect(network.patterns[0].levels.every((level) => level >= 0)).toBe(true);
  });

  it("are refused beyond 2^20 different observations", () => {
    const variables = Array.from({ length: 13 }, (_, v) => ({
      name: `V${v}`,
      levels: ["0", "1"],
      rows: [v < 11 ? { name: `v${v}`, always: "0" } : { name: `v${v}` }],
    }));
    expect(() => compileNetwork({ name: "large", variables, quantities: [] })).toThrow(
      "the network has 1594323 different observations; at most 1048576 are supported",
    );
  });
});
