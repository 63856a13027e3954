import type { Alarm } from "./alarm.js";
import { type Clusters, checkClusters, clustersAt } from "./cluster.js";
import type { Estimate } from "./estimate.js";
import { compareWithGold, type GoldComparison } from "./latent-class/accuracy.js";
import { judgeAlarms } from "./latent-class/alarms.js";
import { bootstrapErrors } from "./latent-class/bootstrap.js";
import { whyNoPairs } from "./latent-class/dependence.js";
import { Em, type EmFit, type Smoothing } from "./latent-class/em.js";
import { fitFromStarts, type StartReport } from "./latent-class/fitting.js";
import { checkIndependence, type IndependenceCheck } from "./latent-class/independence.js";
import { informationErrors, noErrors, type RateErrors } from "./latent-class/information.js";
import {
  type Confidence,
  type DegenerateJudge,
  degenerateJudges,
  type JudgeRates,
  judgeRates,
  knownShares,
  nameOf,
  prevalenceEstimates,
} from "./latent-class/judges.js";
import { type LatentClassOptions, lightly, type Settings, withDefaults } from "./latent-class/settings.js";
import { degreesOfRows } from "./latent-class/spread.js";
import { voteShares } from "./latent-class/starts.js";
import { checkVotes, type Patterns, patternsOf, type Votes } from "./latent-class/votes.js";
import { warningsOf } from "./latent-class/warnings.js";

/*
 * What judges are worth, and what is true of items, from votes alone: each item has a class that nobody sees, and judges vote
 * independently given it (Dawid and Skene 1979).
 */

export type { StartReport } from "./latent-class/fitting.js";
export type { LatentClassOptions } from "./latent-class/settings.js";

