import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Device, openDevice } from "../../../src/engines/webgpu/device.js";
import { randomWgsl, specialWgsl } from "../../../src/generated/shaders.js";
import { philox4x32 } from "../../../src/random/philox.js";
import { normalQuantile } from "../../../src/statistics/index.js";
import { chiSquareZ, uniformChiSquare, zLimit } from "../../support/montecarlo.js";
import { Inputs } from "../../support/random.js";
import { useSoftwareAdapter } from "../../support/software.js";
import { computed } from "./support.js";

let device: Device;
beforeAll(async () => {
  useSoftwareAdapter();
  device = await openDevice();
});
afterAll(() => device.dispose());

/** Runs the body for each of `lanes` numbers `i`, with words to read and words to write. */
async function run(body: string, given: ArrayLike<number>, words: number, lanes: number): Promise<ArrayBuffer> {
  const code = `${specialWgsl}\n${randomWgsl}
    @group(0) @binding(0) var<storage, read> given: array<u32>;
    @group(0) @binding(1) var<storage, read_write> found: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      let i = id.x;
      ${body}
    }`;
  const bindings = [
    { binding: 0, type: "read-only-storage", contents: Uint32Array.from(given) },
    { binding: 1, type: "storage", contents: new Uint32Array(words) },
  ] as const;
  return (await computed(device, code, "main", bindings, Math.ceil(lanes / 64)))[1];
}

/** The state in the four words from `at`. */
const stateAt = (at: string): string => `vec4u(given[${at}], given[${at} + 1u], given[${at} + 2u], given[${at} + 3u])`;

const inputs = new Inputs(52);
const word = (): number => inputs.below(2 ** 32);

describe("philox", () => {
  /** Blocks of counter and key, six words each. */
  async function blocks(each: readonly number[][]): Promise<number[][]> {
    const lanes = 64 * Math.ceil(each.length / 64);
    const given = new Uint32Array(6 * lanes);
    given.set(each.flat());
    const found = await run(
      `let block = philox(${stateAt("6u * i")}, vec2u(given[6u * i + 4u], given[6u * i + 5u]));
       for (var w = 0u; w < 4u; w++) { found[4u * i + w] = block[w]; }`,
      given,
      4 * lanes,
      lanes,
    );
    return each.map((_, i) => [...new Uint32Array(found, 16 * i, 4)]);
  }

  const hex = (text: string): number[] => text.split(" ").map((digits) => Number.parseInt(digits, 16));

  it("has the published answers", async () => {
    // Random123 (Salmon et al. 2011), tests/kat_vectors, lines "philox4x32 10".
    const known = [
      ["00000000 00000000 00000000 00000000 00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"],
      ["ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"],
      ["243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"],
    ];
    expect(await blocks(known.map(([given]) => hex(given)))).toEqual(known.map(([, expected]) => hex(expected)));
  });

  it("is the host's, word for word, at 4096 random counters and keys", async () => {
    const each = Array.from({ length: 4096 }, () => Array.from({ length: 6 }, word));
    const expected = each.map((words) => {
      const out = new Uint32Array(4);
      philox4x32(Uint32Array.from(words.slice(0, 4)), Uint32Array.from(words.slice(4)), out);
      return [...out];
    });
    expect(await blocks(each)).toEqual(expected);
  });
});

/** xoshiro128++ 1.0 (Blackman and Vigna 2021) as published, on its state. */
function xoshiro(s: Uint32Array): number {
  const rotated = (x: number, by: number): number => ((x << by) | (x >>> (32 - by))) >>> 0;
  const result = (rotated((s[0] + s[3]) >>> 0, 7) + s[0]) >>> 0;
  const t = s[1] << 9;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotated(s[3], 11);
  return result;
}

describe("next", () => {
  const length = 500;
  const wordsOf = async (states: Uint32Array): Promise<Uint32Array> =>
    new Uint32Array(
      await run(
        `var state = ${stateAt("4u * i")};
         for (var n = 0u; n < ${length}u; n++) { found[${length}u * i + n] = next(&state); }`,
        states,
        64 * length,
        64,
      ),
    );

  it("is xoshiro128++: the author's first ten words of the state (1, 2, 3, 4)", async () => {
    const states = new Uint32Array(4 * 64).fill(1);
    states.set([1, 2, 3, 4]);
    // As printed by the C code of https://prng.di.unimi.it/xoshiro128plusplus.c; also the test vectors of Rust's rand_xoshiro.
    const published = [
      641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011, 621204420,
    ];
    expect([...(await wordsOf(states)).subarray(0, 10)]).toEqual(published);
  });

  it(`is the published algorithm over ${length} words of 64 random states`, async () => {
    const states = Uint32Array.from({ length: 4 * 64 }, word);
    const expected = Array.from({ length: 64 }, (_, i) => {
      const state = states.slice(4 * i, 4 * i + 4);
      return Array.from({ length }, () => xoshiro(state));
    }).flat();
    expect([...(await wordsOf(states))]).toEqual(expected);
  });
});

