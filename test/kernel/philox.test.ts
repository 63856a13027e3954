import { describe, expect, it } from "vitest";
import { philox4x32 } from "../../src/random/philox.js";
import { Stream } from "../../src/random/stream.js";
import { openProbe, Scratch } from "../support/kernel.js";
import { Inputs } from "../support/random.js";

const probe = openProbe();
const scratch = new Scratch(probe);
const words = scratch.words(4096);
const floats = scratch.floats(4096);

/** One block of the kernel's Philox at any counter and key. */
function kernelBlock(counter: readonly number[], key: readonly number[]): number[] {
  const seed = BigInt(key[0]) | (BigInt(key[1]) << 32n);
  const refit = BigInt(counter[2]) | (BigInt(counter[3]) << 32n);
  probe.streamStart(seed, refit, counter[1] >>> 24, counter[1] & 0xffffff);
  probe.streamSeek(counter[0]);
  probe.streamBits(2, words.at);
  return [...words.array.subarray(0, 4)];
}

function hostBlock(counter: readonly number[], key: readonly number[]): number[] {
  const out = new Uint32Array(4);
  philox4x32(Uint32Array.from(counter), Uint32Array.from(key), out);
  return [...out];
}

const hex = (text: string): number[] => text.split(" ").map((word) => Number.parseInt(word, 16));

describe.each([
  ["kernel", kernelBlock],
  ["host", hostBlock],
])("Philox4x32-10 on the %s", (_, block) => {
  // Random123 (Salmon et al. 2011), tests/kat_vectors, lines "philox4x32 10".
  it.each([
    ["00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"],
    ["ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"],
    ["243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"],
  ])("of counter %s under key %s is %s, as published", (counter, key, expected) => {
    expect(block(hex(counter), hex(key))).toEqual(hex(expected));
  });
});

describe("Philox on kernel and host", () => {
  it("are the same function, word for word, at 2000 random counters and keys", () => {
    const inputs = new Inputs(31);
    const word = (): number => inputs.below(2 ** 32);
    for (let i = 0; i < 2000; i++) {
      const counter = [word(), word(), word(), word()];
      const key = [word(), word()];
      expect(kernelBlock(counter, key)).toEqual(hostBlock(counter, key));
    }
  });
});

describe("a stream", () => {
  const large = 2 ** 53 - 1;

  it.each<[number, number, 1 | 2, number]>([
    [0, 0, 1, 0],
    [1, 0, 1, 0],
    [0, 1, 1, 0],
    [0, 0, 1, 1],
    [0, 0, 2, 0],
    [12345, 678, 2, 9],
    [large, large, 2, 2 ** 24 - 1],
    [2 ** 32, 2 ** 32, 1, 3],
    [2 ** 32 - 1, 2 ** 32 + 1, 1, 3],
  ])(
    "of seed %d, refit %d, purpose %d, chain %d has the host's words over 1024 refills",
    (seed, refit, purpose, chain) => {
      probe.streamStart(BigInt(seed), BigInt(refit), purpose, chain);
      const host = new Stream(seed, refit, purpose, chain);
      for (let part = 0; part < 4; part++) {
        probe.streamBits(2048, words.at);
        expect([...words.array]).toEqual(Array.from({ length: 4096 }, () => host.word()));
      }
    },
  );

  it("has the host's uniforms, bit for bit, all in [0, 1)", () => {
    probe.streamStart(77n, 5n, 1, 2);
    const host = new Stream(77, 5, 1, 2);
    probe.streamUniforms(4096, floats.at);
    expect([...floats.array]).toEqual(Array.from({ length: 4096 }, () => host.uniform()));
    expect(floats.array.every((u) => u >= 0 && u < 1)).toBe(true);
  });

  it("begins anew when started again, also in the middle of a refill", () => {
    probe.streamStart(1n, 2n, 0, 3);
    probe.streamBits(11, words.at);
    const first = [...words.array.subarray(0, 22)];
    probe.streamStart(9n, 9n, 0, 9);
    probe.streamBits(3, words.at);
    probe.streamStart(1n, 2n, 0, 3);
    probe.streamBits(11, words.at);
    expect([...words.array.subarray(0, 22)]).toEqual(first);
  });

  it("of other seeds, refits, purposes or chains has no word in common at its start, among 4096 streams of 8 words", () => {
    // By chance, two of 4096 x 4 words of 64 bits are equal with probability 7e-12.
    const seen = new Set<bigint>();
    const bits = new BigUint64Array(probe.memory.buffer, words.at, 4);
    for (const seed of [0n, 1n, 1n << 32n, (1n << 53n) - 1n])
      for (const refit of [0n, 1n, 2n, 3n, 1n << 31n, 1n << 32n, 1n << 33n, (1n << 53n) - 1n])
        for (const purpose of [0, 1, 2, 3])
          for (let chain = 0; chain < 32; chain++) {
            probe.streamStart(seed, refit, purpose, chain);
            probe.streamBits(4, words.at);
            for (const word of bits) seen.add(word);
          }
    expect(seen.size).toBe(4 * 8 * 4 * 32 * 4);
  });
});
