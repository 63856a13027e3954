import { readFileSync } from "node:fs";
import type { SamplerOptions } from "../../src/engines/engine.js";
import { instantiateKernel, type KernelExports } from "../../src/engines/wasm/kernel.js";
import { Sampler } from "../../src/engines/wasm/sampler.js";
import type { CompiledNetwork } from "../../src/network/index.js";

/** What assembly/probe.ts exports besides the kernel itself. Addresses are bytes; u64 are bigint; 1 is true. */
export interface Probe extends KernelExports {
  scratch(): number;
  scratchBytes(): number;
  streamStart(seed: bigint, refit: bigint, purpose: number, chain: number): void;
  streamSeek(block: number): void;
  streamBits(count: number, out: number): void;
  streamUniforms(count: number, out: number): void;
  streamNormals(count: number, out: number): void;
  exps(count: number, x: number, out: number): void;
  expPairs(count: number, x: number, out: number): void;
  logs(count: number, x: number, out: number): void;
  logPairs(count: number, x: number, out: number): void;
  logistics(count: number, a: number, out: number): void;
  logisticPairs(count: number, x: number, out: number): void;
  density(x: number, gradient: number): number;
  densityPair(x: number, gradient: number, out: number): void;
  straightDensity(x: number, gradient: number): number;
  straightDensityPair(x: number, gradient: number, out: number): void;
  straightValues(x: number, gradient: number, out: number): number;
  quantitiesAt(x: number, out: number): void;
  quantityPairsAt(x: number, gradient: number, out: number): void;
  guessScale(out: number): void;
  laplace(workspace: number, mode: number, factor: number): void;
  centre(workspace: number, mode: number): void;
  centredDensity(x: number): number;
  centredPair(x: number, out: number): void;
  laplaceRoot(root: number): void;
  laplaceTransform(z: number): void;
  laplaceWhiten(x: number, out: number): void;
  warmupActionsAt(iteration: number, total: number): number;
  averagingRestart(stepSize: number, target: number, boldness: number): void;
  averagingUpdate(acceptance: number): number;
  averagingSettled(): number;
  approachRestart(stepSize: number, target: number): void;
  approachUpdate(acceptance: number): number;
  approachSettled(): number;
  adaptScale(scale: number, block: number, positions: number, dimensions: number, count: number): void;
  pooledVariances(
    out: number,
    block: number,
    positions: number,
    dimensions: number,
    count: number,
    guess: number,
  ): void;
  gaussianSetup(scales: number, informed: 0 | 1): void;
  nutsGaussian(): void;
  hmcGaussian(): void;
  pointSize(dimensions: number): number;
  pointFill(ofTable: 0 | 1, point: number, dimensions: number): void;
  step(ofTable: 0 | 1, from: number, to: number, steps: number, dimensions: number): number;
  treeSetup(workspace: number, dimensions: number): number;
  treeTransition(ofTable: 0 | 1, forward: number, backward: number, dimensions: number): void;
  treeOutcome(): number;
  treeDepth(): number;
  treeLeapfrogs(): number;
  treeAcceptance(): number;
  treeEnergy(): number;
  treeLogDensity(): number;
}

const probeFile = new URL("../../build/kernels.probe.wasm", import.meta.url);

/** A fresh instance of the kernel with its probe. A missing file throws: build with `npm run build`. */
export const openProbe = (): Probe => instantiateKernel(new WebAssembly.Module(readFileSync(probeFile))) as Probe;

/** Numbers in the probe's memory; `array` is a fresh view, for memory may have grown since the last one. */
export interface Part<A> {
  readonly at: number;
  readonly array: A;
}

/** Hands out parts of the probe's scratch memory, 16-byte aligned. */
export class Scratch {
  private end: number;

  constructor(readonly probe: Probe) {
    this.end = probe.scratch();
  }

  floats(count: number): Part<Float64Array> {
    const { probe } = this;
    const at = this.bytes(8 * count);
    return {
      at,
      get array() {
        return new Float64Array(probe.memory.buffer, at, count);
      },
    };
  }

  words(count: number): Part<Uint32Array> {
    const { probe } = this;
    const at = this.bytes(4 * count);
    return {
      at,
      get array() {
        return new Uint32Array(probe.memory.buffer, at, count);
      },
    };
  }

  bytes(count: number): number {
    const at = (this.end + 15) & ~15;
    this.end = at + count;
    if (this.end > this.probe.scratch() + this.probe.scratchBytes()) throw new Error("the scratch memory is too small");
    return at;
  }
}

export const samplerDefaults: SamplerOptions = {
  sampler: "nuts",
  chains: 4,
  warmup: 500,
  draws: 1000,
  seed: 1,
  level: 0.95,
};

/** A sampler on the kernel that is shipped. */
export function openSampler(
  network: CompiledNetwork,
  options: Partial<SamplerOptions> = {},
  trace = false,
  straightLine = true,
): Sampler {
  const all = { ...samplerDefaults, ...options };
  return new Sampler(network, all, all.chains, trace, instantiateKernel(), straightLine);
}

/** Puts a network and counts into the probe's blocks, so that what it computes is theirs. */
export function loadNetwork(probe: Probe, network: CompiledNetwork, counts: ArrayLike<number>): void {
  const options = { ...samplerDefaults, chains: 1, warmup: 0, draws: 1 };
  new Sampler(network, options, 1, false, probe).sample(counts, 0);
}

/** [chains][draws] of every quantity, copied, by name. */
export function drawsByName(sampler: Sampler, network: CompiledNetwork): Map<string, Float64Array> {
  return new Map(network.quantities.map(({ name }, q) => [name, Float64Array.from(sampler.drawsOf(q))]));
}
