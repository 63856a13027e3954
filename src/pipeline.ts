import { interruption } from "./errors.js";

/** Pieces under way at a time: no thread rests while another one ends what is waited for. */
const mostUnderWay = 2;

export interface PipelineOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hears of what is finished of all pieces together. */
  readonly onProgress?: ((finished: number) => void) | undefined;
}

/** What the work on one piece is given. */
export interface PieceOptions {
  /** Aborted when the caller aborts, or takes no more results. */
  readonly signal: AbortSignal;
  readonly onProgress: (finished: number) => void;
}

type Start<Piece, Result> = (piece: Piece, options: PieceOptions) => Promise<Result>;

/**
 * Works on the pieces of a source as they come, two at a time, and yields the results in order: each as soon as it is
 * there, whatever the source is doing. An abort ends the wait for results and for the source alike; a caller who leaves
 * early ends the work that is under way.
 */
export async function* pipeline<Piece, Result>(
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  start: Start<Piece, Result>,
  { signal, onProgress }: PipelineOptions = {},
): AsyncGenerator<Result> {
  const works = new Works(pieces, start, jointProgress(onProgress));
  const abort = (): void => works.stop(signal?.reason);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  try {
    for (;;) {
      void works.fill();
      if (works.signal.aborted) throw interruption(works.signal);
      const first = works.takeFirst();
      if (first !== null) {
        void works.fill();
        yield first.get();
      } else if (works.areDone()) {
        return;
      } else {
        await works.change();
      }
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    works.stop();
    await works.leaveSource();
  }
}

/** The works under way, in the order of their pieces, and the source of more. */
class Works<Piece, Result> {
  private readonly source: AsyncIterator<Piece> | Iterator<Piece>;
  private readonly underWay: Outcome<Result>[] = [];
  private readonly stopped = new AbortController();
  private isAsking = false;
  private hasEnded = false;
  private failure: { readonly error: unknown } | null = null;
  private wake = (): void => {};

  constructor(
    pieces: AsyncIterable<Piece> | Iterable<Piece>,
    private readonly start: Start<Piece, Result>,
    private readonly progress: () => (finished: number) => void,
  ) {
    this.source = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  }

  get signal(): AbortSignal {
    return this.stopped.signal;
  }

  /** @throws what the source, or the start of work on a piece, threw */
  areDone(): boolean {
    if (this.failure !== null) throw this.failure.error;
    return this.hasEnded && this.underWay.length === 0;
  }

  /** Asks the source for pieces, and starts on each as it comes, until enough are under way. */
  async fill(): Promise<void> {
    while (!this.isAsking && !this.hasEnded && !this.signal.aborted && this.underWay.length < mostUnderWay) {
      this.isAsking = true;
      try {
        const { done, value } = await this.source.next();
        if (done) this.hasEnded = true;
        else if (!this.signal.aborted) this.begin(value);
      } catch (error) {
        this.hasEnded = true;
        this.failure = { error };
      }
      this.isAsking = false;
      this.wake();
    }
  }

  /** The result of the first work, if it is known. */
  takeFirst(): Outcome<Result> | null {
    return this.underWay[0]?.isKnown ? (this.underWay.shift() as Outcome<Result>) : null;
  }

  /**
   * Resolves when something has changed. It is one promise a wait: races with a promise of the source would keep every
   * result for as long as the source waits.
   */
  change(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  stop(reason?: unknown): void {
    this.stopped.abort(reason);
    this.wake();
  }

  /** Ends the source. One that is in the middle of a piece hears of it after that: nobody waits for it. */
  async leaveSource(): Promise<void> {
    if (this.hasEnded) return;
    const left = Promise.resolve(this.source.return?.());
    if (this.isAsking) left.catch(() => {});
    else await left;
  }

  private begin(piece: Piece): void {
    const work = this.start(piece, { signal: this.signal, onProgress: this.progress() });
    this.underWay.push(new Outcome(work, () => this.wake()));
  }
}

/** What a promise has come to, for who can't wait for it. */
class Outcome<T> {
  private settled: { readonly value: T } | { readonly error: unknown } | null = null;

  constructor(promise: Promise<T>, onKnown: () => void) {
    const settle = (settled: { value: T } | { error: unknown }): void => {
      this.settled = settled;
      onKnown();
    };
    promise.then(
      (value) => settle({ value }),
      (error) => settle({ error }),
    );
  }

  get isKnown(): boolean {
    return this.settled !== null;
  }

  /** @throws what the promise was rejected with */
  get(): T {
    if (this.settled === null) throw new Error("nothing is known yet");
    if ("error" in this.settled) throw this.settled.error;
    return this.settled.value;
  }
}

/** Progress of several works as one: each call makes the listener of one more of them. */
function jointProgress(report: (finished: number) => void = () => {}): () => (finished: number) => void {
  let all = 0;
  return () => {
    let own = 0;
    return (finished) => {
      all += finished - own;
      own = finished;
      report(all);
    };
  };
}
