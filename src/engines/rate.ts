import type { CompiledNetwork } from "../network/compiled.js";
import type { Batch, Engine, SamplerOptions, Summaries } from "./engine.js";

/** How fast an engine does refits of a network. */
export interface Rate {
  /** Seconds until the first batch can begin: compiling, starting threads. */
  readonly start: number;
  readonly refitsPerSecond: number;
  /** Effective draws of the quantity that has the fewest, a refit. */
  readonly ess: number;
}

export interface Probe {
  /** Refits a batch. */
  readonly refits: number;
  /** How long to measure, after a batch to warm up. */
  readonly seconds: number;
  /** When to give up: what is slower is as good as still. */
  readonly most: number;
}

/** Measures an engine on refits of one posterior; a rate of 0 where it gave up. */
export async function measureRate(
  engine: Engine,
  network: CompiledNetwork,
  sampling: SamplerOptions,
  { refits, seconds, most }: Probe,
): Promise<Rate> {
  const begin = performance.now();
  await engine.prepare(network, sampling);
  const start = (performance.now() - begin) / 1000;
  const batch = batchOf(network, refits);
  const signal = AbortSignal.timeout(1000 * most);
  try {
    await engine.run(batch, { ...sampling, signal });
    const from = performance.now();
    let done = 0;
    let elapsed = 0;
    let ess = Number.POSITIVE_INFINITY;
    while (elapsed < seconds) {
      ess = Math.min(ess, leastEss(await engine.run(batch, { ...sampling, signal })));
      done += refits;
      elapsed = (performance.now() - from) / 1000;
    }
    return { start, refitsPerSecond: done / elapsed, ess };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { start, refitsPerSecond: 0, ess: 1 };
  }
}

/** Of the quantity that has the fewest, averaged over the refits. */
function leastEss({ ess, refits, quantities }: Summaries): number {
  const sums = new Float64Array(quantities);
  ess.forEach((value, i) => {
    sums[i % quantities] += value;
  });
  return Math.min(...sums) / refits;
}

/** Some records of every pattern: no pattern costs nothing, and all rows are informed. */
function batchOf(network: CompiledNetwork, refits: number): Batch {
  const patterns = network.patterns.length;
  return {
    network,
    counts: new Float64Array(refits * patterns).fill(10),
    ids: Float64Array.from({ length: refits }, (_, i) => i),
  };
}
