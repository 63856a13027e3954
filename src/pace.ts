import { interruption } from "./errors.js";

const sliceMilliseconds = 10;

/** Keeps a long computation polite: it rests now and then, for events to be handled, and ends when it is told to. */
export class Pace {
  private readonly signals: readonly (AbortSignal | undefined)[];
  private rested = performance.now();

  constructor(...signals: (AbortSignal | undefined)[]) {
    this.signals = signals;
  }

  /** Whether it is time to rest: ask at least every few milliseconds. */
  isDue(): boolean {
    return performance.now() - this.rested > sliceMilliseconds;
  }

  /** @throws RatError (interrupted), if a signal was aborted */
  check(): void {
    const aborted = this.signals.find((signal) => signal?.aborted);
    if (aborted) throw interruption(aborted);
  }

  /** @throws RatError (interrupted), if a signal was aborted */
  async rest(): Promise<void> {
    await nextTurn();
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

/** Once all events that wait have been handled. No timer: browsers make those of hidden pages wait for a second. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
