import { createInterface } from "node:readline";
import { Command } from "commander";
import { RatError } from "../errors.js";
import { samplingOptions } from "../options.js";
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
  const [{ openEngine }, { Server }, { usageError }] = await Promise.all([
    import("../engines/choose.js"),
    import("../serve/server.js"),
    import("../errors.js"),
  ]);
  const queue = Number(flags.queue);
  if (!Number.isInteger(queue) || queue < 1)
    throw usageError(`--queue must be a whole number of at least 1, not ${flags.queue}`);
  const engine = await openEngine({
    engine: flags.engine === undefined ? "auto" : samplingOptions.engine.read(flags.engine),
    sampler: "hmc",
    workers: flags.workers === undefined ? undefined : samplingOptions.workers.read(flags.workers),
  });
  const { signal, release } = interruptSignal();
  const server = new Server({ engine, queue, answer: (answer) => print(`${JSON.stringify(answer)}\n`) });
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  signal.addEventListener("abort", () => {
    server.abortAll();
    lines.close();
  });
  try {
    for await (const line of lines) await server.take(line);
    await server.drained();
    if (signal.aborted) throw new RatError("interrupted", "interrupted");
  } finally {
    release();
    await engine.dispose();
  }
}
