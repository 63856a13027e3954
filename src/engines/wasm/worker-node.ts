import { parentPort } from "node:worker_threads";
import { requestHandler } from "./worker.js";

const port = parentPort;
if (port === null) throw new Error("worker-node.js only runs as a worker thread");
port.on(
  "message",
  requestHandler((response, transfer) => port.postMessage(response, transfer)),
);
