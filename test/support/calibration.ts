import type { SamplerName } from "../../src/engines/engine.js";
import { instantiateKernel, type KernelExports } from "../../src/engines/wasm/kernel.js";
import { Sampler } from "../../src/engines/wasm/sampler.js";
import { nodeProbabilities } from "../../src/network/density.js";
import {
  type CompiledNetwork,
  type CompiledQuantity,
  compileNetwork,
  type NetworkDefinition,
  patternIndex,
  rat,
  ratJudge,
} from "../../src/network/index.js";
import { evaluateQuantity } from "../../src/network/quantity.js";
import { samplerDefaults } from "./kernel.js";
import { chiSquareZ, falseAlarms, uniformChiSquare, zLimit } from "./montecarlo.js";
import { fiveVariables, ternary } from "./networks.js";
import { Inputs } from "./random.js";

/*
 * Simulation-based calibration (Talts et al. 2018): parameters from the prior, records from the model, then the rank of
 * each true quantity among thinned draws of its posterior. If prior, likelihood, sampler and quantities all fit, ranks are
 * uniform, whatever is missing from the records.
 *
 * Ranks of parameters alone can't tell a posterior of all records from that of some of them, or of none; those of the
 * records' log likelihood can (Modrak et al. 2023), so it is ranked too.
 */

/** What a record shows, by variable; as often as `records` says. */
export interface Plan {
  readonly seen: readonly string[];
  readonly records: number;
}

export interface Calibration {
  readonly name: string;
  readonly sampler: SamplerName;
  readonly definition: NetworkDefinition;
  readonly plans: readonly Plan[];
  /** Data sets. */
  readonly refits: number;
}

/** What a planted fault puts in the place of the right thing. */
export interface Fault {
  readonly kernel?: WebAssembly.Module;
  /** The network that is fitted; parameters and records come from the right one. */
  readonly network?: (network: CompiledNetwork) => CompiledNetwork;
  /** The counts that are fitted. */
  readonly counts?: (counts: Float64Array) => Float64Array;
}

/** How far the ranks of one quantity are from uniform, in standard errors. */
export interface RankTest {
  readonly quantity: string;
  readonly counts: Float64Array;
  /** Their chi-square, 19 degrees of freedom. */
  readonly chiSquare: number;
  /** The same in standard errors: any shape. */
  readonly shape: number;
  /** Their mean: a shift, which it sees much earlier. */
  readonly shift: number;
}

/** 19 draws of one chain, far enough apart to be independent: 20 ranks. */
export const ranks = 20;
const thinning = { nuts: 20, hmc: 10 };
export const logLikelihood = "log likelihood";

export const basePlans: readonly Plan[] = [
  { seen: ["R", "A", "T"], records: 12 },
  { seen: ["R", "A"], records: 10 },
  { seen: ["A", "T"], records: 40 },
  { seen: ["A"], records: 5 },
  { seen: ["R", "T"], records: 5 },
];

/** @param times as many data sets as in everyday tests */
export const calibrations = (times = 1): Calibration[] =>
  (["nuts", "hmc"] as const).flatMap((sampler) => [
    { name: "base network", sampler, refits: 1000 * times, definition: rat, plans: basePlans },
    {
      name: "judge",
      sampler,
      refits: (sampler === "hmc" ? 1000 : 250) * times,
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
      refits: (sampler === "hmc" ? 1000 : 500) * times,
      definition: ternary,
      plans: [
        { seen: ["R", "A", "T"], records: 15 },
        { seen: ["A", "T"], records: 40 },
        { seen: ["T"], records: 10 },
      ],
    },
    {
      name: "five variables",
      sampler,
      refits: (sampler === "hmc" ? 1000 : 500) * times,
      definition: fiveVariables,
      plans: [
        { seen: ["V", "W", "X", "Y", "Z"], records: 15 },
        { seen: ["V", "X", "Z"], records: 20 },
        { seen: ["W", "Y"], records: 10 },
      ],
    },
  ]);

/** Standard errors that each of the two statistics of each quantity may be off. */
export const rankLimit = (of: readonly Calibration[], rate = falseAlarms): number =>
  zLimit(
    of.reduce((sum, { definition }) => sum + 2 * (definition.quantities.length + 1), 0),
    rate,
  );

