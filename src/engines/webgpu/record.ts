import type { CompiledNetwork } from "../../network/compiled.js";
import { isAmbiguous } from "../../network/fold.js";
import { evaluateQuantity } from "../../network/quantity.js";
import { touchedNodes } from "../../network/shape.js";
import type { Pace } from "../../pace.js";
import type { Approximations } from "../wasm/approximations.js";
import { type Layout, patternWords, rowWords } from "./layout.js";

/** Records a pattern up to which f32 gives the same answer as f64: shown by the tests at this number. */
export const mostRecords = 1e8;
/** Less of a Beta's parameter gives a tail beyond the logits that shaders follow. */
const leastParameter = 0.25;

/** Refits as the shaders read them, and what the host needs to read their answers. */
export interface Records {
  /** [refits][RECORD_WORDS] */
  readonly words: Uint32Array<ArrayBuffer>;
  /** Value of each quantity at the reference: [refits][quantities]. Shaders give changes from there. */
  readonly references: Float64Array;
}

/** Why f32 can't be trusted with a network, whatever its counts; null where it can. */
export function networkOutOfRange(network: CompiledNetwork): string | null {
  const row = network.rowNames.findIndex(
    (_, k) => Math.min(network.priorSuccess[k], network.priorFailure[k]) < leastParameter,
  );
  if (row >= 0) {
    return `the prior of ${network.rowNames[row]} has a parameter below ${leastParameter}, too heavy a tail for f32`;
  }
  const extreme = network.quantities.find(({ program }) =>
    program.some((step) => step.op === "form" && [step.form.constant, ...step.form.weights].some(isExtreme)),
  );
  return extreme === undefined ? null : `${extreme.name} has a number in it that is too large or too small for f32`;
}

/** Products of a few such numbers would leave f32's range. */
const isExtreme = (value: number): boolean => value !== 0 && !(Math.abs(value) < 1e12 && Math.abs(value) > 1e-12);

/** Why f32 can't be trusted with a refit; null where it can. @param counts [patterns] */
export function countsOutOfRange(counts: ArrayLike<number>): string | null {
  for (let m = 0; m < counts.length; m++) {
    if (counts[m] > mostRecords) {
      return `${counts[m]} records of one pattern are more than f32 is good for (${mostRecords})`;
    }
  }
  return null;
}

/** Packs a batch. @param counts [refits][patterns]; all within range */
export async function packRecords(
  network: CompiledNetwork,
  layout: Layout,
  { counts, ids }: { readonly counts: Float64Array; readonly ids: Float64Array },
  approximations: Approximations,
  pace: Pace,
): Promise<Records> {
  const refits = ids.length;
  const words = new Uint32Array(refits * layout.RECORD_WORDS);
  const floats = new Float32Array(words.buffer);
  const references = new Float64Array(refits * layout.QUANTITIES);
  const packer = new Packer(network, layout, words, floats);
  for (let refit = 0; refit < refits; refit++) {
    packer.pack(refit, counts, ids[refit], approximations);
    network.quantities.forEach((quantity, q) => {
      references[refit * layout.QUANTITIES + q] = evaluateQuantity(quantity, packer.values);
    });
    if (pace.isDue()) await pace.rest();
  }
  return { words, references };
}

/** Weights of the touched nodes in each ambiguous pattern: [ambiguous][4 TOUCHED_QUADS]. */
export function packMembers(network: CompiledNetwork, layout: Layout): Float32Array<ArrayBuffer> {
  const touched = touchedNodes(network);
  const ambiguous = network.patterns.filter(isAmbiguous);
  const stride = 4 * layout.TOUCHED_QUADS;
  const members = new Float32Array(Math.max(4, ambiguous.length * stride));
  ambiguous.forEach(({ nodes }, i) => {
    for (const node of nodes) members[i * stride + touched.indexOf(node)] = 1;
  });
  return members;
}

class Packer {
  /** Of the last refit at its reference: nodes, then (1 - theta, theta) of each row, as quantities read them. */
  readonly values: Float64Array;
  /** [nodes]: records of ambiguous patterns that are expected there. */
  private readonly expected: Float64Array;
  /** [rows] */
  private readonly slopes: Float64Array;
  private readonly ambiguous: readonly { readonly pattern: number; readonly nodes: Int32Array }[];

