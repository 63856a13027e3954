import { clusterWarnings } from "../cluster.js";
import type { EmFit } from "./em.js";
import { type StartReport, sameObjective } from "./fitting.js";
import type { IndependenceCheck } from "./independence.js";
import type { Errors } from "./information.js";
import type { DegenerateJudge } from "./judges.js";
import type { Patterns } from "./votes.js";

/** Expected items of a class below which intervals cover less than they say. */
const fewItems = 20;
/** More than elsewhere: of 30 clusters intervals of rates, whose classes aren't seen, reach 0.92 to 0.95. */
const fewClusters = 30;

/** What errors tell of rates, as a share of what they would tell were the classes known, below which it is the same. */
const leastKnown = 0.25;

interface Found {
  readonly fit: EmFit;
  readonly starts: readonly StartReport[];
  readonly errors: Errors;
  /** [class] What errors tell of its rates as a share of what they would tell were the classes known, a mean over judges. */
  readonly known: readonly number[];
  readonly clusters: number | null;
  readonly independence: IndependenceCheck | null;
  /** Those that no alarm names. */
  readonly degenerate: readonly DegenerateJudge[];
}

/** What a reader has to know, in sentences. */
export function warningsOf(
  { judges, classes, voted, items }: Patterns,
  { fit, starts, errors, known, clusters, independence, degenerate }: Found,
  judgeName: (j: number) => string,
  className: (c: number) => string,
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
  if (errors.method !== null) warnings.push(...fewOf(fit, known, clusters, className));
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

function fewOf(
  { classCounts }: EmFit,
  known: readonly number[],
  clusters: number | null,
  className: (c: number) => string,
): string[] {
  const rough = "intervals of the rates given it are rough";
  const few = Array.from(classCounts).flatMap((n, c) =>
    n < fewItems ? [`${className(c)} (about ${Math.round(n)})`] : [],
  );
  const hidden = known.flatMap((share, c) => (share < leastKnown && classCounts[c] >= fewItems ? [className(c)] : []));
  return [
    ...(few.length > 0 ? [`few items are of class ${few.join(", ")}: ${rough}`] : []),
    ...(hidden.length > 0 ? [`votes hardly tell which items are of class ${hidden.join(", ")}: ${rough}`] : []),
    ...clusterWarnings(clusters, "items", fewClusters),
  ];
}
