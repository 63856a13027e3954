import { readFileSync } from "node:fs";
import { it } from "vitest";
import { CHAIN_ACCEPTANCE, CHAIN_DIVERGENCES, CHAIN_FIELDS, CHAIN_LEAPFROGS, CHAIN_STEP_SIZE } from "../../src/generated/layout.js";
import { instantiateKernel } from "../../src/engines/wasm/kernel.js";
import { Sampler } from "../../src/engines/wasm/sampler.js";
import { compileNetwork, rat, ratJudge, patternIndex } from "../../src/network/index.js";
import { essMean } from "../../src/statistics/index.js";
import { GaussianTarget } from "../support/gaussian.js";
import { type Probe, Scratch } from "../support/kernel.js";
it("m", () => {
  const file = process.env.KERNEL!;
  const mod = new WebAssembly.Module(readFileSync(file));
  const report = (label: string, s: Sampler, Q: number, chains: number, draws: number) => {
    let leap = 0, acc = 0, step = 0, div = 0; const accs = []; for (let c = 0; c < chains; c++) { leap += s.chainResults[CHAIN_FIELDS * c + CHAIN_LEAPFROGS]; div += s.chainResults[CHAIN_FIELDS * c + CHAIN_DIVERGENCES]; accs.push(s.chainResults[CHAIN_FIELDS * c + CHAIN_ACCEPTANCE]); acc += s.chainResults[CHAIN_FIELDS * c + CHAIN_ACCEPTANCE] / chains; step += Math.log(s.chainResults[CHAIN_FIELDS * c + CHAIN_STEP_SIZE]) / chains; }
    let ess = Infinity;
    for (let k = 0; k < Q; k++) { const x = Float64Array.from(s.drawsOf(k)); const m = x.reduce((a, b) => a + b) / x.length; for (const v of [x, x.map((t) => (t - m) ** 2)]) ess = Math.min(ess, essMean(v, chains)!); }
    console.log(label, "cost", (leap / ess).toFixed(2), "leap", (leap / (chains * draws)).toFixed(2), "acc", acc.toFixed(3), Math.min(...accs).toFixed(2), Math.max(...accs).toFixed(2), "step", Math.exp(step).toFixed(3), "div", div);
  };
  const [chains, draws] = [16, 1000];
  for (const scales of [[0.001, 1], [0.01, 0.1, 1, 3, 10]]) {
    const target = new GaussianTarget(new Scratch(instantiateKernel(mod) as Probe), scales);
    for (const warmup of [19, 100, 200, 300]) { const s = target.sampler({ chains, warmup, draws, seed: 3 }, false); s.sample([], 1); report(`gauss${scales.length} ${warmup}`, s, scales.length, chains, draws); }
  }
  const cases: [string, number, number, number][] = [["prior", 0, 0, 1], ["tonly 1e3", 0, 1, 1], ["tonly 1e6", 0, 1e3, 1], ["tonly 1e8", .01, 1e5, 1], ["sparse prior", 0, 0, .01], ["mix 1e4", 1, 20, 1]];
  for (const def of [rat, ratJudge()]) {
    for (const [name, a, b, prior] of cases) {
    const net = compileNetwork(def, { priors: Object.fromEntries(["theta_R", "theta_A-", "theta_A+", "theta_T-", "theta_T+"].map((r) => [r, [prior, prior]])) }); const idx = patternIndex(net); const counts = new Float64Array(net.patterns.length);
    const j = def === rat ? [] : [-1, -1];
    for (const [l, n] of [[[0,0,0],22],[[0,0,1],20],[[0,1,0],32],[[1,0,0],9],[[1,0,1],16],[[1,1,0],1]] as [number[], number][]) counts[idx([...l, ...j])] = Math.round(n * a);
    for (const [l, n] of [[[-1,0,0],163],[[-1,0,1],150],[[-1,1,-1],187]] as [number[], number][]) counts[idx([...l, ...j])] = Math.round(n * b);
    for (const warmup of [200, 1000]) { const s = new Sampler(net, { sampler: "nuts", chains, warmup, draws, seed: 3, level: .95 }, chains, false, instantiateKernel(mod)); s.sample(counts, 1); report(`${def.name} ${name} ${warmup}`, s, 9, chains, draws); }
  }}
});
