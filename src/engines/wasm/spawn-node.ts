import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { OpenPort } from "./protocol.js";

/**
 * A worker thread. It keeps the process alive only while it is busy. It doesn't take over the process's own options:
 * with some, such as --input-type, no thread can be started from a file.
 */
export const openWorker: OpenPort = (listen, fail) => {
  const worker = new Worker(new URL("./worker-node.js", import.meta.url), { execArgv: [] });
  worker.on("message", listen);
  worker.on("error", fail);
  worker.unref();
  return {
    send: (request, transfer = []) => worker.postMessage(request, transfer),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    close: async () => {
      await worker.terminate();
    },
  };
};

export const coreCount = (): number => availableParallelism();