describe("uniform01", () => {
  /** Of a state whose next word is the one that is given: with s0 = 0 it is s3, rotated by 7. */
  async function uniformsOf(words: readonly number[]): Promise<number[]> {
    const states = new Uint32Array(4 * 64);
    words.forEach((w, i) => {
      states[4 * i + 3] = (w >>> 7) | (w << 25);
    });
    const found = await run(
      `var state = ${stateAt("4u * i")}; found[i] = bitcast<u32>(uniform01(&state));`,
      states,
      64,
      64,
    );
    return [...new Float32Array(found)].slice(0, words.length);
  }

  it("is never 0 or 1, and as far from either at its ends", async () => {
    const [least, greatest] = await uniformsOf([0, 2 ** 32 - 1]);
    expect(least).toBe(2 ** -24);
    expect(greatest).toBe(1 - 2 ** -24);
  });

  it("is the middle of one of 2^23 equal parts, by a word's first bits", async () => {
    const words = [1 << 9, 2 ** 31, 2 ** 31 - 1, 2 ** 32 - 513, ...Array.from({ length: 60 }, word)];
    expect(await uniformsOf(words)).toEqual(words.map((w) => (Math.floor(w / 2 ** 9) + 0.5) / 2 ** 23));
  });
});

/*
 * 4 million normals of 4096 streams as chains have them. 20 comparisons, each beyond its limit with probability 1e-4 / 20
 * by chance: one false alarm in 10,000 seeds for all.
 */
const comparisons = 20;
const limit = zLimit(comparisons);
const [streams, pairs] = [4096, 512];

describe(`4 million normals, within ${limit.toFixed(2)} standard errors (one false alarm in 10,000 seeds for all)`, () => {
  const size = 2 * streams * pairs;
  let draws: Float32Array;
  beforeAll(async () => {
    const found = await run(
      `var state = philox(vec4u(0u, (3u << 24u) | (i % 64u), i / 64u, 0u), vec2u(20261130u, 0u));
       for (var n = 0u; n < ${pairs}u; n++) {
         let pair = normalPair(&state);
         found[2u * (${pairs}u * i + n)] = bitcast<u32>(pair.x);
         found[2u * (${pairs}u * i + n) + 1u] = bitcast<u32>(pair.y);
       }`,
      [0],
      size,
      streams,
    );
    draws = new Float32Array(found);
  });

  /** (mean of f - expected) / (sd of f / sqrt(size)). */
  function z(f: (x: number) => number, expected: number, sd: number): number {
    let sum = 0;
    for (const x of draws) sum += f(x);
    return (sum / size - expected) / (sd / Math.sqrt(size));
  }

  it.each([
    { power: 1, expected: 0, variance: 1 },
    { power: 2, expected: 1, variance: 2 },
    { power: 3, expected: 0, variance: 15 },
    { power: 4, expected: 3, variance: 96 },
    { power: 6, expected: 15, variance: 10170 },
  ])("have moment $power of the normal", ({ power, expected, variance }) => {
    expect(Math.abs(z((x) => x ** power, expected, Math.sqrt(variance)))).toBeLessThan(limit);
  });

  // Upper tail probabilities by mpmath 1.3.0: erfc(t / sqrt(2)) / 2. Beyond 4 there are 130 or so on either side.
  it.each([
    [0, 0.5],
    [1, 0.15865525393145705],
    [3, 0.001349898031630095],
    [4, 3.167124183311992e-5],
  ])("go beyond +-%d as often as the normal, on either side", (t, expected) => {
    const sd = Math.sqrt(expected * (1 - expected));
    expect(Math.abs(z((x) => (x > t ? 1 : 0), expected, sd))).toBeLessThan(limit);
    expect(Math.abs(z((x) => (x < -t ? 1 : 0), expected, sd))).toBeLessThan(limit);
  });

  it("fill 1024 cells of equal probability evenly (chi-square)", () => {
    const ends = Float64Array.from({ length: 1023 }, (_, i) => normalQuantile((i + 1) / 1024));
    const counts = new Float64Array(1024);
    for (const x of draws) {
      let low = 0;
      let high = 1023;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (x <= ends[middle]) high = middle;
        else low = middle + 1;
      }
      counts[low]++;
    }
    expect(Math.abs(chiSquareZ(uniformChiSquare(counts), 1023))).toBeLessThan(limit);
  });

  it.each([
    ["the other of their pair", 1, 2],
    ["the same of the next pair", 2, 1],
    ["the same of the next chain", 2 * pairs, 1],
  ])("are uncorrelated with %s, in value and in size", (_, distance, every) => {
    let [product, squares, count] = [0, 0, 0];
    for (let i = 0; i + distance < size; i += every) {
      const [x, y] = [draws[i], draws[i + distance]];
      product += x * y;
      squares += (x ** 2 - 1) * (y ** 2 - 1);
      count++;
    }
    // Standard deviations of the products: 1 and 2.
    expect(Math.abs(product / Math.sqrt(count))).toBeLessThan(limit);
    expect(Math.abs(squares / (2 * Math.sqrt(count)))).toBeLessThan(limit);
  });

  it("are all numbers", () => {
    expect(draws.every((x) => Math.abs(x) < 6)).toBe(true);
  });
});
