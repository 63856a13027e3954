import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openGpu } from "#gpu";
import { WasmEngine } from "../../../dist/engines/wasm/engine.js";
import type { WebGpuEngine } from "../../../dist/engines/webgpu/engine.js";
import { compileNetwork, type NetworkDefinition, type RunOptions } from "../../../dist/index.js";
import { openDevice } from "../../../src/engines/webgpu/device.js";
import { layoutOf } from "../../../src/engines/webgpu/layout.js";
import { emitShaders } from "../../../src/engines/webgpu/shaders.js";
import { sameBits } from "../../support/accuracy.js";
import { coin, fiveVariables, sharedRow } from "../../support/networks.js";
import { base, batchOf, Engines, numbersOf, someCounts } from "../wasm-support.js";
import { computed, openWebGpu, part, short } from "./support.js";

const engines = new Engines();
/** One that is never disposed of in a test. */
let engine: WebGpuEngine;
/** What it opens its own from. */
const open = async (): Promise<WebGpuEngine> => engines.add(await openWebGpu());

const network = compileNetwork(coin);
/** More than are on the adapter at once: three pieces. */
const batch = batchOf(150, 0, network);
const piece = 64;
let expected: Float64Array;

const interrupted = { name: "RatError", kind: "interrupted", exitCode: 130 };
const long: RunOptions = { ...short, draws: 2000 };

beforeAll(async () => {
  engine = await openWebGpu();
  expected = numbersOf(await engine.run(batch, short));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await engines.dispose();
});
afterAll(() => engine.dispose());

/** A network of one variable: as many parameters as it has levels, less one. */
const levels = (count: number): NetworkDefinition => ({
  name: `${count} levels`,
  variables: [{ name: "X", levels: Array.from({ length: count }, (_, i) => `x${i}`), rows: [{ name: "x" }] }],
  quantities: [{ name: "P(X=x0)", expression: "P(X=x0)" }],
});

it("tells of no progress once the caller has been told of the end", async () => {
  const controller = new AbortController();
  const told: boolean[] = [];
  const onProgress = (): void => {
    told.push(controller.signal.aborted);
    controller.abort();
  };
  const run = engine.run(batch, { ...long, signal: controller.signal, onProgress });
  await expect(run).rejects.toMatchObject(interrupted);
  await engine.run(batch, short); // by its turn the work that was left is over
  expect(told).toEqual([false]);
});

it("samples with hmc only, and says so", async () => {
  const nuts = { ...short, sampler: "nuts" } as const;
  const refused = { name: "RatError", kind: "usage", message: expect.stringContaining("samples with hmc, not nuts") };
  await expect(engine.run(batch, nuts)).rejects.toMatchObject(refused);
  await expect(engine.sample(network, batch.counts.slice(0, network.patterns.length), 0, nuts)).rejects.toMatchObject(
    refused,
  );
});

