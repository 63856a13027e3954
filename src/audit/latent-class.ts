import { usageError } from "../errors.js";
import { STREAM_LATENT } from "../generated/layout.js";
import { Stream } from "../random/stream.js";
import { show } from "../values.js";
import { compareWithGold, type GoldComparison } from "./latent-class/accuracy.js";
import { bootstrapErrors, chains } from "./latent-class/bootstrap.js";
import { type Effort, Em, type EmFit, type Smoothing } from "./latent-class/em.js";
import { checkIndependence, type IndependenceCheck } from "./latent-class/independence.js";
import { type Errors, informationErrors, noErrors } from "./latent-class/information.js";
import { type DegenerateJudge, degenerateJudges, type JudgeRates, judgeRates, nameOf } from "./latent-class/judges.js";
import { anchored, randomModel, voteShares } from "./latent-class/starts.js";
import { checkVotes, type Patterns, patternsOf, type Votes } from "./latent-class/votes.js";

/*
 * What judges are worth, and what is true of items, from votes alone: each item has a class that nobody sees, and judges vote
 * independently given it (Dawid and Skene 1979).
 */

export interface LatentClassOptions {
  /** Pseudo-counts a confusion cell (0.5: no rate is 0 or 1) and a class (0). */
  readonly smoothing?: Partial<Smoothing>;
  /** EM ends when no parameter moves by more; 1e-10. */
  readonly tolerance?: number;
  /** Of EM, at most; 5,000. */
  readonly iterations?: number;
  /** Random starts beside that from the majority vote; 4. */
  readonly randomStarts?: number;
  /** "majority": the fit that the majority vote leads to, the same for every seed; "best": of the greatest likelihood. */
  readonly choose?: "majority" | "best";
  readonly errors?: "information" | "bootstrap" | "none";
  /** Of the bootstrap; 200. */
  readonly replicates?: number;
  /** Data sets that the check of independence draws; 99. 0: no check. */
  readonly checkReplicates?: number;
  readonly seed?: number;
  /** Of intervals; 0.95. */
  readonly level?: number;
  /** [items] class where it is known, else -1: never used by the fit. */
  readonly gold?: ArrayLike<number> | null;
}

export interface StartReport {
  readonly start: "majority vote" | "random";
  readonly logLikelihood: number;
  /** The log-likelihood with the smoothing's prior: what EM raises. */
  readonly objective: number;
  readonly iterations: number;
  /** Random starts end early where votes are many: one that hasn't converged may have had further to rise. */
  readonly converged: boolean;
}

