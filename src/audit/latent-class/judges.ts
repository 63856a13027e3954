import { bareEstimate, type Estimate } from "../estimate.js";
import type { EmFit, Model, Smoothing } from "./em.js";
import type { RateErrors } from "./information.js";
import { type RateInterval, rateInterval, sumInterval } from "./intervals.js";
import { massOf } from "./parameters.js";
import { rowOf } from "./spread.js";
import type { Patterns, Votes } from "./votes.js";

export interface JudgeRates {
  readonly judge: string;
  readonly votes: number;
  /** [class][label] P(says label | class), its standard error and the ends of its interval; null where there is none. */
  readonly confusion: readonly (readonly number[])[];
  readonly errors: readonly (readonly (number | null)[])[];
  readonly lower: readonly (readonly (number | null)[])[];
  readonly upper: readonly (readonly (number | null)[])[];
  /** Of two classes: P(says the second | second) and P(says the first | first); else null. */
  readonly sensitivity: Estimate | null;
  readonly specificity: Estimate | null;
  /** (sum of P(says c | c) - 1) / (classes - 1): 0 is a judge that says nothing, of two classes Youden's index. */
  readonly informedness: Estimate;
}

export interface DegenerateJudge {
  readonly judge: string;
  readonly kind: "no votes" | "one label" | "no information" | "below chance" | "identical";
  readonly detail: string;
}

/** What intervals rest on. */
export interface Confidence {
  readonly errors: RateErrors;
  readonly smoothing: Smoothing;
  readonly level: number;
  /** Of each row of probabilities, as `degreesOfRows`; null where items are independent. */
  readonly degrees: Float64Array | null;
}

const numberOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** @param interval how intervals are made */
const estimateOf = (
  value: number,
  error: number,
  ends: { readonly lower: number; readonly upper: number } | null,
  interval: string,
): Estimate =>
  ends === null
    ? bareEstimate(value)
    : { value, error: numberOrNull(error), lower: ends.lower, upper: ends.upper, interval, reason: null };

const kindOf = ({ degrees }: Confidence, kind: string): string => (degrees === null ? kind : `clustered ${kind}`);

const degreesAt = ({ degrees }: Confidence, row: number): number => degrees?.[row] ?? Infinity;

export function prevalenceEstimates(
  { model }: EmFit,
  { voted, classes }: Patterns,
  confidence: Confidence,
): Estimate[] {
  const { errors, smoothing, level } = confidence;
  const pseudo = smoothing.prevalence;
  return Array.from(model.prevalence, (value, c) => {
    const error = errors.prevalence[c];
    const known = {
      value,
      error,
      mass: voted + classes * pseudo,
      pseudo,
      classes,
      level,
      degrees: degreesAt(confidence, 0),
    };
    return estimateOf(
      value,
      error,
      errors.method === null ? null : rateInterval(known),
      kindOf(confidence, "Jeffreys, effective votes"),
    );
  });
}

export function judgeRates(fit: EmFit, patterns: Patterns, votes: Votes, confidence: Confidence): JudgeRates[] {
  const { judges, classes } = patterns;
  const { errors, smoothing, level } = confidence;
  const { rates } = fit.model;
  const cast = votesBy(votes);
  const informedness = informednessOf(fit.model, judges, classes);
  const places = Array.from({ length: classes }, (_, c) => c);
  return Array.from({ length: judges }, (_, j) => {
    const place = (c: number, l: number): number => (j * classes + l) * classes + c;
    const table = <T>(of: (c: number, l: number) => T): T[][] => places.map((c) => places.map((l) => of(c, l)));
    const ends = table((c, l): RateInterval | null => {
      const at = place(c, l);
      const mass = massOf(fit.counts, classes, smoothing, j, c);
      const degrees = degreesAt(confidence, rowOf(classes, j, c));
      const known = { value: rates[at], error: errors.rates[at], mass, pseudo: smoothing.confusion, classes };
      return errors.method === null ? null : rateInterval({ ...known, level, degrees });
    });
    /** Of a row that is in one cluster alone nothing tells the error. */
    const errorOf = (c: number, error: number): number =>
      degreesAt(confidence, rowOf(classes, j, c)) > 0 ? error : Number.NaN;
    const right = (c: number): Estimate =>
      estimateOf(
        rates[place(c, c)],
        errorOf(c, errors.rates[place(c, c)]),
        ends[c][c],
        kindOf(confidence, "Jeffreys, effective votes"),
      );
    const own = places.flatMap((c) => ends[c][c] ?? []);
    const sum = own.length === classes ? sumInterval(own, inflationOf(errors, j, classes, place)) : null;
    const whole = sum === null ? null : including(sum, informedness[j]);
    return {
      judge: nameOf(votes.judgeNames, j),
      votes: cast.subarray(j * classes, (j + 1) * classes).reduce((all, n) => all + n, 0),
      confusion: table((c, l) => rates[place(c, l)]),
      errors: table((c, l) => numberOrNull(errorOf(c, errors.rates[place(c, l)]))),
      lower: ends.map((row) => row.map((one) => one?.lower ?? null)),
      upper: ends.map((row) => row.map((one) => one?.upper ?? null)),
      sensitivity: classes === 2 ? right(1) : null,
      specificity: classes === 2 ? right(0) : null,
      informedness: estimateOf(
        informedness[j],
        sum === null ? Number.NaN : errors.informedness[j],
        whole,
        kindOf(confidence, "MOVER"),
      ),
    };
  });
}

