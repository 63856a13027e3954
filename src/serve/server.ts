import { Backend } from "../backend.js";
import type { Engine } from "../engines/engine.js";
import { asRatError, RatError, usageError } from "../errors.js";
import { methods } from "./methods.js";
import { busyCode, type ServeAnswer, type ServeRequest } from "./protocol.js";

export interface ServerOptions {
  readonly engine: Engine;
  /** Requests under way at most; more are answered `busy`. */
  readonly queue: number;
  /** Takes an answer; resolves when the reader has room for more. */
  readonly answer: (answer: ServeAnswer) => Promise<void>;
}

/** Answers lines of requests with a warm engine, errors as values. Input ends with the lines; then `drained` resolves. */
export class Server {
  private readonly options: ServerOptions;
  private readonly backend: Backend;
  private readonly running = new Map<string | number, { controller: AbortController; done: Promise<void> }>();

  constructor(options: ServerOptions) {
    this.options = options;
    this.backend = new Backend(options.engine);
  }

  /** Takes one line. Resolves at once; the answer comes when it comes. */
  async take(line: string): Promise<void> {
    if (line.trim() === "") return;
    let request: ServeRequest;
    try {
      request = readRequest(line);
    } catch (error) {
      await this.fail(idOf(line), error);
      return;
    }
    const { id, method, params } = request;
    if (method === "cancel") {
      const target = params.id as string | number;
      const found = this.running.get(target);
      found?.controller.abort();
      await this.options.answer({ id, result: { cancelled: found !== undefined } });
      return;
    }
    if (this.running.has(id)) {
      await this.fail(id, usageError(`id ${JSON.stringify(id)} is still under way`));
      return;
    }
    if (this.running.size >= this.options.queue) {
      const message = `${this.options.queue} requests are under way; send this one again when some are answered`;
      await this.options.answer({ id, error: { kind: "busy", code: busyCode, message } });
      return;
    }
    const controller = new AbortController();
    const done = this.work(request, controller.signal).finally(() => this.running.delete(id));
    this.running.set(id, { controller, done });
  }

  /** Resolves when every request that was taken is answered. */
  async drained(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  abortAll(): void {
    for (const { controller } of this.running.values()) controller.abort();
  }

  private async work({ id, method, params }: ServeRequest, signal: AbortSignal): Promise<void> {
    const { engine, answer } = this.options;
    try {
      if (!Object.hasOwn(methods, method)) {
        throw usageError(
          `unknown method ${JSON.stringify(method)}: there are ${[...Object.keys(methods), "cancel"].join(", ")}`,
        );
      }
      const onProgress = (finished: number, total: number): void => void answer({ id, progress: { finished, total } });
      const result = await methods[method](params, { engine, backend: this.backend, signal, onProgress });
      await answer({ id, result });
    } catch (error) {
      await this.fail(id, error);
    }
  }

  private async fail(id: string | number | null, error: unknown): Promise<void> {
    const known = asRatError(error);
    const { kind, exitCode: code } = known;
    await this.options.answer({ id, error: { kind, code, message: known.describe() } });
  }
}

function readRequest(line: string): ServeRequest {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new RatError("data", `a request must be one JSON object a line: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RatError("data", "a request must be a JSON object");
  }
  const { id, method, params = {} } = value as Record<string, unknown>;
  if (typeof id !== "string" && typeof id !== "number") throw usageError("a request needs an id, a string or a number");
  if (typeof method !== "string") throw usageError("a request needs a method, a string");
  if (typeof params !== "object" || params === null || Array.isArray(params))
    throw usageError("params must be an object");
  return { id, method, params: params as Record<string, unknown> };
}

/** The id of a request that can't be taken, where it has one. */
function idOf(line: string): string | number | null {
  try {
    const id = (JSON.parse(line) as { id?: unknown } | null)?.id;
    return typeof id === "string" || typeof id === "number" ? id : null;
  } catch {
    return null;
  }
}
