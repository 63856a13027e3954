import type { Scratch } from "./kernel.js";

export interface Transition {
  readonly position: number[];
  readonly outcome: number;
  readonly depth: number;
  readonly leapfrogs: number;
  readonly acceptance: number;
  readonly energy: number;
  readonly logDensity: number;
}

/** Single transitions of nuts in the probe, without adaptation: of the network block or of the Gaussian in its place. */
export class Tree {
  private readonly workspace: number;
  private start = 0;
  private readonly forward: number;
  private readonly backward: number;

  constructor(
    private readonly scratch: Scratch,
    private readonly ofTable: 0 | 1,
    private readonly dimensions: number,
  ) {
    const { probe } = scratch;
    const span = 8 * 2 * Math.ceil(dimensions / 2);
    this.forward = scratch.bytes(span);
    this.backward = scratch.bytes(span);
    new Uint8Array(probe.memory.buffer, this.forward, this.backward + span - this.forward).fill(0);
    // A full tree of 1024 leaves and its start, each of three vectors and more, on top of the stack.
    this.workspace = scratch.bytes(1100 * (3 * span + 64));
  }

  /** Makes this tree the probe's, which has one at a time. */
  open(): this {
    this.start = this.scratch.probe.treeSetup(this.workspace, this.dimensions);
    return this;
  }

  seed(seed: number, chain = 0): void {
    this.scratch.probe.streamStart(BigInt(seed), 0n, 0, chain);
  }

  setStep(stepSize: number, scales: readonly number[]): void {
    this.vector(this.forward).set(scales.map((scale) => stepSize * scale));
    this.vector(this.backward).set(scales.map((scale) => -stepSize * scale));
  }

  set(position: ArrayLike<number>): void {
    this.vector(this.start).set(position);
    this.scratch.probe.pointFill(this.ofTable, this.start, this.dimensions);
  }

  move(): Transition {
    const { probe } = this.scratch;
    probe.treeTransition(this.ofTable, this.forward, this.backward, this.dimensions);
    return {
      position: [...this.vector(this.start)],
      outcome: probe.treeOutcome(),
      depth: probe.treeDepth(),
      leapfrogs: probe.treeLeapfrogs(),
      acceptance: probe.treeAcceptance(),
      energy: probe.treeEnergy(),
      logDensity: probe.treeLogDensity(),
    };
  }

  private vector(at: number): Float64Array {
    return new Float64Array(this.scratch.probe.memory.buffer, at, this.dimensions);
  }
}
