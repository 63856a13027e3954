import { instantiateSync } from "@assemblyscript/loader";
import { RatError } from "../../errors.js";
import { kernelBase64 } from "../../generated/kernel.js";

/** The kernel's exports, as assembly/index.ts declares them. Addresses and sizes are bytes. */
export interface KernelExports extends Record<string, unknown> {
  readonly memory: WebAssembly.Memory;
  networkBlock(): number;
  quantityBlock(): number;
  runBlock(): number;
  freeMemory(): number;
  workspaceBytes(dimensions: number, quantities: number): number;
  approximationBytes(dimensions: number, families: number): number;
  nuts(): void;
  hmc(): void;
  nutsRat(): void;
  hmcRat(): void;
  nutsCentred(): void;
  hmcCentred(): void;
  approximate(): void;
  summarise(): void;
}

/** Entry points that sample: by sampler and density. */
export type KernelEntry = "nuts" | "hmc" | "nutsRat" | "hmcRat" | "nutsCentred" | "hmcCentred";

let compiled: WebAssembly.Module | undefined;

/** The compiled kernel, once a thread. @throws RatError (unavailable) where WebAssembly SIMD is missing. */
export function kernelModule(): WebAssembly.Module {
  if (compiled === undefined) {
    const bytes = Uint8Array.from(atob(kernelBase64), (character) => character.charCodeAt(0));
    if (!WebAssembly.validate(bytes)) {
      throw new RatError(
        "unavailable",
        "this JavaScript engine has no WebAssembly SIMD, which the kernel needs; use Node >= 20 or a current browser",
      );
    }
    compiled = new WebAssembly.Module(bytes);
  }
  return compiled;
}

/** A fresh instance with memory of its own. */
export function instantiateKernel(module: WebAssembly.Module = kernelModule()): KernelExports {
  return instantiateSync<KernelExports>(module, {}).exports;
}
