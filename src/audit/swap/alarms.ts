import { type Alarm, alarms } from "../alarm.js";
import type { Significance } from "../significance.js";

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
