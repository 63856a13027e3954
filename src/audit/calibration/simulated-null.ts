import { streamOf } from "../streams.js";
import { logistic } from "./maps.js";
import { type Directions, residualAt, type Score } from "./score.js";
import { simulatedP } from "./stopping.js";

/** Draws that a test may take, and how many sets of outcomes at least and at most. */
const budget = 2e7;
const [fewest, most] = [999, 9999];

/**
 * p-values of the score where each outcome is 1 with the probability of its confidence. A set of outcomes costs what there
 * are of these that go against their confidence: rows are grouped by the power of two above that probability, and the next of
 * a group is found by a geometric leap, then kept with the probability that is left.
 */
export function simulatedNull(rows: Float64Array, { first, centre, second }: Directions, score: Score, seed: number) {
  // Whatever their order in the file.
  const logits = rows.slice().sort();
  const groups = groupsOf(logits);
  let [expected, sum, tilted] = [0, 0, 0];
  for (const logit of logits) {
    expected += 2 * logistic(-Math.abs(logit));
    // Of the outcome that the confidence favours.
    const residual = residualAt(logit, logit >= 0 ? 1 : 0);
    sum += residual;
    tilted += residual * (logit - centre);
  }
  const sets = Math.round(Math.min(most, Math.max(fewest, budget / Math.max(1, expected))));
  const bounds = {
    joint: least(score.intercept ** 2 + (score.slope ?? 0) ** 2),
    intercept: least(Math.abs(score.intercept)),
    slope: least(Math.abs(score.slope ?? 0)),
  };
  const stream = streamOf("scores", seed);
  const [joint, intercept, slope] = simulatedP(sets, 3, () => {
    let [a, b] = [sum, tilted];
    for (const { bound, logLeap, from, to } of groups) {
      for (let k = from - 1; ; ) {
        k += 1 + Math.floor(Math.log(1 - stream.uniform()) / logLeap);
        if (k >= to) break;
        const logit = logits[k];
        if (stream.uniform() * bound >= logistic(-Math.abs(logit))) continue;
        const change = logit >= 0 ? -1 : 1;
        a += change;
        b += change * (logit - centre);
      }
    }
    const [x, y] = [a * first, b * second];
    return [x ** 2 + y ** 2 >= bounds.joint, Math.abs(x) >= bounds.intercept, Math.abs(y) >= bounds.slope];
  });
  return { joint, intercept, slope };
}

/** Rounding doesn't tell a set that is as far from 0. */
const least = (statistic: number): number => statistic * (1 - 1e-9) - 1e-12;

/** Neighbours among sorted rows. */
interface Group {
  /** At least the probability that a row goes against its confidence, and less than twice as much. */
  readonly bound: number;
  /** log(1 - bound). */
  readonly logLeap: number;
  readonly from: number;
  readonly to: number;
}

function groupsOf(sorted: Float64Array): Group[] {
  const powerAt = (k: number): number => Math.floor(-Math.log2(logistic(-Math.abs(sorted[k]))));
  const groups: Group[] = [];
  for (let from = 0; from < sorted.length; ) {
    const power = powerAt(from);
    let to = from + 1;
    while (to < sorted.length && powerAt(to) === power) to++;
    const bound = 2 ** -power;
    groups.push({ bound, logLeap: Math.log1p(-bound), from, to });
    from = to;
  }
  return groups;
}
