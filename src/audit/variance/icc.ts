import { quantileOfF } from "../distributions.js";
import { type Estimate, undefinedEstimate } from "../estimate.js";
import type { MeanSquares } from "./anova.js";

/** An intraclass correlation: reliability of one judge's score, or of the mean of a panel's. */
export interface Reliability extends Estimate {
  /** The correlation as computed, which may be negative; `value` isn't below 0. The ends are as computed too. */
  readonly raw: number | null;
  readonly isNegative: boolean;
}

export interface Reliabilities {
  /** ICC(2,1): one judge, any of those that might have been asked. */
  readonly single: Reliability;
  /** ICC(2,k): the mean of as many judges as there were. */
  readonly panel: Reliability;
}

const method = "F, Satterthwaite's degrees of freedom (McGraw and Wong 1996)";

/**
 * ICC(2,1) and ICC(2,k) (Shrout and Fleiss 1979, Psychological Bulletin 86, 420-428, p. 423):
 * (MS_query - MS_error) / (MS_query + (J - 1) MS_error + J (MS_judge - MS_error) / Q) and
 * (MS_query - MS_error) / (MS_query + (MS_judge - MS_error) / Q).
 */
export function reliabilities(squares: MeanSquares, level: number): Reliabilities {
  const { query, judge, error, degrees } = squares;
  const [Q, J] = [degrees.query + 1, degrees.judge + 1];
  if (query === 0 && judge === 0 && error === 0) {
    const none = noReliability(
      "no variance in the scores",
      "all of them are equal, which shows nothing about the judges",
    );
    return { single: none, panel: none };
  }
  const total = query + (J - 1) * error + (J * (judge - error)) / Q;
  const ofMeans = query + (judge - error) / Q;
  const ends = total > 0 ? interval(squares, (query - error) / total, level) : null;
  return {
    single:
      total > 0
        ? reliability((query - error) / total, ends)
        : noReliability("no variance of means", "two queries and two judges only contradict each other"),
    panel:
      ofMeans > 0
        ? reliability((query - error) / ofMeans, ends === null ? null : [stepUp(ends[0], J), stepUp(ends[1], J)])
        : noReliability("no variance of means", "the queries' means vary less than error alone would have them"),
  };
}

const reliability = (raw: number, ends: readonly (number | null)[] | null): Reliability => ({
  raw,
  value: Math.max(0, raw),
  isNegative: raw < 0,
  error: null,
  lower: ends?.[0] ?? null,
  upper: ends?.[1] ?? null,
  interval: ends === null ? null : method,
  reason: null,
});

const noReliability = (kind: string, why: string): Reliability => ({
  ...undefinedEstimate(kind, why),
  raw: null,
  isNegative: false,
});

/**
 * Interval of ICC(2,1) (Shrout and Fleiss 1979, p. 424; McGraw and Wong 1996, "Forming inferences about some intraclass
 * correlation coefficients", Psychological Methods 1, 30-46, Table 7, case 2A). Their F_J = MS_judge / MS_error is
 * multiplied out, so that it also holds without error. Null where judges never differ at all.
 */
function interval(squares: MeanSquares, icc: number, level: number): readonly [number, number] | null {
  const { query, judge, error, degrees } = squares;
  const [Q, J] = [degrees.query + 1, degrees.judge + 1];
  const a = J * icc * judge;
  const b = (Q * (1 + (J - 1) * icc) - J * icc) * error;
  const weight = degrees.query * a * a + b * b;
  const v = (degrees.error * (a + b) ** 2) / weight;
  if (!(weight > 0 && v > 0)) return null;
  const high = quantileOfF((1 + level) / 2, degrees.query, v);
  const low = quantileOfF((1 + level) / 2, v, degrees.query);
  const noise = J * judge + (J * Q - J - Q) * error;
  const lower = (Q * (query - high * error)) / (high * noise + Q * query);
  const upper = (Q * (low * query - error)) / (noise + Q * low * query);
  return Number.isFinite(lower) && Number.isFinite(upper) ? [lower, upper] : null;
}

/**
 * Reliability of the mean of so many judges from that of one (Spearman 1910; Brown 1910). Null from -1 / (J - 1) down,
 * where the mean's has no bound.
 */
function stepUp(icc: number, judges: number): number | null {
  const spread = 1 + (judges - 1) * icc;
  return spread > 0 ? (judges * icc) / spread : null;
}
