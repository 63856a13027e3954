import { RatError } from "../../errors.js";
import * as layout from "../../generated/layout.js";
import type { CompiledNetwork, CompiledQuantity } from "../../network/compiled.js";
import { fold, isAmbiguous } from "../../network/fold.js";
import { shapeOf } from "../../network/shape.js";
import type { SamplerOptions } from "../engine.js";
import { instantiateKernel, type KernelEntry, type KernelExports } from "./kernel.js";
import { straightLineShape } from "./straight-line.js";

const pageBytes = 65536;
const laneBytes = 16;

/** Beyond it the rounding of a log density, about records * 2^-53, would show in acceptance: the centred one takes over. */
const mostPlainRecords = 2 ** 38;

/**
 * One kernel instance, set up for one network and one way of sampling; then refit after refit at no more cost than the
 * refit itself.
 *
 * Memory, upwards from where the kernel's own data ends, each part 16-byte aligned:
 *
 *     families | fixed | patterns | values | expected | softplus | totals | reference     the network block points at these
 *     programs | stack                                                        the quantity block
 *     chain results | summaries | workspace | approximation | trace | draws                   the run block
 *
 * Memory grows at set-up only, so that the views taken there stay valid.
 */
export class Sampler {
  /** Chains that are sampled: for hmc a whole number of pairs. */
  readonly chains: number;
  /** Chains that were asked for, and that summaries are of. */
  readonly wanted: number;
  readonly quantities: number;
  private readonly kernel: KernelExports;
  private readonly network: CompiledNetwork;
  private readonly options: SamplerOptions;
  private readonly entries: { readonly usual: KernelEntry; readonly many: KernelEntry };
  private readonly view: DataView;
  private readonly fixed: number;
  private readonly patterns: number;
  private readonly results: Float64Array;
  private readonly summaries: Float64Array;
  private readonly draws: Float64Array;
  private readonly traced: Float64Array | null;

