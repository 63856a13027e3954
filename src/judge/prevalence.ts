import { type Estimate, undefinedEstimate } from "../audit/estimate.js";
import {
  type BayesianModel,
  type BayesianPrevalence,
  type BayesianSampling,
  bayesianModel,
  idlePriors,
  type PrevalencePriors,
  priorsOf,
} from "../audit/prevalence/bayesian.js";
import type { PrevalenceInput } from "../audit/prevalence/input.js";
import type { Engine } from "../engines/engine.js";
import { type CompiledNetwork, compileOnce, type NetworkDefinition, patternIndex } from "../network/index.js";
import { type Summary, stuckChains, summarise } from "../statistics/index.js";
import { warningsOf } from "../warnings.js";
import { heldWorth } from "./rates.js";

export interface PosteriorOptions {
  readonly seed: number;
  /** Which fit of this seed; those of different ids are independent. */
  readonly id: number;
  readonly level: number;
  /** Uniform where left out. */
  readonly priors?: Partial<PrevalencePriors> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SampledPrevalence {
  readonly bayesian: BayesianPrevalence;
  /** Of chains that disagree, of few effective draws. */
  readonly warnings: readonly string[];
}

const sampling = { sampler: "nuts", chains: 4, warmup: 1000, draws: 2000 } as const;

const quantities = [
  { name: "prevalence", expression: "P(Y=1)" },
  { name: "sensitivity", expression: "P(Y_J=1 | Y=1)" },
  { name: "specificity", expression: "P(Y_J=0 | Y=0)" },
  { name: "J", expression: "P(Y_J=1 | Y=1) - P(Y_J=1 | Y=0)" },
] as const;

/** Truth Y and a judge's verdict Y_J of it: three probabilities. */
export function prevalenceNetwork({ priors }: BayesianModel): NetworkDefinition {
  const levels = ["0", "1"];
  const prior = (given: BayesianModel["priors"]["sensitivity"]): [number, number] => {
    if (!("known" in given)) return [given[1], given[0]];
    // A concentration is above 0: one record in a billion is nothing.
    return [1 - given.known, given.known].map((share) => Math.max(1, heldWorth * share)) as [number, number];
  };
  return {
    name: "prevalence",
    variables: [
      { name: "Y", levels, rows: [{ name: "prevalence", prior: prior(priors.prevalence) }] },
      {
        name: "Y_J",
        levels,
        parents: ["Y"],
        rows: [
          { name: "false-positive rate", when: [{ Y: "0" }], prior: prior(priors.falsePositiveRate) },
          { name: "sensitivity", when: [{ Y: "1" }], prior: prior(priors.sensitivity) },
        ],
      },
    ],
    quantities,
  };
}

/** Records a pattern of the network. */
export function prevalenceCounts(network: CompiledNetwork, { both, verdicts }: BayesianModel): Float64Array {
  const counts = new Float64Array(network.patterns.length);
  const patternOf = patternIndex(network);
  const shown = [
    [1, 1, both[0]],
    [1, 0, both[1]],
    [0, 1, both[2]],
    [0, 0, both[3]],
    [-1, 1, verdicts[0]],
    [-1, 0, verdicts[1]],
  ];
  for (const [truth, verdict, n] of shown) counts[patternOf([truth, verdict])] += n;
  return counts;
}

/**
 * The posterior of the prevalence, sensitivity and specificity under uniform or given priors, by the package's own sampler.
 * @param engine that of `openEngine`, with Markov chains; it stays open
 */
export async function samplePrevalence(
  engine: Engine,
  input: PrevalenceInput,
  { seed, id, level, priors: given = {}, signal }: PosteriorOptions,
): Promise<SampledPrevalence> {
  const priors = priorsOf(given);
  const made = bayesianModel(input, priors);
  if ("refused" in made) {
    const { refused } = made;
    const rates = { sensitivity: refused, specificity: refused, j: refused };
    const bayesian = { ...refused, ...rates, pNoBetterThanChance: null, priors, sampling: null };
    return { bayesian, warnings: idlePriors(given, null) };
  }
  const network = compileOnce(prevalenceNetwork(made.model));
  const counts = prevalenceCounts(network, made.model);
  const run = { ...sampling, seed, level, ...(signal && { signal }) };
  const { values, chains, draws, statistics } = await engine.sample(network, counts, id, run);
  const found = quantities.map(({ name }, q) => ({ name, ...summarise(values[q], chains, level) }));
  const maxRhat = extreme(found, ({ rhat }) => [rhat], Math.max);
  const isApart = maxRhat !== null && maxRhat > apart;
  const [prevalence, sensitivity, specificity, j] = found.map(isApart ? () => undecided : estimateOf);
  const below = values[3].reduce((sum, value) => sum + (value <= 0 ? 1 : 0), 0);
  const shape = { counted: null, nObserved: null, nMissing: null };
  const stuck = values.map((own) => stuckChains(own, chains));
  const sampled = warningsOf({
    quantities: found.map((one) => ({ ...one, ...shape })),
    statistics,
    // A rate that is held hardly moves.
    stuck: stuck.slice(0, 1),
    draws: chains * draws,
  });
  const about: BayesianSampling = {
    ...{ engine: engine.name, chains, warmup: run.warmup, draws },
    divergences: (statistics?.divergences ?? []).reduce((sum, n) => sum + n, 0),
    maxRhat,
    minEss: extreme(found, ({ essBulk, essTail }) => [essBulk, essTail], Math.min),
  };
  return {
    bayesian: {
      ...prevalence,
      ...{ sensitivity, specificity, j },
      pNoBetterThanChance: isApart ? null : below / values[3].length,
      priors,
      sampling: about,
    },
    warnings: [...sampled, ...idlePriors(given, made.model), ...thinTails(level, chains * draws)],
  };
}

/** Fewest draws beyond an end that tell where it lies. */
const leastInTail = 10;

function thinTails(level: number, draws: number): string[] {
  const beyond = (draws * (1 - level)) / 2;
  if (beyond >= leastInTail) return [];
  const least = 1 - (2 * leastInTail) / draws;
  return [
    `at level ${level} only ${beyond.toPrecision(2)} of ${draws} draws lie beyond each end of the interval, which is rough; ` +
      `levels up to ${least} have ${leastInTail}`,
  ];
}

/** Chains with a greater R-hat are in different places: their mean is of none of them. */
const apart = 1.1;

const undecided = undefinedEstimate(
  "chains disagree",
  "the posterior has several modes, or is too narrow to sample; audit more records, at random",
);

const estimateOf = ({ mean, sd, lower, upper }: Summary): Estimate => ({
  ...{ value: mean, error: sd, lower, upper },
  interval: "posterior, equal-tailed",
  reason: null,
});

function extreme(
  found: readonly Summary[],
  of: (summary: Summary) => readonly (number | null)[],
  pick: (...values: number[]) => number,
): number | null {
  const known = found.flatMap(of).filter((value) => value !== null);
  return known.length === 0 ? null : pick(...known);
}
