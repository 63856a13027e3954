import type { OpenPort, Response } from "./protocol.js";

/** A module worker of the page. */
export const openWorker: OpenPort = (listen, fail) => {
  const worker = new Worker(new URL("./worker-browser.js", import.meta.url), { type: "module" });
  worker.onmessage = (event: MessageEvent<Response>) => listen(event.data);
  worker.onerror = (event) => fail(new Error(event.message || "a worker failed to load"));
  return {
    send: (request, transfer = []) => worker.postMessage(request, transfer),
    hold: () => {},
    close: async () => worker.terminate(),
  };
};

export const coreCount = (): number => navigator.hardwareConcurrency ?? 1;