  /**
   * @param chains chains a call; for hmc the last one of an odd number has a partner that is left out of summaries
   * @param straightLine false: the table density even where straight-line code fits; the same numbers to rounding
   */
  constructor(
    network: CompiledNetwork,
    options: SamplerOptions,
    chains: number,
    trace = false,
    kernel = instantiateKernel(),
    straightLine = true,
  ) {
    this.kernel = kernel;
    this.network = network;
    this.options = options;
    this.wanted = chains;
    this.chains = options.sampler === "hmc" ? 2 * Math.ceil(chains / 2) : chains;
    const straight = straightLine && shapeOf(network) === straightLineShape;
    this.entries =
      options.sampler === "nuts"
        ? { usual: straight ? "nutsRat" : "nuts", many: "nutsCentred" }
        : { usual: straight ? "hmcRat" : "hmc", many: "hmcCentred" };
    const K = network.rowNames.length;
    const F = network.familyRow.length;
    const Q = network.quantities.length;
    this.quantities = Q;
    const ambiguous = network.patterns.filter(isAmbiguous);
    const kept = this.chains * options.draws;

    const parts = new Parts(kernel.freeMemory());
    const families = parts.add(8 * F);
    this.fixed = parts.add(16 * K);
    this.patterns = parts.add(ambiguous.reduce((sum, pattern) => sum + patternBytes(pattern.nodes.length), 0));
    const values = parts.add(laneBytes * (network.nodeCount + 2 * K));
    const expected = parts.add(laneBytes * network.nodeCount);
    const softplus = parts.add(8 * K);
    const totals = parts.add(laneBytes * ambiguous.length);
    const reference = parts.add(8 * (4 * K + 2 * network.nodeCount));
    const programs = parts.add(network.quantities.reduce((sum, quantity) => sum + programBytes(quantity), 0));
    const stack = parts.add(laneBytes * Math.max(1, ...network.quantities.map((quantity) => quantity.program.length)));
    const results = parts.add(8 * layout.CHAIN_FIELDS * this.chains);
    const summaries = parts.add(8 * layout.SUMMARY_FIELDS * Q);
    const workspace = parts.add(kernel.workspaceBytes(K, Q));
    const approximation = parts.add(kernel.approximationBytes(K, F));
    const traceStart = parts.add(trace ? 8 * layout.TRACE_FIELDS * kept : 0);
    const output = parts.add(8 * Q * kept);
    grow(kernel.memory, parts.end, `${kept} draws of ${Q} quantities`);

    const { buffer } = kernel.memory;
    this.view = new DataView(buffer);
    this.results = new Float64Array(buffer, results, layout.CHAIN_FIELDS * this.chains);
    this.summaries = new Float64Array(buffer, summaries, layout.SUMMARY_FIELDS * Q);
    this.draws = new Float64Array(buffer, output, Q * kept);
    this.traced = trace ? new Float64Array(buffer, traceStart, layout.TRACE_FIELDS * kept) : null;

    this.words(kernel.networkBlock(), {
      [layout.NETWORK_ROWS]: K,
      [layout.NETWORK_FAMILIES]: F,
      [layout.NETWORK_FIXED]: this.fixed,
      [layout.NETWORK_FAMILY_TABLE]: families,
      [layout.NETWORK_PATTERN_TABLE]: this.patterns,
      [layout.NETWORK_VALUES]: values,
      [layout.NETWORK_EXPECTED]: expected,
      [layout.NETWORK_SOFTPLUS]: softplus,
      [layout.NETWORK_TOTALS]: totals,
      [layout.NETWORK_REFERENCE]: reference,
    });
    this.words(kernel.quantityBlock(), {
      [layout.QUANTITY_COUNT]: Q,
      [layout.QUANTITY_PROGRAMS]: programs,
      [layout.QUANTITY_STACK]: stack,
    });
    this.words(kernel.runBlock(), {
      [layout.RUN_CHAINS]: this.chains,
      [layout.RUN_WARMUP]: options.warmup,
      [layout.RUN_DRAWS]: options.draws,
      [layout.RUN_OUTPUT]: output,
      [layout.RUN_TRACE]: trace ? traceStart : 0,
      [layout.RUN_WORKSPACE]: workspace,
      [layout.RUN_APPROXIMATION]: approximation,
      [layout.RUN_CHAIN_RESULTS]: results,
      [layout.RUN_SUMMARIES]: summaries,
    });
    this.view.setFloat64(kernel.runBlock() + layout.RUN_LOWER, (1 - options.level) / 2, true);
    this.view.setFloat64(kernel.runBlock() + layout.RUN_UPPER, (1 + options.level) / 2, true);
    this.seed = options.seed;
    for (let f = 0; f < F; f++) {
      this.view.setUint32(families + 8 * f, network.familyParent[f], true);
      this.view.setUint32(families + 8 * f + 4, network.familyRow[f], true);
    }
    this.writePrograms(programs);
  }

  /** Key of the random streams of what is sampled next. */
  set seed(seed: number) {
    this.long(this.kernel.runBlock() + layout.RUN_SEED, seed);
  }

  /** Samples one refit's chains, numbered from `firstChain`. @param counts records a pattern, [patterns] */
  sample(counts: ArrayLike<number>, id: number, firstChain = 0): void {
    this.writeCounts(counts);
    let records = 0;
    for (let m = 0; m < counts.length; m++) records += counts[m];
    const run = this.kernel.runBlock();
    this.long(run + layout.RUN_REFIT, id);
    this.view.setUint32(run + layout.RUN_FIRST_CHAIN, firstChain, true);
    this.kernel[this.entries[records > mostPlainRecords ? "many" : "usual"]]();
  }

  /** Summaries of the draws, [quantities][SUMMARY_FIELDS]; the draws are then no longer in order. A view: read it now. */
  summarise(): Float64Array {
    if (this.wanted < this.chains) this.packDraws();
    const chains = this.kernel.runBlock() + layout.RUN_CHAINS;
    this.view.setUint32(chains, this.wanted, true);
    this.kernel.summarise();
    this.view.setUint32(chains, this.chains, true);
    return this.summaries;
  }

  /** Sum of a field of the chains' results over the chains that were asked for. */
  total(field: number): number {
    let sum = 0;
    for (let chain = 0; chain < this.wanted; chain++) sum += this.results[chain * layout.CHAIN_FIELDS + field];
    return sum;
  }

