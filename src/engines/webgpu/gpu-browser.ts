import { RatError } from "../../errors.js";

/**
 * WebGPU of the page or of its worker.
 * @throws RatError (unavailable) where the browser has none
 */
export async function openGpu(): Promise<GPU> {
  // Browsers without WebGPU, and insecure pages, lack it, whatever the types say.
  const { gpu } = (globalThis.navigator ?? {}) as { gpu?: GPU };
  if (gpu !== undefined) return gpu;
  throw new RatError(
    "unavailable",
    globalThis.isSecureContext === false
      ? "WebGPU needs a secure page; open this one by https or from localhost, or use the engine wasm"
      : "this browser has no WebGPU; enable it or use a newer browser, or use the engine wasm",
  );
}

const memoryKey = "rat-engine rates";

/** What `remember` was last told in this browser; null where nothing can be read. */
export async function recall(): Promise<string | null> {
  try {
    return localStorage.getItem(memoryKey);
  } catch {
    return null; // a worker, or a page that may not store
  }
}

/** Keeps a text for later visits, where the page may. */
export async function remember(text: string): Promise<void> {
  try {
    localStorage.setItem(memoryKey, text);
  } catch {
    // Measured again next time: nothing else is lost.
  }
}