describe("what a GPU isn't given is refused by name, before anything is done", () => {
  it.each<[string, NetworkDefinition, Partial<RunOptions>, RegExp]>([
    ["33 parameters", levels(34), {}, /at most 32 free parameters; there are 33: use --engine wasm$/],
    ["279 ambiguous patterns", fiveVariables, {}, /at most 128 ambiguous patterns; there are 279: use --engine wasm$/],
    ["129 chains", coin, { chains: 129 }, /at most 128 chains; there are 129: use --engine wasm$/],
    ["1024 chains", coin, { chains: 1024 }, /at most 128 chains; there are 1024/],
    [
      "128 chains of 32 parameters",
      levels(33),
      { chains: 128 },
      /at most 98 chains with 32 free parameters; there are 128/,
    ],
    [
      "300,000 draws of 128 chains",
      sharedRow,
      { chains: 128, draws: 3_000_000 },
      /^128 x 3000000 draws of 1 quantities don't fit this GPU's buffers \(1073741824 bytes\); lower --draws/,
    ],
  ])("%s", async (_name, definition, change, message) => {
    const compiled = compileNetwork(definition);
    const options = { ...short, ...change };
    const refusal = { name: "RatError", kind: "unavailable", exitCode: 69, message: expect.stringMatching(message) };
    const one = batchOf(2, 0, compiled);
    await expect(engine.run(one, options)).rejects.toMatchObject(refusal);
    await expect(engine.sample(compiled, someCounts(1, compiled), 0, options)).rejects.toMatchObject(refusal);
    expect(sameBits(numbersOf(await engine.run(batch, short)), expected)).toBe(true);
  });

  it.each([5, 23, 27, 32])("the most chains of %d parameters fit a workgroup's memory", async (parameters) => {
    const most = compileNetwork(levels(parameters + 1));
    const fits = (chains: number): boolean => {
      try {
        return layoutOf(most, chains).CHAINS === chains;
      } catch {
        return false;
      }
    };
    let chains = 128;
    while (!fits(chains)) chains--;
    // All that the shader shares, and nothing else of it, which would take seconds to compile.
    const code = emitShaders(most, layoutOf(most, chains)).advance;
    const shared = [...code.matchAll(/^var<workgroup> (\w+): .*;$/gm)];
    const constants = code.match(/^const \w+ = .*;$/gm) ?? [];
    const uses = shared.map(([, name]) => {
      const value = name === "rows" ? "vec4f(1.0)" : "1.0";
      return name === "sharedStep" ? `${name} = ${value};` : `${name}[0] = ${value};`;
    });
    expect(shared.map(([, name]) => name).sort()).toEqual(
      ["acceptances", "factors", "root", "rows", "sharedStep", "tile"].sort(),
    );
    const small = [...constants, ...shared.map(([line]) => line)].join("\n");
    const main = `@compute @workgroup_size(CHAINS) fn main() { ${uses.join(" ")} }`;
    const device = await openDevice();
    await expect(computed(device, `${small}\n${main}`, "main", [], 1)).resolves.toEqual([]);
    device.dispose();
  });
});

describe("progress", () => {
  it("only grows, and ends at the number of refits", async () => {
    const seen: number[] = [];
    await engine.run(batch, { ...short, onProgress: (finished) => seen.push(finished) });
    expect(seen.every((finished, i) => finished > (seen[i - 1] ?? 0))).toBe(true);
    expect(seen.at(-1)).toBe(150);
    expect(seen.filter((finished) => finished < piece).length).toBeGreaterThan(0);
  });
});

