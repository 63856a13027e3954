import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { OpenPort } from "./protocol.js";

/** A worker thread. It keeps the process alive only while it is busy. */
export const openWorker: OpenPort = (listen, fail) => {
  const worker = new Worker(new URL("./worker-node.js", import.meta.url));
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
