import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { philox4x32 } from "../../src/random/philox.js";
import { Stream } from "../../src/random/stream.js";
import { chiSquareZ, uniformChiSquare, zLimit } from "../support/montecarlo.js";

const block = (counter: readonly number[], key: readonly number[]): number[] => {
  const out = new Uint32Array(4);
  philox4x32(Uint32Array.from(counter), Uint32Array.from(key), out);
  return [...out];
};

const hex = (text: string): number[] => text.split(" ").map((word) => Number.parseInt(word, 16));

// Random123 (Salmon et al. 2011), tests/kat_vectors, lines "philox4x32 10".
it.each([
  ["00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"],
  ["ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"],
  ["243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"],
])("Philox4x32-10 of counter %s under key %s is %s, as published", (counter, key, expected) => {
  expect(block(hex(counter), hex(key))).toEqual(hex(expected));
});

/** A stream of given words. */
class Scripted extends Stream {
  constructor(private readonly script: number[]) {
    super(0, 0, 1);
  }

  override word(): number {
    const word = this.script.shift();
    if (word === undefined) throw new Error("the script is at its end");
    return word;
  }
}

describe("a stream", () => {
  it("is Philox under the seed, counting blocks, with purpose, chain and id in the counter", () => {
    const integer = fc.maxSafeNat();
    const property = fc.property(
      integer,
      integer,
      fc.constantFrom<1 | 2>(1, 2),
      fc.nat(2 ** 24 - 1),
      (seed, id, purpose, chain) => {
        const stream = new Stream(seed, id, purpose, chain);
        const words = Array.from({ length: 12 }, () => stream.word());
        const halves = (n: number): number[] => [Number(BigInt(n) & 0xffffffffn), Number(BigInt(n) >> 32n)];
        const expected = [0, 1, 2].flatMap((b) => block([b, purpose * 2 ** 24 + chain, ...halves(id)], halves(seed)));
        expect(words).toEqual(expected);
      },
    );
    fc.assert(property, { seed: 1 });
  });

  it("makes uniforms of 53 bits: the second word above the upper bits of the first", () => {
    expect(new Scripted([0, 0]).uniform()).toBe(0);
    expect(new Scripted([0xffffffff, 0xffffffff]).uniform()).toBe(1 - 2 ** -53);
    expect(new Scripted([0, 0x80000000]).uniform()).toBe(0.5);
    expect(new Scripted([1 << 11, 0]).uniform()).toBe(2 ** -53);
    expect(new Scripted([(1 << 11) - 1, 0]).uniform()).toBe(0);
  });

  it("has uniforms that fill 64 bins evenly", () => {
    const stream = new Stream(11, 0, 1);
    const counts = new Float64Array(64);
    for (let i = 0; i < 200_000; i++) counts[Math.floor(64 * stream.uniform())]++;
    expect(Math.abs(chiSquareZ(uniformChiSquare(counts), 63))).toBeLessThan(zLimit(1));
  });
});

describe("integers below a count", () => {
  it("reject the words beyond the last full multiple, so that all are equally likely", () => {
    // 2^32 = 3 * 1431655765 + 1: the last word is left over.
    expect(new Scripted([0xffffffff, 5]).integerBelow(3)).toBe(2);
    expect(new Scripted([0xfffffffe]).integerBelow(3)).toBe(0xfffffffe % 3);
    // Of a count above 2^31 nearly half of the words are.
    const count = 2 ** 31 + 1;
    expect(new Scripted([count, 0xffffffff, count - 1]).integerBelow(count)).toBe(count - 1);
    // A power of two leaves none over.
    expect(new Scripted([0xffffffff]).integerBelow(2 ** 32)).toBe(0xffffffff);
    // Above 2^32, of 53 bits: 2^53 = 3 * 3002399751580330 + 2, whose last two draws are left over.
    const third = 3002399751580330;
    expect(new Scripted([0xffffffff, 0xffffffff, 0, 0]).integerBelow(third)).toBe(0);
    expect(new Scripted([0xffffffff, 0xffffffff]).integerBelow(2 ** 53)).toBe(2 ** 53 - 1);
  });

  it("are in range and whole, for any count", () => {
    const property = fc.property(fc.integer({ min: 1, max: 2 ** 53 - 1 }), fc.nat(), (count, seed) => {
      const stream = new Stream(seed, 0, 1);
      for (let i = 0; i < 20; i++) {
        const n = stream.integerBelow(count);
        expect(Number.isInteger(n) && n >= 0 && n < count).toBe(true);
      }
    });
    fc.assert(property, { seed: 2 });
    expect(new Stream(1, 1, 1).integerBelow(1)).toBe(0);
  });

  const bins = 50;
  const cases = [50, 100, 10_000, 3 * 2 ** 30, 2 ** 40, 3 * 2 ** 51].map((count) => count - (count % bins));

  it.each(cases)("below %d fill 50 bins evenly", (count) => {
    const stream = new Stream(7, count, 1);
    const counts = new Float64Array(bins);
    for (let i = 0; i < 100_000; i++) counts[Math.floor(stream.integerBelow(count) / (count / bins))]++;
    const z = Math.abs(chiSquareZ(uniformChiSquare(counts), bins - 1));
    expect(z).toBeLessThan(zLimit(cases.length));
  });
});
