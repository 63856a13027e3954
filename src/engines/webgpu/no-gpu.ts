import { RatError } from "../../errors.js";

/** WebGPU is there, but nothing that it could run on. */
export const noGpu = (cause?: unknown): RatError =>
  new RatError(
    "unavailable",
    "WebGPU finds no GPU here; install the GPU's driver (on Linux, one for Vulkan), or on a machine without a GPU a " +
      "software adapter (docs/gpu.md), or use --engine wasm",
    {},
    { cause },
  );
