import { type Alarm, alarmCount, alarms } from "../alarm.js";
import type { Significance } from "../significance.js";
import type { ScoreSwap } from "./scores.js";
import type { VerdictSwap } from "./verdicts.js";
import { tooFewToTell } from "./warnings.js";

/**
 * Which test of scores an alarm comes from: of clusters all signs of their sums, whose level holds whatever the clusters'
 * sizes; of independent pairs t, and where all differ by the same, so that there is no t, their signs.
 */
export const alarmTestOf = ({ sums, t, sign }: ScoreSwap["tests"]): Significance => sums ?? (t.p === null ? sign : t);

/** How many alarms there are; null also where pairs, or clusters, are so few that none can be raised. */
export function slotAlarmCount({ alarms, clusters, complete, tests }: VerdictSwap | ScoreSwap): number | null {
  const test = "exact" in tests ? tests.exact : alarmTestOf(tests);
  const ofSigns = !("t" in tests && test === tests.t);
  return alarmCount(alarms, test.p !== null && !(ofSigns && (clusters ?? complete) < tooFewToTell));
}

/**
 * The alarm of a preferred slot, none where the test doesn't tell.
 * @param excess above 0: of the first slot @param details what was seen, by slot
 */
export function slotAlarms(
  test: Significance,
  excess: number,
  details: { readonly first: string; readonly second: string },
): Alarm[] {
  const slot = excess > 0 ? "first" : "second";
  return alarms([{ test, alarm: { defect: `${slot} slot`, subject: null, detail: details[slot] } }]);
}
