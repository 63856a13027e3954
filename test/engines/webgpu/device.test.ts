import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type AdapterReport,
  bufferUsage,
  type Device,
  describeAdapters,
  mapMode,
  openDevice,
} from "../../../src/engines/webgpu/device.js";
import { openGpu as openGpuOfBrowser } from "../../../src/engines/webgpu/gpu-browser.js";
import { type Ended, ended } from "../../support/cli.js";
import { softwareEnvironment, useSoftwareAdapter } from "../../support/software.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** What a user's process loads, as it is built; `npm test` builds it first. */
const built = pathToFileURL(join(root, "dist/engines/webgpu/device.js")).href;

/** Runs a module in a process of its own, on the software adapter. */
function inProcess(code: string, environment: Record<string, string> = {}, cwd = root): Promise<Ended> {
  const env = { ...process.env, ...softwareEnvironment(), ...environment };
  return ended(spawn(process.execPath, ["--expose-gc", "--input-type=module", "--eval", code], { cwd, env }));
}

const invalidBuffer = (device: Device): GPUBuffer => device.handle.createBuffer({ size: 16, usage: 0xffff });
const invalidUsage = /^\w+ buffer: .*65535 is invalid/;

beforeAll(useSoftwareAdapter);

describe("the software adapter", () => {
  let device: Device;
  beforeAll(async () => {
    device = await openDevice();
  });
  afterAll(() => device.dispose());

  it("is named, and known to be software", () => {
    expect(device.words).toMatch(/^google swiftshader\b.* \(software\)$/);
    expect(device).toMatchObject({ isSoftware: true, hasTimestamps: true, isLost: false });
  });

  it("has large buffers, and default limits for the rest", () => {
    expect(device.limits.maxStorageBufferBindingSize).toBe(2 ** 30);
    expect(device.limits.maxBufferSize).toBe(2 ** 30);
    expect(device.limits.maxStorageBuffersPerShaderStage).toBe(8);
    expect(device.limits.maxComputeWorkgroupStorageSize).toBe(16 * 1024);
    expect(device.limits.maxComputeInvocationsPerWorkgroup).toBe(256);
  });

  it("makes nothing global", () => {
    expect(Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith("GPU"))).toEqual([]);
    expect(globalThis.navigator?.gpu).toBeUndefined();
  });

  it("computes", async () => {
    const code = `
      @group(0) @binding(0) var<storage, read_write> numbers: array<f32>;
      @compute @workgroup_size(4) fn square(@builtin(local_invocation_index) i: u32) { numbers[i] *= numbers[i]; }`;
    const module = await device.compile("square", code);
    const squares = await device.checked("squares", async () => {
      const { handle } = device;
      const storage = bufferUsage.storage | bufferUsage.copySource | bufferUsage.copyDestination;
      const numbers = handle.createBuffer({ size: 16, usage: storage });
      const read = handle.createBuffer({ size: 16, usage: bufferUsage.mapRead | bufferUsage.copyDestination });
      const pipeline = await handle.createComputePipelineAsync({ layout: "auto", compute: { module } });
      const entries = [{ binding: 0, resource: { buffer: numbers } }];
      const group = handle.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
      handle.queue.writeBuffer(numbers, 0, Float32Array.of(1, 2, 3, 4));
      const encoder = handle.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(1);
      pass.end();
      encoder.copyBufferToBuffer(numbers, 0, read, 0, 16);
      handle.queue.submit([encoder.finish()]);
      await read.mapAsync(mapMode.read);
      return [...new Float32Array(read.getMappedRange())];
    });
    expect(squares).toEqual([1, 4, 9, 16]);
  });

  it("uses no processor while it is idle", async () => {
    const before = process.cpuUsage();
    await sleep(500);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(100);
  });

  it("is described once, however it is asked for", async () => {
    const adapters = await describeAdapters();
    expect(adapters).toHaveLength(1);
    expect(adapters[0]).toMatchObject({
      words: device.words,
      vendor: "google",
      architecture: "swiftshader",
      isSoftware: true,
      hasTimestamps: true,
      limits: { maxStorageBufferBindingSize: 2 ** 30, maxBufferSize: 2 ** 30 },
    } satisfies Partial<Record<keyof AdapterReport, unknown>>);
  });

  it("has the numbers of the flags that we use without its globals", async () => {
    const { GPUBufferUsage, GPUMapMode } = (await import("webgpu")).globals as Record<string, Record<string, number>>;
    expect(bufferUsage).toEqual({
      mapRead: GPUBufferUsage.MAP_READ,
      mapWrite: GPUBufferUsage.MAP_WRITE,
      copySource: GPUBufferUsage.COPY_SRC,
      copyDestination: GPUBufferUsage.COPY_DST,
      uniform: GPUBufferUsage.UNIFORM,
      storage: GPUBufferUsage.STORAGE,
      indirect: GPUBufferUsage.INDIRECT,
      queryResolve: GPUBufferUsage.QUERY_RESOLVE,
    });
    expect(mapMode).toEqual({ read: GPUMapMode.READ, write: GPUMapMode.WRITE });
  });
});

