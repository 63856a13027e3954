import { createInterface } from "node:readline";
import { Command } from "commander";
import { asRatError, RatError, usageError } from "../errors.js";
import { resolveEngine, samplingOptions } from "../options.js";
import type { ServeAnswer } from "../serve/protocol.js";
import { reasonOf } from "./io.js";
import { interruptSignal, print } from "./run.js";

interface ServeFlags {
  engine?: string;
  workers?: string;
  queue: string;
}

export function serveCommand(): Command {
  return new Command("serve")
    .description("answer requests in JSON lines on standard input with a warm engine, for callers in other languages")
    .option("--engine <name>", `${samplingOptions.engine.description} (default: ${samplingOptions.engine.defaultText})`)
    .option("--workers <number>", "threads (default: one a core)")
    .option("--queue <number>", "requests under way at most; more are answered busy", "64")
    .action(runServe);
}

async function runServe(flags: ServeFlags): Promise<void> {
  const [{ createEngine }, { Server }] = await Promise.all([import("../backend.js"), import("../serve/server.js")]);
  const queue = Number(flags.queue);
  if (!Number.isInteger(queue) || queue < 1)
    throw usageError(`--queue must be a whole number of at least 1, not ${flags.queue}`);
  const backend = await createEngine(resolveEngine(flags));
  const { signal, release } = interruptSignal();
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  let failure: RatError | null = null;
  let hasReader = true;
  const abort = (): void => {
    server.abortAll();
    lines.close();
  };
  const answer = async (answer: ServeAnswer): Promise<void> => {
    if (!hasReader) return;
    try {
      hasReader = await print(`${JSON.stringify(answer)}\n`);
    } catch (error) {
      failure ??= asRatError(error);
      hasReader = false;
    }
    if (!hasReader) abort(); // nobody is there for what is under way
  };
  const server = new Server({ backend, queue, answer });
  signal.addEventListener("abort", () => {
    failure ??= new RatError("interrupted", "interrupted");
    abort();
  });
  process.stdin.on("error", (error) => {
    failure ??= new RatError("io", `can't read this: ${reasonOf(error)}`, { file: "standard input" }, { cause: error });
    lines.close();
  });
  try {
    for await (const line of lines) {
      if (!hasReader || signal.aborted) break; // lines that were read ahead
      await server.take(line);
    }
    await server.drained();
    if (failure !== null) throw failure;
  } finally {
    release();
    await backend.dispose();
  }
}
