import { describe, expect, it } from "vitest";
import { nodeProbabilities } from "../../src/network/density.js";
import {
  type CompiledNetwork,
  compileNetwork,
  type NetworkDefinition,
  patternIndex,
  rat,
  ratJudge,
} from "../../src/network/index.js";
import { evaluateQuantity } from "../../src/network/quantity.js";
import { openSampler } from "../support/kernel.js";
import { chiSquareZ, uniformChiSquare, zLimit } from "../support/montecarlo.js";
import { ternary } from "../support/networks.js";
import { Inputs } from "../support/random.js";

/*
 * Simulation-based calibration (Talts et al. 2018): parameters from the prior, records from the model, then the rank of
 * each true quantity among thinned draws of its posterior. If prior, likelihood, sampler and quantities all fit, ranks are
 * uniform, whatever is missing from the records.
 */

/** What a record shows, by variable; as often as `records` says. */
interface Plan {
  seen: readonly string[];
  records: number;
}

interface Calibration {
  name: string;
  sampler: "nuts" | "hmc";
  definition: NetworkDefinition;
  plans: readonly Plan[];
  refits: number;
}

const ranks = 20;

const calibrations: Calibration[] = (["nuts", "hmc"] as const).flatMap((sampler) => [
  {
    name: "base network",
    sampler,
    refits: sampler === "hmc" ? 1000 : 500,
    definition: rat,
    plans: [
      { seen: ["R", "A", "T"], records: 12 },
      { seen: ["R", "A"], records: 10 },
      { seen: ["A", "T"], records: 40 },
      { seen: ["A"], records: 5 },
      { seen: ["R", "T"], records: 5 },
    ],
  },
  {
    name: "judge",
    sampler,
    refits: sampler === "hmc" ? 1000 : 250,
    definition: ratJudge(),
    plans: [
      { seen: ["R", "A", "T", "R_J", "T_J"], records: 20 },
      { seen: ["A", "R_J", "T_J"], records: 60 },
      { seen: ["R", "A", "T", "T_J"], records: 10 },
    ],
  },
  {
    name: "three levels of retrieval",
    sampler,
    refits: sampler === "hmc" ? 1000 : 500,
    definition: ternary,
    plans: [
      { seen: ["R", "A", "T"], records: 15 },
      { seen: ["A", "T"], records: 40 },
      { seen: ["T"], records: 10 },
    ],
  },
]);

/** Entries (1 - theta, theta) of every row, drawn from the prior. */
const drawEntries = (network: CompiledNetwork, inputs: Inputs): number[] =>
  network.rowNames.flatMap((_, k) => {
    const theta = inputs.beta(network.priorSuccess[k], network.priorFailure[k]);
    return [1 - theta, theta];
  });

function drawCounts(network: CompiledNetwork, p: Float64Array, plans: readonly Plan[], inputs: Inputs): Float64Array {
  const counts = new Float64Array(network.patterns.length);
  const indexOf = patternIndex(network);
  const cells = network.cells.map(({ node }) => p[node]);
  for (const { seen, records } of plans) {
    for (let i = 0; i < records; i++) {
      const { levels } = network.cells[inputs.category(cells)];
      counts[indexOf(levels.map((level, v) => (seen.includes(network.variables[v].name) ? level : -1)))]++;
    }
  }
  return counts;
}

// One false alarm in 10,000 seeds for all quantities of all six calibrations.
const limit = zLimit(calibrations.reduce((sum, { definition }) => sum + definition.quantities.length, 0));

describe.each(calibrations)("$sampler on the $name", ({ sampler: name, definition, plans, refits }) => {
  it(`gives uniform ranks of ${refits} true values, each quantity by chi-square within ${limit.toFixed(2)} standard errors`, () => {
    const network = compileNetwork(definition);
    const inputs = new Inputs(171);
    // 19 draws of one chain, far enough apart to be independent: 20 ranks.
    const thin = name === "nuts" ? 20 : 10;
    const draws = (ranks - 1) * thin;
    const sampler = openSampler(network, {
      sampler: name,
      chains: name === "hmc" ? 2 : 1,
      warmup: 300,
      draws,
      seed: 171,
    });
    const counts = network.quantities.map(() => new Float64Array(ranks));
    for (let refit = 0; refit < refits; refit++) {
      const entries = drawEntries(network, inputs);
      const p = nodeProbabilities(network, entries);
      const values = [...p, ...entries];
      sampler.sample(drawCounts(network, p, plans, inputs), refit);
      for (const [q, quantity] of network.quantities.entries()) {
        const truth = evaluateQuantity(quantity, values);
        const posterior = sampler.drawsOf(q);
        let rank = 0;
        for (let draw = thin - 1; draw < draws; draw += thin) if (posterior[draw] < truth) rank++;
        counts[q][rank]++;
      }
    }
    for (const [q, { name: quantity }] of network.quantities.entries()) {
      expect(Math.abs(chiSquareZ(uniformChiSquare(counts[q]), ranks - 1)), quantity).toBeLessThan(limit);
    }
  });
});