describe("what the GPU finds wrong", () => {
  let device: Device;
  beforeAll(async () => {
    device = await openDevice();
  });
  afterAll(() => device.dispose());

  it("in a shader: the line, and what is wrong there", async () => {
    const code = "@compute @workgroup_size(1)\nfn main() {\n  let half = 1 +;\n}\n";
    await expect(device.compile("halves", code)).rejects.toMatchObject({
      kind: "internal",
      message: expect.stringMatching(/^shader halves, line 3: .+\n {2}let half = 1 \+;$/),
    });
  });

  it("in a call", async () => {
    const making = device.checked("a buffer", () => invalidBuffer(device));
    await expect(making).rejects.toMatchObject({ kind: "internal", message: expect.stringMatching(invalidUsage) });
    expect(await device.checked("nothing", () => 1)).toBe(1);
  });

  it("in a call after the work has waited", async () => {
    const making = device.checked("late buffer", async () => {
      await sleep(1);
      invalidBuffer(device);
    });
    await expect(making).rejects.toMatchObject({ kind: "internal", message: expect.stringMatching(invalidUsage) });
  });

  it("in a call that nothing checks, in the next that is checked", async () => {
    invalidBuffer(device);
    await expect(device.checked("next buffer", () => 1)).rejects.toThrow(invalidUsage);
    expect(await device.checked("nothing", () => 1)).toBe(1);
  });

  it("in one of several works at a time, in that one", async () => {
    const outcomes = await Promise.allSettled([
      device.checked("outer", async () => {
        await sleep(1);
        return device.checked("inner", () => 1);
      }),
      device.checked("bad buffer", () => invalidBuffer(device)),
      device.checked("good buffer", () => device.handle.createBuffer({ size: 16, usage: bufferUsage.storage })),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((outcomes[1] as PromiseRejectedResult).reason.message).toMatch(invalidUsage);
  });

  it("in a pipeline", async () => {
    const module = await device.compile("wide", "@compute @workgroup_size(257) fn main() {}");
    const making = device.checked("pipeline", () =>
      device.handle.createComputePipelineAsync({ layout: "auto", compute: { module } }),
    );
    await expect(making).rejects.toMatchObject({
      kind: "internal",
      message: expect.stringMatching(/^pipeline: .*257/),
    });
  });

  it("in its memory: too little is no fault of ours", async () => {
    const buffers: GPUBuffer[] = [];
    const filling = device.checked("buffers", () => {
      for (let i = 0; i < 8; i++) {
        buffers.push(device.handle.createBuffer({ size: 2 ** 30, usage: bufferUsage.storage }));
      }
    });
    await expect(filling).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/^buffers: the GPU is out of memory: .+(\n - .+)*$/),
    });
    for (const buffer of buffers) buffer.destroy();
  });

  it("and what others throw stays as it is", async () => {
    const own = new Error("own");
    await expect(device.checked("work", () => Promise.reject(own))).rejects.toBe(own);
    const thrown = device.checked("work", () => {
      throw own;
    });
    await expect(thrown).rejects.toBe(own);
  });
});