  constructor(
    private readonly network: CompiledNetwork,
    private readonly layout: Layout,
    private readonly words: Uint32Array,
    private readonly floats: Float32Array,
  ) {
    this.values = new Float64Array(network.nodeCount + 2 * layout.ROWS);
    this.expected = new Float64Array(network.nodeCount);
    this.slopes = new Float64Array(layout.ROWS);
    this.ambiguous = network.patterns.flatMap((pattern, m) =>
      isAmbiguous(pattern) ? [{ pattern: m, nodes: pattern.nodes }] : [],
    );
  }

  pack(refit: number, counts: Float64Array, id: number, approximations: Approximations): void {
    const { layout, words, floats } = this;
    const at = refit * layout.RECORD_WORDS;
    words[at + layout.RECORD_ID] = id % 2 ** 32;
    words[at + layout.RECORD_ID + 1] = Math.floor(id / 2 ** 32);
    this.packRows(at + layout.RECORD_ROWS, refit, approximations);
    const { root } = approximations;
    for (let i = 0; i < layout.ROOT; i++) floats[at + layout.RECORD_ROOT + i] = root[refit * layout.ROOT + i];
    this.walkTree();
    words[at + layout.RECORD_COUNT] = this.packPatterns(at + layout.RECORD_PATTERNS, refit, counts);
    this.packSlopes(at + layout.RECORD_ROWS, refit, approximations);
  }

  /** The reference is the mode but for the rounding of its rows' less likely entries to f32. */
  private packRows(start: number, refit: number, { mode, success, failure }: Approximations): void {
    const { floats, values } = this;
    const { ROWS } = this.layout;
    const { nodeCount } = this.network;
    for (let k = 0; k < ROWS; k++) {
      const at = start + rowWords * k;
      const x = mode[refit * ROWS + k];
      const [s, f] = [success[refit * ROWS + k], failure[refit * ROWS + k]];
      const small = Math.fround(1 / (1 + Math.exp(Math.abs(x))));
      const theta = x < 0 ? small : 1 - small;
      const rest = x < 0 ? 1 - small : small;
      values[nodeCount + 2 * k] = rest;
      values[nodeCount + 2 * k + 1] = theta;
      floats[at] = theta;
      floats[at + 1] = rest;
      floats[at + 2] = s;
      floats[at + 3] = f;
      floats[at + 4] = small;
      floats[at + 6] = s + f;
      floats[at + 7] = x < 0 ? 1 : -1;
    }
  }

  private walkTree(): void {
    const { values } = this;
    const { familyParent, familyRow, nodeCount } = this.network;
    values[0] = 1;
    for (let f = 0; f < familyParent.length; f++) {
      const p = values[familyParent[f]];
      values[2 * f + 1] = p * values[nodeCount + 2 * familyRow[f]];
      values[2 * f + 2] = p * values[nodeCount + 2 * familyRow[f] + 1];
    }
  }

  /** The patterns that have records; returns how many. */
  private packPatterns(start: number, refit: number, counts: Float64Array): number {
    let at = start;
    const first = refit * this.network.patterns.length;
    this.expected.fill(0);
    this.ambiguous.forEach(({ pattern, nodes }, number) => {
      const n = counts[first + pattern];
      if (n === 0) return;
      let p = 0;
      for (const node of nodes) p += this.values[node];
      for (const node of nodes) this.expected[node] += (n / p) * this.values[node];
      this.words[at] = number;
      this.floats[at + 1] = n;
      this.floats[at + 2] = 1 / p;
      at += patternWords;
    });
    return (at - start) / patternWords;
  }

  /** All but 0, as the reference is all but the mode: the gradient as network/density.ts has it, in f64. */
  private packSlopes(start: number, refit: number, { success, failure }: Approximations): void {
    const { floats, values, expected, slopes } = this;
    const { ROWS } = this.layout;
    const { familyParent, familyRow, nodeCount } = this.network;
    const first = refit * ROWS;
    for (let k = 0; k < ROWS; k++) {
      const [rest, theta] = [values[nodeCount + 2 * k], values[nodeCount + 2 * k + 1]];
      slopes[k] = success[first + k] * rest - failure[first + k] * theta;
    }
    for (let f = familyParent.length - 1; f >= 0; f--) {
      const k = familyRow[f];
      const [none, one] = [expected[2 * f + 1], expected[2 * f + 2]];
      slopes[k] += one * values[nodeCount + 2 * k] - none * values[nodeCount + 2 * k + 1];
      expected[familyParent[f]] += none + one;
    }
    for (let k = 0; k < ROWS; k++) {
      const at = start + rowWords * k;
      floats[at + 5] = floats[at + 7] * slopes[k];
    }
  }
}
