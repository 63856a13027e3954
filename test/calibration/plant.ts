import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Device } from "../../src/engines/webgpu/device.js";
import { WebGpuEngine } from "../../src/engines/webgpu/engine.js";

/** One piece of a source and what a fault makes of it. */
export interface Planted {
  /** In assembly/ or shaders/, from the root. */
  readonly file: string;
  /** Occurs exactly once. */
  readonly right: string;
  readonly wrong: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const compiler = join(createRequire(import.meta.url).resolve("assemblyscript/package.json"), "../bin/asc.js");

// As asconfig.json's release target, but not optimised: a third of the time, the same numbers (faults.test.ts checks).
const options =
  "--outFile kernel.wasm --runtime stub --exportRuntime --enable simd --disableWarning 201 --optimizeLevel 0 --noAssert";

const modules = new Map<Planted | undefined, WebAssembly.Module>();

/**
 * The kernel with its probe, compiled from a copy of its source with one fault, or with none; each once.
 *
 * @throws where the piece isn't there exactly once: the source has changed, and the fault has to be planted anew
 */
export function plant(fault?: Planted): WebAssembly.Module {
  const module = modules.get(fault) ?? compile(fault);
  modules.set(fault, module);
  return module;
}

/**
 * An engine whose shaders have one fault.
 *
 * @throws where the piece isn't there exactly once
 */
export async function openPlanted(fault: Planted): Promise<WebGpuEngine> {
  replaceOnly(readFileSync(join(root, fault.file), "utf8"), fault);
  const engine = await WebGpuEngine.open({ workers: 0 });
  const device = Reflect.get(engine.card, "device");
  if (!(device instanceof Device)) throw new Error("the card's device is somewhere else now");
  // Shaders are compiled when they are needed first, from one text each of several files.
  const right = device.compile.bind(device);
  device.compile = (label, code) => right(label, code.includes(fault.right) ? replaceOnly(code, fault) : code);
  return engine;
}

function compile(fault?: Planted): WebAssembly.Module {
  const folder = mkdtempSync(join(tmpdir(), "rat-fault-"));
  try {
    cpSync(join(root, "assembly"), join(folder, "assembly"), { recursive: true });
    if (fault) {
      const file = join(folder, fault.file);
      writeFileSync(file, replaceOnly(readFileSync(file, "utf8"), fault));
    }
    const files = ["assembly/index.ts", "assembly/probe.ts"];
    execFileSync(process.execPath, [compiler, ...files, ...options.split(" ")], { cwd: folder, stdio: "pipe" });
    return new WebAssembly.Module(readFileSync(join(folder, "kernel.wasm")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function replaceOnly(text: string, { file, right, wrong }: Planted): string {
  const times = text.split(right).length - 1;
  if (times !== 1) {
    throw new Error(`a fault is to be planted in ${file}, but this occurs ${times} times there, not once:\n${right}`);
  }
  return text.replace(right, () => wrong);
}
