import { usageError } from "../errors.js";
import type { Engine, EngineChoice, SamplerName } from "./engine.js";

export interface EngineRequest {
  engine: EngineChoice;
  sampler: SamplerName;
  /** Threads; left out: one a core. */
  workers?: number | undefined;
}

/**
 * Opens the engine that was asked for; `auto` is wasm to whom knows nothing of the job (see auto.ts).
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
    case "webgpu": {
      if (sampler === "nuts") throw usageError("--sampler nuts runs on the wasm engine only; webgpu samples with hmc");
      const { WebGpuEngine } = await import("./webgpu/engine.js");
      return WebGpuEngine.open({ workers });
    }
  }
}
