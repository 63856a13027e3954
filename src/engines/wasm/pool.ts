import { RatError } from "../../errors.js";
import type { OpenPort, Port, Response, Setup, Task, TaskResult } from "./protocol.js";

interface Job {
  readonly number: number;
  readonly task: Task;
  readonly transfer: ArrayBuffer[];
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: Error) => void;
}

/** One thread: what it has been told, what it does. */
interface Seat {
  port: Port;
  setups: Map<number, { ready: Promise<void>; settle: () => void }>;
  job: Job | null;
}

/**
 * Threads that share a queue of tasks, first in, first out. Which thread takes a task never shows in its result, since
 * streams are keyed by refit and chain.
 */
export class WorkerPool {
  readonly size: number;
  private readonly open: OpenPort;
  private readonly seats: Seat[] = [];
  private readonly queue: Job[] = [];
  private readonly setups = new Map<number, Setup>();
  private nextJob = 0;
  private nextSetup = 0;
  private closed = false;

  constructor(size: number, open: OpenPort) {
    this.size = size;
    this.open = open;
  }

  /** Tells every thread what will be sampled; resolves with the setup's number once all are ready. */
  async prepare(setup: Omit<Setup, "setup">): Promise<number> {
    if (this.closed) throw new RatError("usage", "the engine has been disposed of");
    const number = this.nextSetup++;
    this.setups.set(number, { ...setup, setup: number });
    while (this.seats.length < this.size) this.seats.push(this.openSeat());
    await Promise.all(this.seats.map((seat) => this.tell(seat, number)));
    return number;
  }

  /** Frees what the threads keep for a setup. */
  forget(setup: number): void {
    this.setups.delete(setup);
    for (const seat of this.seats) if (seat.setups.delete(setup)) seat.port.send({ kind: "forget", setup });
  }

  /** Runs a task on the next free thread. Aborting takes it off the queue, or stops its thread. */
  run(task: Task, transfer: ArrayBuffer[] = [], signal?: AbortSignal): Promise<TaskResult> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new RatError("usage", "the engine has been disposed of"));
      if (signal?.aborted) return reject(interruption(signal));
      const job: Job = { number: this.nextJob++, task, transfer, resolve: finish(resolve), reject: finish(reject) };
      const abort = (): void => this.cancel(job, interruption(signal));
      signal?.addEventListener("abort", abort, { once: true });
      this.queue.push(job);
      this.dispatch();
      function finish<T>(settle: (value: T) => void): (value: T) => void {
        return (value) => {
          signal?.removeEventListener("abort", abort);
          settle(value);
        };
      }
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    const error = new RatError("interrupted", "the engine was disposed of while it worked");
    for (const job of this.queue.splice(0)) job.reject(error);
    await Promise.all(
      this.seats.splice(0).map((seat) => {
        seat.job?.reject(error);
        return seat.port.close();
      }),
    );
  }

  private dispatch(): void {
    for (const seat of this.seats) {
      if (seat.job !== null) continue;
      const job = this.queue.shift();
      if (job === undefined) return;
      seat.job = job;
      seat.port.hold(true);
      // A thread that was opened anew after an abort hears of the setup here.
      if (!seat.setups.has(job.task.setup)) void this.tell(seat, job.task.setup);
      seat.port.send({ kind: "task", number: job.number, task: job.task }, job.transfer);
    }
  }

  private openSeat(): Seat {
    const seat: Seat = { port: null as unknown as Port, setups: new Map(), job: null };
    seat.port = this.open(
      (response) => this.listen(seat, response),
      (error) => this.replace(seat, error),
    );
    return seat;
  }

  private tell(seat: Seat, number: number): Promise<void> {
    const setup = this.setups.get(number);
    if (setup === undefined) throw new Error(`setup ${number} is unknown`);
    let settle = (): void => {};
    const ready = new Promise<void>((resolve) => {
      settle = resolve;
    });
    seat.setups.set(number, { ready, settle });
    seat.port.hold(true);
    seat.port.send({ kind: "setup", setup });
    return ready;
  }

  private listen(seat: Seat, response: Response): void {
    if (response.kind === "ready") {
      seat.setups.get(response.setup)?.settle();
      if (seat.job === null) seat.port.hold(false);
      return;
    }
    if (response.kind === "failed" && response.number === null) {
      this.replace(seat, wireError(response.error));
      return;
    }
    const { job } = seat;
    if (job === null || job.number !== response.number) return;
    seat.job = null;
    seat.port.hold(false);
    if (response.kind === "done") job.resolve(response.result);
    else job.reject(wireError(response.error));
    this.dispatch();
  }

  private cancel(job: Job, error: Error): void {
    const waiting = this.queue.indexOf(job);
    if (waiting >= 0) this.queue.splice(waiting, 1);
    const seat = this.seats.find((candidate) => candidate.job === job);
    if (seat) this.replace(seat, error);
    else job.reject(error);
  }

  /** Ends a thread, with the task that it runs, and puts a new one in its place. */
  private replace(seat: Seat, error: Error): void {
    const { job, port, setups } = seat;
    seat.job = null;
    void port.close();
    for (const { settle } of setups.values()) settle();
    seat.setups = new Map();
    job?.reject(error);
    if (this.closed) return;
    const fresh = this.openSeat();
    this.seats[this.seats.indexOf(seat)] = fresh;
    this.dispatch();
  }
}

function wireError({ name, message, stack }: { name: string; message: string; stack: string | undefined }): Error {
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}

const interruption = (signal: AbortSignal | undefined): RatError =>
  new RatError("interrupted", "interrupted", {}, { cause: signal?.reason });
