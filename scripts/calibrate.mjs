// Simulation-based calibration at nightly size: the tests' own code (test/support/calibration.ts), more data sets.
// npm run calibrate [-- TIMES [SEED]] [--engine webgpu]; see docs/calibration.md.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { runnerImport } from "vite";

const usage = "usage: npm run calibrate [-- TIMES [SEED] [--engine wasm|webgpu]], whole numbers, TIMES at least 1";
const { times, seed, name } = readArguments();

/** Exits where they can't be read. */
function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { engine: { type: "string", default: "wasm" } },
    });
    const [times, seed] = [10, 171].map((usual, i) => Number(positionals[i] ?? usual));
    const areWhole = [times, seed].every((n) => Number.isSafeInteger(n) && n >= 0);
    if (positionals.length <= 2 && areWhole && times > 0 && ["wasm", "webgpu"].includes(values.engine)) {
      return { times, seed, name: values.engine };
    }
  } catch {
    // an option that there isn't
  }
  console.error(usage);
  process.exit(64);
}

/** The kernel by itself is no engine. */
async function openEngine() {
  if (name === "wasm") return undefined;
  const { WebGpuEngine } = await import("../dist/engines/webgpu/engine.js");
  return WebGpuEngine.open();
}

const file = fileURLToPath(new URL("../test/support/calibration.ts", import.meta.url));
const { module } = await runnerImport(file, { logLevel: "error", configFile: false });
const engine = await openEngine();
if (engine) console.error(engine.adapter);
const all = module.calibrations(times, name);
const limit = module.rankLimit(all);
const table = new Table({
  head: ["sampler", "network", "data sets", "quantity", "chi-square", "shape z", "shift z", ""],
  style: { head: [], border: [] },
  chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
});
let worst = 0;
for (const [i, calibration] of all.entries()) {
  const { name: network, refits } = calibration;
  const sampler = engine?.name ?? calibration.sampler;
  const started = performance.now();
  const tests = await module.calibrate({ ...calibration, engine }, {}, seed, (finished) => {
    if (process.stderr.isTTY && finished % 100 === 0) process.stderr.write(`\r${finished} of ${refits} `);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.error(
    `${process.stderr.isTTY ? "\r" : ""}${i + 1} of ${all.length}: ${sampler} on the ${network}, ${refits} data sets, ${seconds} s`,
  );
  for (const test of tests) {
    const off = Math.max(Math.abs(test.shape), Math.abs(test.shift));
    worst = Number.isNaN(off) ? Number.NaN : Math.max(worst, off);
    const z = [test.shape, test.shift].map((value) => value.toFixed(2));
    const verdict = module.isUniform(test, limit) ? "" : "not uniform";
    table.push([sampler, network, refits, test.quantity, test.chiSquare.toFixed(1), ...z, verdict]);
  }
}
await engine?.dispose();
const passed = worst < limit; // false for NaN
console.log(table.toString());
console.log(
  `${passed ? "passed" : "FAILED"}: the furthest of ${2 * table.length} statistics is ${worst.toFixed(2)} standard errors off, ` +
    `the limit ${limit.toFixed(2)} (a right sampler fails for 1 seed in 10,000)`,
);
process.exitCode = passed ? 0 : 1;
