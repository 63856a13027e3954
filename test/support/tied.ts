import { type CompiledNetwork, compileNetwork, type NetworkDefinition } from "../../src/network/index.js";

const twice: NetworkDefinition = {
  name: "tied",
  variables: ["X", "Y", "Z"].map((name) => ({
    name,
    levels: ["0", "1"],
    rows: [{ name: name.toLowerCase(), prior: [3, 2] }],
  })),
  quantities: [
    { name: "P(Z=1)", expression: "P(Z=1)" },
    { name: "P(X=1, Y=1)", expression: "P(X=1, Y=1)" },
  ],
};

const untied = compileNetwork(twice);

/**
 * Three tosses of one coin: X, Y and Z have one parameter, so that a path passes its row up to three times. A definition
 * can't say that; the compiled form and all that works on it can.
 */
export const tied: CompiledNetwork = {
  ...untied,
  rowNames: ["coin"],
  priorSuccess: untied.priorSuccess.slice(0, 1),
  priorFailure: untied.priorFailure.slice(0, 1),
  familyRow: untied.familyRow.map(() => 0),
  quantities: untied.quantities.map((quantity) => ({
    ...quantity,
    // Values are nodes, then two entries a row: entries of the three rows become those of the only one.
    program: quantity.program.map((step) =>
      step.op !== "form"
        ? step
        : {
            ...step,
            form: {
              ...step.form,
              indices: step.form.indices.map((index) =>
                index < untied.nodeCount ? index : untied.nodeCount + ((index - untied.nodeCount) & 1),
              ),
            },
          },
    ),
  })),
};

/** Its log posterior density at a logit, from the definition: tosses seen of each pattern. */
export function logPosteriorOfTied(counts: ArrayLike<number>, logit: number): number {
  const theta = 1 / (1 + Math.exp(-logit));
  let value = 2 * Math.log(theta) + 3 * Math.log(1 - theta);
  tied.patterns.forEach(({ cells }, m) => {
    let probability = 0;
    for (const c of cells) {
      const heads = tied.cells[c].levels.reduce((sum, level) => sum + level, 0);
      probability += theta ** heads * (1 - theta) ** (3 - heads);
    }
    value += counts[m] * Math.log(probability);
  });
  return value;
}
