import { philox4x32 } from "./philox.js";

const two32 = 2 ** 32;
const two53 = 2 ** 53;

/** What a stream is for; streams of different purposes never meet. The numbers are those of assembly/layout.ts. */
export type StreamPurpose = 1 | 2 | 4 | 5 | 6 | 7;

/** A stream of random numbers keyed by (seed, id, chain): the host's twin of the kernel's streams. */
export class Stream {
  private readonly key: Uint32Array;
  private readonly counter: Uint32Array;
  private readonly words = new Uint32Array(4);
  private used = 4;

  /** @param seed and id: integers in [0, 2^53) */
  constructor(seed: number, id: number, purpose: StreamPurpose, chain = 0) {
    this.key = Uint32Array.of(seed % two32, Math.floor(seed / two32));
    this.counter = Uint32Array.of(0, purpose * 2 ** 24 + chain, id % two32, Math.floor(id / two32));
  }

  /** 32 random bits. */
  word(): number {
    if (this.used === 4) {
      philox4x32(this.counter, this.key, this.words);
      this.counter[0]++;
      this.used = 0;
    }
    return this.words[this.used++];
  }

  /** Uniform on [0, 1), 53 bits. */
  uniform(): number {
    const low = this.word();
    return ((this.word() >>> 0) * 2 ** 21 + (low >>> 11)) / two53;
  }

  /** Uniform on 0 ... count - 1, exactly, by rejection. @param count an integer in [1, 2^53] */
  integerBelow(count: number): number {
    const size = count <= two32 ? two32 : two53;
    const limit = size - (size % count);
    for (;;) {
      const draw = size === two32 ? this.word() : this.uniform() * two53;
      if (draw < limit) return draw % count;
    }
  }
}
