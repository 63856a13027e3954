const sliceMilliseconds = 20;

/** Keeps a long computation polite: it rests now and then, for events to be handled, and ends when it is told to. */
export class Pace {
  private rested = performance.now();

  constructor(private readonly signal?: AbortSignal) {}

  /** Whether it is time to rest: ask at least every few milliseconds. */
  isDue(): boolean {
    return performance.now() - this.rested > sliceMilliseconds;
  }

  /** @throws the signal's reason, if it was aborted */
  check(): void {
    this.signal?.throwIfAborted();
  }

  /** @throws the signal's reason, if it was aborted */
  async rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 0);
    });
    this.check();
    this.rested = performance.now();
  }
}

/** Calls work(from, to) for parts of 0 ... length - 1 in order, with rests between. */
export async function inParts(
  length: number,
  size: number,
  pace: Pace,
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < length; from += size) {
    work(from, Math.min(from + size, length));
    if (pace.isDue()) await pace.rest();
  }
}