  /** One quantity's draws, [chains][draws]. A view: copy what is to be kept. */
  drawsOf(quantity: number): Float64Array {
    const kept = this.chains * this.options.draws;
    return this.draws.subarray(quantity * kept, (quantity + 1) * kept);
  }

  /** [chains][CHAIN_FIELDS] of the last call. A view. */
  get chainResults(): Float64Array {
    return this.results;
  }

  /** [chains][draws][TRACE_FIELDS] of the last call, where it was asked for. A view. */
  get trace(): Float64Array | null {
    return this.traced;
  }

  /** Closes the gaps that chains which nobody asked for leave: [quantities][wanted][draws]. */
  private packDraws(): void {
    const { draws } = this.options;
    for (let q = 1; q < this.quantities; q++) {
      const from = q * this.chains * draws;
      this.draws.copyWithin(q * this.wanted * draws, from, from + this.wanted * draws);
    }
  }

  private writeCounts(counts: ArrayLike<number>): void {
    const folded = fold(this.network, counts);
    for (let k = 0; k < folded.success.length; k++) {
      this.view.setFloat64(this.fixed + 16 * k, folded.success[k], true);
      this.view.setFloat64(this.fixed + 16 * k + 8, folded.failure[k], true);
    }
    let at = this.patterns;
    folded.patterns.forEach((m, i) => {
      const { nodes } = this.network.patterns[m];
      this.view.setFloat64(at, folded.counts[i], true);
      this.view.setUint32(at + 8, nodes.length, true);
      nodes.forEach((node, j) => {
        this.view.setUint32(at + 12 + 4 * j, node, true);
      });
      at += patternBytes(nodes.length);
    });
    this.view.setUint32(this.kernel.networkBlock() + layout.NETWORK_PATTERNS, folded.patterns.length, true);
  }

  private writePrograms(start: number): void {
    const codes = {
      add: layout.STEP_ADD,
      subtract: layout.STEP_SUBTRACT,
      multiply: layout.STEP_MULTIPLY,
      divide: layout.STEP_DIVIDE,
      probability: layout.STEP_PROBABILITY,
    };
    let at = start;
    for (const { program } of this.network.quantities) {
      this.view.setUint32(at, program.length, true);
      at += 8;
      for (const step of program) {
        this.view.setUint32(at, step.op === "form" ? layout.STEP_FORM : codes[step.op], true);
        if (step.op !== "form") {
          at += 8;
          continue;
        }
        const { constant, indices, weights } = step.form;
        this.view.setUint32(at + 4, indices.length, true);
        this.view.setFloat64(at + 8, constant, true);
        at += 16;
        indices.forEach((index, t) => {
          this.view.setUint32(at, index, true);
          this.view.setFloat64(at + 8, weights[t], true);
          at += 16;
        });
      }
    }
  }

  private words(block: number, fields: Record<number, number>): void {
    for (const [offset, value] of Object.entries(fields)) this.view.setUint32(block + Number(offset), value, true);
  }

  private long(at: number, value: number): void {
    this.view.setUint32(at, value % 2 ** 32, true);
    this.view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
  }
}

/** Hands out addresses one after the other. */
class Parts {
  constructor(public end: number) {}

  add(bytes: number): number {
    const start = (this.end + 15) & ~15;
    this.end = start + bytes;
    return start;
  }
}

const patternBytes = (nodes: number): number => (12 + 4 * nodes + 7) & ~7;

const programBytes = (quantity: CompiledQuantity): number =>
  quantity.program.reduce((sum, step) => sum + (step.op === "form" ? 16 + 16 * step.form.indices.length : 8), 8);

/** @throws RatError (usage) where so much can't be had */
function grow(memory: WebAssembly.Memory, bytes: number, purpose: string): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing <= 0) return;
  try {
    memory.grow(Math.ceil(missing / pageBytes));
  } catch (cause) {
    const gigabytes = (bytes / 2 ** 30).toFixed(1);
    const message = `${purpose} need ${gigabytes} GB at once, more than there is (4 at most); lower --draws or --chains`;
    throw new RatError("usage", message, {}, { cause });
  }
}
