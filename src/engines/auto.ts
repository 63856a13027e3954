import { recall, remember } from "#gpu";
import { coreCount } from "#spawn";
import { version } from "../generated/version.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { shapeOf } from "../network/shape.js";
import type { SamplerName, SamplerOptions } from "./engine.js";
import { measureRate, type Rate } from "./rate.js";

/** What is to be done, as far as it decides who does it best. */
export interface Job {
  readonly network: CompiledNetwork;
  readonly refits: number;
  readonly sampler?: SamplerName | undefined;
  readonly workers?: number | undefined;
}

/** What `auto` takes, and why, in words. */
export interface Choice {
  readonly engine: "wasm" | "webgpu";
  readonly why: string;
}

/** How each engine samples a sweep's refits by default. */
export interface Samplings {
  readonly wasm: SamplerOptions;
  readonly webgpu: SamplerOptions;
}

/** Fewer are done on any CPU before a GPU is open and has its shaders compiled. */
const fewestRefits = 5000;
/** Of the probe of each engine: what it should take, and what it may. */
const probe = { seconds: 0.2, most: 0.5 };

/**
 * A hardware GPU where it does the job sooner than all CPU threads, at equally many effective draws a refit and start
 * included; else wasm. Never a software adapter. What is measured is remembered for the machine.
 */
export async function chooseEngine(job: Job, samplings: Samplings): Promise<Choice> {
  const wasm = (why: string): Choice => ({ engine: "wasm", why });
  if (job.sampler === "nuts") return wasm("nuts runs on wasm only");
  if (job.refits < fewestRefits) return wasm(`${job.refits} refits are too few for a GPU to pay`);
  const { describeAdapters } = await import("./webgpu/device.js");
  const adapters = await describeAdapters();
  const hardware = adapters.find(({ isSoftware }) => !isSoftware);
  if (hardware === undefined) {
    return wasm(adapters.length === 0 ? "there is no GPU" : "there is no GPU but a software adapter");
  }
  const rates = await ratesOn(hardware.words, job, samplings).catch((error: Error) => error);
  if (rates instanceof Error) return wasm(`the GPU (${hardware.words}) failed: ${rates.message}`);
  return fasterOf(rates, job.refits, hardware.words);
}

/** Both engines' rates. */
export interface Rates {
  readonly wasm: Rate;
  readonly webgpu: Rate;
}

/** Time at equally many effective draws. @param gpu what to call it */
export function fasterOf({ wasm, webgpu }: Rates, refits: number, gpu: string): Choice {
  const cpuSeconds = wasm.start + (refits / wasm.refitsPerSecond) * (webgpu.ess / wasm.ess);
  const gpuSeconds = webgpu.start + refits / webgpu.refitsPerSecond;
  const engine = gpuSeconds < cpuSeconds ? "webgpu" : "wasm";
  const words = (seconds: number): string =>
    Number.isFinite(seconds) ? `about ${seconds.toPrecision(2)} s` : "too long";
  const why = `at equally many effective draws ${gpu} would take ${words(gpuSeconds)}, the CPU ${words(cpuSeconds)}`;
  return { engine, why };
}

async function ratesOn(gpu: string, job: Job, samplings: Samplings): Promise<Rates> {
  const workers = job.workers ?? coreCount();
  const key = [version, gpu, workers, shapeOf(job.network)].join(" | ");
  const known = await readRates();
  if (known[key] !== undefined) return known[key];
  const rates = await measure(job, samplings);
  await remember(JSON.stringify({ ...known, [key]: rates }));
  return rates;
}

async function readRates(): Promise<Record<string, Rates>> {
  try {
    return JSON.parse((await recall()) ?? "{}");
  } catch {
    return {}; // torn or not ours: measured again
  }
}

async function measure({ network, workers }: Job, samplings: Samplings): Promise<Rates> {
  const [{ WasmEngine }, { WebGpuEngine }] = await Promise.all([
    import("./wasm/engine.js"),
    import("./webgpu/engine.js"),
  ]);
  const onlyIfGiven = workers === undefined ? {} : { workers };
  const wasm = new WasmEngine(onlyIfGiven);
  const webgpu = await WebGpuEngine.open(onlyIfGiven);
  try {
    // Some records of every pattern: none costs nothing, and all rows are informed.
    const counts = new Float64Array(network.patterns.length).fill(10);
    const refits = 32 * wasm.workers;
    const cpu = await measureRate(wasm, network, samplings.wasm, { counts, refits, ...probe });
    const gpu = await measureRate(webgpu, network, samplings.webgpu, { counts, refits: 1024, ...probe });
    return { wasm: cpu, webgpu: gpu };
  } finally {
    await Promise.all([wasm.dispose(), webgpu.dispose()]);
  }
}
