import { interruption, RatError } from "../../errors.js";
import type { OpenPort, Port, Response, Setup, Task, TaskResult, WireError } from "./protocol.js";

interface Job {
  readonly number: number;
  readonly task: Task;
  readonly transfer: ArrayBuffer[];
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: Error) => void;
}

/** One thread: what it has been told, what it does. */
interface Seat {
  readonly port: Port;
  readonly told: Set<number>;
  /** Setups that it has been told and isn't ready for yet. */
  readonly waiting: Map<number, { resolve: () => void; reject: (error: Error) => void }>;
  job: Job | null;
}

/**
 * Threads that share a queue of tasks, first in, first out. Which thread takes a task never shows in its result, since
 * streams are keyed by refit and chain. Threads are opened as work asks for them: one that dies takes what it was doing
 * with it, and the next task gets a new one.
 */
export class WorkerPool {
  readonly size: number;
  private readonly open: OpenPort;
  private readonly seats: Seat[] = [];
  private readonly queue: Job[] = [];
  private readonly setups = new Map<number, Setup>();
  /** Setups to be forgotten once none of their tasks is left. */
  private readonly stale = new Set<number>();
  /** Jobs to stop by each signal: one listener serves all of them. */
  private readonly watched = new Map<AbortSignal, { jobs: Set<Job>; unwatch: () => void }>();
  private nextJob = 0;
  private nextSetup = 0;
  private closed = false;

  constructor(size: number, open: OpenPort) {
    this.size = size;
    this.open = open;
  }

  /** Tells every thread what will be sampled; resolves with the setup's number once all are ready. */
  async prepare(setup: Omit<Setup, "setup">): Promise<number> {
    if (this.closed) throw disposed();
    const number = this.nextSetup++;
    this.setups.set(number, { ...setup, setup: number });
    while (this.seats.length < this.size) this.openSeat();
    try {
      await Promise.all(this.seats.map((seat) => this.tell(seat, number)));
    } catch (error) {
      this.forget(number);
      throw error;
    }
    return number;
  }

  /** Frees what the threads keep for a setup, as soon as none of its tasks is left. */
  forget(setup: number): void {
    this.stale.add(setup);
    this.freeStale();
  }

