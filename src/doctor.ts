import { coreCount } from "#spawn";
import type { DoctorDocument, EngineCheck } from "./documents.js";
import { type Choice, chooseEngine } from "./engines/auto.js";
import { openEngine } from "./engines/choose.js";
import type { EngineName } from "./engines/engine.js";
import { posteriorMeans } from "./engines/exact/index.js";
import { measureRate } from "./engines/rate.js";
import { kernelModule } from "./engines/wasm/kernel.js";
import { describeAdapters } from "./engines/webgpu/device.js";
import { asRatError } from "./errors.js";
import { version } from "./generated/version.js";
import { type CompiledNetwork, compileOnce, patternIndex, rat } from "./network/index.js";
import { resolveSampling } from "./options.js";

/** Records with all labels and others without R, by R, A and T: one posterior that every engine can do. */
const records: Readonly<Record<string, number>> = {
  "000": 22,
  "001": 20,
  "010": 32,
  "100": 9,
  "101": 16,
  "110": 1,
  "?00": 20,
  "?01": 18,
  "?1?": 22,
};

/** Refits of `npm start`: what `auto` is asked about. */
const sweepRefits = 21_000;
const probe = { seconds: 0.6, most: 20 };
/** Standard errors between an engine's mean and the exact one: more is seen by chance once in 100,000 self-tests. */
const mostDeviation = 4.4;

/** What this machine offers, what `auto` would take, and whether the engines agree on one posterior and how fast. */
export async function examine(): Promise<DoctorDocument> {
  const network = compileOnce(rat, { quantities: rat.quantities.filter(({ name }) => name === "P(G=1)") });
  const adapters = await describeAdapters();
  const engines: EngineCheck[] = [];
  const problems: string[] = [];
  const exact = (await posteriorMeans(network, countsOf(network)))[0];
  for (const engine of ["wasm", "webgpu"] as const) {
    const check = await checkEngine(engine, network, exact).catch((error) => {
      problems.push(`${engine}: ${asRatError(error).describe()}`);
      return null;
    });
    if (check === null) continue;
    engines.push(check);
    if (!check.agrees) problems.push(`${engine}: P(G=1) is ${check.mean}, exactly it is ${exact}: please report this`);
  }
  return {
    version,
    cores: coreCount(),
    simd: hasSimd(),
    adapters,
    auto: await auto(network),
    exact,
    engines,
    problems,
  };
}

async function checkEngine(name: EngineName, network: CompiledNetwork, exact: number): Promise<EngineCheck> {
  const sampling = resolveSampling("sweep", { engine: name, seed: 1 });
  const engine = await openEngine({ engine: name, sampler: sampling.sampler });
  try {
    const refits = engine.workers === null ? Math.min(engine.batchRefits, 1024) : 32 * engine.workers;
    const counts = countsOf(network);
    const rate = await measureRate(engine, network, sampling, { counts, refits, ...probe });
    const deviation = (rate.mean - exact) / rate.mcse;
    const { adapter } = engine;
    const agrees = Math.abs(deviation) < mostDeviation;
    const { refitsPerSecond, ess, mean, mcse } = rate;
    return { engine: name, adapter, startSeconds: rate.start, refitsPerSecond, ess, mean, mcse, deviation, agrees };
  } finally {
    await engine.dispose();
  }
}

function auto(network: CompiledNetwork): Promise<Choice> {
  const job = { network, refits: sweepRefits };
  const [wasm, webgpu] = (["wasm", "webgpu"] as const).map((engine) => resolveSampling("sweep", { engine, seed: 1 }));
  return chooseEngine(job, { wasm, webgpu });
}

function hasSimd(): boolean {
  try {
    kernelModule();
    return true;
  } catch {
    return false;
  }
}

function countsOf(network: CompiledNetwork): Float64Array {
  const counts = new Float64Array(network.patterns.length);
  const indexOf = patternIndex(network);
  for (const [labels, n] of Object.entries(records)) {
    counts[indexOf([...labels].map((label) => (label === "?" ? -1 : Number(label))))] = n;
  }
  return counts;
}
