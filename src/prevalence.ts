import { checkOptions, checkSeed } from "./audit/arguments.js";
import { checkLevel } from "./audit/estimate.js";
import { type PrevalencePriors, priorsOf } from "./audit/prevalence/bayesian.js";
import { auditOf } from "./audit/prevalence/input.js";
import type { PrevalenceInput } from "./audit/prevalence.js";
import { type Backend, engineOf } from "./backend.js";
import { openEngine } from "./engines/choose.js";
import { type SampledPrevalence, samplePrevalence } from "./judge/prevalence.js";
import { randomSeed } from "./options.js";
import { abortSignal, check } from "./values.js";

export interface BayesianPrevalenceOptions {
  /** Default: random. */
  readonly seed?: number | undefined;
  /** Probability inside the intervals; 0.95. */
  readonly level?: number | undefined;
  /** Beta priors of the three probabilities; uniform where left out. */
  readonly priors?: Partial<PrevalencePriors> | undefined;
  /** An engine of `createEngine` that samples; without it one is opened and closed. */
  readonly using?: Backend | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Posterior of how frequent truth is, and of a judge's rates, where `auditPrevalence` gives estimates: a network of truth
 * and verdict, three probabilities, sampled.
 * @throws RatError (usage) for what are no counts or shares
 */
export async function bayesianPrevalence(
  input: PrevalenceInput,
  options: BayesianPrevalenceOptions = {},
): Promise<SampledPrevalence> {
  checkOptions(options, ["seed", "level", "priors", "using", "signal"]);
  const { seed = randomSeed(), level = 0.95, priors, using, signal } = options;
  checkSeed(seed);
  checkLevel(level);
  if (signal !== undefined) check(abortSignal, signal, "signal");
  // Before an engine is opened.
  auditOf(input);
  priorsOf(priors);
  const lent = using === undefined ? null : engineOf(using);
  const engine = lent ?? (await openEngine({ engine: "wasm", sampler: "nuts", workers: 0 }));
  try {
    return await samplePrevalence(engine, input, { seed, id: 0, level, priors, signal });
  } finally {
    if (lent === null) await engine.dispose();
  }
}
