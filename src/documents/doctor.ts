import type { Choice } from "../engines/auto.js";
import type { EngineName } from "../engines/engine.js";
import type { AdapterReport } from "../engines/webgpu/device.js";
import type { Whole } from "./whole.js";

/** What `rat doctor --json` prints and `examine` returns. */
export interface DoctorDocument {
  readonly version: string;
  /** Threads that the wasm engine uses by default. */
  readonly cores: Whole;
  /** Whether WebAssembly SIMD is there, without which nothing runs. */
  readonly simd: boolean;
  /** What WebGPU offers; none where the package `webgpu`, a driver or a GPU is missing. */
  readonly adapters: readonly AdapterReport[];
  /** What `auto` takes for a sweep of the usual size. */
  readonly auto: Choice;
  /** Exact mean of P(G=1) given the records of the self-test. */
  readonly exact: number;
  readonly engines: readonly EngineCheck[];
  /** What is missing or wrong, in words. */
  readonly problems: readonly string[];
}

/** An engine's self-test: many refits of one posterior, against the exact answer. */
export interface EngineCheck {
  readonly engine: EngineName;
  readonly adapter: string | null;
  /** Until the first batch can begin: threads, shaders. */
  readonly startSeconds: number;
  readonly refitsPerSecond: number;
  /** Effective draws a refit. */
  readonly ess: number | null;
  /** Of P(G=1) over all refits, and its Monte Carlo standard error. */
  readonly mean: number | null;
  readonly mcse: number | null;
  /** From the exact mean, in standard errors. */
  readonly deviation: number | null;
  readonly agrees: boolean;
}
