import { bufferUsage, type Device } from "./device.js";
import type { Layout } from "./layout.js";
import type { Program } from "./program.js";

const wordBytes = 4;
/** seed (2), first refit, first round, end round, warmup, draws, unused. */
const jobWords = 8;
/** Two quads of ranks and one of fractions. */
const quantileWords = 12;

/** Memory on the GPU that all draws of a piece may take: more refits at once would not be faster. */
const mostDrawBytes = 2 ** 28;
/** Enough workgroups to fill the largest GPUs. */
const mostRefits = 4096;

/** Bytes that one refit's draws take. */
export const drawBytes = ({ QUANTITIES, CHAINS }: Layout, draws: number): number =>
  QUANTITIES * CHAINS * draws * wordBytes;

/** Refits that the GPU is given at once; 0 where not even one fits. */
export function capacityOf({ limits, isSoftware }: Device, layout: Layout, draws: number): number {
  const binding = limits.maxStorageBufferBindingSize;
  const eachBytes = [
    [drawBytes(layout, draws), Math.max(mostDrawBytes, Math.min(binding, drawBytes(layout, draws)))],
    [layout.RECORD_WORDS * wordBytes, binding],
    [layout.STATE_WORDS * layout.CHAINS * wordBytes, binding],
  ];
  const fitting = eachBytes.map(([bytes, most]) => Math.floor(Math.min(most, binding) / bytes));
  // A software adapter is no faster with more of them, and little is then lost by an interruption.
  return Math.min(isSoftware ? 64 : mostRefits, ...fitting);
}

/** The GPU's memory for pieces of up to `refits` refits of one program, used for piece after piece. */
export class Buffers {
  readonly records: GPUBuffer;
  readonly states: GPUBuffer;
  readonly draws: GPUBuffer;
  readonly results: GPUBuffer;
  readonly job: GPUBuffer;
  readonly quantiles: GPUBuffer;
  readonly group: GPUBindGroup;
  private readonly all: GPUBuffer[] = [];

  constructor(
    device: Device,
    readonly program: Program,
    readonly refits: number,
    readonly drawsPerChain: number,
  ) {
    const { layout } = program;
    const { storage, uniform, copySource, copyDestination } = bufferUsage;
    const add = (label: string, words: number, usage: number): GPUBuffer => {
      const buffer = device.handle.createBuffer({ label, size: words * wordBytes, usage });
      this.all.push(buffer);
      return buffer;
    };
    this.records = add("records", refits * layout.RECORD_WORDS, storage | copyDestination);
    this.states = add("states", refits * layout.STATE_WORDS * layout.CHAINS, storage | copySource);
    const adapted = add("adapted", refits * layout.ADAPTED_WORDS, storage);
    this.draws = add("draws", (refits * drawBytes(layout, drawsPerChain)) / wordBytes, storage | copySource);
    this.results = add("results", refits * layout.RESULT_WORDS, storage | copySource);
    this.job = add("job", jobWords, uniform | copyDestination);
    this.quantiles = add("quantiles", quantileWords, uniform | copyDestination);
    const bound = [
      this.records,
      program.members,
      this.states,
      adapted,
      this.draws,
      this.results,
      this.job,
      this.quantiles,
    ];
    this.group = device.handle.createBindGroup({
      layout: program.bindings,
      entries: bound.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
  }

  destroy(): void {
    for (const buffer of this.all) buffer.destroy();
  }
}
