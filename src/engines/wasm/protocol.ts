import type { ErrorKind } from "../../errors.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import type { SamplerOptions } from "../engine.js";
import type { Approximations } from "./approximations.js";

/** What a worker has to be ready for, told once: later tasks name it by number. */
export interface Setup {
  readonly setup: number;
  readonly network: CompiledNetwork;
  /** How it is sampled; null: it is only approximated. */
  readonly sampling: Sampling | null;
}

export interface Sampling {
  readonly options: SamplerOptions;
  /** Chains a task samples. */
  readonly chains: number;
  /** Whether what the sampler did at each draw is wanted. */
  readonly trace: boolean;
}

/** Many refits to summarise. */
export interface RefitsTask {
  readonly kind: "refits";
  readonly setup: number;
  readonly seed: number;
  /** [refits x patterns] */
  readonly counts: Float64Array<ArrayBuffer>;
  readonly ids: Float64Array<ArrayBuffer>;
}

/** Some chains of one refit, all draws wanted. */
export interface ChainsTask {
  readonly kind: "chains";
  readonly setup: number;
  readonly seed: number;
  /** [patterns] */
  readonly counts: Float64Array<ArrayBuffer>;
  readonly id: number;
  readonly firstChain: number;
}

/** Many refits to approximate. */
export interface ApproximationsTask {
  readonly kind: "approximations";
  readonly setup: number;
  /** [refits x patterns] */
  readonly counts: Float64Array<ArrayBuffer>;
}

export type Task = RefitsTask | ChainsTask | ApproximationsTask;

export type Request =
  | { readonly kind: "setup"; readonly setup: Setup }
  | { readonly kind: "forget"; readonly setup: number }
  | { readonly kind: "task"; readonly number: number; readonly task: Task };

export interface RefitsResult {
  readonly kind: "refits";
  /** [refits x quantities x SUMMARY_FIELDS] */
  readonly summaries: Float64Array<ArrayBuffer>;
  /** [refits]: sums over the chains. */
  readonly divergences: Float64Array<ArrayBuffer>;
  readonly leapfrogs: Float64Array<ArrayBuffer>;
}

export interface ChainsResult {
  readonly kind: "chains";
  /** One array a quantity: [chains x draws]. */
  readonly values: readonly Float64Array<ArrayBuffer>[];
  /** [chains x CHAIN_FIELDS] */
  readonly results: Float64Array<ArrayBuffer>;
  /** [chains x draws x TRACE_FIELDS], where it is wanted. */
  readonly trace: Float64Array<ArrayBuffer> | null;
  /** Milliseconds of the machine's clock at the first kernel call and after the last. */
  readonly begin: number;
  readonly end: number;
}

export interface ApproximationsResult {
  readonly kind: "approximations";
  readonly approximations: Approximations;
}

export type TaskResult = RefitsResult | ChainsResult | ApproximationsResult;

export type Response =
  | { readonly kind: "ready"; readonly setup: number }
  /** The setup failed. */
  | { readonly kind: "unready"; readonly setup: number; readonly error: WireError }
  | { readonly kind: "done"; readonly number: number; readonly result: TaskResult }
  | { readonly kind: "failed"; readonly number: number; readonly error: WireError };

/** An error on its way between threads. */
export interface WireError {
  /** Of a RatError; null: a fault of this package. */
  readonly kind: ErrorKind | null;
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** A thread that answers requests: a worker of Node's, of a browser's, or the caller's own thread. */
export interface Port {
  send(request: Request, transfer?: ArrayBuffer[]): void;
  /** Whether the process must stay alive for this port. */
  hold(busy: boolean): void;
  close(): Promise<void>;
}

/** Opens a port. `listen` gets the answers, `fail` what ends the thread itself. */
export type OpenPort = (listen: (response: Response) => void, fail: (error: Error) => void) => Port;
