import type { SamplerOptions } from "../../src/engines/engine.js";
import { Sampler } from "../../src/engines/wasm/sampler.js";
import { type CompiledNetwork, compileNetwork } from "../../src/network/index.js";
import { type Part, type Scratch, samplerDefaults } from "./kernel.js";

/**
 * Independent normals with mean 0 in place of a network (assembly/gaussian.ts). The compiled network behind it gives the
 * samplers their dimensions, hmc its Laplace approximation, and as quantities the positions themselves.
 */
export class GaussianTarget {
  readonly network: CompiledNetwork;
  private readonly scalesPart: Part<Float64Array>;

  /** @param laplace standard deviations that the Laplace approximation has; the mode is 0 */
  constructor(
    private readonly scratch: Scratch,
    readonly scales: readonly number[],
    laplace: readonly number[] = scales,
  ) {
    this.network = independentRows(laplace);
    this.scalesPart = scratch.floats(scales.length);
  }

  /** @param informed whether nuts knows the scales from the start; else it guesses 1 */
  sampler(options: Partial<SamplerOptions>, informed = false, trace = false): Sampler {
    const { probe } = this.scratch;
    const all = { ...samplerDefaults, ...options };
    const kernel = { ...probe, nuts: probe.nutsGaussian, hmc: probe.hmcGaussian };
    const sampler = new Sampler(this.network, all, all.chains, trace, kernel, false);
    this.setup(informed);
    return sampler;
  }

  /** For the entry points of single steps and transitions, after any sampler's set-up. */
  setup(informed = false): void {
    this.scalesPart.array.set(this.scales);
    this.scratch.probe.gaussianSetup(this.scalesPart.at, informed ? 1 : 0);
  }
}

/** Rows whose logits have mode 0 and, by Laplace, these standard deviations: Beta(2 / sd^2, 2 / sd^2) has variance sd^2. */
function independentRows(deviations: readonly number[]): CompiledNetwork {
  const names = deviations.map((_, k) => `x${k}`);
  const network = compileNetwork({
    name: "gaussian",
    variables: [{ name: "X", levels: ["0", "1"], rows: [{ name: "x" }] }],
    quantities: [],
  });
  const concentrations = Float64Array.from(deviations, (sd) => 2 / sd ** 2);
  return {
    ...network,
    rowNames: names,
    priorSuccess: concentrations,
    priorFailure: concentrations,
    patterns: [],
    quantities: names.map((name, k) => ({
      name,
      expression: name,
      probability: null,
      program: [{ op: "form", form: { constant: 0, indices: Int32Array.of(k), weights: Float64Array.of(1) } }],
    })),
  };
}
