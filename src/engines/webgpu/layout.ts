import { RatError } from "../../errors.js";
import {
  STREAM_GPU,
  SUMMARY_ESS,
  SUMMARY_FIELDS,
  SUMMARY_LOWER,
  SUMMARY_MEAN,
  SUMMARY_MEDIAN,
  SUMMARY_RHAT,
  SUMMARY_SD,
  SUMMARY_UPPER,
} from "../../generated/layout.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import { isAmbiguous } from "../../network/fold.js";
import { touchedNodes } from "../../network/shape.js";

/** Beyond these a shader would not fit a GPU's registers, or take too long to compile. */
export const mostRows = 32;
export const mostAmbiguous = 128;
export const mostChains = 128;
/** Of a workgroup's memory, 16 KiB: what every WebGPU has. */
const workgroupWords = 4096;

/** Iterations a round: see shaders/hmc.wgsl. */
export const roundIterations = 16;

/** Words of one refit's record before its rows: patterns with records, refit id (two words), one unused. */
const recordHead = 4;
/** theta, 1 - theta, successes, failures; smaller entry, slope of the log density along its logit, total, sign. */
export const rowWords = 8;
/** Pattern number, records, 1 / its probability at the reference. */
export const patternWords = 3;

/** Where everything is that host and shaders share, in words of 4 bytes; also the shaders' constants. */
export interface Layout {
  readonly CHAINS: number;
  readonly ROWS: number;
  readonly QUANTITIES: number;
  /** Entries of W. */
  readonly ROOT: number;
  readonly TILE: number;
  readonly ROUND: number;
  /** Quads that hold a weight for each touched node. */
  readonly TOUCHED_QUADS: number;
  readonly RECORD_WORDS: number;
  readonly RECORD_COUNT: number;
  readonly RECORD_ID: number;
  readonly RECORD_ROWS: number;
  readonly RECORD_ROOT: number;
  readonly RECORD_PATTERNS: number;
  readonly STATE_WORDS: number;
  readonly STATE_POSITION: number;
  readonly STATE_PULL: number;
  readonly STATE_KEPT: number;
  readonly STATE_DENSITY: number;
  readonly STATE_RANDOM: number;
  readonly STATE_LENGTHS: number;
  readonly STATE_TOTALS: number;
  readonly ADAPTED_WORDS: number;
  readonly ADAPTED_STEP: number;
  readonly ADAPTED_STRETCH: number;
  readonly ADAPTED_SUMS: number;
  readonly ADAPTED_SQUARES: number;
  readonly RESULT_WORDS: number;
  readonly RESULT_ACCEPTANCE: number;
  readonly RESULT_DIVERGENCES: number;
  readonly RESULT_LEAPFROGS: number;
  readonly RESULT_STEP_SIZE: number;
  readonly RESULT_QUANTITIES: number;
}

/** @throws RatError (unavailable) for a network or a number of chains that the shaders are not made for */
export function layoutOf(network: CompiledNetwork, chains: number): Layout {
  const K = network.rowNames.length;
  const Q = network.quantities.length;
  const ambiguous = network.patterns.filter(isAmbiguous).length;
  const refuse = (what: string, has: number, most: number): void => {
    if (has <= most) return;
    throw new RatError(
      "unavailable",
      `engine webgpu takes at most ${most} ${what}; there are ${has}: use --engine wasm`,
    );
  };
  refuse("free parameters", K, mostRows);
  refuse("ambiguous patterns", ambiguous, mostAmbiguous);
  refuse("chains", chains, mostChains);
  const root = (K * (K + 1)) / 2;
  // shaders/hmc.wgsl: rows, root and factors, then positions and acceptance of each chain; each array starts at a quad.
  const fixed = rowWords * K + root + K + 4 * 6;
  refuse(`chains with ${K} free parameters`, chains, Math.floor((workgroupWords - fixed) / (K + 1)));
  const rowsEnd = recordHead + rowWords * K;
  return {
    CHAINS: chains,
    ROWS: K,
    QUANTITIES: Q,
    ROOT: root,
    TILE: K * chains,
    ROUND: roundIterations,
    TOUCHED_QUADS: Math.ceil(touchedNodes(network).length / 4),
    RECORD_COUNT: 0,
    RECORD_ID: 1,
    RECORD_ROWS: recordHead,
    RECORD_ROOT: rowsEnd,
    RECORD_PATTERNS: rowsEnd + root,
    RECORD_WORDS: rowsEnd + root + patternWords * ambiguous,
    STATE_POSITION: 0,
    STATE_PULL: K,
    STATE_KEPT: 2 * K,
    STATE_DENSITY: 2 * K + Q,
    STATE_RANDOM: 2 * K + Q + 1,
    STATE_LENGTHS: 2 * K + Q + 5,
    STATE_TOTALS: 2 * K + Q + 9,
    STATE_WORDS: 2 * K + Q + 12,
    ADAPTED_STEP: 0,
    ADAPTED_STRETCH: 1,
    ADAPTED_SUMS: 1 + K,
    ADAPTED_SQUARES: 1 + 2 * K,
    ADAPTED_WORDS: 1 + 3 * K,
    RESULT_ACCEPTANCE: 0,
    RESULT_DIVERGENCES: 1,
    RESULT_LEAPFROGS: 2,
    RESULT_STEP_SIZE: 3,
    RESULT_QUANTITIES: 4,
    RESULT_WORDS: 4 + SUMMARY_FIELDS * Q,
  };
}

/** The layout as WGSL constants. */
export function layoutConstants(layout: Layout): string {
  const shared = {
    ...layout,
    STREAM_GPU,
    SUMMARY_FIELDS,
    SUMMARY_MEAN,
    SUMMARY_SD,
    SUMMARY_MEDIAN,
    SUMMARY_LOWER,
    SUMMARY_UPPER,
    SUMMARY_RHAT,
    SUMMARY_ESS,
  };
  return Object.entries(shared)
    .map(([name, value]) => `const ${name} = ${value}u;\n`)
    .join("");
}
