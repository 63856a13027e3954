import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Device, openDevice } from "../../../src/engines/webgpu/device.js";
import { specialWgsl } from "../../../src/generated/shaders.js";
import { Inputs } from "../../support/random.js";
import { useSoftwareAdapter } from "../../support/software.js";
import { computed } from "./support.js";

/* Against f64, whose own error is nothing here. An ulp is the distance of two neighbouring f32 at the value that is right. */

let device: Device;
beforeAll(async () => {
  useSoftwareAdapter();
  device = await openDevice();
});
afterAll(() => device.dispose());

const size = 1 << 16;

/** Values of a WGSL expression of x, one or two a number. */
async function valuesOf(expression: string, x: Float32Array<ArrayBuffer>): Promise<Float32Array[]> {
  const code = `${specialWgsl}
    @group(0) @binding(0) var<storage, read> given: array<f32>;
    @group(0) @binding(1) var<storage, read_write> found: array<vec2f>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      let x = given[id.x];
      found[id.x] = vec2f(${expression});
    }`;
  const found = new Float32Array(2 * x.length);
  const bindings = [
    { binding: 0, type: "read-only-storage", contents: x },
    { binding: 1, type: "storage", contents: found },
  ] as const;
  const [, values] = await computed(device, code, "main", bindings, x.length / 64);
  const both = new Float32Array(values);
  return [0, 1].map((part) => x.map((_, i) => both[2 * i + part]));
}

/** Random f32 of a range, its ends and its middle among them. */
function inputs(low: number, high: number, map: (u: number) => number = (u) => u): Float32Array<ArrayBuffer> {
  const random = new Inputs(51);
  const x = Float32Array.from({ length: size }, () => map(random.uniform(low, high)));
  x.set([low, high, (low + high) / 2].map(map));
  return x;
}

const ulp = (value: number): number => 2 ** (Math.max(Math.floor(Math.log2(Math.abs(value))), -126) - 23);

/** The greatest error in ulps of what is right; NaN where a value is. */
function worstUlps(actual: Float32Array, x: Float32Array, right: (x: number) => number): number {
  let worst = 0;
  actual.forEach((value, i) => {
    const expected = right(x[i]);
    worst = Math.max(worst, value === expected ? 0 : Math.abs(value - expected) / ulp(expected));
  });
  return worst;
}

const signed = (x: number): number => (x < 0 ? -1 : 1) * 10 ** -Math.abs(x);

/** exp(x) - 1 - x and log(1 + x) - x, by their series where f64 would have no digits left. */
const expBend = (x: number): number =>
  Math.abs(x) < 1e-3 ? x ** 2 * (1 / 2 + x * (1 / 6 + x * (1 / 24 + x / 120))) : Math.expm1(x) - x;
const log1PlusBend = (u: number): number =>
  Math.abs(u) < 1e-3 ? -(u ** 2) * (1 / 2 - u * (1 / 3 - u * (1 / 4 - u * (1 / 5 - u / 6)))) : Math.log1p(u) - u;

type Range = [name: string, low: number, high: number, map?: (u: number) => number];

describe.each<[name: string, right: (x: number) => number, most: number, ranges: Range[]]>([
  [
    "expMinus1",
    Math.expm1,
    2.5,
    [
      ["down to 1e-37", -37, 37, signed],
      ["on [-0.01, 0.01]", -0.01, 0.01],
      ["on [-1, 1]", -1, 1],
      ["on [-80, 80]", -80, 80],
    ],
  ],
  [
    "log1Plus",
    Math.log1p,
    3,
    [
      ["down to 1e-37", -37, 37, signed],
      ["on [-0.01, 0.01]", -0.01, 0.01],
      ["on [-0.5, 1]", -0.5, 1],
      ["on [-0.9999999, 10]", -0.9999999, 10],
      ["from 1e-7 above -1", -7, -2, (u) => 10 ** u - 1],
      ["up to 1e37", 0, 37, (u) => 10 ** u],
    ],
  ],
  [
    "expBend",
    expBend,
    3.5,
    [
      ["down to 1e-15", -15, 15, (u) => signed(u) / 2],
      ["on [-0.5, 0.5]", -0.5, 0.5],
    ],
  ],
  [
    "log1PlusBend",
    log1PlusBend,
    24,
    [
      ["down to 1e-15", -15, 15, (u) => signed(u) / 2],
      ["on [-0.3, 0.3]", -0.3, 0.3],
      ["on [-0.9999999, 10]", -0.9999999, 10],
      ["up to 1e37", 0, 37, (u) => 10 ** u],
    ],
  ],
  [
    "logarithm",
    Math.log,
    3,
    [
      ["near 1", -1e-3, 1e-3, (u) => 1 + u],
      ["on [0.5, 2]", 0.5, 2],
      ["on [2^-126, 2^126]", -126, 126, (u) => 2 ** u],
    ],
  ],
])("%s", (name, right, most, ranges) => {
  it.each(ranges)(`%s is off by ${most} ulps at most`, async (_, low, high, map) => {
    const x = inputs(low, high, map);
    const [values] = await valuesOf(`${name}(x)`, x);
    expect(worstUlps(values, x, right)).toBeLessThan(most);
  });
});

it("expMinus1 and log1Plus are 0 at 0, logarithm at 1", async () => {
  const [zeros, ones] = [0, 1].map((x) => new Float32Array(64).fill(x));
  for (const values of [await valuesOf("expMinus1(x), log1Plus(x)", zeros), await valuesOf("logarithm(x)", ones)]) {
    for (const value of values) expect(Math.abs(value[0])).toBe(0);
  }
});

it("unitCircle is off by 2^-23 at most on a whole turn, and on the circle to 2^-22", async () => {
  const turns = inputs(0, 1);
  const [cosines, sines] = await valuesOf("unitCircle(x)", turns);
  let [farthest, widest] = [0, 0];
  turns.forEach((turn, i) => {
    const angle = 2 * Math.PI * turn;
    farthest = Math.max(farthest, Math.abs(cosines[i] - Math.cos(angle)), Math.abs(sines[i] - Math.sin(angle)));
    widest = Math.max(widest, Math.abs(Math.hypot(cosines[i], sines[i]) - 1));
  });
  expect(farthest).toBeLessThan(2 ** -23);
  expect(widest).toBeLessThan(2 ** -22);
});

it("isSound tells numbers from infinities and NaN", async () => {
  const numbers = [0, -0, 1e-45, -3.4e38, 3.4e38, 1];
  const others = [Infinity, -Infinity, Number.NaN];
  const x = new Float32Array(64);
  x.set([...numbers, ...others]);
  const [values] = await valuesOf("f32(isSound(x))", x);
  expect([...values.subarray(0, 9)]).toEqual([...numbers.map(() => 1), ...others.map(() => 0)]);
});
