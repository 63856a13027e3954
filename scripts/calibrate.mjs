// Simulation-based calibration at nightly size: the tests' own code (test/support/calibration.ts), more data sets.
// npm run calibrate [-- TIMES [SEED]]; see docs/calibration.md.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { runnerImport } from "vite";

const { positionals } = parseArgs({ allowPositionals: true });
const [times, seed] = [10, 171].map((usual, i) => (positionals[i] === undefined ? usual : Number(positionals[i])));
if (positionals.length > 2 || ![times, seed].every((n) => Number.isSafeInteger(n) && n >= 0) || times === 0) {
  console.error("usage: npm run calibrate [-- TIMES [SEED]], whole numbers, TIMES at least 1");
  process.exit(64);
}

const file = fileURLToPath(new URL("../test/support/calibration.ts", import.meta.url));
const { module } = await runnerImport(file, { logLevel: "error", configFile: false });
const all = module.calibrations(times);
const limit = module.rankLimit(all);
const table = new Table({
  head: ["sampler", "network", "data sets", "quantity", "chi-square", "shape z", "shift z", ""],
  style: { head: [], border: [] },
  chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
});
let worst = 0;
for (const [i, calibration] of all.entries()) {
  const { sampler, name, refits } = calibration;
  const started = performance.now();
  const tests = module.calibrate(calibration, {}, seed, (finished) => {
    if (process.stderr.isTTY && finished % 100 === 0) process.stderr.write(`\r${finished} of ${refits} `);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.error(
    `${process.stderr.isTTY ? "\r" : ""}${i + 1} of ${all.length}: ${sampler} on the ${name}, ${refits} data sets, ${seconds} s`,
  );
  for (const test of tests) {
    const off = Math.max(Math.abs(test.shape), Math.abs(test.shift));
    worst = Number.isNaN(off) ? Number.NaN : Math.max(worst, off);
    const z = [test.shape, test.shift].map((value) => value.toFixed(2));
    const verdict = module.isUniform(test, limit) ? "" : "not uniform";
    table.push([sampler, name, refits, test.quantity, test.chiSquare.toFixed(1), ...z, verdict]);
  }
}
const passed = worst < limit; // false for NaN
console.log(table.toString());
console.log(
  `${passed ? "passed" : "FAILED"}: the furthest of ${2 * table.length} statistics is ${worst.toFixed(2)} standard errors off, ` +
    `the limit ${limit.toFixed(2)} (a right sampler fails for 1 seed in 10,000)`,
);
process.exitCode = passed ? 0 : 1;
