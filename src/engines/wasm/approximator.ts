import * as layout from "../../generated/layout.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import { type Approximations, emptyApproximations, triangle } from "./approximations.js";
import { instantiateKernel, type KernelExports } from "./kernel.js";
import { KernelMemory } from "./memory.js";
import { NetworkBlock } from "./network-block.js";

/**
 * One kernel instance, set up for the Laplace approximations of one network's refits. After the network's parts, memory
 * holds the scratch of the approximation, then the mode and the root.
 */
export class Approximator {
  private readonly kernel: KernelExports;
  private readonly network: CompiledNetwork;
  private readonly block: NetworkBlock;
  private readonly mode: Float64Array;
  private readonly root: Float64Array;

  constructor(network: CompiledNetwork, kernel = instantiateKernel()) {
    this.kernel = kernel;
    this.network = network;
    const K = network.rowNames.length;
    const memory = new KernelMemory(kernel);
    this.block = new NetworkBlock(network, kernel, memory);
    const approximation = memory.add(kernel.approximationBytes(K, network.familyRow.length));
    const mode = memory.add(8 * (K + triangle(K)));
    memory.grow(`approximations of ${K} rows`, "use fewer variables or levels");
    memory.words(kernel.runBlock(), { [layout.RUN_APPROXIMATION]: approximation, [layout.RUN_WORKSPACE]: mode });
    this.mode = memory.floats(mode, K);
    this.root = memory.floats(mode + 8 * K, triangle(K));
  }

  /** @param counts records a pattern, [refits x patterns] */
  approximate(counts: Float64Array): Approximations {
    const patterns = this.network.patterns.length;
    const refits = counts.length / patterns;
    const K = this.mode.length;
    const all = emptyApproximations(refits, K);
    for (let i = 0; i < refits; i++) {
      const { success, failure } = this.block.writeCounts(counts.subarray(i * patterns, (i + 1) * patterns));
      this.kernel.approximate();
      all.mode.set(this.mode, i * K);
      all.root.set(this.root, i * this.root.length);
      all.success.set(success, i * K);
      all.failure.set(failure, i * K);
    }
    return all;
  }
}
