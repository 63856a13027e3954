/** Why an operation failed; each kind has one exit code on the command line (sysexits numbers). */
export type ErrorKind = "gate" | "usage" | "data" | "unavailable" | "internal" | "io" | "interrupted";

const exitCodes: Record<ErrorKind, number> = {
  gate: 1,
  usage: 64,
  data: 65,
  unavailable: 69,
  internal: 70,
  io: 74,
  interrupted: 130,
};

/** Where in the user's input an error lies. `line` counts from 1 and includes the header and blank lines. */
export interface ErrorPlace {
  file?: string;
  line?: number;
  field?: string;
  value?: string;
}

/**
 * An error that the user can act on: what was received, the rule it breaks and the remedy, in one message.
 * Anything else that is thrown is a fault of this package (exit code 70).
 */
export class RatError extends Error {
  readonly kind: ErrorKind;
  readonly place: ErrorPlace;

  constructor(kind: ErrorKind, message: string, place: ErrorPlace = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = "RatError";
    this.kind = kind;
    this.place = place;
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }

  /** `file:line: message`, the form that editors and people can jump to. */
  describe(): string {
    const { file, line } = this.place;
    if (file === undefined) return this.message;
    return line === undefined ? `${file}: ${this.message}` : `${file}:${line}: ${this.message}`;
  }
}

export const usageError = (message: string): RatError => new RatError("usage", message);

export const dataError = (message: string, place: ErrorPlace = {}, options?: ErrorOptions): RatError =>
  new RatError("data", message, place, options);

/** The error of work that a signal ended, or the end of who did the work. */
export function interruption(signal?: AbortSignal): RatError {
  const reason: unknown = signal?.reason;
  if (reason instanceof RatError && reason.kind === "interrupted") return reason;
  return new RatError("interrupted", "interrupted", {}, { cause: reason });
}

/** The error as a RatError: aborts become `interrupted`, anything unknown `internal`. */
export function asRatError(error: unknown): RatError {
  if (error instanceof RatError) return error;
  if (error instanceof Error && error.name === "AbortError") {
    return new RatError("interrupted", "interrupted", {}, { cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new RatError("internal", `unexpected failure: ${message}`, {}, { cause: error });
}