export const isUniform = ({ shape, shift }: RankTest, limit: number): boolean =>
  Math.abs(shape) < limit && Math.abs(shift) < limit; // false for NaN

/** Entries (1 - theta, theta) of every row, drawn from the prior. */
export const drawEntries = (network: CompiledNetwork, inputs: Inputs): number[] =>
  network.rowNames.flatMap((_, k) => {
    const theta = inputs.beta(network.priorSuccess[k], network.priorFailure[k]);
    return [1 - theta, theta];
  });

export function drawCounts(
  network: CompiledNetwork,
  p: Float64Array,
  plans: readonly Plan[],
  inputs: Inputs,
): Float64Array {
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

/** Ranks of the true quantities of so many data sets, and what they say. */
export function calibrate(
  { sampler: name, definition, plans, refits }: Calibration,
  fault: Fault = {},
  seed = 171,
  onRefit: (finished: number) => void = () => {},
): RankTest[] {
  const network = compileNetwork(definition);
  const fitted = withEntries(fault.network?.(network) ?? network);
  const inputs = new Inputs(seed);
  const thin = thinning[name];
  const draws = (ranks - 1) * thin;
  const chains = name === "hmc" ? 2 : 1;
  const options = { ...samplerDefaults, sampler: name, chains, warmup: 300, draws, seed };
  const sampler = new Sampler(fitted, options, chains, false, openKernel(fault));
  const Q = network.quantities.length;
  const counts = Array.from({ length: Q + 1 }, () => new Float64Array(ranks));
  for (let refit = 0; refit < refits; refit++) {
    const entries = drawEntries(network, inputs);
    const p = nodeProbabilities(network, entries);
    const values = [...p, ...entries];
    const seen = drawCounts(network, p, plans, inputs);
    sampler.sample(fault.counts?.(seen) ?? seen, refit);
    const columns = fitted.quantities.map((_, q) => sampler.drawsOf(q));
    const truths = network.quantities.map((quantity) => evaluateQuantity(quantity, values));
    const likelihood = likelihoodOf(network, seen);
    const trueLikelihood = likelihood(p);
    const rank = new Uint8Array(Q + 1);
    for (let draw = thin - 1; draw < draws; draw += thin) {
      for (let q = 0; q < Q; q++) if (columns[q][draw] < truths[q]) rank[q]++;
      const drawn = columns.slice(Q).map((column) => column[draw]);
      if (likelihood(nodeProbabilities(network, drawn)) < trueLikelihood) rank[Q]++;
    }
    for (const [q, r] of rank.entries()) counts[q][r]++;
    onRefit(refit + 1);
  }
  return counts.map((column, q) => rankTest(network.quantities[q]?.name ?? logLikelihood, column));
}

function rankTest(quantity: string, counts: Float64Array): RankTest {
  const total = counts.reduce((a, b) => a + b, 0);
  const mean = counts.reduce((sum, n, rank) => sum + n * rank, 0) / total;
  const variance = (ranks ** 2 - 1) / 12;
  const chiSquare = uniformChiSquare(counts);
  return {
    quantity,
    counts,
    chiSquare,
    shape: chiSquareZ(chiSquare, ranks - 1),
    shift: (mean - (ranks - 1) / 2) / Math.sqrt(variance / total),
  };
}

export const openKernel = ({ kernel }: Fault): KernelExports => instantiateKernel(kernel);

/** The network with every row's two entries as further quantities. */
function withEntries(network: CompiledNetwork): CompiledNetwork {
  const entries = Array.from({ length: 2 * network.rowNames.length }, (_, e): CompiledQuantity => {
    const form = { constant: 0, indices: Int32Array.of(network.nodeCount + e), weights: Float64Array.of(1) };
    return { name: `entry ${e}`, expression: `entry ${e}`, program: [{ op: "form", form }], probability: null };
  });
  return { ...network, quantities: [...network.quantities, ...entries] };
}

/** Log likelihood of counts, at node probabilities. */
function likelihoodOf(network: CompiledNetwork, counts: Float64Array): (p: Float64Array) => number {
  const shown = network.patterns.flatMap(({ nodes }, m) => (counts[m] > 0 ? [{ nodes, count: counts[m] }] : []));
  return (p) =>
    shown.reduce(
      (sum, { nodes, count }) => sum + count * Math.log(nodes.reduce((total, node) => total + p[node], 0)),
      0,
    );
}
