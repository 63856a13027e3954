import type { Request } from "./protocol.js";
import { requestHandler } from "./worker.js";

/** The part of a dedicated worker's global scope that is used here; the DOM's types name a window's. */
interface WorkerScope {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;
const handle = requestHandler((response, transfer) => scope.postMessage(response, transfer));
scope.onmessage = (event) => handle(event.data);
