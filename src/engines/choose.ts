import { RatError, usageError } from "../errors.js";
import type { Engine, EngineChoice, SamplerName } from "./engine.js";

export interface EngineRequest {
  engine: EngineChoice;
  sampler: SamplerName;
  /** Threads; left out: one a core. */
  workers?: number | undefined;
}

/**
 * Opens the engine that was asked for. `auto` is never exact.
 * @throws RatError (unavailable) where it can't run here
 */
export async function openEngine({ engine, sampler, workers }: EngineRequest): Promise<Engine> {
  switch (engine) {
    case "auto":
    case "wasm": {
      const { WasmEngine } = await import("./wasm/engine.js");
      return new WasmEngine(workers === undefined ? {} : { workers });
    }
    case "exact": {
      const { ExactEngine } = await import("./exact/index.js");
      return new ExactEngine();
    }
    case "webgpu":
      if (sampler === "nuts") throw usageError("--sampler nuts runs on the wasm engine only; webgpu samples with hmc");
      throw new RatError("unavailable", "this version has no WebGPU engine yet; use --engine wasm");
  }
}
