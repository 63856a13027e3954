import { type Clusters, clusterWarnings } from "../cluster.js";
import type { MeanSquares } from "./anova.js";
import type { Components } from "./components.js";
import type { MissingScores } from "./table.js";

/** Below so many judges nothing is well known of how much judges differ. */
const fewJudges = 5;

interface Warned {
  readonly dropped: readonly string[];
  readonly missingScores: number;
  readonly meanSquares: MeanSquares;
  /** Whether all scores are one of two values. */
  readonly isBinary: boolean;
  /** Clusters of the queries. */
  readonly own: Clusters | null;
}

/** What a reader has to know, in sentences. */
export function warningsOf(
  { dropped, missingScores, meanSquares, isBinary, own }: Warned,
  components: Components,
  missing: MissingScores,
): string[] {
  const warnings: string[] = [];
  if (missing === "use" && missingScores > 0) {
    warnings.push(
      `${missingScores} ${missingScores === 1 ? "score is" : "scores are"} missing: the others speak for them if ` +
        "what is missing has nothing to do with how good an answer was; intervals are approximate",
    );
  } else if (dropped.length > 0) {
    warnings.push(
      `${dropped.length} ${dropped.length === 1 ? "query" : "queries"} dropped (missing score): if hard queries miss ` +
        "scores more often, the others don't speak for them",
    );
  }
  const { query, judge, error, degrees } = meanSquares;
  if (query === 0 && judge === 0 && error === 0) {
    warnings.push("all scores are equal: a standard error of 0 follows from that and proves nothing");
    return warnings;
  }
  for (const name of ["query", "judge"] as const) {
    if (components[name].isNegative) {
      warnings.push(
        `the variance of ${name} came out negative (${components[name].raw.toPrecision(4)}) and counts as 0`,
      );
    }
  }
  const judges = degrees.judge + 1;
  if (judges < fewJudges) {
    warnings.push(`${judges} judges tell little of how much judges differ: see the interval of their variance`);
  }
  if (isBinary && judges < fewJudges) {
    warnings.push(
      "scores of two values vary less or more by judge, which intervals of variances and ICCs of few judges leave out: " +
        "they cover less than they say where judges differ much",
    );
  }
  return [...warnings, ...clusterWarnings(own?.count ?? null, "queries")];
}
