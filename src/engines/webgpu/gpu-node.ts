import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { constants, homedir } from "node:os";
import { dirname, join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { RatError } from "../../errors.js";
import { noGpu } from "./no-gpu.js";

/** Held for good: once this object is collected, Dawn stops answering or aborts the process. */
let held: Promise<GPU> | undefined;

/**
 * WebGPU in Node, by Dawn, which is the optional package `webgpu`. Nothing becomes global.
 * @throws RatError (unavailable) in a worker thread, or where the package is missing or doesn't load
 */
export function openGpu(): Promise<GPU> {
  held ??= load();
  return held;
}

async function load(): Promise<GPU> {
  // A thread that is ended while it waits for a buffer takes the process with it: Dawn aborts on the promise left open
  // (webgpu 0.6.2, "Promise not resolved or rejected: mapAsync()"). May go once Dawn lets go of such promises.
  if (!isMainThread) {
    throw new RatError(
      "unavailable",
      "WebGPU doesn't run in a worker thread of Node; call it from the main thread, or use the engine wasm",
    );
  }
  try {
    const { create } = await import("webgpu");
    if (process.platform === "linux") findVulkan();
    return create([]);
  } catch (error) {
    if (error instanceof RatError) throw error;
    throw new RatError("unavailable", reason(error), {}, { cause: error });
  }
}

/**
 * Where there is no Vulkan, Dawn would say so on standard error, past whoever asked; so it isn't let look.
 * @throws RatError (unavailable)
 */
function findVulkan(): void {
  try {
    process.dlopen({ exports: {} }, "libvulkan.so.1", constants.dlopen.RTLD_LAZY);
  } catch (error) {
    // It is no addon, of course, but then it is there.
    if (!(error as Error).message.includes("did not self-register")) throw noGpu(error);
  }
}

/** Why the package can't be had, with the remedy. */
function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // Of the package itself; MODULE_NOT_FOUND, from inside it, is a binary that it lacks.
  return code === "ERR_MODULE_NOT_FOUND"
    ? "WebGPU in Node needs the package webgpu, which isn't installed; run npm i webgpu, or use the engine wasm"
    : `the package webgpu doesn't load on ${process.platform} ${process.arch}; use the engine wasm (${message})`;
}

const memoryFile = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "rat-engine", "rates.json");

/** What `remember` was last told on this machine; null where nothing can be read. */
export async function recall(): Promise<string | null> {
  return readFile(memoryFile(), "utf8").catch(() => null);
}

/** Keeps a text for later runs on this machine, where there is room for it. */
export async function remember(text: string): Promise<void> {
  const file = memoryFile();
  const draft = `${file}.${process.pid}`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, text);
    await rename(draft, file);
  } catch {
    // Measured again next time: nothing else is lost.
  }
}