/** [judges] (sum of rates of the right label - 1) / (classes - 1): Youden's index where there are two. */
export function informednessOf({ rates }: Model, judges: number, classes: number): Float64Array {
  return Float64Array.from({ length: judges }, (_, j) => {
    let sum = -1;
    for (let c = 0; c < classes; c++) sum += rates[(j * classes + c) * classes + c];
    return sum / (classes - 1);
  });
}

/**
 * What the errors tell of the rates of the right label of each class, over what they would tell were the classes known; the
 * mean over judges.
 */
export function knownShares(fit: EmFit, { judges, classes }: Patterns, { errors, smoothing }: Confidence): number[] {
  return Array.from({ length: classes }, (_, c) => {
    let [sum, count] = [0, 0];
    for (let j = 0; j < judges; j++) {
      const at = (j * classes + c) * classes + c;
      const [value, error] = [fit.model.rates[at], errors.rates[at]];
      const mass = massOf(fit.counts, classes, smoothing, j, c);
      if (!(error > 0 && mass > 0)) continue;
      sum += Math.min(1, (value * (1 - value)) / (error * error * mass));
      count++;
    }
    return count === 0 ? 1 : sum / count;
  });
}

/** Pseudo-counts may carry the value out of an interval around the share without them. */
const including = ({ lower, upper }: { lower: number; upper: number }, value: number) => ({
  lower: Math.min(lower, value),
  upper: Math.max(upper, value),
});

/** Variance of the sum of the rates of the right label over the sum of their variances; 1 where they aren't known. */
function inflationOf(
  { rates, informedness }: RateErrors,
  j: number,
  classes: number,
  place: (c: number, l: number) => number,
): number {
  let sum = 0;
  for (let c = 0; c < classes; c++) sum += rates[place(c, c)] ** 2;
  const inflation = (informedness[j] * (classes - 1)) ** 2 / sum;
  return Number.isFinite(inflation) ? inflation : 1;
}

/** Judges that teach nothing, or the contrary; within 1.96 standard errors of chance, where they are known. */
export function degenerateJudges(rates: readonly JudgeRates[], votes: Votes): DegenerateJudge[] {
  const { classes } = votes;
  const cast = votesBy(votes);
  return rates.flatMap(({ judge, votes: n, informedness }, j): DegenerateJudge[] => {
    const own = cast.subarray(j * classes, (j + 1) * classes);
    const only = own.indexOf(n);
    if (n === 0) return [{ judge, kind: "no votes", detail: "its rates are the smoothing's, or even" }];
    if (only >= 0 && n > 1) {
      const label = nameOf(votes.classNames, only);
      return [{ judge, kind: "one label", detail: `says ${label} in all ${n} votes` }];
    }
    const { value, error } = informedness;
    if (value === null) return [];
    const reach = 1.96 * (error ?? 0);
    const said = `informedness ${value.toFixed(3)}${error === null ? "" : `, standard error ${error.toFixed(3)}`}`;
    if (value + reach < 0) {
      return [{ judge, kind: "below chance", detail: `${said}: against the others; is it coded the other way round?` }];
    }
    return value - reach <= 0 ? [{ judge, kind: "no information", detail: `${said}: can't be told from chance` }] : [];
  });
}

/** [judge][label] votes cast. */
export function votesBy({ judges, classes, judge, label }: Votes): Float64Array {
  const cast = new Float64Array(judges * classes);
  for (let v = 0; v < judge.length; v++) cast[judge[v] * classes + label[v]]++;
  return cast;
}

export const nameOf = (names: readonly string[] | undefined, place: number): string => names?.[place] ?? String(place);
