// npm run build && node scripts/check-stan.mjs: what `rat network export --stan` writes, compiled and sampled by CmdStan and
// compared with what this package says of the same counts. Needs CmdStan (https://mc-stan.org) and $CMDSTAN, its folder.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Papa from "papaparse";
import {
  compileNetwork,
  createEngine,
  emitStan,
  networkNamed,
  quantitiesIn,
  shippedNetworks,
  stanData,
  summarise,
} from "../dist/index.js";
import { stanNames } from "../dist/network/stan-names.js";

const cmdstan = process.env.CMDSTAN;
if (cmdstan === undefined || !existsSync(join(cmdstan, "makefile"))) {
  const found = cmdstan === undefined ? "CMDSTAN is not set" : `there is no CmdStan in ${cmdstan}`;
  console.log(`${found}: nothing was checked. Set CMDSTAN to the folder of an installed CmdStan.`);
  process.exit(69);
}

const seed = 1;
const chains = 4;
const draws = 2000;
/** In standard errors of the difference: for 100 means that agree, one in 10,000 runs is beyond. */
const limit = 5;

/** Few records of every pattern, so that every line of the program counts; the same in every run. */
function someCounts(patterns) {
  let state = seed;
  return Float64Array.from({ length: patterns }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 27;
  });
}

const folder = mkdtempSync(join(tmpdir(), "rat-stan-"));
const run = (program, args) => execFileSync(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });

/** Draws of every column, chain after chain. */
function sample(name) {
  run("make", ["-C", cmdstan, join(folder, name)]);
  const columns = new Map();
  for (let chain = 1; chain <= chains; chain++) {
    const file = join(folder, `${name}-${chain}.csv`);
    run(join(folder, name), [
      "sample",
      `num_samples=${draws}`,
      `id=${chain}`,
      "data",
      `file=${join(folder, `${name}.json`)}`,
      "random",
      `seed=${seed}`,
      "output",
      `file=${file}`,
    ]);
    const { data } = Papa.parse(readFileSync(file, "utf8"), { comments: "#", header: true, skipEmptyLines: true });
    for (const row of data) {
      for (const [column, value] of Object.entries(row)) {
        if (!columns.has(column)) columns.set(column, []);
        columns.get(column).push(Number(value));
      }
    }
  }
  return columns;
}

const engine = await createEngine();
let worst = 0;
try {
  for (const name of shippedNetworks) {
    const definition = networkNamed(name);
    const network = compileNetwork(definition, { quantities: quantitiesIn(definition, "all") });
    const counts = someCounts(network.patterns.length);
    writeFileSync(join(folder, `${name}.stan`), emitStan(network));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(stanData(counts)));
    const columns = sample(name);
    const ours = await engine.run(network, counts, { sampler: "nuts", chains, warmup: 1000, draws, seed });
    for (const [q, column] of stanNames(network).quantities.entries()) {
      const theirs = summarise(Float64Array.from(columns.get(column)), chains, 0.95);
      const error = Math.hypot(theirs.mcse, ours.sd[q] / Math.sqrt(ours.ess[q]));
      const off = (ours.mean[q] - theirs.mean) / error;
      worst = Number.isNaN(off) ? Number.NaN : Math.max(worst, Math.abs(off));
      const numbers = [ours.mean[q], theirs.mean].map((mean) => mean.toFixed(5)).join(" and ");
      console.log(
        `${name}, ${network.quantities[q].name}: ${numbers} by Stan, ${off.toFixed(2)} standard errors apart`,
      );
    }
  }
} finally {
  await engine.dispose();
  rmSync(folder, { recursive: true, force: true });
}
const passed = worst < limit; // false for NaN
console.log(`${passed ? "passed" : "FAILED"}: the furthest means are ${worst.toFixed(2)} standard errors apart`);
process.exitCode = passed ? 0 : 1;