describe("the end of a device", () => {
  it("by others is a loss, with its reason", async () => {
    const device = await openDevice();
    const buffer = device.handle.createBuffer({ size: 16, usage: bufferUsage.mapRead });
    const waiting = device.checked("read", () => buffer.mapAsync(mapMode.read).then(() => sleep(60_000)));
    device.handle.destroy();
    expect(await device.lost).toMatch(/destroyed/);
    expect(device.isLost).toBe(true);
    const lost = { kind: "unavailable", message: expect.stringMatching(/the GPU was lost: .*destroyed/) };
    await expect(waiting).rejects.toMatchObject(lost);
    await expect(device.checked("work", () => 1)).rejects.toMatchObject(lost);
    await expect(device.compile("shader", "")).rejects.toMatchObject(lost);
    device.dispose();
    await expect(device.checked("work", () => 1)).rejects.toMatchObject(lost);
  });

  it("by our own hand is none", async () => {
    const device = await openDevice();
    device.dispose();
    device.dispose();
    await device.handle.lost;
    expect(await Promise.race([device.lost, sleep(20, "still pending")])).toBe("still pending");
    expect(device.isLost).toBe(false);
    await expect(device.checked("work", () => 1)).rejects.toThrow("work: the GPU is closed already");
  });

  it.each([
    { name: "once it is disposed of", last: "device.dispose();" },
    { name: "though it is left open", last: "" },
  ])("lets the process end by itself, $name", async ({ last }) => {
    const started = performance.now();
    const code = `
      const { openDevice } = await import("${built}");
      const device = await openDevice();
      for (let i = 0; i < 3; i++) { gc(); await new Promise((resolve) => setTimeout(resolve, 10)); }
      await device.checked("work", () => device.handle.queue.onSubmittedWorkDone());
      console.log(device.words);
      ${last}`;
    const { code: status, stdout, stderr } = await inProcess(code);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/swiftshader/i);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

/** Opens a device and prints the adapters, then why it couldn't be opened. */
const opening = (module: string): string => `
  import { describeAdapters, openDevice } from "${module}";
  console.log(JSON.stringify(await describeAdapters()));
  await openDevice().catch(({ name, kind, exitCode, message }) => console.log(name, kind, exitCode, message));`;

describe("where there is no WebGPU", () => {
  const folder = mkdtempSync(join(tmpdir(), "rat-webgpu-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(() => vi.unstubAllGlobals());

  /** A copy of the package in a folder where no dependency is installed. */
  function copied(name: string): string {
    const copy = join(folder, name);
    for (const part of ["package.json", "dist/errors.js", "dist/engines/webgpu"]) {
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    return copy;
  }

  it("no adapter: no driver, no adapters, no device", async () => {
    const { code, stdout } = await inProcess(opening(built), { VK_ICD_FILENAMES: join(folder, "none.json") });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\[\]\nRatError unavailable 69 WebGPU finds no GPU here; .*driver.*--engine wasm\n$/);
  });

  it("no package: says which to install", async () => {
    const copy = copied("missing");
    const { code, stdout, stderr } = await inProcess(opening("./dist/engines/webgpu/device.js"), {}, copy);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^\[\]\nRatError unavailable 69 .*isn't installed; run npm i webgpu.*engine wasm\n$/);
  });

  it("a package without a binary for this machine: says so", async () => {
    const copy = copied("broken");
    const webgpu = join(copy, "node_modules/webgpu");
    mkdirSync(webgpu, { recursive: true });
    writeFileSync(join(webgpu, "package.json"), JSON.stringify({ name: "webgpu", type: "module", main: "index.js" }));
    writeFileSync(
      join(webgpu, "index.js"),
      `import { createRequire } from "node:module";\ncreateRequire(import.meta.url)("./dist/other/dawn.node");\nexport const create = null;`,
    );
    const { code, stdout } = await inProcess(opening("./dist/engines/webgpu/device.js"), {}, copy);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\[\]\nRatError unavailable 69 the package webgpu doesn't load on \w+ \w+; use .*dawn\.node/,
    );
  });

  it("a worker thread: says where it runs", async () => {
    const code = `
      import(${JSON.stringify(built)}).then(({ openDevice }) => openDevice()).catch(({ kind, exitCode, message }) =>
        require("node:worker_threads").parentPort.postMessage({ kind, exitCode, message }));`;
    const worker = new Worker(code, { eval: true, execArgv: [] });
    const refusal = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    expect(refusal).toMatchObject({
      kind: "unavailable",
      exitCode: 69,
      message: expect.stringMatching(/worker thread.*main thread.*engine wasm/),
    });
  });

  it("a browser without it, or a page that isn't secure: says so", async () => {
    vi.stubGlobal("navigator", {});
    await expect(openGpuOfBrowser()).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/this browser has no WebGPU.*engine wasm/),
    });
    vi.stubGlobal("isSecureContext", false);
    await expect(openGpuOfBrowser()).rejects.toThrow(/https/);
    const gpu = {};
    vi.stubGlobal("navigator", { gpu });
    expect(await openGpuOfBrowser()).toBe(gpu);
  });
});

it("npm run software-adapter gives it to a shell", async () => {
  const opened = `import("${built}").then(({ openDevice }) => openDevice()).then(({ words }) => console.log(words))`;
  const script = 'eval "$(npm run --silent software-adapter)" && exec "$0" --eval "$1"';
  const { VK_ICD_FILENAMES: _, ...env } = process.env; // this process has it already
  const shell = spawn("sh", ["-c", script, process.execPath, opened], { cwd: root, env });
  const { code, stdout, stderr } = await ended(shell);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/swiftshader.*\(software\)/i);
});
