// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"): random numbers as a
// function of (key, counter), so that every stream can be found without running the others.
//
// A stream is keyed by (seed, refit, chain):  key = seed,  counter = (block, purpose << 24 | chain, refit).
// Four blocks are computed at once, a block a lane, and hand out eight u64.

const M0: u32 = 0xd2511f53;
const M1: u32 = 0xcd9e8d57;
const W0: u32 = 0x9e3779b9;
const W1: u32 = 0xbb67ae85;
const ROUNDS: usize = 10;
const BUFFER_BYTES: usize = 64;

// Stream block: buffer 64 | key schedule 2 x 16 x rounds | counter words 1..3 splatted 3 x 16 | block u32 | position u32
const SCHEDULE: usize = BUFFER_BYTES;
const WORDS: usize = SCHEDULE + 32 * ROUNDS;
const BLOCK: usize = WORDS + 48;
const POSITION: usize = BLOCK + 4;
export const STREAM_BYTES: usize = POSITION + 12;

const multiplier0 = memory.data<u32>([M0, M0, M0, M0], 16);
const multiplier1 = memory.data<u32>([M1, M1, M1, M1], 16);
const laneNumbers = memory.data<u32>([0, 1, 2, 3], 16);

/** High and low words of the four products a * m. */
@inline function highWords(a: v128, m: v128): v128 {
  return v128.shuffle<i32>(i64x2.extmul_low_i32x4_u(a, m), i64x2.extmul_high_i32x4_u(a, m), 1, 3, 5, 7);
}

@unmanaged
@final
export class Stream {
  /** Starts the stream of a chain at its beginning. */
  start(seed: u64, refit: u64, purpose: u32, chain: u32): void {
    const at = changetype<usize>(this);
    let k0 = <u32>seed;
    let k1 = <u32>(seed >> 32);
    for (let round: usize = 0; round < ROUNDS; round++) {
      v128.store(at + SCHEDULE + 32 * round, i32x4.splat(k0));
      v128.store(at + SCHEDULE + 32 * round, i32x4.splat(k1), 16);
      k0 += W0;
      k1 += W1;
    }
    v128.store(at + WORDS, i32x4.splat((purpose << 24) | chain));
    v128.store(at + WORDS, i32x4.splat(<u32>refit), 16);
    v128.store(at + WORDS, i32x4.splat(<u32>(refit >> 32)), 32);
    store<u32>(at + BLOCK, 0);
    store<u32>(at + POSITION, <u32>BUFFER_BYTES);
  }

  /** 64 random bits. */
  @inline next(): u64 {
    const at = changetype<usize>(this);
    let position = load<u32>(at + POSITION);
    if (position == BUFFER_BYTES) {
      this.refill();
      position = 0;
    }
    store<u32>(at + POSITION, position + 8);
    return load<u64>(at + position);
  }

  /** Uniform on [0, 1), 53 bits. */
  @inline uniform(): f64 {
    return <f64>(this.next() >> 11) * 1.1102230246251565e-16;
  }

  private refill(): void {
    const at = changetype<usize>(this);
    const block = load<u32>(at + BLOCK);
    store<u32>(at + BLOCK, block + 4);
    let c0 = i32x4.add(i32x4.splat(block), v128.load(laneNumbers));
    let c1 = v128.load(at + WORDS);
    let c2 = v128.load(at + WORDS, 16);
    let c3 = v128.load(at + WORDS, 32);
    const m0 = v128.load(multiplier0);
    const m1 = v128.load(multiplier1);
    for (let k = at + SCHEDULE; k < at + WORDS; k += 32) {
      const low0 = i32x4.mul(c0, m0);
      const low1 = i32x4.mul(c2, m1);
      const next0 = v128.xor(v128.xor(highWords(c2, m1), c1), v128.load(k));
      c2 = v128.xor(v128.xor(highWords(c0, m0), c3), v128.load(k, 16));
      c0 = next0;
      c1 = low1;
      c3 = low0;
    }
    // Words back in the order of the blocks: (w0, w1), (w2, w3) of block 0, then of block 1, ...
    const first01 = v128.shuffle<i32>(c0, c1, 0, 4, 1, 5);
    const first23 = v128.shuffle<i32>(c2, c3, 0, 4, 1, 5);
    const last01 = v128.shuffle<i32>(c0, c1, 2, 6, 3, 7);
    const last23 = v128.shuffle<i32>(c2, c3, 2, 6, 3, 7);
    v128.store(at, v128.shuffle<i64>(first01, first23, 0, 2));
    v128.store(at, v128.shuffle<i64>(first01, first23, 1, 3), 16);
    v128.store(at, v128.shuffle<i64>(last01, last23, 0, 2), 32);
    v128.store(at, v128.shuffle<i64>(last01, last23, 1, 3), 48);
  }
}
