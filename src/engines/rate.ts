import type { CompiledNetwork } from "../network/compiled.js";
import type { Batch, Engine, SamplerOptions, Summaries } from "./engine.js";

/** How fast an engine does refits of a network. */
export interface Rate {
  /** Seconds until the first batch can begin: compiling, starting threads. */
  readonly start: number;
  readonly refitsPerSecond: number;
  /** Effective draws of the quantity that has the fewest, a refit. */
  readonly ess: number;
  /** Of the first quantity over all refits, and its Monte Carlo standard error. */
  readonly mean: number;
  readonly mcse: number;
}

export interface Probe {
  /** Of every refit: records a pattern. */
  readonly counts: Float64Array;
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
  { counts, refits, seconds, most }: Probe,
): Promise<Rate> {
  const begin = performance.now();
  await engine.prepare(network, sampling);
  const start = (performance.now() - begin) / 1000;
  const signal = AbortSignal.timeout(1000 * most);
  const tally = new Tally();
  let elapsed = 0;
  try {
    await engine.run(batchOf(network, counts, refits, 0), { ...sampling, signal });
    const from = performance.now();
    for (let first = refits; elapsed < seconds; first += refits) {
      tally.add(await engine.run(batchOf(network, counts, refits, first), { ...sampling, signal }));
      elapsed = (performance.now() - from) / 1000;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { start, refitsPerSecond: elapsed > 0 ? tally.refits / elapsed : 0, ...tally.averages() };
}

/** Sums over all refits of several batches. */
class Tally {
  refits = 0;
  private leastEss = Number.POSITIVE_INFINITY;
  private sum = 0;
  private variance = 0;

  add({ refits, quantities, mean, sd, ess }: Summaries): void {
    this.refits += refits;
    const sums = new Float64Array(quantities);
    for (let refit = 0; refit < refits; refit++) {
      const at = refit * quantities;
      this.sum += mean[at];
      this.variance += sd[at] ** 2 / ess[at];
      for (let q = 0; q < quantities; q++) sums[q] += ess[at + q];
    }
    this.leastEss = Math.min(this.leastEss, ...sums.map((total) => total / refits));
  }

  averages(): Pick<Rate, "ess" | "mean" | "mcse"> {
    const n = this.refits;
    return n === 0
      ? { ess: 1, mean: Number.NaN, mcse: Number.NaN }
      : { ess: this.leastEss, mean: this.sum / n, mcse: Math.sqrt(this.variance) / n };
  }
}

function batchOf(network: CompiledNetwork, counts: Float64Array, refits: number, first: number): Batch {
  const all = new Float64Array(refits * counts.length);
  for (let refit = 0; refit < refits; refit++) all.set(counts, refit * counts.length);
  return { network, counts: all, ids: Float64Array.from({ length: refits }, (_, i) => first + i) };
}
