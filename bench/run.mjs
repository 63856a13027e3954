// `npm run bench`: what a leapfrog, a fit and a refit cost. Prints a table and writes bench/results/latest.json.
// Method: see bench/README.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { Bench } from "tinybench";
import { WasmEngine } from "../dist/engines/wasm/engine.js";
import { Sampler } from "../dist/engines/wasm/sampler.js";
import { version } from "../dist/generated/version.js";
import { compileNetwork, patternIndex, rat } from "../dist/network/index.js";

/** 100 fully labelled and 500 T-only records of the paper's Qwen3.5 system (HotpotQA, hybrid retrieval). */
const records = {
  "000": 22,
  "001": 20,
  "010": 32,
  100: 9,
  101: 16,
  110: 1, // R, A, T
  "?00": 163,
  "?01": 150,
  "?1?": 187,
};
const chainFields = 6;

const pick = (...names) => names.flatMap((name) => rat.quantities.filter((quantity) => quantity.name === name));
const full = compileNetwork(rat);
const short = compileNetwork(rat, { quantities: pick("P(G=1)", "P(T=1)") });
const counts = countsOf(full);

function countsOf(network) {
  const indexOf = patternIndex(network);
  const vector = new Float64Array(network.patterns.length);
  for (const [key, n] of Object.entries(records)) {
    vector[indexOf([...key].map((c) => (c === "?" ? -1 : Number(c))))] += n;
  }
  return vector;
}

const options = (sampler, chains, warmup, draws) => ({ sampler, chains, warmup, draws, seed: 1, level: 0.95 });

/** Median milliseconds of a task. */
async function median(name, task, time = 2000) {
  const bench = new Bench({ time, warmupTime: 500 });
  bench.add(name, task);
  await bench.run();
  return bench.tasks[0].result.latency.p50;
}

const rows = [];
const report = (name, value, unit) => {
  rows.push({ name, value, unit });
  console.log(`${name.padEnd(58)} ${value.toLocaleString("en", { maximumSignificantDigits: 4 }).padStart(12)} ${unit}`);
};

console.log(
  `rat-engine ${version}, Node ${process.versions.node}, ${cpus()[0].model}, ${availableParallelism()} cores\n`,
);

for (const sampler of ["nuts", "hmc"]) {
  // No warmup: every leapfrog is counted.
  const run = new Sampler(full, options(sampler, 2, 0, 5000), 2);
  const milliseconds = await median(`${sampler} leapfrog`, () => run.sample(counts, 1));
  const chains = sampler === "hmc" ? 2 : 1; // the count of an hmc pair is that of each of its chains
  let leapfrogs = 0;
  for (let c = 0; c < 2; c++) leapfrogs += run.chainResults[c * chainFields + 1];
  report(
    `${sampler}: a leapfrog of one chain, all in`,
    (1e6 * milliseconds) / leapfrogs,
    `ns${chains === 2 ? " (two chains at once)" : ""}`,
  );
}

const paper = new Sampler(full, options("nuts", 5, 2000, 10_000), 5);
report("nuts: fit of 5 x (2,000 + 10,000), one thread", await median("fit", () => paper.sample(counts, 1), 4000), "ms");

const refit = new Sampler(short, options("hmc", 2, 100, 1000), 2);
let ess = 0;
let refits = 0;
const perRefit = await median("refit", () => {
  refit.sample(counts, refits++);
  ess += refit.summarise()[6];
});
report("hmc: refit of 2 x (100 + 1,000) with summaries, one thread", perRefit, "ms");
report("hmc: refits a second and core", 1000 / perRefit, "/s");
report("hmc: effective draws of P(G=1) a refit", ess / refits, "");
report("hmc: effective draws of P(G=1) a second and core", ((ess / refits) * 1000) / perRefit, "/s");

const batchSize = 2000;
const batch = {
  network: short,
  counts: Float64Array.from({ length: batchSize * counts.length }, (_, i) => counts[i % counts.length]),
  ids: Float64Array.from({ length: batchSize }, (_, i) => i),
};
for (let workers = 1; workers <= availableParallelism(); workers *= 2) {
  const engine = new WasmEngine({ workers });
  const sampling = options("hmc", 2, 100, 1000);
  await engine.prepare(short, sampling);
  const milliseconds = await median(`${workers} workers`, () => engine.run(batch, sampling), 3000);
  report(
    `hmc: engine.run with ${workers} worker${workers > 1 ? "s" : ""}`,
    (1000 * batchSize) / milliseconds,
    "refits/s",
  );
  await engine.dispose();
}

const folder = new URL("results/", import.meta.url);
mkdirSync(folder, { recursive: true });
const machine = { node: process.versions.node, cpu: cpus()[0].model, cores: availableParallelism() };
writeFileSync(new URL("latest.json", folder), `${JSON.stringify({ version, machine, rows }, null, 2)}\n`);
