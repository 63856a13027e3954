import { RatError, usageError } from "../../errors.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import { Pace } from "../../pace.js";
import { type Batch, type Draws, type Engine, emptySummaries, type RunOptions, type Summaries } from "../engine.js";
import { checkTerms, mixtureTerms } from "./mixture.js";
import { ExactPosterior, type ExactSummary, type SummaryOptions } from "./posterior.js";

/**
 * Answers without a Markov chain: means and sds from sums over the posterior's mixture terms, quantiles of single rows
 * by inversion of their distribution function, and independent draws for everything else. It takes what has few enough
 * terms (see `maxTerms`), in one thread.
 */
export class ExactEngine implements Engine {
  readonly name = "exact";
  readonly adapter = null;
  readonly workers = null;
  readonly batchRefits = 512;
  private readonly life = new AbortController();

  async prepare(): Promise<void> {
    this.pace();
  }

  async run({ network, counts, ids }: Batch, options: RunOptions): Promise<Summaries> {
    const pace = this.pace(options.signal);
    const patterns = network.patterns.length;
    const countsOf = (refit: number) => counts.subarray(refit * patterns, (refit + 1) * patterns);
    for (let refit = 0; refit < ids.length; refit++) checkTerms(mixtureTerms(network, countsOf(refit)));
    const posterior = new ExactPosterior(network, pace);
    const summaries = emptySummaries(ids.length, network.quantities.length);
    summaries.rhat.fill(Number.NaN);
    for (let refit = 0; refit < ids.length; refit++) {
      const summary = await posterior.summarise(countsOf(refit), { ...options, id: ids[refit] });
      enter(summaries, refit, summary);
      options.onProgress?.(refit + 1);
    }
    return summaries;
  }

  async sample(network: CompiledNetwork, counts: Float64Array, id: number, options: RunOptions): Promise<Draws> {
    return new ExactPosterior(network, this.pace(options.signal)).sample(counts, { ...options, id });
  }

  /** The posterior of one refit, with what is exact and what comes from draws. @throws RatError */
  async summarise(
    network: CompiledNetwork,
    counts: ArrayLike<number>,
    options: SummaryOptions & Interruptible,
  ): Promise<ExactSummary> {
    return new ExactPosterior(network, this.pace(options.signal)).summarise(counts, options);
  }

  async dispose(): Promise<void> {
    this.life.abort(new RatError("interrupted", "the engine was disposed of while it worked"));
  }

  /** @throws RatError (usage) where there is nobody left to work */
  private pace(signal?: AbortSignal): Pace {
    if (this.life.signal.aborted) throw usageError("the engine has been disposed of");
    return new Pace(signal, this.life.signal);
  }
}

function enter(summaries: Summaries, refit: number, summary: ExactSummary): void {
  const at = refit * summaries.quantities;
  for (const field of ["mean", "sd", "median", "lower", "upper"] as const) summaries[field].set(summary[field], at);
  const draws = summary.draws.chains * summary.draws.draws;
  summary.exactMoments.forEach((isExact, q) => {
    summaries.ess[at + q] = isExact ? Number.NaN : draws;
  });
}

interface Interruptible {
  readonly signal?: AbortSignal | undefined;
}

/** For quantities that are no polynomials. */
const meanDraws = 2 ** 16;

/**
 * Posterior means of the quantities: exact, but for quotients that don't simplify, which are means of 65,536
 * independent draws, always the same ones.
 * @throws RatError (unavailable) if the mixture has too many terms
 */
export async function posteriorMeans(
  network: CompiledNetwork,
  counts: ArrayLike<number>,
  { signal }: Interruptible = {},
): Promise<Float64Array> {
  const drawing = { seed: 0, id: 0, chains: 1, draws: meanDraws };
  return new ExactPosterior(network, new Pace(signal)).means(counts, drawing);
}
