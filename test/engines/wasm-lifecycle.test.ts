import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { WasmEngine } from "../../dist/engines/wasm/engine.js";
import type { RunOptions } from "../../dist/index.js";
import { sameBits } from "../support/accuracy.js";
import { base, batchOf, Engines, numbersOf, quick, someCounts } from "./wasm-support.js";

const engines = new Engines();
const open = (workers: number): WasmEngine => engines.add(new WasmEngine({ workers }));
afterEach(() => engines.dispose());

const options: RunOptions = { ...quick, sampler: "hmc" };
/** Some seconds of work, if nothing stops it. */
const long: RunOptions = { ...options, draws: 5000 };
const interrupted = { name: "RatError", kind: "interrupted", exitCode: 130 };

const warnings: Error[] = [];
const onWarning = (warning: Error): void => void warnings.push(warning);
process.on("warning", onWarning);
afterAll(() => {
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});

describe.each([0, 2])("aborting (%d workers)", (workers) => {
  it("before it begins: run and sample reject as interrupted", async () => {
    const signal = AbortSignal.abort();
    await expect(open(workers).run(batchOf(3), { ...options, signal })).rejects.toMatchObject(interrupted);
    await expect(open(workers).sample(base, someCounts(1), 0, { ...options, signal })).rejects.toMatchObject(
      interrupted,
    );
  });

  it("a run on its way rejects as interrupted, reports no more progress, and the engine then gives the same bits as ever", async () => {
    const engine = open(workers);
    const expected = numbersOf(await open(1).run(batchOf(20), options));
    for (let round = 0; round < 3; round++) {
      const controller = new AbortController();
      let finished = 0;
      const onProgress = (done: number): void => {
        expect(controller.signal.aborted).toBe(false);
        finished = done;
        controller.abort();
      };
      const run = engine.run(batchOf(400), { ...long, signal: controller.signal, onProgress });
      await expect(run).rejects.toMatchObject(interrupted);
      expect(finished).toBeGreaterThan(0);
      expect(finished).toBeLessThan(400);
      expect(sameBits(numbersOf(await engine.run(batchOf(20), options)), expected)).toBe(true);
    }
  });

  it("by a timer is heard in the middle of a run", async () => {
    const engine = open(workers);
    await engine.prepare(base, long);
    const run = engine.run(batchOf(5000), { ...long, signal: AbortSignal.timeout(100) });
    await expect(run).rejects.toMatchObject(interrupted);
  });

  it("one of two runs that share the engine leaves the other's bits as they are", async () => {
    const engine = open(workers);
    const expected = numbersOf(await open(1).run(batchOf(40), options));
    const controller = new AbortController();
    const other = engine.run(batchOf(40), options);
    const stopped = engine.run(batchOf(400), { ...long, signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await expect(stopped).rejects.toMatchObject(interrupted);
    expect(sameBits(numbersOf(await other), expected)).toBe(true);
  });
});

it("aborting chains that are sampled rejects as interrupted, and the engine samples again", async () => {
  const engine = open(2);
  const controller = new AbortController();
  const slow = { ...options, chains: 8, draws: 1_000_000, signal: controller.signal };
  const sampling = engine.sample(base, someCounts(1), 0, slow);
  setTimeout(() => controller.abort(), 100);
  await expect(sampling).rejects.toMatchObject(interrupted);
  const { values } = await engine.sample(base, someCounts(1), 0, options);
  expect(values[0].every((value) => value > 0 && value < 1)).toBe(true);
});

describe("disposing", () => {
  it.each([0, 2])("rejects what runs as interrupted (%d workers)", async (workers) => {
    const engine = open(workers);
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const run = expect(engine.run(batchOf(200), { ...long, onProgress: () => begin() })).rejects.toMatchObject(
      interrupted,
    );
    await begun;
    await engine.dispose();
    await run;
  });

  it("before the threads are ready rejects too, instead of leaving the caller to wait", async () => {
    const engine = open(2);
    const run = expect(engine.run(batchOf(4), options)).rejects.toMatchObject(interrupted);
    await engine.dispose();
    await run;
  });

  it("makes later calls fail with words, and can be done twice", async () => {
    const engine = open(2);
    await engine.run(batchOf(2), options);
    await engine.dispose();
    await engine.dispose();
    await expect(engine.run(batchOf(2), options)).rejects.toThrow("the engine has been disposed of");
    await expect(engine.run(batchOf(2), { ...options, draws: 70 })).rejects.toThrow("the engine has been disposed of");
    await expect(engine.sample(base, someCounts(1), 0, options)).rejects.toThrow("the engine has been disposed of");
  });

  it("of an engine that was never used is nothing special", async () => {
    await expect(open(4).dispose()).resolves.toBeUndefined();
  });
});

describe.each([0, 2])("what fails in a thread (%d workers)", (workers) => {
  it("reaches the caller with its kind and its words, and the engine goes on", async () => {
    const engine = open(workers);
    // 9 quantities x 64 chains x 10,000,000 draws x 8 bytes.
    const huge = { ...options, chains: 64, draws: 10_000_000 };
    const failure = { kind: "usage", message: expect.stringMatching(/need 42.9 GB at once.*lower --draws/) };
    await expect(engine.prepare(base, huge)).rejects.toMatchObject(failure);
    await expect(engine.run(batchOf(2), huge)).rejects.toMatchObject(failure);
    const { mean } = await engine.run(batchOf(2), options);
    expect(mean.every((value) => value > 0 && value < 1)).toBe(true);
  });
});

it("eight runs at once, each with settings of its own, each get their own numbers", async () => {
  const engine = open(2);
  const settings = Array.from({ length: 8 }, (_, i) => ({ ...options, draws: 60 + i }));
  const together = await Promise.all(settings.map((each) => engine.run(batchOf(12), each)));
  for (const [i, each] of settings.entries()) {
    const alone = await open(1).run(batchOf(12), each);
    expect(sameBits(numbersOf(together[i]), numbersOf(alone))).toBe(true);
  }
});

it("progress only grows, and ends at the number of refits", async () => {
  const seen: number[] = [];
  await open(2).run(batchOf(100), { ...options, onProgress: (finished) => void seen.push(finished) });
  expect(seen.every((finished, i) => i === 0 || finished > seen[i - 1])).toBe(true);
  expect(seen.at(-1)).toBe(100);
});

it("an empty batch has empty summaries", async () => {
  const { refits, mean } = await open(1).run(batchOf(0), options);
  expect([refits, mean.length]).toEqual([0, 0]);
});

describe("the process ends by itself", () => {
  const run = async (body: string): Promise<string> => {
    const script = `
      import { WasmEngine } from "./dist/engines/wasm/engine.js";
      import { compileNetwork, rat } from "./dist/index.js";
      const network = compileNetwork(rat);
      const options = ${JSON.stringify(options)};
      const counts = new Float64Array(network.patterns.length).fill(3);
      const batch = { network, counts, ids: Float64Array.of(0) };
      ${body}`;
    const args = ["--input-type=module", "--eval", script];
    // A process that hangs is killed, which rejects.
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
    expect(stderr).toBe("");
    return stdout;
  };

  it.each([0, 1, 3])("after a run on an engine that was not disposed of (%d workers)", async (workers) => {
    const stdout = await run(`
      const engine = new WasmEngine({ workers: ${workers} });
      const { mean } = await engine.run(batch, options);
      console.log(mean.length);`);
    expect(stdout).toBe("9\n");
  });

  it("not before everything that is waited for is there: setups and tasks that overlap on one thread", async () => {
    const stdout = await run(`
      const engine = new WasmEngine({ workers: 1 });
      const runs = [60, 61, 62, 63].map((draws) => engine.run(batch, { ...options, draws }));
      const prepared = engine.prepare(network, { ...options, draws: 64 });
      for (const one of runs) await one;
      await prepared;
      console.log("all");`);
    expect(stdout).toBe("all\n");
  });

  it("after an abort whose error was caught", async () => {
    const stdout = await run(`
      const engine = new WasmEngine({ workers: 2 });
      const signal = AbortSignal.timeout(100);
      try { await engine.run({ ...batch }, { ...options, draws: 5_000_000, signal }); } catch (e) { console.log(e.kind); }`);
    expect(stdout).toBe("interrupted\n");
  });
});