  /** Runs a task on the next free thread. Aborting takes it off the queue, or stops its thread. */
  run(task: Task, transfer: ArrayBuffer[] = [], signal?: AbortSignal): Promise<TaskResult> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(disposed());
      if (signal?.aborted) return reject(interruption(signal));
      const job: Job = { number: this.nextJob++, task, transfer, resolve: finish(resolve), reject: finish(reject) };
      const unwatch = signal === undefined ? () => {} : this.watch(signal, job);
      this.queue.push(job);
      this.dispatch();
      function finish<T>(settle: (value: T) => void): (value: T) => void {
        return (value) => {
          unwatch();
          settle(value);
        };
      }
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const error = new RatError("interrupted", "the engine was disposed of while it worked");
    for (const job of this.queue.splice(0)) job.reject(error);
    await Promise.all([...this.seats].map((seat) => this.remove(seat, error)));
  }

  private dispatch(): void {
    while (this.queue.length > 0) {
      const seat = this.seats.find(({ job }) => job === null) ?? this.spareSeat();
      if (seat === undefined) return;
      const job = this.queue.shift() as Job;
      seat.job = job;
      // A thread that was opened after the setup was made hears of it here.
      if (!seat.told.has(job.task.setup)) void this.tell(seat, job.task.setup);
      this.hold(seat);
      seat.port.send({ kind: "task", number: job.number, task: job.task }, job.transfer);
    }
  }

  private spareSeat(): Seat | undefined {
    return this.seats.length < this.size ? this.openSeat() : undefined;
  }

  private openSeat(): Seat {
    const seat: Seat = {
      port: this.open(
        (response) => this.listen(seat, response),
        (error) => this.lose(seat, error),
      ),
      told: new Set(),
      waiting: new Map(),
      job: null,
    };
    this.seats.push(seat);
    return seat;
  }

  private tell(seat: Seat, number: number): Promise<void> {
    const setup = this.setups.get(number);
    if (setup === undefined) throw new Error(`setup ${number} is unknown`);
    seat.told.add(number);
    const ready = new Promise<void>((resolve, reject) => seat.waiting.set(number, { resolve, reject }));
    ready.catch(() => {}); // where nobody waits for it, the task that needs it tells
    this.hold(seat);
    seat.port.send({ kind: "setup", setup });
    return ready;
  }

  private listen(seat: Seat, response: Response): void {
    switch (response.kind) {
      case "ready":
        seat.waiting.get(response.setup)?.resolve();
        seat.waiting.delete(response.setup);
        break;
      case "unready": {
        const error = fromWire(response.error);
        seat.waiting.get(response.setup)?.reject(error);
        seat.waiting.delete(response.setup);
        seat.told.delete(response.setup);
        if (seat.job?.task.setup === response.setup) this.take(seat)?.reject(error);
        break;
      }
      case "done":
        if (seat.job?.number === response.number) this.take(seat)?.resolve(response.result);
        break;
      case "failed":
        if (seat.job?.number === response.number) this.take(seat)?.reject(fromWire(response.error));
        break;
      default:
        response satisfies never;
    }
    this.hold(seat);
    this.dispatch();
    this.freeStale();
  }

  private take(seat: Seat): Job | null {
    const { job } = seat;
    seat.job = null;
    return job;
  }

  /** The process stays alive while a thread owes an answer. */
  private hold({ port, job, waiting }: Seat): void {
    port.hold(job !== null || waiting.size > 0);
  }

  private watch(signal: AbortSignal, job: Job): () => void {
    let entry = this.watched.get(signal);
    if (entry === undefined) {
      const abort = (): void => this.interrupt(signal);
      signal.addEventListener("abort", abort, { once: true });
      const unwatch = (): void => {
        signal.removeEventListener("abort", abort);
        this.watched.delete(signal);
      };
      entry = { jobs: new Set(), unwatch };
      this.watched.set(signal, entry);
    }
    const { jobs, unwatch } = entry;
    jobs.add(job);
    return () => {
      if (jobs.delete(job) && jobs.size === 0) unwatch();
    };
  }

  /** Stops all tasks of a signal. Those that wait go first, so that no thread is opened for one of them. */
  private interrupt(signal: AbortSignal): void {
    const jobs = new Set(this.watched.get(signal)?.jobs);
    const error = interruption(signal);
    const kept = this.queue.splice(0).filter((job) => {
      if (jobs.has(job)) job.reject(error);
      return !jobs.has(job);
    });
    this.queue.push(...kept);
    for (const seat of [...this.seats]) {
      if (seat.job === null || !jobs.has(seat.job)) continue;
      this.take(seat)?.reject(error);
      void this.remove(seat, null);
    }
    this.dispatch();
    this.freeStale();
  }

  /** A thread died. */
  private lose(seat: Seat, error: Error): void {
    if (!this.seats.includes(seat)) return;
    void this.remove(seat, error);
    this.dispatch();
    this.freeStale();
  }

  /** Ends a thread and what it was doing. @param error null: other threads can be made ready for what it was told */
  private async remove(seat: Seat, error: Error | null): Promise<void> {
    this.seats.splice(this.seats.indexOf(seat), 1);
    for (const { resolve, reject } of seat.waiting.values()) error === null ? resolve() : reject(error);
    if (error !== null) this.take(seat)?.reject(error);
    await seat.port.close();
  }

  private freeStale(): void {
    for (const setup of this.stale) {
      const needs = (job: Job | null): boolean => job?.task.setup === setup;
      if (this.queue.some(needs) || this.seats.some(({ job }) => needs(job))) continue;
      this.stale.delete(setup);
      this.setups.delete(setup);
      for (const seat of this.seats) if (seat.told.delete(setup)) seat.port.send({ kind: "forget", setup });
    }
  }
}

/** An error that came from another thread, with the kind that decides the exit code. */
function fromWire({ kind, name, message, stack }: WireError): Error {
  const error = kind === null ? new Error(message) : new RatError(kind, message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}

const disposed = (): RatError => new RatError("usage", "the engine has been disposed of");
