import type { SamplerOptions, Summaries } from "../../src/engines/engine.js";
import type { KernelExports } from "../../src/engines/wasm/kernel.js";
import { Sampler } from "../../src/engines/wasm/sampler.js";
import type { WebGpuEngine } from "../../src/engines/webgpu/engine.js";
import { RUN_LOWER, RUN_UPPER, SUMMARY_FIELDS, SUMMARY_LOWER, SUMMARY_UPPER } from "../../src/generated/layout.js";
import { type CompiledNetwork, compileNetwork } from "../../src/network/index.js";
import { type Calibration, drawTruth, type Fault, openKernel } from "../support/calibration.js";
import { samplerDefaults } from "../support/kernel.js";
import { Inputs } from "../support/random.js";

export const levels = [0.95, 0.8] as const;

/** Each posterior is sampled as `rat sweep` does it, with a longer warmup. */
export const sampling = { chains: 2, warmup: 300, draws: 1000 };
export const drawn = sampling.chains * sampling.draws;
/** As many draws, of more chains: a GPU's way. */
const gpuSampling = { sampler: "hmc", chains: 20, warmup: 128, draws: drawn / 20 } as const;

/** How often the truth was beyond one end of the intervals of one quantity. */
export interface TailTest {
  readonly quantity: string;
  readonly level: number;
  readonly end: "lower" | "upper";
  readonly beyond: number;
  readonly dataSets: number;
  /** Chance of a number so far from what is expected, or further. */
  readonly chance: number;
}

interface Ends {
  readonly lower: number;
  readonly upper: number;
}

/** A sampler whose summaries are to be had at more than one level. */
export class IntervalSampler {
  readonly sampler: Sampler;
  private readonly kernel: KernelExports;

  constructor(network: CompiledNetwork, options: Partial<SamplerOptions>, fault: Fault = {}) {
    this.kernel = openKernel(fault);
    const all = { ...samplerDefaults, ...sampling, ...options };
    this.sampler = new Sampler(network, all, all.chains, false, this.kernel);
  }

  /** Interval ends, [quantities], of what was sampled last. */
  at(level: number): Ends[] {
    const run = new DataView(this.kernel.memory.buffer, this.kernel.runBlock());
    run.setFloat64(RUN_LOWER, (1 - level) / 2, true);
    run.setFloat64(RUN_UPPER, (1 + level) / 2, true);
    const fields = this.sampler.summarise();
    return Array.from({ length: this.sampler.quantities }, (_, q) => ({
      lower: fields[q * SUMMARY_FIELDS + SUMMARY_LOWER],
      upper: fields[q * SUMMARY_FIELDS + SUMMARY_UPPER],
    }));
  }
}

/**
 * Truths from the prior, records from the model, and how many truths are beyond each end of their intervals. Averaged so,
 * the share is exactly the probability that the end is set at. An end taken from S independent draws lies between two of
 * them, the truth is as likely to have any of the S + 1 ranks among them, and the share is between those of these two.
 */
export async function coverage(
  { sampler: name, definition, plans, refits: dataSets, engine }: Calibration,
  fault: Fault = {},
  seed = 271,
): Promise<TailTest[]> {
  const network = compileNetwork(definition);
  const inputs = new Inputs(seed);
  const truths = Array.from({ length: dataSets }, () => drawTruth(network, plans, inputs));
  const counts = truths.map((truth) => truth.counts);
  const ends = engine
    ? await endsOfGpu(engine, network, seed, counts)
    : endsOf(new IntervalSampler(network, { sampler: name, seed }, fault), counts);
  const tails = levels.map(() => network.quantities.map(() => ({ lower: 0, upper: 0 })));
  for (const [refit, { quantities }] of truths.entries()) {
    for (const [l, each] of ends[refit].entries()) {
      for (const [q, { lower, upper }] of each.entries()) {
        if (quantities[q] < lower) tails[l][q].lower++;
        if (quantities[q] > upper) tails[l][q].upper++;
      }
    }
  }
  return levels.flatMap((level, l) => {
    const least = Math.floor(endPlace((1 - level) / 2, drawn));
    const shares = [least / (drawn + 1), (least + 1) / (drawn + 1)] as const;
    return network.quantities.flatMap(({ name: quantity }, q) =>
      (["lower", "upper"] as const).map((end) => {
        const beyond = tails[l][q][end];
        return { quantity, level, end, beyond, dataSets, chance: twoSided(beyond, dataSets, ...shares) };
      }),
    );
  });
}

/** Interval ends of each data set, [levels][quantities]. */
const endsOf = (intervals: IntervalSampler, counts: readonly Float64Array[]): Ends[][][] =>
  counts.map((own, refit) => {
    intervals.sampler.sample(own, refit);
    return levels.map((level) => intervals.at(level));
  });

/** The same; draws are the same at every level. */
async function endsOfGpu(
  engine: WebGpuEngine,
  network: CompiledNetwork,
  seed: number,
  counts: readonly Float64Array[],
): Promise<Ends[][][]> {
  const batch = {
    network,
    counts: Float64Array.from(counts.flatMap((own) => [...own])),
    ids: Float64Array.from(counts, (_, refit) => refit),
  };
  const found: Summaries[] = [];
  for (const level of levels) found.push(await engine.run(batch, { ...gpuSampling, seed, level }));
  if (found.some(({ fallbacks }) => fallbacks.length > 0)) throw new Error("not all refits are of the GPU");
  return counts.map((_, refit) =>
    found.map(({ lower, upper, quantities }) =>
      network.quantities.map((_, q) => ({
        lower: lower[refit * quantities + q],
        upper: upper[refit * quantities + q],
      })),
    ),
  );
}

/** Where among `count` sorted draws, from 1, the kernel's (type 8) quantile is. */
export const endPlace = (probability: number, count: number): number => probability * (count + 1 / 3) + 1 / 3;

/** Probability of at least k successes in n. */
export function atLeast(k: number, n: number, p: number): number {
  if (k <= 0) return 1;
  if (k > n || p <= 0) return 0;
  if (p >= 1) return 1;
  if (k <= n * p) return 1 - atLeast(n - k + 1, n, 1 - p);
  let term = Math.exp(logBinomial(k, n, p));
  let sum = term;
  for (let i = k; i < n && term > 0; i++) {
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
    sum += term;
  }
  return sum;
}

/** Chance of a count of successes so far out, either way, if their probability is between `low` and `high`. */
export const twoSided = (k: number, n: number, low: number, high = low): number =>
  Math.min(1, 2 * Math.min(atLeast(k, n, high), atLeast(n - k, n, 1 - low)));

/** Log probability of k successes in n. */
export function logBinomial(k: number, n: number, p: number): number {
  let value = k * Math.log(p) + (n - k) * Math.log1p(-p);
  for (let i = 1; i <= k; i++) value += Math.log((n - k + i) / i);
  return value;
}
