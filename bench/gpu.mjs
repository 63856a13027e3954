// `npm run bench:gpu`: what refits cost on this machine's GPU, stage by stage, and on all its CPU threads at equally many
// effective draws. Prints a table and writes bench/results/gpu-latest.json. Method: bench/README.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { WasmEngine } from "../dist/engines/wasm/engine.js";
import { describeAdapters } from "../dist/engines/webgpu/device.js";
import { WebGpuEngine } from "../dist/engines/webgpu/engine.js";
import { StageTimes } from "../dist/engines/webgpu/piece.js";
import { version } from "../dist/generated/version.js";
import { batchOf, counts, judgeCounts, judged, swept } from "./data.mjs";
import { costOf } from "./gpu-cost.mjs";

const sampling = { sampler: "hmc", chains: 64, warmup: 128, draws: 100, seed: 1, level: 0.95 };
const onCpu = { ...sampling, chains: 2, warmup: 100, draws: 1000 };

const opened = performance.now();
const engine = await WebGpuEngine.open().catch((error) => {
  console.error(`rat: ${error.message}`);
  process.exit(69);
});
const openSeconds = (performance.now() - opened) / 1000;
const { isSoftware } = engine.card;
const mark = isSoftware ? " [software adapter: says nothing of a GPU]" : "";
const rows = [];

function report(name, value, unit) {
  rows.push({ name, value, unit, software: isSoftware });
  const number = value.toLocaleString("en", { maximumSignificantDigits: 4 });
  console.log(`${name.padEnd(58)} ${number.padStart(13)} ${unit}${mark}`);
}

const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Refits a second of batches of one size, after one to warm up, for at least a second. */
async function rate(runner, network, data, refits, options) {
  await runner.run(batchOf(network, data, refits), options);
  const begin = performance.now();
  let done = 0;
  let summaries;
  do {
    summaries = await runner.run(batchOf(network, data, refits), { ...options, seed: done });
    done += refits;
  } while (performance.now() - begin < 1500);
  const quantity = network.quantities.length;
  const ess = average(Array.from({ length: refits }, (_, i) => summaries.ess[i * quantity]));
  return { perSecond: (1000 * done) / (performance.now() - begin), ess, leapfrogs: average([...summaries.leapfrogs]) };
}

async function network(name, compiled, data, sizes) {
  const begin = performance.now();
  await engine.prepare(compiled, sampling);
  report(`${name}: shaders compiled`, performance.now() - begin, "ms");
  let best = { perSecond: 0 };
  for (const size of sizes) {
    const measured = await rate(engine, compiled, data, size, sampling);
    report(`${name}: batches of ${size}`, measured.perSecond, "refits/s");
    if (measured.perSecond > best.perSecond) best = { ...measured, size };
  }
  report(`${name}: effective draws of P(G=1) a refit`, best.ess, "");
  report(`${name}: effective draws of P(G=1) a second`, best.ess * best.perSecond, "/s");
  await stages(name, compiled, data, best.size);
  const cost = costOf(compiled, data, sampling, best.leapfrogs);
  const { perSecond } = best;
  // Leapfrogs of the draws are counted; warmup takes as many an iteration.
  const leapfrogs = (best.leapfrogs * (sampling.warmup + sampling.draws)) / sampling.draws;
  report(`${name}: leapfrogs of one chain`, leapfrogs * perSecond, "/s");
  report(`${name}: floating-point operations a leapfrog, estimated`, cost.leapfrog, "");
  report(`${name}: the same, a refit`, cost.refit / 1e6, "million");
  report(`${name}: floating-point operations, estimated`, (cost.refit * perSecond) / 1e9, "GFLOP/s");
  report(`${name}: memory traffic a refit, estimated`, cost.bytes / 1024, "KiB");
  report(`${name}: memory traffic, estimated`, (cost.bytes * perSecond) / 1e9, "GB/s");
  return best;
}

async function stages(name, compiled, data, size) {
  engine.times = new StageTimes();
  await engine.run(batchOf(compiled, data, size), sampling);
  for (const [stage, seconds] of Object.entries(engine.times.host)) {
    const own = engine.times.gpu[stage];
    const words = own > 0 ? ` (by the GPU's clock ${((1e6 * own) / size).toFixed(1)})` : "";
    report(`${name}: ${stage}, a refit${words}`, (1e6 * seconds) / size, "µs");
  }
  engine.times = undefined;
}

console.log(`rat-engine ${version}, Node ${process.versions.node}, ${cpus()[0].model}, ${cpus().length} cores`);
console.log(`adapter: ${engine.adapter}${mark}`);
console.log(`${JSON.stringify((await describeAdapters()).map(({ words, limits }) => ({ words, ...limits })))}\n`);
report("adapter and device opened", 1000 * openSeconds, "ms");
const sizes = isSoftware ? [8, 32, 64] : [64, 256, 1024, 4096];
const base = await network("base", swept, counts, sizes);
const judge = await network("judge", judged, judgeCounts, isSoftware ? [8] : [256, 1024]);

const wasm = new WasmEngine();
for (const [name, compiled, data, gpu] of [
  ["base", swept, counts, base],
  ["judge", judged, judgeCounts, judge],
]) {
  const cpu = await rate(wasm, compiled, data, 64 * wasm.workers, onCpu);
  report(`${name}: CPU, ${wasm.workers} threads`, cpu.perSecond, "refits/s");
  report(`${name}: CPU, effective draws of P(G=1) a refit`, cpu.ess, "");
  const ratio = (gpu.perSecond * gpu.ess) / (cpu.perSecond * cpu.ess);
  report(`${name}: GPU against all CPU threads, at equal effective draws`, ratio, "x");
}
await Promise.all([wasm.dispose(), engine.dispose()]);
const results = new URL("results/", import.meta.url);
mkdirSync(results, { recursive: true });
const machine = { node: process.versions.node, cpu: cpus()[0].model, adapter: engine.adapter, isSoftware };
writeFileSync(new URL("gpu-latest.json", results), `${JSON.stringify({ version, machine, rows }, null, 2)}\n`);