export interface LatentClassReport {
  readonly items: number;
  readonly judgeCount: number;
  readonly votes: number;
  /** Clusters of the items with votes; null where items are independent. */
  readonly clusters: number | null;
  readonly classes: readonly { readonly name: string; readonly prevalence: Estimate }[];
  readonly judges: readonly JudgeRates[];
  readonly errorMethod: RateErrors["method"];
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
  readonly alarms: readonly Alarm[];
  /** null without gold. */
  readonly gold: GoldComparison | null;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

const notes = [
  "classes are named after the majority vote: a panel most of whose votes are inverted fits as well as its mirror image, and " +
    "no votes can tell them apart; some items with gold can",
  "judges are taken for independent given the class: errors that they share (a hard item, a common model) look like truth, and " +
    "make judges look better than they are; the check sees some pairs of them, never errors that all share alike",
  "EM finds a local maximum; other starts show whether there are others",
];

/** @throws RatError (data, usage) for votes, gold, clusters or options that can't be */
export function auditLatentClasses(votes: Votes, options: LatentClassOptions = {}): LatentClassReport {
  checkVotes(votes);
  const settings = withDefaults(options, votes.classes);
  const { smoothing, gold, level } = settings;
  const patterns = patternsOf(votes);
  const clusters = clustersOfVoted(settings.clusters, patterns);
  const shares = voteShares(patterns);
  const { fit, starts } = fitFromStarts(patterns, shares, settings);
  const errors = errorsOf(patterns, shares, fit, clusters, settings);
  const confidence: Confidence = {
    errors,
    smoothing,
    level,
    degrees: clusters === null ? null : degreesOfRows(fit.posterior, patterns, clusters),
  };
  const check = checkOf(patterns, fit, clusters, settings);
  const independence = typeof check === "string" ? null : check;
  const judges = judgeRates(fit, patterns, votes, confidence);
  const prevalence = prevalenceEstimates(fit, patterns, confidence);
  const judgeName = (j: number): string => nameOf(votes.judgeNames, j);
  const className = (c: number): string => nameOf(votes.classNames, c);
  const raised = judgeAlarms(votes, patterns, fit, settings, clusters, judgeName, className);
  const degenerate = [...degenerateJudges(judges, votes), ...identicalJudges(independence, judgeName)];
  const accused = new Set(raised.flatMap((one) => one.judges.map(judgeName)));
  const noPairs = settings.checkReplicates > 0 ? whyNoPairs(patterns, clusters !== null) : null;
  const labels = { posterior: fit.posterior, shares };
  const held = gold === null ? null : compareWithGold(gold, patterns, labels, level, settings.clusters);
  const unsaid = degenerate.filter(({ judge, kind }) => !(accused.has(judge) && saidByAlarms.has(kind)));
  return {
    items: votes.items,
    judgeCount: votes.judges,
    votes: votes.item.length,
    clusters: clusters?.count ?? null,
    classes: prevalence.map((estimate, c) => ({ name: className(c), prevalence: estimate })),
    judges,
    errorMethod: errors.method,
    posterior: posteriorOf(fit, patterns),
    logLikelihood: fit.logLikelihood,
    iterations: fit.iterations,
    converged: fit.converged,
    smoothing,
    starts,
    independence,
    independenceNote: typeof check === "string" ? check : null,
    degenerate,
    alarms: raised.map(({ alarm }) => alarm),
    gold: held?.comparison ?? null,
    warnings: warningsOf(
      patterns,
      {
        ...{ fit, starts, errors, independence, clusters },
        ...{ known: knownShares(fit, patterns, confidence), degrees: confidence.degrees, degenerate: unsaid },
        ...{ smoothing, gold: held, noPairs },
      },
      judgeName,
      className,
    ),
    notes,
  };
}

/** What a warning needn't repeat where an alarm says it. */
const saidByAlarms: ReadonlySet<DegenerateJudge["kind"]> = new Set(["one label", "identical"]);

/** Clusters of the items with votes, for others have nothing to say: they get -1. */
function clustersOfVoted(given: Clusters | null, { items, patternOf, starts }: Patterns): Clusters | null {
  if (given === null) return null;
  checkClusters(given, items, "items");
  const voted = Array.from({ length: items }, (_, i) => i).filter(
    (i) => starts[patternOf[i]] < starts[patternOf[i] + 1],
  );
  const { of, count } = clustersAt(given, voted);
  const all = new Int32Array(items).fill(-1);
  voted.forEach((item, k) => {
    all[item] = of[k];
  });
  return { of: all, count };
}

function errorsOf(
  patterns: Patterns,
  shares: Float64Array,
  fit: EmFit,
  clusters: Clusters | null,
  settings: Settings,
): RateErrors {
  const { errors, smoothing, iterations, replicates, seed } = settings;
  if (errors === "none") return noErrors(patterns, "no standard errors, as asked");
  if (errors === "information") return informationErrors(fit, patterns, smoothing, clusters);
  const effort = { tolerance: 1e-6, iterations: Math.min(iterations, 500) };
  return bootstrapErrors(patterns, shares, fit.model, smoothing, effort, replicates, seed, clusters);
}

function checkOf(
  patterns: Patterns,
  fit: EmFit,
  clusters: Clusters | null,
  { smoothing, tolerance, iterations, checkReplicates, seed }: Settings,
): IndependenceCheck | string {
  if (checkReplicates === 0) return "not asked for";
  if (clusters !== null) {
    return (
      "independence of the judges isn't checked, nor are pairs that share errors looked for: these tests take items for " +
      "independent, and those of a cluster aren't"
    );
  }
  const light = lightly(smoothing, patterns.classes);
  const own =
    light.confusion === smoothing.confusion && light.prevalence === smoothing.prevalence
      ? fit
      : new Em(patterns, light).fromModel(fit.model, { tolerance, iterations });
  return checkIndependence(patterns, own.model, light, checkReplicates, seed);
}

/** [item][class] */
function posteriorOf({ posterior }: EmFit, { items, classes, patternOf }: Patterns): Float64Array {
  const out = new Float64Array(items * classes);
  for (let i = 0; i < items; i++) {
    const first = patternOf[i] * classes;
    for (let c = 0; c < classes; c++) out[i * classes + c] = posterior[first + c];
  }
  return out;
}

const identicalJudges = (check: IndependenceCheck | null, judgeName: (j: number) => string): DegenerateJudge[] =>
  (check?.identical ?? []).map(({ first, second, items }) => ({
    judge: judgeName(second),
    kind: "identical",
    detail: `votes as ${judgeName(first)} does on all ${items} items that both saw: a copy, or both all but perfect`,
  }));
