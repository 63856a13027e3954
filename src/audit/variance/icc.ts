import { quantileOfF } from "../distributions.js";
import { type Estimate, undefinedEstimate } from "../estimate.js";
import { tableLimits } from "./limits.js";
import type { Squares } from "./squares.js";

/** An intraclass correlation: reliability of one judge's score, or of the mean of a panel's. */
export interface Reliability extends Estimate {
  /** The correlation as computed, which may be negative; `value` and the ends aren't below 0. */
  readonly raw: number | null;
  /** McGraw and Wong's F interval as computed, for comparison with other programs; null where there is none. */
  readonly rawByF: { readonly lower: number | null; readonly upper: number | null } | null;
  readonly isNegative: boolean;
}

export interface Reliabilities {
  /** ICC(2,1): one judge, any of those that might have been asked. */
  readonly single: Reliability;
  /** ICC(2,k): the mean of as many judges as there were. */
  readonly panel: Reliability;
}

const method = "modified large-sample (Ting et al. 1990)";

/**
 * ICC(2,1) = v_query / (v_query + v_judge + v_error) and ICC(2,k) = v_query / (v_query + (v_judge + v_error) / J), of raw
 * components; of a full table (Shrout and Fleiss 1979, Psychological Bulletin 86, 420-428, p. 423)
 * (MS_query - MS_error) / (MS_query + (J - 1) MS_error + J (MS_judge - MS_error) / Q) and
 * (MS_query - MS_error) / (MS_query + (MS_judge - MS_error) / Q).
 */
export function reliabilities(squares: Squares, level: number): Reliabilities {
  const { query, judge, noise, error, perQuery, perJudge, judges } = squares;
  if (query === 0 && judge === 0 && error === 0) {
    const none = noReliability(
      "no variance in the scores",
      "all of them are equal, which shows nothing about the judges",
    );
    return { single: none, panel: none };
  }
  const ofJudges = (judge - noise) / perJudge;
  const total = query + (perQuery - 1) * error + perQuery * ofJudges;
  const ofMeans = query - error + (perQuery * (ofJudges + error)) / judges;
  const raw = { single: (query - error) / total, panel: (query - error) / ofMeans };
  // A mean square of 0 is coincidence, and tells no end.
  const isTold = total > 0 && query > 0 && judge > 0;
  const ends = isTold ? interval(squares, level) : null;
  const byF = isTold ? intervalByF(squares, raw.single, level) : null;
  return {
    single:
      total > 0
        ? reliability(raw.single, ends, byF)
        : noReliability("no variance of means", "two queries and two judges only contradict each other"),
    panel:
      ofMeans > 0
        ? reliability(raw.panel, mapEnds(ends, judges), mapEnds(byF, judges))
        : noReliability("no variance of means", "the queries' means vary less than error alone would have them"),
  };
}

type Ends<T> = { readonly lower: T; readonly upper: T } | null;

const mapEnds = (ends: Ends<number>, judges: number): Ends<number | null> =>
  ends === null ? null : { lower: stepUp(ends.lower, judges), upper: stepUp(ends.upper, judges) };

const reliability = (raw: number, ends: Ends<number | null>, byF: Ends<number | null>): Reliability => ({
  ...{ raw, value: Math.max(0, raw), isNegative: raw < 0, error: null },
  ...(ends ?? { lower: null, upper: null }),
  ...{ rawByF: byF, interval: ends === null ? null : method, reason: null },
});

const noReliability = (kind: string, why: string): Reliability => ({
  ...undefinedEstimate(kind, why),
  ...{ raw: null, rawByF: null },
  isNegative: false,
});

/**
 * Interval of ICC(2,1) from modified large-sample limits, in the way of Cappelleri and Ting 2003 ("A modified large-sample
 * approach to approximate interval estimation for a particular intraclass correlation coefficient", Statistics in Medicine
 * 22, 1861-1877): the R for which (1 - R) v_query - R (v_judge + v_error), a combination of mean squares that is 0 at the
 * true one, has limits around 0. McGraw and Wong's F interval covers far less where few judges differ much.
 */
function interval(squares: Squares, level: number): Ends<number> {
  const { perQuery, perJudge } = squares;
  const limits = tableLimits(squares, (1 - level) / 2);
  const at = (icc: number) => {
    const ofQuery = (1 - icc) / perQuery;
    return limits(ofQuery, -icc / perJudge, -(ofQuery + icc));
  };
  return { lower: lastAbove((icc) => at(icc).lower), upper: lastAbove((icc) => at(icc).upper) };
}

/** The place from 0 to 1 where what falls along the way gets below 0. */
function lastAbove(of: (icc: number) => number): number {
  if (!(of(0) > 0)) return 0;
  if (of(1) >= 0) return 1;
  let [above, below] = [0, 1];
  for (let step = 0; step < 60 && below - above > 1e-15 * below; step++) {
    const middle = (above + below) / 2;
    if (of(middle) > 0) above = middle;
    else below = middle;
  }
  return (above + below) / 2;
}

/**
 * Interval of ICC(2,1) (Shrout and Fleiss 1979, p. 424; McGraw and Wong 1996, "Forming inferences about some intraclass
 * correlation coefficients", Psychological Methods 1, 30-46, Table 7, case 2A). Their F_J = MS_judge / MS_error is
 * multiplied out, so that it also holds without error. Null where judges never differ at all.
 *
 * At the true correlation R, (1 - R) MS_query has the expectation of a + b, with a = J R (MS_judge - noise) / Q and
 * b = (1 + (J - 1) R) MS_error. Of a full table the noise is MS_error, and goes with b.
 */
function intervalByF(squares: Squares, icc: number, level: number): Ends<number> {
  const { query, judge, noise, error, perQuery, perJudge, normalDegrees: degrees } = squares;
  const a = perQuery * icc * judge;
  const b = perJudge * (1 + (perQuery - 1) * icc) * error - perQuery * icc * noise;
  const weight = (a * a) / degrees.judge + (b * b) / Math.min(degrees.error, degrees.noise);
  const v = (a + b) ** 2 / weight;
  if (!(weight > 0 && v > 0)) return null;
  const high = quantileOfF((1 + level) / 2, degrees.query, v);
  const low = quantileOfF((1 + level) / 2, v, degrees.query);
  const rest = perQuery * (judge - noise) + perJudge * (perQuery - 1) * error;
  const lower = (perJudge * (query - high * error)) / (high * rest + perJudge * query);
  const upper = (perJudge * (low * query - error)) / (rest + perJudge * low * query);
  return Number.isFinite(lower) && Number.isFinite(upper) ? { lower, upper } : null;
}

/**
 * Reliability of the mean of so many judges from that of one (Spearman 1910; Brown 1910). Null from -1 / (J - 1) down,
 * where the mean's has no bound.
 */
function stepUp(icc: number, judges: number): number | null {
  const spread = 1 + (judges - 1) * icc;
  return spread > 0 ? (judges * icc) / spread : null;
}
