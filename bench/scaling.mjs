// `npm run bench:scaling`: how time grows with records, replicates, dimensions and workers. Draws docs/figures/scaling.svg
// and prints the numbers behind it.
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { Sampler } from "../dist/engines/wasm/sampler.js";
import { compileNetwork, createEngine } from "../dist/index.js";
import { batchOf, counts, sampling, swept } from "./data.mjs";

/** Median milliseconds of so many calls. */
async function median(task, rounds = 9) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now();
    await task(round);
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[rounds >> 1];
}

async function byRecords() {
  const run = new Sampler(swept, sampling("hmc", 2, 100, 1000), 2);
  const points = [];
  for (const factor of [1, 10, 100, 1e3, 1e4, 1e5, 1e6]) {
    const scaled = counts.map((n) => n * factor);
    points.push([600 * factor, await median((round) => run.sample(scaled, round), 101)]);
  }
  return { title: "one refit, by records", x: "records", y: "ms", log: true, points };
}

async function byReplicates() {
  const engine = await createEngine({ workers: availableParallelism() });
  const points = [];
  for (const refits of [1000, 2000, 4000, 8000]) {
    const { counts: many } = batchOf(swept, counts, refits);
    points.push([refits, (await median((round) => engine.run(swept, many, { seed: round }), 3)) / 1000]);
  }
  await engine.dispose();
  return { title: `a batch on ${availableParallelism()} threads, by refits`, x: "refits", y: "s", points };
}

/** A chain of binary variables, each a child of the one before; half of the records lack every second label. */
function chainNetwork(variables) {
  const levels = ["0", "1"];
  const list = Array.from({ length: variables }, (_, v) => ({
    name: `V${v}`,
    levels,
    ...(v === 0
      ? { rows: [{ name: "p0" }] }
      : {
          parents: [`V${v - 1}`],
          rows: levels.map((level) => ({ name: `p${v}|${level}`, when: [{ [`V${v - 1}`]: level }] })),
        }),
  }));
  return compileNetwork({
    name: "chain",
    variables: list,
    quantities: [{ name: "last", expression: `P(V${variables - 1}=1)` }],
  });
}

async function byDimensions() {
  const points = [];
  for (const variables of [1, 2, 3, 4, 5, 6, 7]) {
    const network = chainNetwork(variables);
    const data = new Float64Array(network.patterns.length);
    network.patterns.forEach(({ levels }, m) => {
      const full = levels.every((level) => level >= 0);
      const every = levels.every((level, v) => level >= 0 === (v % 2 === 0));
      if (full || every) data[m] = 3 + (m % 5);
    });
    const run = new Sampler(network, sampling("hmc", 2, 100, 1000), 2);
    points.push([network.rowNames.length, await median((round) => run.sample(data, round), 51)]);
  }
  return { title: "one refit, by parameters", x: "parameters", y: "ms", points };
}

async function byWorkers() {
  const { counts: many } = batchOf(swept, counts, 2000);
  const points = [];
  for (let workers = 1; workers <= availableParallelism(); workers++) {
    const engine = await createEngine({ workers });
    await engine.run(swept, many, { seed: 0 });
    points.push([workers, 2e6 / (await median((round) => engine.run(swept, many, { seed: round }), 5))]);
    await engine.dispose();
  }
  return { title: "refits a second, by threads", x: "threads", y: "refits/s", points };
}

function panel({ title, x, y, log, points }, document) {
  const data = points.map(([a, b]) => ({ a, b }));
  const svg = Plot.plot({
    document,
    width: 340,
    height: 240,
    marginLeft: 50,
    style: { fontFamily: "Open Sans, sans-serif", fontSize: "11px", background: "white" },
    x: {
      label: x,
      type: log ? "log" : "linear",
      ticks: log ? 5 : points.map(([a]) => a),
      tickFormat: "d",
      ...(log ? { tickFormat: "~s" } : {}),
    },
    y: { label: `${y}`, domain: [0, 1.15 * Math.max(...data.map(({ b }) => b))], grid: true, ticks: 5 },
    marks: [
      Plot.line(data, { x: "a", y: "b", stroke: "#1b4f9c" }),
      Plot.dot(data, { x: "a", y: "b", fill: "#1b4f9c", r: 3.5 }),
      Plot.text([title], { frameAnchor: "top-left", dy: -12, fontWeight: 600, text: (d) => d }),
    ],
    marginTop: 32,
  });
  return svg;
}

const panels = [];
for (const measure of [byRecords, byReplicates, byDimensions, byWorkers]) {
  const result = await measure();
  panels.push(result);
  console.log(`\n${result.title}`);
  for (const [a, b] of result.points) console.log(`${String(a).padStart(12)} ${b.toPrecision(4)} ${result.y}`);
}

const { document } = parseHTML("<!doctype html><html><body></body></html>");
const inner = panels.map((one, i) => {
  const svg = panel(one, document);
  svg.setAttribute("x", String(350 * (i % 2)));
  svg.setAttribute("y", String(250 * Math.floor(i / 2)));
  return svg.outerHTML;
});
const folder = new URL("../docs/figures/", import.meta.url);
mkdirSync(folder, { recursive: true });
const head =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 500" width="700" height="500"><title>How time grows</title><rect width="700" height="500" fill="white"/>';
writeFileSync(new URL("scaling.svg", folder), `${head}${inner.join("")}</svg>\n`);
