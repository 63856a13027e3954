// `npm run bench`: what a leapfrog, a fit, a refit, a start and a round trip cost on this machine. Prints a table, writes
// bench/results/latest.json and compares with bench/results/baseline.json. Method: bench/README.md.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Bench } from "tinybench";
import { instantiateKernel } from "../dist/engines/wasm/kernel.js";
import { Sampler } from "../dist/engines/wasm/sampler.js";
import { CHAIN_FIELDS, CHAIN_LEAPFROGS } from "../dist/generated/layout.js";
import { version } from "../dist/generated/version.js";
import { createEngine } from "../dist/index.js";
import { essMean } from "../dist/statistics/index.js";
import { batchOf, counts, csvOf, full, judgeCounts, judged, sampling, swept } from "./data.mjs";

const bin = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
const results = new URL("results/", import.meta.url);
const rows = [];

/** @param better "less" or "more": which way is faster */
function report(name, value, unit, better = "less") {
  rows.push({ name, value, unit, better });
  console.log(`${name.padEnd(62)} ${value.toLocaleString("en", { maximumSignificantDigits: 4 }).padStart(11)} ${unit}`);
}

/** Median milliseconds of a task. */
async function median(task, time = 1000) {
  const bench = new Bench({ time, warmupTime: 300, iterations: 5 });
  bench.add("task", task);
  await bench.run();
  return bench.tasks[0].result.latency.p50;
}

async function leapfrogs() {
  const cases = [
    ["Rat", full, counts, true],
    ["Table", full, counts, false],
    ["Table, judge network", judged, judgeCounts, false],
  ];
  for (const [density, network, data, straight] of cases) {
    for (const sampler of ["nuts", "hmc"]) {
      // No warmup: every leapfrog is counted. Two chains either way; an hmc pair counts those of each of its chains.
      const run = new Sampler(network, sampling(sampler, 2, 0, 2000), 2, false, instantiateKernel(), straight);
      const milliseconds = await median(() => run.sample(data, 1));
      const steps = run.chainResults[CHAIN_LEAPFROGS] + run.chainResults[CHAIN_FIELDS + CHAIN_LEAPFROGS];
      report(`${sampler}, ${density}: a leapfrog of one chain, all in`, (1e6 * milliseconds) / steps, "ns");
    }
  }
}

async function fits() {
  const paper = new Sampler(full, sampling("nuts", 5, 2000, 10_000), 5);
  const milliseconds = await median(() => paper.sample(counts, 1), 3000);
  report("nuts: fit of 5 x (2,000 + 10,000), one thread, warm", milliseconds, "ms");
  const adherence = full.quantities.findIndex(({ name }) => name === "P(G=1)");
  const ess = essMean(Float64Array.from(paper.drawsOf(adherence)), 5);
  report("nuts: effective draws of P(G=1) a second", (1000 * ess) / milliseconds, "/s", "more");
  const folder = mkdtempSync(join(tmpdir(), "rat-bench-"));
  const file = join(folder, "records.csv");
  writeFileSync(file, csvOf(full, counts));
  const args = [bin, "fit", file, "--sampler-preset", "paper", "--workers", "1", "--seed", "1", "--json"];
  const cold = Array.from({ length: 5 }, () => {
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    return JSON.parse(stdout).fits[0].diagnostics.seconds;
  });
  rmSync(folder, { recursive: true });
  report("nuts: the same in a fresh process", 1000 * cold.sort((a, b) => a - b)[2], "ms");
}

async function refits() {
  for (const [name, network, data] of [
    ["base", swept, counts],
    ["judge", judged, judgeCounts],
  ]) {
    const run = new Sampler(network, sampling("hmc", 2, 100, 1000), 2);
    let ess = 0;
    let done = 0;
    const milliseconds = await median(() => {
      run.sample(data, done++);
      ess += run.summarise()[6];
    });
    report(`hmc, ${name}: refit of 2 x (100 + 1,000) with summaries`, milliseconds, "ms");
    report(`hmc, ${name}: refits a second and core`, 1000 / milliseconds, "/s", "more");
    report(`hmc, ${name}: effective draws of P(G=1) a refit`, ess / done, "", "more");
    report(
      `hmc, ${name}: effective draws of P(G=1) a second and core`,
      ((ess / done) * 1000) / milliseconds,
      "/s",
      "more",
    );
  }
}

