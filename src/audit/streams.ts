import { STREAM_AUDIT, STREAM_LATENT } from "../generated/layout.js";
import { Stream, type StreamPurpose } from "../random/stream.js";

/** What audits draw random numbers for, each use from a chain of its own, so that no two of a seed ever meet. */
const uses = {
  rawRates: [STREAM_AUDIT, 0],
  correctedRates: [STREAM_AUDIT, 1],
  clusteredRawRates: [STREAM_AUDIT, 3],
  clusteredCorrectedRates: [STREAM_AUDIT, 4],
  bootstrap: [STREAM_AUDIT, 16],
  scores: [STREAM_AUDIT, 24],
  clusteredScores: [STREAM_AUDIT, 25],
  demoDense: [STREAM_AUDIT, 64],
  demoSystems: [STREAM_AUDIT, 65],
  demoTables: [STREAM_AUDIT, 66],
  demoConfidence: [STREAM_AUDIT, 67],
  demoPanel: [STREAM_AUDIT, 68],
  demoSwap: [STREAM_AUDIT, 69],
  demoVotes: [STREAM_AUDIT, 70],
  folds: [STREAM_LATENT, 0],
  starts: [STREAM_LATENT, 1],
  refits: [STREAM_LATENT, 2],
  independence: [STREAM_LATENT, 3],
} as const satisfies Record<string, readonly [StreamPurpose, chain: number]>;

export type StreamUse = keyof typeof uses;

/** @param id of several streams of one use, below 2^24 */
export function streamOf(use: StreamUse, seed: number, id = 0): Stream {
  const [purpose, chain] = uses[use];
  return new Stream(seed, id, purpose, chain);
}
