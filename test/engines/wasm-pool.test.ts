import { describe, expect, it } from "vitest";
import { WorkerPool } from "../../src/engines/wasm/pool.js";
import type { OpenPort, Request, Response, Setup, Task, TaskResult } from "../../src/engines/wasm/protocol.js";

/** A thread that does what the test says, when it says so. */
class FakeThread {
  readonly requests: Request[] = [];
  held = false;
  closed = false;

  constructor(
    readonly say: (response: Response) => void,
    readonly die: (error: Error) => void,
  ) {}

  get tasks(): number[] {
    return this.requests.flatMap((request) => (request.kind === "task" ? [request.number] : []));
  }

  get kinds(): string {
    return this.requests.map(({ kind }) => kind).join(" ");
  }

  ready(): void {
    for (const request of this.requests) {
      if (request.kind === "setup") this.say({ kind: "ready", setup: request.setup.setup });
    }
  }

  /** Ends the task that was sent last. */
  finish(): void {
    this.say({ kind: "done", number: this.tasks[this.tasks.length - 1], result });
  }
}

const result = { kind: "refits" } as TaskResult;
const setup = { sampling: null } as Omit<Setup, "setup">;
const taskOf = (number: number): Task => ({ kind: "refits", setup: number }) as Task;

function poolOf(size: number) {
  const threads: FakeThread[] = [];
  const open: OpenPort = (listen, fail) => {
    const thread = new FakeThread(listen, fail);
    threads.push(thread);
    return {
      send: (request) => void thread.requests.push(request),
      hold: (busy) => {
        thread.held = busy;
      },
      close: async () => {
        thread.closed = true;
      },
    };
  };
  return { pool: new WorkerPool(size, open), threads };
}

/** A pool whose threads are ready for setup 0. */
async function readyPool(size: number) {
  const { pool, threads } = poolOf(size);
  const prepared = pool.prepare(setup);
  for (const thread of threads) thread.ready();
  return { pool, threads, setup: await prepared };
}

describe("threads", () => {
  it("are opened when there is work, as many as asked for, and hear of the setup first", async () => {
    const { pool, threads } = poolOf(3);
    expect(threads).toHaveLength(0);
    const prepared = pool.prepare(setup);
    expect(threads.map(({ kinds }) => kinds)).toEqual(["setup", "setup", "setup"]);
    let isReady = false;
    void prepared.then(() => {
      isReady = true;
    });
    threads[0].ready();
    threads[1].ready();
    await Promise.resolve();
    expect(isReady).toBe(false);
    threads[2].ready();
    expect(await prepared).toBe(0);
  });

  it("take tasks in the order they were given, one at a time each", async () => {
    const { pool, threads } = await readyPool(2);
    const done = [0, 1, 2, 3].map(() => pool.run(taskOf(0)));
    expect(threads.map(({ tasks }) => tasks)).toEqual([[0], [1]]);
    threads[1].finish();
    expect(threads.map(({ tasks }) => tasks)).toEqual([[0], [1, 2]]);
    threads[0].finish();
    threads[0].finish();
    threads[1].finish();
    expect(await Promise.all(done)).toEqual([result, result, result, result]);
  });

  it("keep the process alive while they owe an answer, to a setup or a task, and no longer", async () => {
    const { pool, threads } = poolOf(1);
    const prepared = pool.prepare(setup);
    const [thread] = threads;
    expect(thread.held).toBe(true);
    thread.ready();
    await prepared;
    expect(thread.held).toBe(false);
    const done = pool.run(taskOf(0));
    const second = pool.prepare(setup);
    thread.finish();
    await done;
    expect(thread.held).toBe(true); // for the second setup
    thread.ready();
    await second;
    expect(thread.held).toBe(false);
  });

  it("that don't know a task's setup, as they are new, are told it right before the task", async () => {
    const { pool, threads } = await readyPool(1);
    const lost = expect(pool.run(taskOf(0))).rejects.toThrow("out of memory");
    threads[0].die(new Error("out of memory"));
    await lost;
    void pool.run(taskOf(0)).catch(() => {});
    expect(threads[1].kinds).toBe("setup task");
  });
});

