import { usageError } from "../../errors.js";
import { isObject, show } from "../../values.js";
import { checkNames } from "../arguments.js";
import { type Estimate, undefinedEstimate } from "../estimate.js";
import { type Audit, auditOf, type PrevalenceInput, type Rate } from "./input.js";

/** Concentrations of a Beta prior: of yes or true, and of no or false. */
export type BetaPrior = readonly [number, number];

/** Of what truth is like, and the judge given it; uniform ones, [1, 1], where they are left out. */
export interface PrevalencePriors {
  readonly prevalence: BetaPrior;
  readonly sensitivity: BetaPrior;
  readonly falsePositiveRate: BetaPrior;
}

export const uniformPriors: PrevalencePriors = {
  prevalence: [1, 1],
  sensitivity: [1, 1],
  falsePositiveRate: [1, 1],
};

const mostPrior = 1e12;

/** All three, uniform where left out. @throws RatError (usage) for what are no priors */
export function priorsOf(given: Partial<PrevalencePriors> = {}): PrevalencePriors {
  if (!isObject(given)) throw usageError(`priors must be an object, not ${show(given)}`);
  checkNames(given, Object.keys(uniformPriors), "priors");
  const isRight = (n: unknown): boolean => typeof n === "number" && n > 0 && n < mostPrior;
  for (const [name, prior] of Object.entries(given)) {
    if (prior === undefined || (Array.isArray(prior) && prior.length === 2 && prior.every(isRight))) continue;
    throw usageError(`priors.${name} must be two positive numbers, as in [2, 5], not ${show(prior)}`);
  }
  const { prevalence, sensitivity, falsePositiveRate } = given as Partial<PrevalencePriors>;
  return {
    prevalence: prevalence ?? uniformPriors.prevalence,
    sensitivity: sensitivity ?? uniformPriors.sensitivity,
    falsePositiveRate: falsePositiveRate ?? uniformPriors.falsePositiveRate,
  };
}

/** What is said of priors that are given and have no say. @param model null: there is no posterior */
export function idlePriors(given: Partial<PrevalencePriors>, model: BayesianModel | null): string[] {
  const names = Object.keys(uniformPriors) as (keyof PrevalencePriors)[];
  const idle = names.filter((name) => given[name] !== undefined && (model === null || "known" in model.priors[name]));
  const why = model === null ? "there is no Bayesian estimate" : "the rate is taken for known";
  return idle.map((name) => `the prior of the ${priorWords[name]} has no say: ${why}`);
}

const priorWords = {
  prevalence: "prevalence",
  sensitivity: "sensitivity",
  falsePositiveRate: "false-positive rate",
} as const;

/** What the network of truth and verdict is fitted to. */
export interface BayesianModel {
  /** With what an audit that is no random sample tells of the judge; null: taken for known. */
  readonly priors: {
    readonly prevalence: BetaPrior;
    readonly sensitivity: BetaPrior | { readonly known: number };
    readonly falsePositiveRate: BetaPrior | { readonly known: number };
  };
  /** Records with truth and verdict: [true and yes, true and no, false and yes, false and no]. */
  readonly both: readonly [number, number, number, number];
  /** Records with a verdict alone: [yes, no]. */
  readonly verdicts: readonly [number, number];
}

/** Posterior mean of the prevalence, its standard deviation and equal-tailed interval, and what else is learnt. */
export interface BayesianPrevalence extends Estimate {
  readonly sensitivity: Estimate;
  readonly specificity: Estimate;
  readonly j: Estimate;
  /** Probability that the judge is no better than chance: J <= 0. */
  readonly pNoBetterThanChance: number | null;
  /** The user's, or uniform. */
  readonly priors: PrevalencePriors;
  /** null where there is no posterior. */
  readonly sampling: BayesianSampling | null;
}

export interface BayesianSampling {
  readonly engine: string;
  readonly chains: number;
  /** A chain. */
  readonly warmup: number;
  readonly draws: number;
  readonly divergences: number;
  /** Of the four quantities, the worst. */
  readonly maxRhat: number | null;
  readonly minEss: number | null;
}

/**
 * What to fit. Truth has the prevalence as its probability, a verdict the sensitivity or the false-positive rate. Of a
 * random audit all records are data. Of another one the audited records are as many of each kind as somebody chose: what
 * they say of the judge goes into the priors of its rates, and their share of true ones nowhere.
 *
 * @returns an undefined estimate where the model has nothing to tell
 */
export function bayesianModel(
  input: PrevalenceInput,
  priors: PrevalencePriors,
): { readonly model: BayesianModel } | { readonly refused: Estimate } {
  const audit = auditOf(input);
  const refused = refusalOf(audit);
  if (refused !== null) return { refused };
  if (audit.random !== null) {
    const { audit: seen, judged } = audit.random;
    const both = [seen.truePositives, seen.falseNegatives, seen.falsePositives, seen.trueNegatives] as const;
    return { model: { priors, both, verdicts: [judged.positives, judged.negatives] } };
  }
  const { observed, sensitivity, specificity } = audit as Audit & { sensitivity: Rate; specificity: Rate };
  const falsePositiveRate = { value: 1 - specificity.value, n: specificity.n };
  const n = observed.n as number;
  const yes = Math.round(observed.value * n);
  return {
    model: {
      priors: {
        prevalence: priors.prevalence,
        sensitivity: informed(priors.sensitivity, sensitivity),
        falsePositiveRate: informed(priors.falsePositiveRate, falsePositiveRate),
      },
      both: [0, 0, 0, 0],
      verdicts: [yes, n - yes],
    },
  };
}

const informed = ([a, b]: BetaPrior, { value, n }: Rate): BetaPrior | { readonly known: number } =>
  n === null ? { known: value } : [a + n * value, b + n * (1 - value)];

function refusalOf(audit: Audit): Estimate | null {
  const { observed, sensitivity, specificity, counts, random } = audit;
  if (counts?.clusters !== undefined) {
    return undefinedEstimate(
      "clusters",
      "the Bayesian model takes records for independent; of clusters its interval would be too narrow",
    );
  }
  if (observed.n === null) return undefinedEstimate("no n", "how many records were judged isn't given");
  if (random !== null || (sensitivity !== null && specificity !== null)) return null;
  if (sensitivity === null && specificity === null) {
    return undefinedEstimate(
      "nothing audited",
      "verdicts alone fit a judge and its mirror image, truth turned over, as well",
    );
  }
  const kind = sensitivity === null ? "true" : "false";
  return undefinedEstimate(`no ${kind} record audited`, `how the judge errs on ${kind} records is its prior alone`);
}

/** Probability that the judge is no better than chance from which on a posterior leans on its priors. */
const doubtful = 0.025;

/** What to know before the posterior is believed, in words. */
export function bayesianCautions(
  { pNoBetterThanChance: p }: BayesianPrevalence,
  sample: "random" | "separate",
): string[] {
  // A judge that is surely worse than chance tells as much as its opposite.
  if (sample === "random" || p === null || p < doubtful || p > 1 - doubtful) return [];
  return [
    `the judge is no better than chance with probability ${p.toFixed(3)}: the Bayesian posterior of the prevalence then has ` +
      "two modes, truth and its mirror image, and says little more than its prior",
  ];
}
