import { STREAM_COMPARE } from "../generated/layout.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { evaluateQuantity } from "../network/quantity.js";
import { Stream } from "../random/stream.js";
import { Variates } from "../random/variates.js";

/** What each question shows of one system: its pattern, by the question's id. */
export type Questions = Map<string, number>;

/** Records of two systems on the same questions, all of them with all labels: [cells of the first][cells of the second]. */
export interface Pairs {
  readonly counts: Float64Array;
  readonly records: number;
}

/**
 * The pairs of two systems that were asked the same questions; why they can't be compared so, in words; null where nothing
 * suggests it. A single missing label is too much: an abstention needs none of T, so that the complete pairs would be a
 * selection by what is asked about.
 */
export function pairsOf(
  network: CompiledNetwork,
  first: Questions | string | null,
  second: Questions | string | null,
): Pairs | string | null {
  if (first === null || second === null) return null;
  if (typeof first === "string") return first;
  if (typeof second === "string") return second;
  const shared = [...first.keys()].filter((id) => second.has(id)).length;
  if (shared === 0) return null;
  if (shared < Math.max(first.size, second.size)) return `only ${shared} questions are the same`;
  const size = network.cells.length;
  const counts = new Float64Array(size * size);
  let incomplete = 0;
  for (const [id, pattern] of first) {
    const [a, b] = [network.patterns[pattern].cells, network.patterns[second.get(id) as number].cells];
    if (a.length > 1 || b.length > 1) incomplete++;
    else counts[a[0] * size + b[0]]++;
  }
  return incomplete > 0 ? `${incomplete} of the ${shared} questions lack a label` : { counts, records: shared };
}

/**
 * Draws of both systems' quantities from the posterior of the joint distribution of their cells. Its prior is a Dirichlet
 * of 1 / cells for each pair, so that each system by itself has a uniform one.
 * @returns [system][quantity], each [draws]
 */
export function drawPairs(
  network: CompiledNetwork,
  { counts }: Pairs,
  draws: number,
  seed: number,
  id: number,
): [Float64Array[], Float64Array[]] {
  const size = network.cells.length;
  const variates = new Variates(new Stream(seed, id, STREAM_COMPARE));
  const systems = [0, 1].map(() => network.quantities.map(() => new Float64Array(draws)));
  const cells = [new Float64Array(size), new Float64Array(size)];
  const values = new Float64Array(network.nodeCount + 2 * network.rowNames.length);
  for (let draw = 0; draw < draws; draw++) {
    for (const cell of cells) cell.fill(0);
    let total = 0;
    for (let pair = 0; pair < counts.length; pair++) {
      const weight = Math.exp(variates.logGamma(counts[pair] + 1 / size));
      cells[0][Math.floor(pair / size)] += weight;
      cells[1][pair % size] += weight;
      total += weight;
    }
    systems.forEach((system, s) => {
      fillValues(network, cells[s], total, values);
      network.quantities.forEach((quantity, q) => {
        system[q][draw] = evaluateQuantity(quantity, values);
      });
    });
  }
  return systems as [Float64Array[], Float64Array[]];
}

/** Node probabilities and row entries of a distribution over the cells. */
function fillValues(network: CompiledNetwork, cells: Float64Array, total: number, values: Float64Array): void {
  const { nodeCount, familyParent, familyRow } = network;
  values.fill(0);
  network.cells.forEach(({ node }, c) => {
    values[node] = cells[c] / total;
  });
  for (let f = familyParent.length - 1; f >= 0; f--) {
    values[familyParent[f]] += values[2 * f + 1] + values[2 * f + 2];
  }
  // An entry of a row is the share of all that passes through the row.
  for (let f = 0; f < familyParent.length; f++) {
    for (const entry of [0, 1]) values[nodeCount + 2 * familyRow[f] + entry] += values[2 * f + 1 + entry];
  }
  for (let at = nodeCount; at < values.length; at += 2) {
    const sum = values[at] + values[at + 1];
    if (sum > 0) for (const entry of [0, 1]) values[at + entry] /= sum;
  }
}
