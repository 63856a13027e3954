import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { presetSource, type SweepOptions, sweep } from "../../src/index.js";
import { chiSquareZ, zLimit } from "../support/montecarlo.js";
import { launchOptions } from "../support/software.js";
import { busyTimes, complaintsOf, cpuSlowdown, openServer, openSite, type Site } from "./support.js";

/** Milliseconds after which browsers speak of a long task: what people who use the page notice. */
const longTask = 50;

/** How long the browser may take to tell of what has happened, on a busy machine. */
const soon = { timeout: 10_000, interval: 20 };

let browser: Browser;
let site: Site;
const pages: Page[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  [site, browser] = await Promise.all([openSite("test/browser/page"), chromium.launch(launchOptions())]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.close()));
  expect(complaints.splice(0)).toEqual([]);
});

/** @param prepare run in the page before its own code */
async function openPage(prepare: () => void = () => {}, { url = site.url, from = browser } = {}): Promise<Page> {
  const page = await from.newPage();
  pages.push(page);
  complaintsOf(page, complaints);
  await page.addInitScript(prepare);
  await page.goto(url);
  await page.waitForFunction(() => globalThis.inPage !== undefined || document.forms.length > 0);
  return page;
}

const sweepIn = (page: Page, options: SweepOptions) =>
  page.evaluate((options) => globalThis.inPage.sweepOf(options), options);

/** The same by the wasm engine in Node. */
async function sweepInNode(options: SweepOptions) {
  const rows: Awaited<ReturnType<typeof sweepIn>>["rows"] = [];
  const { sweeps } = await sweep([presetSource("hotpotqa-hybrid-qwen3.5")], {
    ...options,
    engine: "wasm",
    onRows: (more) => void rows.push(...more),
  });
  return { ...sweeps[0], rows };
}

/** An adapter that is software says that it isn't, so that its batches are those of a hardware GPU: 4,096 refits. */
function pretendHardware(): void {
  const info = { vendor: "some", architecture: "hardware", device: "", description: "", isFallbackAdapter: false };
  for (const [name, value] of Object.entries(info)) Object.defineProperty(GPUAdapterInfo.prototype, name, { value });
}

