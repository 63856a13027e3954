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

export type ServeAnswer =
  | { readonly id: string | number; readonly result: unknown }
  | { readonly id: string | number; readonly progress: { readonly finished: number; readonly total: number } }
  | { readonly id: string | number | null; readonly error: ServeError };

export interface ServeError {
  /** `busy`: the queue is full; the others as on the command line. */
  readonly kind: ErrorKind | "busy";
  /** The exit code that the command line would have; 75 for `busy`. */
  readonly code: number;
  readonly message: string;
}

/** EX_TEMPFAIL of sysexits. */
export const busyCode = 75;