/** Engines of one and of all threads in turn, so that a drifting machine hits both alike. */
async function workers() {
  const size = 2000;
  const { counts: many } = batchOf(swept, counts, size);
  const cores = availableParallelism();
  const engines = await Promise.all([1, cores].map((n) => createEngine({ workers: n })));
  for (const engine of engines) await engine.run(swept, many, { seed: 1 });
  const rates = engines.map(() => []);
  for (let round = 0; round < 7; round++) {
    for (const [i, engine] of engines.entries()) {
      const begin = performance.now();
      await engine.run(swept, many, { seed: round });
      rates[i].push((1000 * size) / (performance.now() - begin));
    }
  }
  const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const ratio = middle(rates[1].map((rate, i) => rate / rates[0][i]));
  report("createEngine, 1 worker", middle(rates[0]), "refits/s", "more");
  report(`createEngine, ${cores} workers`, middle(rates[1]), "refits/s", "more");
  report(`${cores} workers against 1, median of pairs`, ratio, "x", "more");
  for (const engine of engines) await engine.dispose();
}

async function processes() {
  const time = (args, input) =>
    Array.from({ length: 5 }, () => {
      const begin = performance.now();
      spawnSync(process.execPath, [bin, ...args], { input });
      return performance.now() - begin;
    }).sort((a, b) => a - b)[2];
  report("rat --help, whole process", time(["--help"]), "ms");
  report("rat fit --preset, whole process", time(["fit", "--preset", "nq-dense-gemma3", "--seed", "1"]), "ms");
  const folder = mkdtempSync(join(tmpdir(), "rat-bench-"));
  const file = join(folder, "million.csv");
  const line = (i) => `q${i},${i % 3 ? 1 : 0},${i % 5 ? 0 : 1},${i % 5 ? i % 2 : ""}\n`;
  writeFileSync(file, `id,R,A,T\n${Array.from({ length: 1e6 }, (_, i) => line(i)).join("")}`);
  report("rat fit of 1,000,000 records, whole process", time(["fit", file, "--seed", "1"]), "ms");
  rmSync(folder, { recursive: true });
}

async function roundTrips() {
  const server = spawn(process.execPath, [bin, "serve"], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const ask = async (method, params) => {
    server.stdin.write(`${JSON.stringify({ id: 1, method, params })}\n`);
    await lines.next();
  };
  const observations = [
    { R: 1, A: 0, T: 1 },
    { R: 0, A: 1 },
    { R: 0, A: 0, T: 0 },
    { A: 0, T: 1 },
  ];
  report("rat serve: round trip of info", await median(() => ask("info", {})), "ms");
  const params = { observations, counts: [[30, 15, 20, 40]], quantities: ["P(G=1)"], seed: 1 };
  report("rat serve: round trip of one refit", await median(() => ask("refits", params)), "ms");
  server.stdin.end();
}

/** Ratios to the committed figures; on another machine they say how the machines differ. */
function compare() {
  const path = new URL("baseline.json", results);
  if (!existsSync(path)) return;
  const baseline = JSON.parse(readFileSync(path, "utf8"));
  const slower = rows.flatMap(({ name, value, better }) => {
    const before = baseline.rows.find((row) => row.name === name);
    if (before === undefined) return [];
    const ratio = better === "less" ? value / before.value : before.value / value;
    return ratio > 1.15 ? [`  ${name}: ${ratio.toFixed(2)} x the time of the baseline`] : [];
  });
  console.log(`\nagainst bench/results/baseline.json (${baseline.machine.cpu}, Node ${baseline.machine.node}):`);
  console.log(slower.length === 0 ? "  nothing is slower by more than 15 %" : slower.join("\n"));
}

console.log(
  `rat-engine ${version}, Node ${process.versions.node}, ${cpus()[0].model}, ${availableParallelism()} cores\n`,
);
for (const part of [leapfrogs, fits, refits, workers, processes, roundTrips]) await part();
compare();
mkdirSync(results, { recursive: true });
const machine = { node: process.versions.node, cpu: cpus()[0].model, cores: availableParallelism() };
writeFileSync(new URL("latest.json", results), `${JSON.stringify({ version, machine, rows }, null, 2)}\n`);
