import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logDensity, nodeProbabilities, rowEntries } from "../../src/network/density.js";
import {
  type CompiledNetwork,
  compileNetwork,
  emitStan,
  fold,
  type NetworkDefinition,
  patternIndex,
  quantitiesIn,
  rat,
  ratJudge,
  ratTernary,
  stanData,
  withPolicy,
} from "../../src/network/index.js";
import { evaluateQuantity } from "../../src/network/quantity.js";
import { relativeError } from "../support/accuracy.js";
import { anyPosterior } from "../support/arbitrary.js";
import { examples } from "../support/networks.js";
import { Inputs } from "../support/random.js";
import { readStan } from "./stan-program.js";

/** The program's log density and quantities against the network's own, at some parameters and counts. */
function compare(network: CompiledNetwork, logits: ArrayLike<number>, counts: Float64Array): void {
  const program = readStan(emitStan(network));
  expect(program.parameters).toHaveLength(network.rowNames.length);
  expect(program.quantities).toHaveLength(network.quantities.length);
  expect(program.dataLength).toBe(counts.length);
  const entries = rowEntries(logits);
  const theta = Array.from(network.rowNames, (_, k) => entries[2 * k + 1]);
  const { target, values } = program.run(theta, stanData(counts).n);
  const { value } = logDensity(network, fold(network, counts), logits);
  expect(Math.abs(target - value)).toBeLessThan(1e-11 * Math.max(1, Math.abs(value)));
  const own = [...nodeProbabilities(network, entries), ...entries];
  network.quantities.forEach((quantity, q) => {
    const expected = evaluateQuantity(quantity, own);
    if (Math.abs(expected) < 1e-12) expect(Math.abs(values[q])).toBeLessThan(1e-11);
    else expect(relativeError(values[q], expected), quantity.name).toBeLessThan(1e-9);
  });
}

describe("a network as a Stan program", () => {
  it.each([rat, ratJudge(), ratTernary])("$name: the text (vitest -u writes it anew)", async (definition) => {
    await expect(emitStan(compileNetwork(definition))).toMatchFileSnapshot(`expected/${definition.name}.stan`);
  });

  it.each([...examples, ratTernary, withPolicy(rat, "R=0&A=1:1, R=1&T=1:0.25")])(
    "$name: has the log density and the quantities of the network, at any parameters and counts",
    (definition) => {
      const network = compileNetwork(definition, { quantities: quantitiesIn(definition, "all") });
      const inputs = new Inputs(41);
      for (let repeat = 0; repeat < 10; repeat++) {
        const logits = inputs.array(network.rowNames.length, () => inputs.uniform(-4, 4));
        compare(
          network,
          logits,
          inputs.array(network.patterns.length, () => inputs.below(50)),
        );
      }
    },
  );

  it("so has any network", () => {
    fc.assert(
      fc.property(anyPosterior, ({ definition, logits, picks }) => {
        const quantities = [
          { name: "P(G=1)", expression: "P(G=1)" },
          { name: "a - b", expression: "1 - 2 * (P(G=1) - P(V0=p)) / (0.5 + P(V0=p))" },
        ];
        const network = compileNetwork(definition, { quantities });
        const counts = new Float64Array(network.patterns.length);
        const indexOf = patternIndex(network);
        for (const { cell, mask, times } of picks) {
          const { levels } = network.cells[cell % network.cells.length];
          counts[indexOf(levels.map((level, v) => ((mask >> v) & 1 ? level : -1)))] += times;
        }
        compare(network, logits.slice(0, network.rowNames.length), counts);
      }),
      { numRuns: 100 },
    );
  });

  it("names quantities as exported draws do", () => {
    const { quantities } = readStan(emitStan(compileNetwork(ratTernary)));
    expect(quantities).toEqual([
      ...["theta_R", "theta_A_minus", "theta_A_plus", "theta_T_minus", "theta_T_plus", "P_R", "P_A", "P_T", "P_G"],
      ...["P_R_partial", "theta_A_partial", "theta_T_partial"],
    ]);
  });

  it("names nothing as Stan forbids, however a network is named", () => {
    const levels = ["ja", "nein\n} model {", "größer"];
    const definition: NetworkDefinition = {
      name: "two\nlines // and more",
      variables: [
        { name: "Ü", levels, rows: [{ name: "1st" }] },
        { name: "_", levels: ["0", "1"], parents: ["Ü"], rows: [{ name: "row__" }] },
      ],
      quantities: ["n", "log", "real", "for", "a__", "_a", "1", "ä", "P(_=1)", "p_ja", "a b", "a-b", "row_row"].map(
        (name) => ({ name, expression: "P(_=1)" }),
      ),
    };
    const text = emitStan(compileNetwork(definition));
    const { quantities, parameters } = readStan(text);
    expect(new Set([...quantities, ...parameters]).size).toBe(quantities.length + parameters.length);
    for (const word of ["n", "log", "real", "for"]) expect(quantities).not.toContain(word);
    expect(quantities.slice(0, 4)).toEqual(["n_2", "log_2", "real_2", "for_2"]);
  });

  it("writes whole constants as reals, which Stan divides as such", () => {
    const quantities = [{ name: "q", expression: "1 / (2 + P(R=1) * 3) - 1e-7" }];
    expect(emitStan(compileNetwork(rat, { quantities }))).toContain("real q = 1.0 / (2.0 + 3.0 * p_R1) - 1e-7;");
  });

  it("gives counts as they are, beyond what an int of Stan's holds", () => {
    expect(stanData(Float64Array.of(0, 1, 2 ** 53))).toEqual({ n: [0, 1, 2 ** 53] });
  });
});
