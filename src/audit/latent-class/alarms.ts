import { type Alarm, alarmLevel } from "../alarm.js";
import type { Clusters } from "../cluster.js";
import { type SharedErrors, sharedErrors } from "./dependence.js";
import type { EmFit } from "./em.js";
import { votesBy } from "./judges.js";
import { lightly, type Settings } from "./settings.js";
import { membersOf } from "./spread.js";
import type { Patterns, Votes } from "./votes.js";

/** Parts of the audit's level: most of it goes to errors that judges share, which are harder to see than one label. */
const partOfSharing = 0.8;
const partOfOneLabel = 0.2;

/** An alarm and the judges that it names. */
interface JudgeAlarm {
  readonly alarm: Alarm;
  readonly judges: readonly number[];
}

/**
 * Judges with one label, copies, and pairs that share errors. All together raise an alarm of clean judges in fewer than
 * 1 of 100 panels: each p is multiplied by the number of judges or pairs and divided by its test's part of the level.
 *
 * @param clusters with them errors that are shared aren't looked for: the test takes items for independent
 */
export function judgeAlarms(
  votes: Votes,
  patterns: Patterns,
  fit: EmFit,
  { smoothing, checkReplicates }: Settings,
  clusters: Clusters | null,
  nameOf: (judge: number) => string,
  labelOf: (label: number) => string,
): JudgeAlarm[] {
  const testsPairs = clusters === null && checkReplicates > 0;
  const shared = testsPairs
    ? sharedErrors(patterns, lightly(smoothing, patterns.classes), alarmLevel * partOfSharing)
    : [];
  return [
    ...oneLabelAlarms(votes, patterns, fit, clusters, nameOf, labelOf),
    ...shared.map((pair) => sharingAlarm(pair, nameOf)),
  ];
}

function sharingAlarm(pair: SharedErrors, nameOf: (judge: number) => string): JudgeAlarm {
  const { first, second, alike, items, agreement, share, identical, rival, logP } = pair;
  const judges = [first, second, ...alike];
  const p = Math.min(1, Math.exp(logP) / partOfSharing);
  const subject = together(judges.map(nameOf));
  const detail = identical
    ? `they never differ, on ${items} items, and the others' votes don't make both of them right so often`
    : `they agree on ${percent(agreement)} of ${items} items, as if one repeated the other on ${percent(share)} of them`;
  if (rival !== null) {
    const either = `two judges share errors, ${subject} or else ${together(rival.map(nameOf))}: their votes don't tell`;
    return { judges: [], alarm: { defect: "shared errors", subject: null, p, detail: either } };
  }
  return { judges, alarm: { defect: identical ? "copy" : "shared errors", subject, p, detail } };
}

const together = (names: readonly string[]): string => `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/**
 * A judge that is right on half of the items of every other class, however rarely it names them, would say one label alone
 * with the probability prod_items (1 + P(class of the label)) / 2, at most; items of a cluster count as one, that on which it
 * is least probable.
 */
function oneLabelAlarms(
  votes: Votes,
  patterns: Patterns,
  fit: EmFit,
  clusters: Clusters | null,
  nameOf: (judge: number) => string,
  labelOf: (label: number) => string,
): JudgeAlarm[] {
  const { judges, classes } = patterns;
  const cast = votesBy(votes);
  return Array.from({ length: judges }, (_, j) => j).flatMap((j): JudgeAlarm[] => {
    const own = cast.subarray(j * classes, (j + 1) * classes);
    const n = own.reduce((sum, count) => sum + count, 0);
    const label = own.indexOf(n);
    if (n < 2 || label < 0) return [];
    const { logP, others } = onlyThisLabel(patterns, fit, clusters, j, label);
    const p = Math.min(1, (Math.exp(logP) * judges) / partOfOneLabel);
    if (p >= alarmLevel) return [];
    const detail = `says ${labelOf(label)} in all ${n} votes, though about ${Math.round(others)} of these items are of another class`;
    return [{ judges: [j], alarm: { defect: "one label", subject: nameOf(j), p, detail } }];
  });
}

function onlyThisLabel(
  { classes, starts, codes, count, weights, patternOf }: Patterns,
  { posterior }: EmFit,
  clusters: Clusters | null,
  judge: number,
  label: number,
): { readonly logP: number; readonly others: number } {
  const votesOn = (p: number): boolean => {
    for (let v = starts[p]; v < starts[p + 1]; v++) if (codes[v] === judge * classes + label) return true;
    return false;
  };
  const logs = new Float64Array(count);
  let [logP, others] = [0, 0];
  for (let p = 0; p < count; p++) {
    if (!votesOn(p)) continue;
    const same = posterior[p * classes + label];
    logs[p] = Math.log((1 + same) / 2);
    logP += weights[p] * logs[p];
    others += weights[p] * (1 - same);
  }
  if (clusters === null) return { logP, others };
  logP = 0;
  for (const items of membersOf(clusters)) logP += items.reduce((least, i) => Math.min(least, logs[patternOf[i]]), 0);
  return { logP, others };
}
