import type { SamplerName } from "../../src/engines/engine.js";
import { instantiateKernel, type KernelExports } from "../../src/engines/wasm/kernel.js";
import type { WebGpuEngine } from "../../src/engines/webgpu/engine.js";
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
import { chiSquareZ, falseAlarms, uniformChiSquare, zLimit } from "./montecarlo.js";
import { fiveVariables, ternary } from "./networks.js";
import { Inputs } from "./random.js";
import { drawsOfGpu, drawsOfKernel, ranks } from "./rank-draws.js";

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
  /** Left out: the kernel by itself. */
  readonly engine?: WebGpuEngine;
}

/** What a planted fault puts in the place of the right thing. */
export interface Fault {
  /** Where no engine is named. */
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

export const logLikelihood = "log likelihood";

export const basePlans: readonly Plan[] = [
  { seen: ["R", "A", "T"], records: 12 },
  { seen: ["R", "A"], records: 10 },
  { seen: ["A", "T"], records: 40 },
  { seen: ["A"], records: 5 },
  { seen: ["R", "T"], records: 5 },
];

/** Data sets of everyday tests. */
const subjects: readonly (Pick<Calibration, "name" | "definition" | "plans"> & {
  readonly refits: Readonly<Partial<Record<SamplerName | "webgpu", number>>>;
})[] = [
  { name: "base network", refits: { nuts: 1000, hmc: 1000, webgpu: 1000 }, definition: rat, plans: basePlans },
  {
    name: "judge",
    refits: { nuts: 250, hmc: 1000, webgpu: 250 },
    definition: ratJudge(),
    plans: [
      { seen: ["R", "A", "T", "R_J", "T_J"], records: 20 },
      { seen: ["A", "R_J", "T_J"], records: 60 },
      { seen: ["R", "A", "T", "T_J"], records: 10 },
    ],
  },
  {
    name: "three levels of retrieval",
    refits: { nuts: 500, hmc: 1000, webgpu: 500 },
    definition: ternary,
    plans: [
      { seen: ["R", "A", "T"], records: 15 },
      { seen: ["A", "T"], records: 40 },
      { seen: ["T"], records: 10 },
    ],
  },
  {
    name: "five variables",
    refits: { nuts: 500, hmc: 1000 }, // more patterns than shaders take
    definition: fiveVariables,
    plans: [
      { seen: ["V", "W", "X", "Y", "Z"], records: 15 },
      { seen: ["V", "X", "Z"], records: 20 },
      { seen: ["W", "Y"], records: 10 },
    ],
  },
];

/** Those of the kernel by itself, or of an engine, which is to be put in. @param times as many data sets as every day */
export const calibrations = (times = 1, engine: "wasm" | "webgpu" = "wasm"): Calibration[] =>
  (engine === "wasm" ? (["nuts", "hmc"] as const) : (["webgpu"] as const)).flatMap((way) =>
    subjects.flatMap(({ refits: { [way]: refits }, ...subject }) =>
      refits === undefined ? [] : [{ ...subject, sampler: way === "webgpu" ? "hmc" : way, refits: times * refits }],
    ),
  );

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

/** Parameters from the prior, and records from the model with these. */
export function drawTruth(network: CompiledNetwork, plans: readonly Plan[], inputs: Inputs): Truth {
  const entries = drawEntries(network, inputs);
  const p = nodeProbabilities(network, entries);
  const values = [...p, ...entries];
  const quantities = network.quantities.map((quantity) => evaluateQuantity(quantity, values));
  return { p, quantities, counts: drawCounts(network, p, plans, inputs) };
}

export interface Truth {
  /** Of the nodes. */
  readonly p: Float64Array;
  readonly quantities: readonly number[];
  readonly counts: Float64Array;
}

/** Data sets that are fitted at once. */
const batchSize = 64;

/** Ranks of the true quantities of so many data sets, and what they say. */
export async function calibrate(
  { sampler, definition, plans, refits, engine }: Calibration,
  fault: Fault = {},
  seed = 171,
  onRefit: (finished: number) => void = () => {},
): Promise<RankTest[]> {
  const network = compileNetwork(definition);
  const fitted = withThetas(fault.network?.(network) ?? network);
  const draws = engine ? drawsOfGpu(fitted, seed, engine) : drawsOfKernel(fitted, seed, sampler, openKernel(fault));
  const inputs = new Inputs(seed);
  const Q = network.quantities.length;
  const counts = Array.from({ length: Q + 1 }, () => new Float64Array(ranks));
  for (let first = 0; first < refits; first += batchSize) {
    const size = Math.min(batchSize, refits - first);
    const truths = Array.from({ length: size }, () => drawTruth(network, plans, inputs));
    const seen = truths.map((truth) => fault.counts?.(truth.counts) ?? truth.counts);
    for await (const [refit, columns] of draws(seen, first)) {
      const rank = ranksOf(network, truths[refit - first], columns);
      for (const [q, r] of rank.entries()) counts[q][r]++;
      onRefit(refit + 1);
    }
  }
  return counts.map((column, q) => rankTest(network.quantities[q]?.name ?? logLikelihood, column));
}

/** Ranks of one data set's true quantities and of its log likelihood. @param columns draws by quantity, then by row */
function ranksOf(network: CompiledNetwork, truth: Truth, columns: readonly Float64Array[]): Uint8Array {
  const Q = network.quantities.length;
  const likelihood = likelihoodOf(network, truth.counts);
  const trueLikelihood = likelihood(truth.p);
  const rank = new Uint8Array(Q + 1);
  for (let draw = 0; draw < ranks - 1; draw++) {
    for (let q = 0; q < Q; q++) if (columns[q][draw] < truth.quantities[q]) rank[q]++;
    const entries = columns.slice(Q).flatMap((thetas) => [1 - thetas[draw], thetas[draw]]);
    if (likelihood(nodeProbabilities(network, entries)) < trueLikelihood) rank[Q]++;
  }
  return rank;
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

/** The network with every row's theta as a further quantity. */
function withThetas(network: CompiledNetwork): CompiledNetwork {
  const thetas = network.rowNames.map((name, k): CompiledQuantity => {
    const form = { constant: 0, indices: Int32Array.of(network.nodeCount + 2 * k + 1), weights: Float64Array.of(1) };
    return { name: `theta of ${name}`, expression: "", program: [{ op: "form", form }], probability: null };
  });
  return { ...network, quantities: [...network.quantities, ...thetas] };
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
