import { show } from "../../values.js";
import { type Clusters, clusterWarnings, sizesOf } from "../cluster.js";
import type { MeanSquares } from "./anova.js";
import type { Components } from "./components.js";
import type { Squares } from "./squares.js";
import type { MissingScores } from "./table.js";

/** Below so many judges nothing is well known of how much judges differ. */
const fewJudges = 5;

interface Warned {
  readonly dropped: readonly string[];
  readonly missingScores: number;
  readonly meanSquares: MeanSquares;
  readonly squares: Squares;
  /** Judges left out since they have no score at all. */
  readonly silent: readonly string[];
  /** Whether all scores are one of two values. */
  readonly isBinary: boolean;
  /** Clusters of the queries. */
  readonly own: Clusters | null;
}

/** What a reader has to know, in sentences. */
export function warningsOf(
  { dropped, missingScores, meanSquares, squares, silent, isBinary, own }: Warned,
  components: Components,
  missing: MissingScores,
): string[] {
  const warnings: string[] = [];
  if (silent.length > 0) {
    const names = silent.map(show).join(", ");
    warnings.push(`${silent.length === 1 ? "judge" : "judges"} ${names} left out: no score at all`);
  }
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
  const { query, judge, error } = squares;
  if (query === 0 && judge === 0 && error === 0) {
    warnings.push(
      "all scores are equal: a standard error of 0 follows from that and proves nothing, and there are no intervals",
    );
    return warnings;
  }
  for (const [name, plural] of [
    ["query", "queries"],
    ["judge", "judges"],
  ] as const) {
    const { raw, isNegative } = components[name];
    if (isNegative) {
      warnings.push(`the variance of ${plural} came out negative (${raw.toPrecision(4)}) and counts as 0`);
    }
  }
  const isTold = own === null || own.count >= 2;
  if (isTold) warnings.push(...coincidences(squares));
  const judges = meanSquares.degrees.judge + 1;
  if (judges < fewJudges) {
    const see = components.judge.lower === null ? "" : ": see the interval of their variance";
    warnings.push(`${judges} judges tell little of how much judges differ${see}`);
  }
  if (isBinary && judges < fewJudges && components.judge.lower !== null) {
    warnings.push(
      "scores of two values vary less or more by judge, which intervals of variances and ICCs of few judges leave out: " +
        "they cover less than they say where judges differ much",
    );
  }
  const ofClusters = clusterWarnings(own === null ? null : sizesOf(own), "queries");
  return [...warnings, ...ofClusters.map((said) => (isTold ? said : `${said}, and nothing could be tested`))];
}

/** Why what comes out as 0 to the last digit has no interval: with other queries or judges it wouldn't. */
function coincidences({ query, judge, error }: Squares): string[] {
  const warnings: string[] = [];
  if (judge === 0) {
    warnings.push(
      "all judges have the same mean score: nothing tells how much judges differ, so that their variance, the floors, the " +
        "ICCs and a plan have no intervals; that of the mean takes judges for alike",
    );
  }
  if (query === 0) {
    warnings.push(
      "all queries have the same mean score: nothing tells how much queries differ, so that their variance, the ICCs and a " +
        "plan have no intervals",
    );
  }
  if (error === 0) {
    warnings.push(
      "the scores are those of query and judge added, without error: its variance has no interval, and the others take it for 0",
    );
  }
  return warnings;
}