export interface LatentClassReport {
  readonly items: number;
  readonly judgeCount: number;
  readonly votes: number;
  readonly classes: readonly { readonly name: string; readonly prevalence: number; readonly error: number | null }[];
  readonly judges: readonly JudgeRates[];
  readonly errorMethod: Errors["method"];
  /** [item][class]; an item without votes has the prevalence. */
  readonly posterior: Float64Array;
  readonly logLikelihood: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly smoothing: Smoothing;
  readonly starts: readonly StartReport[];
  readonly independence: IndependenceCheck | null;
  /** Why there is no check. */
  readonly independenceNote: string | null;
  readonly degenerate: readonly DegenerateJudge[];
  /** null without gold. */
  readonly gold: GoldComparison | null;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

type Settings = Required<Omit<LatentClassOptions, "smoothing">> & { readonly smoothing: Smoothing };

const notes = [
  "classes are named after the majority vote: a panel most of whose votes are inverted fits as well as its mirror image, and " +
    "no votes can tell them apart; some items with gold can",
  "judges are taken for independent given the class: errors that they share (a hard item, a common model) look like truth, and " +
    "make judges look better than they are; the check sees some pairs of them, never errors that all share alike",
  "EM finds a local maximum; other starts show whether there are others",
];

/** Votes that EM from one random start goes through, iteration by iteration. */
const mostVisits = 5e7;
/** Starts within this of each other's objective found the same maximum. */
const sameObjective = 1e-3;

/** @throws RatError (data, usage) for votes, gold or options that can't be */
export function auditLatentClasses(votes: Votes, options: LatentClassOptions = {}): LatentClassReport {
  checkVotes(votes);
  const settings = withDefaults(options);
  const { smoothing, seed, gold } = settings;
  const patterns = patternsOf(votes);
  const { classes, patternOf } = patterns;
  const shares = voteShares(patterns);
  const { fit, starts } = fitFromStarts(patterns, shares, settings);
  const errors = errorsOf(patterns, shares, fit, settings);
  const check =
    settings.checkReplicates === 0
      ? "not asked for"
      : checkIndependence(patterns, fit.model, smoothing, settings.checkReplicates, seed);
  const independence = typeof check === "string" ? null : check;
  const judges = judgeRates(fit.model, errors, patterns, votes);
  const posterior = new Float64Array(votes.items * classes);
  for (let i = 0; i < votes.items; i++) {
    const first = patternOf[i] * classes;
    for (let c = 0; c < classes; c++) posterior[i * classes + c] = fit.posterior[first + c];
  }
  const at = (item: number): number => patternOf[item] * classes;
  const judgeName = (j: number): string => nameOf(votes.judgeNames, j);
  const identical = (independence?.identical ?? []).map(
    ({ first, second, items }): DegenerateJudge => ({
      judge: judgeName(second),
      kind: "identical",
      detail: `votes as ${judgeName(first)} does on all ${items} items that both saw: a copy, or both all but perfect`,
    }),
  );
  const degenerate = [...degenerateJudges(judges, votes), ...identical];
  return {
    items: votes.items,
    judgeCount: votes.judges,
    votes: votes.item.length,
    classes: Array.from(fit.model.prevalence, (prevalence, c) => {
      const error = errors.prevalence[c];
      return { name: nameOf(votes.classNames, c), prevalence, error: Number.isFinite(error) ? error : null };
    }),
    judges,
    errorMethod: errors.method,
    posterior,
    logLikelihood: fit.logLikelihood,
    iterations: fit.iterations,
    converged: fit.converged,
    smoothing,
    starts,
    independence,
    independenceNote: typeof check === "string" ? check : null,
    degenerate,
    gold: gold === null ? null : compareWithGold(gold, votes.items, classes, at, fit.posterior, shares, settings.level),
    warnings: warningsOf(patterns, fit, starts, errors, independence, degenerate, judgeName),
    notes,
  };
}

/** EM from the majority vote, and from models at random, each anchored. */
function fitFromStarts(patterns: Patterns, shares: Float64Array, settings: Settings) {
  const { smoothing, tolerance, iterations, randomStarts, choose, seed } = settings;
  const em = new Em(patterns, smoothing);
  const full: Effort = { tolerance, iterations };
  const limit = Math.max(30, Math.min(500, Math.floor(mostVisits / patterns.codes.length)));
  const rough: Effort = { tolerance: Math.max(tolerance, 1e-6), iterations: Math.min(iterations, limit) };
  const majority = anchored(em.fromPosterior(shares, full), patterns, shares);
  let best = majority;
  const report = (start: StartReport["start"], found: EmFit): StartReport => {
    const { logLikelihood, objective, iterations: done, converged } = found;
    return { start, logLikelihood, objective, iterations: done, converged };
  };
  const starts = [report("majority vote", majority)];
  for (let s = 0; s < randomStarts; s++) {
    const start = randomModel(patterns, new Stream(seed, s, STREAM_LATENT, chains.starts));
    const found = anchored(em.fromModel(start, rough), patterns, shares);
    starts.push(report("random", found));
    if (found.objective > best.objective + sameObjective) best = found;
  }
  const fit = choose === "majority" || best === majority ? majority : em.fromModel(best.model, full);
  return { fit, starts };
}

function errorsOf(patterns: Patterns, shares: Float64Array, fit: EmFit, settings: Settings): Errors {
  const { errors, smoothing, iterations, replicates, seed } = settings;
  if (errors === "none") return noErrors(patterns, null);
  if (errors === "information") return informationErrors(fit, patterns, smoothing);
  const effort = { tolerance: 1e-6, iterations: Math.min(iterations, 500) };
  return bootstrapErrors(patterns, shares, fit.model, smoothing, effort, replicates, seed);
}

function warningsOf(
  { judges, classes, voted, items }: Patterns,
  fit: EmFit,
  starts: readonly StartReport[],
  errors: Errors,
  independence: IndependenceCheck | null,
  degenerate: readonly DegenerateJudge[],
  judgeName: (j: number) => string,
): string[] {
  const warnings: string[] = [];
  if (classes ** judges - 1 < classes - 1 + judges * classes * (classes - 1)) {
    warnings.push(
      `${judges} judges of ${classes} classes don't identify their rates, whatever the number of items: the start decides`,
    );
  }
  if (!fit.converged) warnings.push(`EM hasn't converged after ${fit.iterations} iterations`);
  if (voted < items)
    warnings.push(`${items - voted} of ${items} items have no vote: their posterior is the prevalence`);
  const better = Math.max(...starts.map(({ objective }) => objective)) - fit.objective;
  if (better > sameObjective) {
    warnings.push(
      `another start ends ${better.toFixed(3)} higher in log-likelihood (with its prior): the majority vote's maximum isn't the greatest`,
    );
  }
  if (errors.note !== null) warnings.push(errors.note);
  if (independence?.fails) {
    const { p, falseAlarm, worst } = independence;
    const [{ first, second, residualCorrelation }] = worst;
    warnings.push(
      `judges aren't independent given the class (p ${p.toFixed(2)}; independent ones fail ${falseAlarm.toFixed(2)} of the ` +
        `time): rates and posteriors are too sure. Furthest off are ${judgeName(first)} and ${judgeName(second)}, residual ` +
        `correlation ${residualCorrelation.toFixed(3)}, but those who share errors may be others, whom the fit takes for the truth`,
    );
  }
  const named = degenerate.slice(0, 20).map(({ judge, kind, detail }) => `${judge}: ${kind}, ${detail}`);
  const more = degenerate.length - named.length;
  return [...warnings, ...named, ...(more > 0 ? [`${more} more such judges`] : [])];
}

function withDefaults(options: LatentClassOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings: Settings = {
    tolerance: 1e-10,
    iterations: 5000,
    randomStarts: 4,
    choose: "majority",
    errors: "information",
    replicates: 200,
    checkReplicates: 99,
    seed: 1,
    level: 0.95,
    gold: null,
    ...given,
    smoothing: { confusion: 0.5, prevalence: 0, ...options.smoothing },
  };
  const need = (fine: boolean, name: string, expected: string, value: unknown): void => {
    if (!fine) throw usageError(`${name} must be ${expected}, not ${show(value)}`);
  };
  const { smoothing, tolerance, level, seed } = settings;
  need(
    smoothing.confusion >= 0 && smoothing.confusion < Infinity,
    "smoothing.confusion",
    "a number from 0",
    smoothing.confusion,
  );
  need(
    smoothing.prevalence >= 0 && smoothing.prevalence < Infinity,
    "smoothing.prevalence",
    "a number from 0",
    smoothing.prevalence,
  );
  need(tolerance > 0 && tolerance < 1, "tolerance", "between 0 and 1", tolerance);
  need(level > 0 && level < 1, "level", "between 0 and 1", level);
  need(Number.isSafeInteger(seed) && seed >= 0, "seed", "a whole number from 0", seed);
  for (const [name, least] of [
    ["iterations", 1],
    ["randomStarts", 0],
    ["replicates", 2],
    ["checkReplicates", 0],
  ] as const) {
    need(
      Number.isSafeInteger(settings[name]) && settings[name] >= least,
      name,
      `a whole number from ${least}`,
      settings[name],
    );
  }
  return settings;
}
