import type { Backend } from "../backend.js";
import { asRatError, RatError, usageError } from "../errors.js";
import { isObject, show } from "../values.js";
import { known, methods } from "./methods.js";
import { busyCode, type ServeAnswer, type ServeRequest } from "./protocol.js";

export interface ServerOptions {
  readonly backend: Backend;
  /** Requests under way at most; more are answered `busy`. */
  readonly queue: number;
  /** Takes an answer; resolves when the reader has room for more. Where nobody reads it is no matter of the server's. */
  readonly answer: (answer: ServeAnswer) => Promise<void>;
}

/** Answers lines of requests with a warm engine, errors as values. Input ends with the lines; then `drained` resolves. */
export class Server {
  private readonly options: ServerOptions;
  private readonly running = new Map<string | number, { controller: AbortController; done: Promise<void> }>();

  constructor(options: ServerOptions) {
    this.options = options;
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
      await this.cancel(id, params);
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

  private async cancel(id: string | number, params: ServeRequest["params"]): Promise<void> {
    try {
      known(params, ["id"]);
      if (!isId(params.id)) throw usageError(`cancel needs the id of a request, not ${show(params.id)}`);
      const found = this.running.get(params.id);
      found?.controller.abort();
      await this.options.answer({ id, result: { cancelled: found !== undefined } });
    } catch (error) {
      await this.fail(id, error);
    }
  }

  private async work({ id, method, params }: ServeRequest, signal: AbortSignal): Promise<void> {
    const { backend, answer } = this.options;
    try {
      if (!Object.hasOwn(methods, method)) {
        throw usageError(`unknown method ${show(method)}: there are ${[...Object.keys(methods), "cancel"].join(", ")}`);
      }
      const onProgress = (finished: number, total: number): void => void answer({ id, progress: { finished, total } });
      const result = await methods[method](params, { backend, signal, onProgress });
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
  if (!isObject(value)) throw new RatError("data", "a request must be a JSON object");
  const { id, method, params = {} } = value;
  if (!isId(id)) {
    throw usageError(`a request needs an id, a string or a number (whole ones up to 2^53 - 1), not ${show(id)}`);
  }
  if (typeof method !== "string") throw usageError("a request needs a method, a string");
  if (!isObject(params)) throw usageError("params must be an object");
  return { id, method, params };
}

/** What comes back as it was sent: a number that is too large has been rounded on its way in. */
const isId = (id: unknown): id is string | number =>
  typeof id === "string" || (typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER);

/** The id of a request that can't be taken, where it has one. */
function idOf(line: string): string | number | null {
  try {
    const id = (JSON.parse(line) as { id?: unknown } | null)?.id;
    return isId(id) ? id : null;
  } catch {
    return null;
  }
}
