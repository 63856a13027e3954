import * as layout from "../../generated/layout.js";
import type { CompiledNetwork, CompiledQuantity } from "../../network/compiled.js";
import { shapeOf } from "../../network/shape.js";
import type { SamplerOptions } from "../engine.js";
import { instantiateKernel, type KernelEntry, type KernelExports } from "./kernel.js";
import { KernelMemory } from "./memory.js";
import { laneBytes, NetworkBlock } from "./network-block.js";
import { straightLineShape } from "./straight-line.js";

/** Beyond it the rounding of a log density, about records * 2^-53, would show in acceptance: the centred one takes over. */
const mostPlainRecords = 2 ** 38;

/**
 * One kernel instance, set up for one network and one way of sampling; then refit after refit at no more cost than the
 * refit itself.
 *
 * Parts of memory after those of the network:
 *
 *     programs | stack                                                        the quantity block points at these
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
  private readonly memory: KernelMemory;
  private readonly block: NetworkBlock;
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
    const kept = this.chains * options.draws;

    const memory = new KernelMemory(kernel);
    this.memory = memory;
    this.block = new NetworkBlock(network, kernel, memory);
    const programs = memory.add(network.quantities.reduce((sum, quantity) => sum + programBytes(quantity), 0));
    const stack = memory.add(laneBytes * Math.max(1, ...network.quantities.map((quantity) => quantity.program.length)));
    const results = memory.add(8 * layout.CHAIN_FIELDS * this.chains);
    const summaries = memory.add(8 * layout.SUMMARY_FIELDS * Q);
    const workspace = memory.add(kernel.workspaceBytes(K, Q));
    const approximation = memory.add(kernel.approximationBytes(K, F));
    const traceStart = memory.add(trace ? 8 * layout.TRACE_FIELDS * kept : 0);
    const output = memory.add(8 * Q * kept);
    memory.grow(`${kept} draws of ${Q} quantities`, "lower --draws or --chains");

    this.results = memory.floats(results, layout.CHAIN_FIELDS * this.chains);
    this.summaries = memory.floats(summaries, layout.SUMMARY_FIELDS * Q);
    this.draws = memory.floats(output, Q * kept);
    this.traced = trace ? memory.floats(traceStart, layout.TRACE_FIELDS * kept) : null;

    memory.words(kernel.quantityBlock(), {
      [layout.QUANTITY_COUNT]: Q,
      [layout.QUANTITY_PROGRAMS]: programs,
      [layout.QUANTITY_STACK]: stack,
    });
    memory.words(kernel.runBlock(), {
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
    memory.view.setFloat64(kernel.runBlock() + layout.RUN_LOWER, (1 - options.level) / 2, true);
    memory.view.setFloat64(kernel.runBlock() + layout.RUN_UPPER, (1 + options.level) / 2, true);
    this.seed = options.seed;
    this.writePrograms(programs);
  }

  /** Key of the random streams of what is sampled next. */
  set seed(seed: number) {
    this.memory.long(this.kernel.runBlock() + layout.RUN_SEED, seed);
  }

  /** Samples one refit's chains, numbered from `firstChain`. @param counts records a pattern, [patterns] */
  sample(counts: ArrayLike<number>, id: number, firstChain = 0): void {
    this.block.writeCounts(counts);
    let records = 0;
    for (let m = 0; m < counts.length; m++) records += counts[m];
    const run = this.kernel.runBlock();
    this.memory.long(run + layout.RUN_REFIT, id);
    this.memory.view.setUint32(run + layout.RUN_FIRST_CHAIN, firstChain, true);
    this.kernel[this.entries[records > mostPlainRecords ? "many" : "usual"]]();
  }

  /** Summaries of the draws, [quantities][SUMMARY_FIELDS]; the draws are then no longer in order. A view: read it now. */
  summarise(): Float64Array {
    if (this.wanted < this.chains) this.packDraws();
    const { view } = this.memory;
    const chains = this.kernel.runBlock() + layout.RUN_CHAINS;
    view.setUint32(chains, this.wanted, true);
    this.kernel.summarise();
    view.setUint32(chains, this.chains, true);
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

  private writePrograms(start: number): void {
    const codes = {
      add: layout.STEP_ADD,
      subtract: layout.STEP_SUBTRACT,
      multiply: layout.STEP_MULTIPLY,
      divide: layout.STEP_DIVIDE,
      probability: layout.STEP_PROBABILITY,
    };
    const { view } = this.memory;
    let at = start;
    for (const { program } of this.network.quantities) {
      view.setUint32(at, program.length, true);
      at += 8;
      for (const step of program) {
        view.setUint32(at, step.op === "form" ? layout.STEP_FORM : codes[step.op], true);
        if (step.op !== "form") {
          at += 8;
          continue;
        }
        const { constant, indices, weights } = step.form;
        view.setUint32(at + 4, indices.length, true);
        view.setFloat64(at + 8, constant, true);
        at += 16;
        indices.forEach((index, t) => {
          view.setUint32(at, index, true);
          view.setFloat64(at + 8, weights[t], true);
          at += 16;
        });
      }
    }
  }
}

const programBytes = (quantity: CompiledQuantity): number =>
  quantity.program.reduce((sum, step) => sum + (step.op === "form" ? 16 + 16 * step.form.indices.length : 8), 8);
