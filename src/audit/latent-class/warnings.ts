import { type Clusters, clusterWarnings, effectiveClusters, sizesOf } from "../cluster.js";
import { counted } from "../counted.js";
import type { HeldAgainstGold } from "./accuracy.js";
import type { EmFit, Smoothing } from "./em.js";
import { type StartReport, sameObjective } from "./fitting.js";
import type { IndependenceCheck } from "./independence.js";
import type { RateErrors } from "./information.js";
import type { DegenerateJudge } from "./judges.js";
import { rowOf, totalMasses } from "./spread.js";
import type { Patterns } from "./votes.js";

/** Expected items of a class below which intervals cover less than they say. */
const fewItems = 20;
/** More than elsewhere: of 30 clusters intervals of rates, whose classes aren't seen, reach 0.91 to 0.96. */
const fewClusters = 40;

/** What errors tell of rates, as a share of what they would tell were the classes known, below which it is the same. */
const leastKnown = 0.25;

interface Found {
  readonly fit: EmFit;
  readonly starts: readonly StartReport[];
  readonly errors: RateErrors;
  /** [class] What errors tell of its rates as a share of what they would tell were the classes known, a mean over judges. */
  readonly known: readonly number[];
  readonly clusters: Clusters | null;
  /** As `degreesOfRows`. */
  readonly degrees: Float64Array | null;
  readonly smoothing: Smoothing;
  readonly independence: IndependenceCheck | null;
  /** Why pairs of judges aren't tested, as `whyNoPairs`. */
  readonly noPairs: string | null;
  readonly gold: HeldAgainstGold | null;
  /** Those that no alarm names. */
  readonly degenerate: readonly DegenerateJudge[];
}