describe("the build of a page", () => {
  it("has nothing of Node's, and nothing to complain of", () => {
    expect(site.warnings).toEqual([]);
    const modules = site.chunks.flatMap(({ moduleIds }) => moduleIds);
    expect(modules.filter((id) => /webgpu\/(engine|gpu-browser)\.js$/.test(id))).toHaveLength(2);
    expect(modules.filter((id) => /-node\.js$|browser-external|node:/.test(id))).toEqual([]);
    const imports = site.chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
    const files = site.chunks.map(({ fileName }) => fileName);
    expect(imports.filter((name) => !files.includes(name))).toEqual([]);
    expect(site.chunks.filter(({ code }) => /["'`]node:/.test(code)).map(({ fileName }) => fileName)).toEqual([]);
  });

  it("loads an engine when it is asked for", () => {
    const first = site.chunks.find(({ isEntry }) => isEntry);
    const texts = first?.moduleIds.filter((id) => /engines\/(wasm|webgpu|exact)\/(?!index)/.test(id));
    expect(texts).toEqual([]);
  });
});

describe("the numbers of a page", () => {
  it("sampled in its workers are those of Node, bit by bit", async () => {
    const options = { replicates: 20, seed: 5 };
    const page = await openPage();
    const inPage = await sweepIn(page, { ...options, engine: "wasm", workers: 2 });
    expect(inPage).toMatchObject({ engine: "wasm", adapter: null, workers: 2, refits: 420 });
    expect(inPage.rows).toEqual((await sweepInNode(options)).rows);
  });

  it("sampled on the GPU agree with wasm in Node, refit by refit", async () => {
    const options = { replicates: 10, seed: 11 };
    const page = await openPage();
    const inPage = await sweepIn(page, { ...options, engine: "webgpu" });
    expect(inPage).toMatchObject({ engine: "webgpu", refits: 210, notices: [], sampling: { chains: 64 } });
    expect(inPage.adapter).toMatch(/^google swiftshader.* \(software\)$/);
    // The same seed draws the same subsamples, so that refits differ by the Monte Carlo error of their draws alone.
    const { rows } = await sweepInNode({ ...options, chains: 8, draws: 4000 });
    const z = [0, 1].map((q) =>
      inPage.rows.map((row, i) => {
        const [a, b] = [row.quantities[q], rows[i].quantities[q]];
        return (a.mean - b.mean) / Math.hypot(a.sd / Math.sqrt(a.ess), b.sd / Math.sqrt(b.ess));
      }),
    );
    // All refits alone, then of each quantity all together: a bias that they share, and errors that are told wrongly.
    // Chance of any false alarm: 1e-4.
    const limit = zLimit(2 * 210 + 2 * 2);
    for (const errors of z) {
      expect(Math.max(...errors.map(Math.abs))).toBeLessThan(limit);
      expect(Math.abs(errors.reduce((a, b) => a + b) / Math.sqrt(errors.length))).toBeLessThan(limit);
      expect(
        Math.abs(
          chiSquareZ(
            errors.reduce((a, b) => a + b * b, 0),
            errors.length,
          ),
        ),
      ).toBeLessThan(limit);
    }
  });
});

describe("the page's thread", () => {
  it("is seen to be busy where it is", async () => {
    const page = await openPage();
    const busy = await busyTimes(browser, page, () =>
      page.evaluate(() => {
        for (const begin = performance.now(); performance.now() - begin < 300; );
      }),
    );
    expect(Math.max(...busy)).toBeGreaterThan(longTask);
  });

  it("is free while the GPU samples: no task of 50 ms, no pause either", async () => {
    const page = await openPage();
    let gaps: number[] = [];
    const busy = await busyTimes(browser, page, async () => {
      gaps = await page.evaluate(async () => {
        const ticks = globalThis.inPage.startTicking();
        await globalThis.inPage.sweepOf({ engine: "webgpu", replicates: 4, seed: 1 });
        return ticks();
      });
    });
    expect(Math.max(...busy)).toBeLessThan(longTask);
    // By the wall, a timer of 5 ms comes in time but for what other processes take: the adapter is one of them.
    const late = gaps.filter((gap) => gap > longTask).length;
    expect(gaps.length).toBeGreaterThan(100);
    expect(late / gaps.length).toBeLessThan(0.05);
  });

  it("is free while a GPU is given 4,096 refits at a time, on half as fast a machine", async () => {
    const page = await openPage(pretendHardware);
    await cpuSlowdown(page, 2);
    const busy = await busyTimes(browser, page, async () => {
      const options = { engine: "webgpu", replicates: 400, chains: 1, warmup: 0, draws: 4, seed: 1 } as const;
      const summary = await page.evaluate(async (options) => {
        const { adapter, refits } = await globalThis.inPage.sweepOf(options); // all rows would be a long task to hand over
        return { adapter, refits };
      }, options);
      expect(summary).toEqual({ adapter: "some hardware", refits: 8400 });
    });
    expect(Math.max(...busy)).toBeLessThan(longTask);
  });
});

describe("the end of work in a page", () => {
  const long = { replicates: 500, seed: 1 };
  const interrupted = { name: "RatError", kind: "interrupted" };

  it.each([
    { engine: "webgpu", name: "while shaders are compiled", when: 100 },
    { engine: "webgpu", name: "while the GPU works", when: "working" },
    { engine: "wasm", name: "while workers start", when: 20 },
    { engine: "wasm", name: "while workers sample", when: "working" },
  ] as const)("$engine: an abort $name stops it within a second", async ({ engine, when }) => {
    const page = await openPage();
    const { error, finished, milliseconds } = await page.evaluate(
      ([options, when]) => globalThis.inPage.abortSweep(options, when),
      [{ ...long, engine }, when] as const,
    );
    expect(error).toMatchObject(interrupted);
    expect(milliseconds).toBeLessThan(1000);
    expect(finished).toBeLessThan(10_500);
    if (when === "working") expect(finished).toBeGreaterThan(0);
    else expect(finished).toBe(0);
    await expect.poll(() => page.workers().length, soon).toBe(0);
    const again = await sweepIn(page, { engine, replicates: 2, seed: 1, add: [60], chains: 4 });
    expect(again.rows).toHaveLength(12);
  });

  it.each(["wasm", "webgpu"] as const)("%s: dispose ends the calls under way, and the workers", async (engine) => {
    const page = await openPage();
    const ended = page.evaluate(async (engine) => {
      const { createEngine, errorOf, rat } = globalThis.inPage;
      const opened = await createEngine({ engine, workers: 3 });
      const counts = new Float64Array(18 * 20_000).fill(3);
      const running = errorOf(() => opened.run(rat, counts, { seed: 1 }));
      await globalThis.inPage.released;
      await opened.dispose();
      return [await running, await errorOf(() => opened.run(rat, counts, { seed: 1 }))];
    }, engine);
    await expect.poll(() => page.workers().length, soon).toBe(3);
    await page.evaluate(() => globalThis.inPage.release());
    const begin = performance.now();
    expect(await ended).toMatchObject([interrupted, { name: "RatError", kind: "usage" }]);
    expect(performance.now() - begin).toBeLessThan(1000);
    await expect.poll(() => page.workers().length, soon).toBe(0);
  });
});

describe("a GPU that is lost", () => {
  /** Two batches of a software adapter: 84 refits. */
  const options = { engine: "webgpu", replicates: 4, seed: 3, chains: 16 } as const;

  it("while it works: the sweep goes on with a new device, to the same rows", async () => {
    const page = await openPage();
    const { rows } = await sweepIn(page, options);
    const disturbed = await page.evaluate(async (options) => {
      const { devices, sweepOf } = globalThis.inPage;
      const before = devices.length;
      const result = await sweepOf(options, (finished) => {
        if (finished > 0 && devices.length === before + 1) devices[before].destroy();
      });
      return { rows: result.rows, opened: devices.length - before };
    }, options);
    expect(disturbed).toEqual({ rows, opened: 2 });
  });

  it("with the browser's whole GPU process: likewise", async () => {
    const own = await chromium.launch(launchOptions()); // which browsers forgive a few times only
    try {
      const page = await openPage(() => {}, { from: own });
      const longer = { ...options, replicates: 8 };
      const { rows } = await sweepIn(page, longer);
      const sweeping = page.evaluate(async (options) => {
        const { devices, release, sweepOf } = globalThis.inPage;
        const result = await sweepOf(options, (finished) => finished > 0 && release());
        return { rows: result.rows, opened: devices.length - 1 };
      }, longer);
      await page.evaluate(() => globalThis.inPage.released);
      await (await own.newBrowserCDPSession()).send("Browser.crashGpuProcess");
      expect(await sweeping).toEqual({ rows, opened: 2 });
      // What Chromium itself says of it.
      expect(complaints.splice(0).filter((text) => !/Instance reference no longer exists/.test(text))).toEqual([]);
      pages.splice(0);
    } finally {
      await own.close();
    }
  });

  it("while shaders are compiled: they are compiled again", async () => {
    const page = await openPage();
    const { devices, rows } = await page.evaluate(
      async (options) => {
        const { devices, sweepOf } = globalThis.inPage;
        const sweeping = sweepOf(options);
        while (devices.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        devices[0].destroy();
        const { rows } = await sweeping;
        return { devices: devices.length, rows };
      },
      { ...options, replicates: 1 },
    );
    expect(devices).toBe(2);
    expect(rows).toHaveLength(21);
  });

  it("for good: wasm does the rest", async () => {
    const page = await openPage();
    const { rows } = await page.evaluate(async (options) => {
      const { devices, sweepOf } = globalThis.inPage;
      return sweepOf(options, (finished) => {
        if (finished === 0) return;
        GPU.prototype.requestAdapter = async () => null;
        devices[0].destroy();
      });
    }, options);
    expect(rows).toHaveLength(84);
    expect(rows.filter(({ quantities }) => quantities.every(({ mean, ess }) => mean > 0 && ess > 100))).toHaveLength(
      84,
    );
  });
});

describe("a browser without WebGPU", () => {
  const options = { replicates: 2, seed: 4, add: [60] };

  it.each([
    {
      name: "that doesn't know it",
      prepare: () => void Object.defineProperty(Navigator.prototype, "gpu", { value: undefined }),
      message: /^this browser has no WebGPU; .*the engine wasm$/,
    },
    {
      name: "that finds no GPU",
      prepare: () => void Object.assign(GPU.prototype, { requestAdapter: async () => null }),
      message: /^WebGPU finds no GPU here; .*wasm$/,
    },
  ])("$name says so, and auto and wasm sample", async ({ prepare, message }) => {
    const page = await openPage(prepare);
    const error = await page.evaluate(
      (options) => globalThis.inPage.errorOf(() => globalThis.inPage.sweepOf({ ...options, engine: "webgpu" })),
      options,
    );
    expect(error).toEqual({ name: "RatError", kind: "unavailable", message: expect.stringMatching(message) });
    const { rows } = await sweepInNode(options);
    for (const engine of ["auto", "wasm"] as const) {
      const inPage = await sweepIn(page, { ...options, engine });
      expect(inPage.engine).toBe("wasm");
      expect(inPage.rows).toEqual(rows);
    }
  });

  it("as Chromium is without its flag", async () => {
    const { args, ...others } = launchOptions();
    const plain = await chromium.launch({ ...others, args: args.filter((arg) => !arg.includes("webgpu")) });
    try {
      const page = await openPage(() => {}, { from: plain });
      const error = await page.evaluate(() =>
        globalThis.inPage.errorOf(() => globalThis.inPage.createEngine({ engine: "webgpu" })),
      );
      expect(error).toMatchObject({ kind: "unavailable", message: expect.stringMatching(/no GPU|no WebGPU/) });
      complaints.length = 0; // Chromium's own, about the adapter
      pages.splice(0);
    } finally {
      await plain.close();
    }
  });
});

describe("the example", () => {
  const run = async (page: Page): Promise<void> => page.getByRole("button", { name: "Run" }).click();
  const cancel = (page: Page) => page.getByRole("button", { name: "Cancel" });
  const status = (page: Page): Promise<string | null> => page.getByRole("status").textContent();

  it("sweeps with progress, cancels, and shows what the library gives", async () => {
    const example = await openSite("examples/browser");
    try {
      expect(example.warnings).toEqual([]);
      const page = await openPage(() => {}, { url: example.url });
      await page.getByLabel("Samples").fill("20");
      await run(page);
      await page.getByRole("table").first().waitFor();
      expect(await status(page)).toMatch(/^420 posteriors in .* s, .* a second once started, on wasm: \d+ workers$/);
      expect(await cancel(page).isDisabled()).toBe(true);
      const { cells } = await sweepInNode({ replicates: 20, seed: 1 });
      const of = (strategy: string, add: number) =>
        cells.find((cell) => cell.strategy === strategy && cell.add === add && cell.quantity === "P(T=1)");
      const [all, base] = [of("all-T", 200), of("base", 0)];
      const shown = page.getByRole("table").nth(1).getByRole("row", { name: "all-T" }).getByRole("cell").nth(2);
      expect(await shown.textContent()).toBe(`${all?.mae?.toFixed(4)} ± ${all?.maeSe?.toFixed(4)}`);
      expect(await page.getByRole("table").nth(1).textContent()).toContain(`${base?.mae?.toFixed(4)}`);

      await page.getByLabel("Engine").selectOption("webgpu");
      await run(page);
      await expect.poll(() => status(page), { timeout: 30_000 }).toMatch(/^\d+ of 420 posteriors$/);
      await cancel(page).click();
      await expect.poll(() => status(page), { timeout: 20_000 }).toBe("Cancelled.");
      await expect.poll(() => page.workers().length, { timeout: 20_000 }).toBe(0);
      expect(await page.getByRole("table").count()).toBe(0);
    } finally {
      await Promise.all(pages.splice(0).map((page) => page.close()));
      await example.close();
    }
  });

  it("runs as it is told to be run, by Vite's server", async () => {
    const server = await openServer("examples/browser");
    try {
      const page = await openPage(() => {}, { url: server.url });
      await page.getByLabel("Samples").fill("2");
      await run(page);
      await page.getByRole("table").first().waitFor();
      expect(server.warnings).toEqual([]);
    } finally {
      await Promise.all(pages.splice(0).map((page) => page.close()));
      await server.close();
    }
  });
});
