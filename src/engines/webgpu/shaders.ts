import { chainWgsl, hmcWgsl, randomWgsl, specialWgsl, startWgsl, summaryWgsl } from "../../generated/shaders.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import { emitDensity } from "./emit-density.js";
import { emitVectors } from "./emit-vectors.js";
import { type Layout, layoutConstants } from "./layout.js";

/** WGSL modules by the name of their entry point. */
export interface Shaders {
  readonly start: string;
  readonly advance: string;
  readonly summarise: string;
}

/** The shaders of a network: what is the same for all from shaders/, and what is unrolled for this one. */
export function emitShaders(network: CompiledNetwork, layout: Layout): Shaders {
  const common = `${layoutConstants(layout)}\n${chainWgsl}`;
  return {
    start: [common, specialWgsl, randomWgsl, startWgsl].join("\n"),
    advance: [common, specialWgsl, randomWgsl, emitVectors(layout), emitDensity(network), hmcWgsl].join("\n"),
    summarise: [common, summaryWgsl].join("\n"),
  };
}
