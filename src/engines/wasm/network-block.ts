import * as layout from "../../generated/layout.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import { type Folded, fold, isAmbiguous } from "../../network/fold.js";
import type { KernelExports } from "./kernel.js";
import type { KernelMemory } from "./memory.js";

/** Of what a density has for each of two chains. */
export const laneBytes = 16;

/**
 * What a kernel instance knows of the posterior: the network, told once, and then the counts of refit after refit. Parts
 * of memory that the network block points at:
 *
 *     families | fixed | patterns | values | expected | softplus | totals | reference
 */
export class NetworkBlock {
  private readonly network: CompiledNetwork;
  private readonly memory: KernelMemory;
  private readonly block: number;
  private readonly fixed: number;
  private readonly patterns: number;

  constructor(network: CompiledNetwork, kernel: KernelExports, memory: KernelMemory) {
    this.network = network;
    this.memory = memory;
    this.block = kernel.networkBlock();
    const K = network.rowNames.length;
    const F = network.familyRow.length;
    const ambiguous = network.patterns.filter(isAmbiguous);

    const families = memory.add(8 * F);
    this.fixed = memory.add(16 * K);
    this.patterns = memory.add(ambiguous.reduce((sum, pattern) => sum + patternBytes(pattern.nodes.length), 0));
    const values = memory.add(laneBytes * (network.nodeCount + 2 * K));
    const expected = memory.add(laneBytes * network.nodeCount);
    const softplus = memory.add(8 * K);
    const totals = memory.add(laneBytes * ambiguous.length);
    const reference = memory.add(8 * (4 * K + 2 * network.nodeCount));
    memory.grow(`${K} rows and ${ambiguous.length} ambiguous patterns`, "use fewer variables or levels");

    memory.words(this.block, {
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
    for (let f = 0; f < F; f++) {
      memory.words(families + 8 * f, { 0: network.familyParent[f], 4: network.familyRow[f] });
    }
  }

  /** Makes a refit's posterior the kernel's. @param counts records a pattern, [patterns]; returned as they were folded */
  writeCounts(counts: ArrayLike<number>): Folded {
    const folded = fold(this.network, counts);
    const { view } = this.memory;
    for (let k = 0; k < folded.success.length; k++) {
      view.setFloat64(this.fixed + 16 * k, folded.success[k], true);
      view.setFloat64(this.fixed + 16 * k + 8, folded.failure[k], true);
    }
    let at = this.patterns;
    folded.patterns.forEach((m, i) => {
      const { nodes } = this.network.patterns[m];
      view.setFloat64(at, folded.counts[i], true);
      view.setUint32(at + 8, nodes.length, true);
      nodes.forEach((node, j) => {
        view.setUint32(at + 12 + 4 * j, node, true);
      });
      at += patternBytes(nodes.length);
    });
    view.setUint32(this.block + layout.NETWORK_PATTERNS, folded.patterns.length, true);
    return folded;
  }
}

const patternBytes = (nodes: number): number => (12 + 4 * nodes + 7) & ~7;
