import { informednessOf } from "./bootstrap.js";
import type { Model } from "./em.js";
import type { Errors } from "./information.js";
import type { Patterns, Votes } from "./votes.js";

export interface JudgeRates {
  readonly judge: string;
  readonly votes: number;
  /** [class][label] P(says label | class) and its standard error, null where there is none. */
  readonly confusion: readonly (readonly number[])[];
  readonly errors: readonly (readonly (number | null)[])[];
  /** Of two classes: P(says the second | second) and P(says the first | first); else null. */
  readonly sensitivity: number | null;
  readonly specificity: number | null;
  /** (sum of P(says c | c) - 1) / (classes - 1): 0 is a judge that says nothing, of two classes Youden's index. */
  readonly informedness: number;
  readonly informednessError: number | null;
}

export interface DegenerateJudge {
  readonly judge: string;
  readonly kind: "no votes" | "one label" | "no information" | "below chance" | "identical";
  readonly detail: string;
}

const numberOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

export function judgeRates(model: Model, errors: Errors, patterns: Patterns, votes: Votes): JudgeRates[] {
  const { judges, classes } = patterns;
  const cast = votesBy(votes);
  const informedness = informednessOf(model, judges, classes);
  const table = <T>(j: number, of: (at: number) => T): T[][] =>
    Array.from({ length: classes }, (_, c) =>
      Array.from({ length: classes }, (_, l) => of((j * classes + l) * classes + c)),
    );
  return Array.from({ length: judges }, (_, j) => {
    const confusion = table(j, (at) => model.rates[at]);
    return {
      judge: nameOf(votes.judgeNames, j),
      votes: cast.subarray(j * classes, (j + 1) * classes).reduce((sum, n) => sum + n, 0),
      confusion,
      errors: table(j, (at) => numberOrNull(errors.rates[at])),
      sensitivity: classes === 2 ? confusion[1][1] : null,
      specificity: classes === 2 ? confusion[0][0] : null,
      informedness: informedness[j],
      informednessError: numberOrNull(errors.informedness[j]),
    };
  });
}

/** Judges that teach nothing, or the contrary; within 1.96 standard errors of chance, where they are known. */
export function degenerateJudges(rates: readonly JudgeRates[], votes: Votes): DegenerateJudge[] {
  const { classes } = votes;
  const cast = votesBy(votes);
  return rates.flatMap(({ judge, votes: n, informedness, informednessError }, j): DegenerateJudge[] => {
    const own = cast.subarray(j * classes, (j + 1) * classes);
    const only = own.indexOf(n);
    if (n === 0) return [{ judge, kind: "no votes", detail: "its rates are the smoothing's, or even" }];
    if (only >= 0 && n > 1) {
      const label = nameOf(votes.classNames, only);
      return [{ judge, kind: "one label", detail: `says ${label} in all ${n} votes` }];
    }
    const reach = 1.96 * (informednessError ?? 0);
    const said = `informedness ${informedness.toFixed(3)}${informednessError === null ? "" : `, standard error ${informednessError.toFixed(3)}`}`;
    if (informedness + reach < 0) {
      return [{ judge, kind: "below chance", detail: `${said}: against the others; is it coded the other way round?` }];
    }
    if (informedness - reach <= 0) {
      return [{ judge, kind: "no information", detail: `${said}: can't be told from chance` }];
    }
    return [];
  });
}

/** [judge][label] votes cast. */
function votesBy({ judges, classes, judge, label }: Votes): Float64Array {
  const cast = new Float64Array(judges * classes);
  for (let v = 0; v < judge.length; v++) cast[judge[v] * classes + label[v]]++;
  return cast;
}

export const nameOf = (names: readonly string[] | undefined, place: number): string => names?.[place] ?? String(place);