/** What a reader has to know, in sentences. */
export function warningsOf(
  patterns: Patterns,
  { fit, starts, errors, smoothing, known, clusters, degrees, independence, noPairs, gold, degenerate }: Found,
  judgeName: (j: number) => string,
  className: (c: number) => string,
): string[] {
  const { judges, classes, voted, items } = patterns;
  const warnings: string[] = goldWarnings(gold, className);
  if (classes ** judges - 1 < classes - 1 + judges * classes * (classes - 1)) {
    warnings.push(
      `votes of ${counted(judges, "judge")} on ${classes} classes don't identify rates, whatever the number of items: the ` +
        "start decides",
    );
  }
  if (!fit.converged) warnings.push(`EM hasn't converged after ${fit.iterations} iterations`);
  if (voted < items)
    warnings.push(`${items - voted} of ${items} items have no vote: their posterior is the prevalence`);
  warnings.push(
    ...repeatWarnings(patterns),
    ...smoothingWarnings(fit, patterns, errors, smoothing, judgeName, className),
  );
  if (errors.method !== null) warnings.push(...fewOf(fit, known, className));
  if (errors.method !== null && clusters !== null) {
    warnings.push(...clusterWarnings(sizesOf(clusters), "items", fewClusters));
    warnings.push(...rowWarnings(clusters, degrees ?? new Float64Array(0), patterns, judgeName, className));
  }
  const better = Math.max(...starts.map(({ objective }) => objective)) - fit.objective;
  if (better > sameObjective) {
    warnings.push(
      `another start ends ${better.toFixed(3)} higher in log-likelihood (with its prior): the majority vote's maximum isn't the greatest`,
    );
  }
  if (errors.note !== null) warnings.push(errors.note);
  if (noPairs !== null) warnings.push(noPairs);
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

function fewOf({ classCounts }: EmFit, known: readonly number[], className: (c: number) => string): string[] {
  const rough = "intervals of the rates given it are rough";
  const few = Array.from(classCounts).flatMap((n, c) =>
    n < fewItems ? [`${className(c)} (about ${Math.round(n)})`] : [],
  );
  const hidden = known.flatMap((share, c) => (share < leastKnown && classCounts[c] >= fewItems ? [className(c)] : []));
  return [
    ...(few.length > 0 ? [`few items are of class ${few.join(", ")}: ${rough}`] : []),
    ...(hidden.length > 0 ? [`votes hardly tell which items are of class ${hidden.join(", ")}: ${rough}`] : []),
  ];
}

/** Classes, or judges, that a sentence names. */
const mostNamed = 5;

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function goldWarnings(gold: HeldAgainstGold | null, className: (c: number) => string): string[] {
  if (gold === null) return [];
  const { comparison, unknown, renaming } = gold;
  const items = counted(comparison?.items ?? 0, "item");
  const lost = `gold of ${unknown} of ${items} is a label that no judge votes for: labelled wrong, whatever the votes`;
  const warnings = unknown > 0 ? [lost] : [];
  if (renaming === null) return warnings;
  const { names, now, renamed } = renaming;
  const pairs = names.flatMap((name, c) =>
    name === c ? [] : [`what is called ${className(c)} is ${className(name)}`],
  );
  return [
    ...warnings,
    `gold contradicts the names of the classes: of ${items} with gold the fit labels ${now.toFixed(3)} right, and ` +
      `${renamed.toFixed(3)} if ${listed(pairs)}. Most votes are inverted, or votes and gold are coded in different ways: recode ` +
      "the votes, or the gold, and run again; until then rates are of the wrong classes",
  ];
}

/** Votes of a judge on an item that it has voted on. */
function repeatWarnings({ count, classes, starts, codes, weights }: Patterns): string[] {
  let [repeated, items] = [0, 0];
  for (let p = 0; p < count; p++) {
    let own = 0;
    for (let v = starts[p] + 1; v < starts[p + 1]; v++) {
      if (Math.floor(codes[v] / classes) === Math.floor(codes[v - 1] / classes)) own++;
    }
    repeated += weights[p] * own;
    if (own > 0) items += weights[p];
  }
  if (repeated === 0) return [];
  return [
    `${counted(repeated, "vote")}, on ${counted(items, "item")}, by a judge that has voted on the same item before: each ` +
      "counts as a vote of its own. Where a file has rows twice, leave out the second",
  ];
}

/** Rates that the smoothing moves by more than a standard error from the votes' shares. */
function smoothingWarnings(
  fit: EmFit,
  patterns: Patterns,
  errors: RateErrors,
  { confusion }: Smoothing,
  judgeName: (j: number) => string,
  className: (c: number) => string,
): string[] {
  const { judges, classes } = patterns;
  // One pseudo-count a row moves a rate by about a standard error at most.
  if (confusion * classes <= 1 + 1e-9) return [];
  const totals = totalMasses(fit, patterns);
  let [moved, furthest, most] = [0, 0, ""];
  for (let j = 0; j < judges; j++) {
    for (let c = 0; c < classes; c++) {
      const at = (j * classes + c) * classes + c;
      const votes = totals[rowOf(classes, j, c)];
      if (!(votes > 0)) continue;
      const [value, share] = [fit.model.rates[at], Math.min(1, fit.counts[at] / votes)];
      const ownError = Math.sqrt((value * (1 - value)) / (votes + classes * confusion));
      const error = errors.rates[at] > 0 ? errors.rates[at] : ownError;
      const shift = Math.abs(value - share);
      if (shift <= error) continue;
      moved++;
      if (shift <= furthest) continue;
      furthest = shift;
      most = `that of ${judgeName(j)} given ${className(c)} from ${share.toFixed(3)} to ${value.toFixed(3)}`;
    }
  }
  if (moved === 0) return [];
  return [
    `smoothing moves ${moved} of ${judges * classes} rates of the right label by more than a standard error, most of all ${most}: pseudo-counts ` +
      `of ${confusion} a label are ${Number((confusion * classes).toPrecision(3))} votes a judge and class; fewer let the votes speak`,
  ];
}

/** Rows of probabilities that few clusters tell of, though there are many. */
function rowWarnings(
  clusters: Clusters,
  degrees: Float64Array,
  { judges, classes }: Patterns,
  judgeName: (j: number) => string,
  className: (c: number) => string,
): string[] {
  if (clusters.count < 2) return [];
  const untold: string[] = [];
  const rough: string[] = [];
  const some = effectiveClusters(sizesOf(clusters));
  for (let c = 0; c < classes; c++) {
    const own = Array.from({ length: judges }, (_, j) => degrees[rowOf(classes, j, c)]);
    own.forEach((one, j) => {
      if (one === 0) untold.push(`${judgeName(j)} given ${className(c)}`);
    });
    const most = own.reduce((greatest, one) => Math.max(greatest, one), 0) + 1;
    if (some >= fewClusters && most < fewClusters) rough.push(`${className(c)} (in effect ${Math.floor(most)})`);
  }
  const one = `votes of ${listed(untold)} are of one cluster or none: nothing tells the errors of these rates`;
  return [
    ...(untold.length > 0 ? [one] : []),
    ...(rough.length > 0
      ? [`few clusters have items of class ${listed(rough)}: intervals of the rates given it are rough`]
      : []),
  ];
}
