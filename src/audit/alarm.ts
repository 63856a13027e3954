import type { Significance } from "./significance.js";

/** What a judge can be wrong in that these audits test for, each in one place. */
export type Defect =
  | "lenient"
  | "strict"
  | "first slot"
  | "second slot"
  | "over-confident"
  | "under-confident"
  | "one label"
  | "shared errors"
  | "copy";

/** A defect that the data speak for. */
export interface Alarm {
  readonly defect: Defect;
  /** Who, of several judges, systems or pairs of judges; null where there is one. */
  readonly subject: string | null;
  /** Of a test that a judge without the defect passes; null of what no judge without it does at all. */
  readonly p: number | null;
  /** What was seen, in a sentence. */
  readonly detail: string;
}

/**
 * The chance that an audit of a judge without defects raises an alarm, at most. All audits that do so, four of them, then
 * raise one of such a judge in fewer than 5 % of cases.
 */
export const alarmLevel = 0.01;

/** @param tested one test a subject: of several, p counts that many times (Bonferroni) */
export function alarms(tested: readonly { readonly test: Significance; readonly alarm: Omit<Alarm, "p"> }[]): Alarm[] {
  return tested.flatMap(({ test, alarm }) => {
    const p = test.p === null ? null : Math.min(1, test.p * tested.length);
    return p === null || p >= alarmLevel ? [] : [{ ...alarm, p }];
  });
}

/** How many alarms there are; null where none could have been raised, as nothing could be tested: that passes no gate. */
export const alarmCount = (raised: readonly Alarm[], isTested: boolean): number | null =>
  raised.length > 0 || isTested ? raised.length : null;
