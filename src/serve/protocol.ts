import type { Fit, Whole } from "../documents.js";
import type { EngineName, Fallback } from "../engines/engine.js";
import type { ErrorKind } from "../errors.js";

/**
 * The protocol of `rat serve`: one JSON object a line, requests in, answers out, in whatever order they are finished.
 * docs/serve.md is its documentation.
 */
export interface ServeRequest {
  /** The caller's own name for the request, a string or a number; the answer carries it. */
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** One line on standard output. Which result it holds follows from the method that was asked for. */
export type ServeAnswer = ServeResult | ServeProgress | ServeFailure;

export interface ServeResult {
  /** As in the request. */
  readonly id: string | number;
  readonly result: ServeInfo | Fit | ServeRefits | ServeCancel;
}

/** On the way of `refits` with `"progress": true`; the result follows. */
export interface ServeProgress {
  readonly id: string | number;
  readonly progress: { readonly finished: Whole; readonly total: Whole };
}

export interface ServeFailure {
  /** null: the line had none. */
  readonly id: string | number | null;
  readonly error: ServeError;
}

/** Of `info`. */
export interface ServeInfo {
  readonly version: string;
  readonly engine: EngineName;
  readonly adapter: string | null;
  readonly workers: Whole | null;
  readonly networks: readonly string[];
  readonly methods: readonly string[];
}

/** One row a refit, in it one number a quantity. */
export type ServeTable = readonly (readonly (number | null)[])[];

/** Of `refits`. */
export interface ServeRefits {
  readonly refits: Whole;
  readonly seed: Whole;
  /** Their names. */
  readonly quantities: readonly string[];
  readonly mean: ServeTable;
  readonly sd: ServeTable;
  readonly median: ServeTable;
  /** Ends of the equal-tailed interval at the request's level. */
  readonly lower: ServeTable;
  readonly upper: ServeTable;
  /** Split R-hat without ranks. */
  readonly rhat: ServeTable;
  /** Effective sample size by batch means. */
  readonly ess: ServeTable;
  /** One number a refit. */
  readonly divergences: readonly Whole[];
  /** Refits that another engine did than the one that serves, and why. */
  readonly fallbacks: readonly Fallback[];
}

/** Of `cancel`. */
export interface ServeCancel {
  /** Whether the request was under way. */
  readonly cancelled: boolean;
}

export interface ServeError {
  /** `busy`: the queue is full; the others as on the command line. */
  readonly kind: ErrorKind | "busy";
  /** The exit code that the command line would have; 75 for `busy`. */
  readonly code: Whole;
  readonly message: string;
}

/** EX_TEMPFAIL of sysexits. */
export const busyCode = 75;
