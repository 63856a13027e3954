import { RatError } from "../../errors.js";
import type { KernelExports } from "./kernel.js";

const pageBytes = 65536;

/**
 * A kernel's memory upwards from where the kernel's own data ends: parts are reserved one after the other, each 16-byte
 * aligned, and there to be used after the next `grow`, which ends the views taken before it.
 */
export class KernelMemory {
  /** All of the memory, as it last grew. */
  view: DataView;
  private readonly memory: WebAssembly.Memory;
  private end: number;

  constructor({ memory, freeMemory }: KernelExports) {
    this.memory = memory;
    this.end = freeMemory();
    this.view = new DataView(memory.buffer);
  }

  /** Reserves a part; its address. */
  add(bytes: number): number {
    const start = 16 * Math.ceil(this.end / 16);
    this.end = start + bytes;
    return start;
  }

  /**
   * Makes all reserved parts usable.
   * @param purpose what most of it is for, and `remedy` how to need less: for the error's message
   * @throws RatError (usage) where so much can't be had
   */
  grow(purpose: string, remedy: string): void {
    const missing = this.end - this.memory.buffer.byteLength;
    if (missing <= 0) return;
    try {
      this.memory.grow(Math.ceil(missing / pageBytes));
    } catch (cause) {
      const gigabytes = (this.end / 2 ** 30).toFixed(1);
      const message = `${purpose} need ${gigabytes} GB at once, more than there is (4 at most); ${remedy}`;
      throw new RatError("usage", message, {}, { cause });
    }
    this.view = new DataView(this.memory.buffer);
  }

  /** Writes u32 fields of a block, by offset. */
  words(block: number, fields: Record<number, number>): void {
    for (const [offset, value] of Object.entries(fields)) this.view.setUint32(block + Number(offset), value, true);
  }

  /** Writes a u64. @param value an integer in [0, 2^53) */
  long(at: number, value: number): void {
    this.view.setUint32(at, value % 2 ** 32, true);
    this.view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
  }

  floats(at: number, count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.memory.buffer, at, count);
  }
}