describe("aborting", () => {
  it("before it begins: run and sample reject as interrupted", async () => {
    const signal = AbortSignal.abort();
    await expect(engine.run(batch, { ...short, signal })).rejects.toMatchObject(interrupted);
    await expect(engine.sample(network, someCounts(1, network), 0, { ...short, signal })).rejects.toMatchObject(
      interrupted,
    );
  });

  it("a run on its way rejects as interrupted, with no more progress, and the engine then gives the same bits", async () => {
    for (const after of [1, piece + 1]) {
      const controller = new AbortController();
      const seen: number[] = [];
      const onProgress = (finished: number): void => {
        expect(controller.signal.aborted).toBe(false);
        seen.push(finished);
        if (finished >= after) controller.abort();
      };
      const run = engine.run(batch, { ...short, signal: controller.signal, onProgress });
      await expect(run).rejects.toMatchObject(interrupted);
      expect(seen.at(-1)).toBeLessThan(150);
      expect(sameBits(numbersOf(await engine.run(batch, short)), expected)).toBe(true);
    }
  });

  it("by a timer is heard in the middle of a run, and of `sample`", async () => {
    const endless = { ...long, draws: 500_000, chains: 4 };
    const run = engine.run(batchOf(8, 0, network), { ...endless, signal: AbortSignal.timeout(200) });
    await expect(run).rejects.toMatchObject(interrupted);
    const sampling = engine.sample(network, someCounts(1, network), 0, {
      ...endless,
      draws: 5_000_000,
      signal: AbortSignal.timeout(200),
    });
    await expect(sampling).rejects.toMatchObject(interrupted);
  });

  it("one of two runs at a time leaves the other's bits as they are", async () => {
    const controller = new AbortController();
    const stopped = engine.run(batch, {
      ...long,
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    const other = engine.run(batch, short);
    await expect(stopped).rejects.toMatchObject(interrupted);
    expect(sameBits(numbersOf(await other), expected)).toBe(true);
  });
});

describe("disposing", () => {
  it("rejects what runs, and what waits for its turn, as interrupted", async () => {
    const own = await open();
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const running = expect(own.run(batch, { ...long, onProgress: () => begin() })).rejects.toMatchObject(interrupted);
    const waiting = expect(own.run(batch, short)).rejects.toMatchObject(interrupted);
    const sampling = expect(own.sample(network, someCounts(1, network), 0, short)).rejects.toMatchObject(interrupted);
    await begun;
    await own.dispose();
    await Promise.all([running, waiting, sampling]);
  });

  it("while shaders compile rejects too", async () => {
    const own = await open();
    const run = expect(own.run(batchOf(2), short)).rejects.toMatchObject(interrupted);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await own.dispose();
    await run;
    const other = await open();
    const prepared = expect(other.prepare(base, short)).rejects.toMatchObject(interrupted);
    await other.dispose();
    await prepared;
  });

  it("makes later calls fail with words, and can be done twice", async () => {
    const own = await open();
    await own.dispose();
    await own.dispose();
    const words = "the engine has been disposed of";
    await expect(own.run(batch, short)).rejects.toThrow(words);
    await expect(own.prepare(network, short)).rejects.toThrow(words);
    await expect(own.sample(network, someCounts(1, network), 0, short)).rejects.toThrow(words);
  });

  it("leaves another engine as it is", async () => {
    const own = await open();
    const running = engine.run(batch, short);
    await own.dispose();
    expect(sameBits(numbersOf(await running), expected)).toBe(true);
  });
});

describe("a device that is lost", () => {
  /** Runs the batch; `lose` is told the progress, and may take the device away. */
  async function runLosing(own: WebGpuEngine, lose: (finished: number) => void) {
    const notices: string[] = [];
    const seen: number[] = [];
    const result = await own.run(batch, {
      ...short,
      onNotice: (notice) => notices.push(notice),
      onProgress: (finished) => {
        seen.push(finished);
        lose(finished);
      },
    });
    expect(seen.every((finished, i) => finished > (seen[i - 1] ?? 0))).toBe(true);
    expect(seen.at(-1)).toBe(150);
    return { result, notices };
  }

  const resumed = /^the GPU was lost \(it was destroyed.*\); a new device went on from the last finished batch$/;

  it.each([
    ["in the first piece", 1],
    ["in the second piece", piece + 1],
    ["in the last piece, before its summaries", 149],
  ])("%s: a new one goes on, with the same bits and a notice", async (_name, at) => {
    const own = await open();
    let losses = 0;
    const { result, notices } = await runLosing(own, (finished) => {
      if (finished < at || losses++ > 0) return;
      own.card.handle.destroy();
    });
    expect(losses).toBeGreaterThan(0);
    expect(sameBits(numbersOf(result), expected)).toBe(true);
    expect(result.fallbacks).toEqual([]);
    expect(notices).toEqual([expect.stringMatching(resumed)]);
  });

  it("once in each piece: each goes on on a new one", async () => {
    const own = await open();
    const lostAt = new Set<number>();
    const { result, notices } = await runLosing(own, (finished) => {
      const number = Math.floor((finished - 1) / piece);
      if (lostAt.has(number)) return;
      lostAt.add(number);
      own.card.handle.destroy();
    });
    expect(lostAt.size).toBe(3);
    expect(sameBits(numbersOf(result), expected)).toBe(true);
    expect(notices).toEqual(Array(3).fill(expect.stringMatching(resumed)));
  });

  it("while nothing runs: the next run and `prepare` open a new one", async () => {
    const own = await open();
    await own.prepare(network, short);
    const first = own.card.handle;
    first.destroy();
    await first.lost;
    await own.prepare(network, short);
    expect(own.card.handle).not.toBe(first);
    expect(sameBits(numbersOf(await own.run(batch, short)), expected)).toBe(true);
    own.card.handle.destroy();
    const { values, fallback } = await own.sample(network, someCounts(1, network), 0, short);
    expect(fallback).toBeUndefined();
    const known = await engine.sample(network, someCounts(1, network), 0, short);
    expect(sameBits(values[0], known.values[0])).toBe(true);
  });

  it("while shaders compile: they compile again", async () => {
    const own = await open();
    const run = own.run(batch, short);
    await new Promise((resolve) => setTimeout(resolve, 50));
    own.card.handle.destroy();
    expect(sameBits(numbersOf(await run), expected)).toBe(true);
  });

  it("twice in a row: wasm does the rest, and the result says so", async () => {
    const own = await open();
    const wasm = engines.add(new WasmEngine({ workers: 1 }));
    // From the second piece on each device is taken away as soon as it is there.
    let last: GPUDevice | null = null;
    const take = (): void => {
      last = own.card.handle;
      last.destroy();
    };
    const timer = setInterval(() => {
      if (last !== null && last !== own.card.handle) take();
    }, 1);
    const { result, notices } = await runLosing(own, (finished) => {
      if (finished > piece && last === null) take();
    }).finally(() => clearInterval(timer));
    const rest = Array.from({ length: 150 - piece }, (_, i) => piece + i);
    expect(result.fallbacks).toEqual(
      rest.map((refit) => ({
        refit,
        engine: "wasm",
        reason: expect.stringMatching(/^the GPU was lost \(it was destroyed/),
      })),
    );
    expect(notices).toEqual([
      expect.stringMatching(/^the GPU was lost \(.*\); the rest goes on with the engine wasm$/),
    ]);
    const [mine, others] = [
      await engine.run(part(batch, 0, piece), short),
      await wasm.run(part(batch, piece, 150), short),
    ];
    for (const column of ["mean", "sd", "lower", "upper", "divergences"] as const) {
      expect(sameBits(result[column], Float64Array.of(...mine[column], ...others[column])), column).toBe(true);
    }
    // And the engine is not given up.
    expect(sameBits(numbersOf(await own.run(batch, short)), expected)).toBe(true);
  });

  it("for good, with its driver: wasm does all that is left, in this run and in the next; fallbacks in order", async () => {
    const own = await open();
    const above = batchOf(150, 0, network);
    for (const refit of [3, 149]) above.counts[refit * network.patterns.length] = 1e9;
    const adapters = vi.spyOn(await openGpu(), "requestAdapter").mockResolvedValue(null);
    for (let run = 0; run < 2; run++) {
      own.card.handle.destroy();
      const notices: string[] = [];
      const onNotice = (notice: string): number => notices.push(notice);
      const { fallbacks, mean } = await own.run(above, { ...short, onNotice });
      expect(fallbacks.map(({ refit }) => refit)).toEqual(Array.from({ length: 150 }, (_, i) => i));
      expect(fallbacks[3].reason).toMatch(/^1000000000 records/);
      expect(fallbacks[4].reason).toMatch(/^the GPU was lost/);
      expect(notices).toEqual([expect.stringMatching(/; the rest goes on with the engine wasm$/)]);
      expect(mean.every((value) => value > 0 && value < 1)).toBe(true);
      const sampled = await own.sample(network, someCounts(1, network), 0, short);
      expect(sampled.fallback?.reason).toMatch(/^the GPU was lost/);
    }
    expect(adapters).toHaveBeenCalled();
    adapters.mockRestore();
    expect(sameBits(numbersOf(await own.run(batch, short)), expected)).toBe(true);
  });
});