describe("failures", () => {
  it("of a task reject it, with kind and words, and the thread goes on", async () => {
    const { pool, threads } = await readyPool(1);
    const [first, second] = [pool.run(taskOf(0)), pool.run(taskOf(0))];
    const error = { kind: "data", name: "RatError", message: "no", stack: "there" } as const;
    threads[0].say({ kind: "failed", number: 0, error });
    await expect(first).rejects.toMatchObject({ kind: "data", message: "no", stack: "there", exitCode: 65 });
    threads[0].finish();
    expect(await second).toBe(result);
    expect(threads).toHaveLength(1);
  });

  it("without a kind stay plain errors under their own name", async () => {
    const { pool, threads } = await readyPool(1);
    const failed = pool.run(taskOf(0));
    threads[0].say({
      kind: "failed",
      number: 0,
      error: { kind: null, name: "RangeError", message: "x", stack: undefined },
    });
    await expect(failed).rejects.toMatchObject({ name: "RangeError", message: "x" });
    await expect(failed).rejects.not.toHaveProperty("kind");
  });

  it("of a setup reject whoever prepares it, and leave other tasks alone", async () => {
    const { pool, threads } = await readyPool(2);
    const task = pool.run(taskOf(0));
    const second = pool.prepare(setup);
    const error = { kind: "usage", name: "RatError", message: "too much", stack: undefined } as const;
    threads[1].say({ kind: "unready", setup: 1, error });
    await expect(second).rejects.toMatchObject({ kind: "usage", message: "too much" });
    threads[0].finish();
    expect(await task).toBe(result);
  });

  it("of threads to start reject whoever prepares, and no thread is opened again and again", async () => {
    const { pool, threads } = poolOf(2);
    const prepared = expect(pool.prepare(setup)).rejects.toThrow("no such file");
    threads[0].die(new Error("no such file"));
    threads[1].die(new Error("no such file"));
    await prepared;
    await new Promise((resolve) => setTimeout(resolve));
    expect(threads).toHaveLength(2);
    // The next one tries anew.
    const again = pool.prepare(setup);
    for (const thread of threads.slice(2)) thread.ready();
    expect(await again).toBe(1);
  });

  it("of a thread in the middle of a task reject that task only; a new thread takes the next one", async () => {
    const { pool, threads } = await readyPool(1);
    const [first, second] = [pool.run(taskOf(0)), pool.run(taskOf(0))];
    threads[0].die(new Error("crashed"));
    await expect(first).rejects.toThrow("crashed");
    expect(threads).toHaveLength(2);
    expect(threads[0].closed).toBe(true);
    threads[1].ready();
    threads[1].finish();
    expect(await second).toBe(result);
    threads[0].die(new Error("again")); // a late word from the dead one changes nothing
    expect(threads).toHaveLength(2);
  });
});

describe("aborting", () => {
  it("takes waiting tasks off the queue and ends only the threads that run one", async () => {
    const { pool, threads } = await readyPool(3);
    const controller = new AbortController();
    const others = [pool.run(taskOf(0))];
    const stopped = Array.from({ length: 40 }, () => pool.run(taskOf(0), [], controller.signal));
    const rejections = Promise.all(stopped.map((task) => expect(task).rejects.toMatchObject({ kind: "interrupted" })));
    others.push(pool.run(taskOf(0)), pool.run(taskOf(0)));
    controller.abort();
    await rejections;
    expect(threads.slice(0, 3).map(({ closed }) => closed)).toEqual([false, true, true]);
    // Two new threads for the two tasks that nobody aborted, and none for those that were.
    expect(threads.slice(3).map(({ kinds }) => kinds)).toEqual(["setup task", "setup task"]);
    threads[0].finish();
    for (const thread of threads.slice(3)) {
      thread.ready();
      thread.finish();
    }
    expect(await Promise.all(others)).toEqual([result, result, result]);
  });

  it("opens no thread where nothing else is to be done", async () => {
    const { pool, threads } = await readyPool(2);
    const controller = new AbortController();
    const stopped = [0, 1, 2].map(() => pool.run(taskOf(0), [], controller.signal));
    const rejections = Promise.all(stopped.map((task) => expect(task).rejects.toMatchObject({ kind: "interrupted" })));
    controller.abort();
    await rejections;
    expect(threads).toHaveLength(2);
  });

  it("listens to a signal once, however many tasks it stops, and not at all when they are done", async () => {
    const { pool, threads } = await readyPool(1);
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    const tasks = Array.from({ length: 50 }, () => pool.run(taskOf(0), [], signal));
    expect(listeners).toBe(1);
    for (let i = 0; i < 50; i++) threads[0].finish();
    await Promise.all(tasks);
    expect(listeners).toBe(0);
  });
});

describe("forgetting a setup", () => {
  it("waits for its tasks, also those that no thread has yet", async () => {
    const { pool, threads } = await readyPool(1);
    const tasks = [pool.run(taskOf(0)), pool.run(taskOf(0))];
    pool.forget(0);
    expect(threads[0].kinds).toBe("setup task");
    threads[0].finish();
    expect(threads[0].kinds).toBe("setup task task");
    threads[0].finish();
    expect(threads[0].kinds).toBe("setup task task forget");
    expect(await Promise.all(tasks)).toEqual([result, result]);
  });
});

describe("closing", () => {
  it("rejects what runs, what waits and what is being prepared, and closes the threads", async () => {
    const { pool, threads } = await readyPool(1);
    const left = [pool.run(taskOf(0)), pool.run(taskOf(0)), pool.prepare(setup)];
    const rejections = Promise.all(left.map((one) => expect(one).rejects.toMatchObject({ kind: "interrupted" })));
    await pool.close();
    await rejections;
    expect(threads.map(({ closed }) => closed)).toEqual([true]);
    await expect(pool.run(taskOf(0))).rejects.toMatchObject({ kind: "usage" });
    await expect(pool.prepare(setup)).rejects.toMatchObject({ kind: "usage" });
  });
});
