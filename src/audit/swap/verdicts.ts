import { dataError } from "../../errors.js";
import { show } from "../../values.js";
import type { Alarm } from "../alarm.js";
import { type Clusters, clusterSums, clustersAt } from "../cluster.js";
import type { Estimate } from "../estimate.js";
import { noSignificance, type Significance } from "../significance.js";
import { slotAlarms } from "./alarms.js";
import { flipTest, normalFlips } from "./flips.js";
import { meanOfSigns, noPairs, share } from "./intervals.js";
import { normalSignName, normalSignTest, signTest } from "./sign-tests.js";
import { swapWarnings } from "./warnings.js";

/** Which of two answers a judge prefers, by the slot in which it was shown. */
export type Slot = "first" | "second" | "tie";

/**
 * One pair of answers, a and b, judged in both orders: a first in `forward`, b first in `reversed`. Null where there is
 * no verdict. A judge that prefers a says "first" and then "second"; one that says "first" twice prefers the slot.
 */
export interface VerdictPair {
  readonly forward: Slot | null;
  readonly reversed: Slot | null;
}

/** The winner of a pair, order aside; null where an order has no verdict. */
export type Winner = "a" | "b" | "tie" | null;

export interface SlotCounts {
  readonly first: number;
  readonly second: number;
  readonly tie: number;
  readonly missing: number;
}

export interface VerdictSwap {
  /** Pairs handed over, and those with a verdict in both orders, which all below rests on. */
  readonly pairs: number;
  readonly complete: number;
  /** Pairs left out since a verdict is missing. */
  readonly missing: number;
  /** Clusters of the complete pairs, which errors and tests allow for; null where pairs are independent. */
  readonly clusters: number | null;
  readonly forward: SlotCounts;
  readonly reversed: SlotCounts;
  /** Complete pairs by what the two verdicts say together. */
  readonly counts: {
    /** The same answer, or a tie, both times. */
    readonly consistent: number;
    readonly consistentTies: number;
    /** The same slot both times. */
    readonly firstSlot: number;
    readonly secondSlot: number;
    /** A slot once and a tie once. */
    readonly firstSlotAndTie: number;
    readonly secondSlotAndTie: number;
  };
  /** Shares of complete pairs. */
  readonly consistency: Estimate;
  readonly firstSlot: Estimate;
  readonly secondSlot: Estimate;
  /** Mean over pairs and orders of +1 for a verdict for the first slot, -1 for the second, 0 for a tie; 0 without bias. */
  readonly bias: Estimate;
  /** Share of the first slot among all verdicts that aren't ties; null where there are none. */
  readonly firstSlotOfDecided: number | null;
  /** Each of pairs, or of whole clusters where there are some. */
  readonly tests: {
    /** Exact sign (McNemar) test of the pairs for one slot both times. */
    readonly exact: Significance;
    /** The same by the normal approximation: its square is McNemar's chi-squared. */
    readonly normal: Significance;
    /** Exact sign test that also counts pairs with one tie, by the slot of the other verdict. */
    readonly withTies: Significance;
  };
  readonly debiased: {
    /** One a pair handed over: who won in both orders; a tie where the orders disagree. */
    readonly winners: readonly Winner[];
    readonly a: number;
    readonly b: number;
    readonly tie: number;
    /** Probability that the judge prefers a, a tie counting half: mean over both orders, in which a slot's bonus cancels. */
    readonly preference: Estimate;
    /** The same of one order alone, slot effect included. */
    readonly forwardPreference: number | null;
    readonly reversedPreference: number | null;
    /** Exact sign test of a's wins against b's. */
    readonly test: Significance;
  };
  /** A slot that the judge prefers, by the exact test of one slot both times. */
  readonly alarms: readonly Alarm[];
  /** What a reader has to know, in sentences. */
  readonly warnings: readonly string[];
}

const occurrences = <T>(values: readonly T[], wanted: T): number =>
  values.reduce((count, value) => count + (value === wanted ? 1 : 0), 0);

/** +1 for the first slot, -1 for the second, 0 for a tie. */
const signs: Readonly<Record<Slot, number>> = { first: 1, second: -1, tie: 0 };

/**
 * @param clusters of the pairs handed over; null: independent
 * @throws RatError (data) for what is no verdict, and for no pairs
 */
export function verdictSwap(pairs: readonly VerdictPair[], clusters: Clusters | null, level: number): VerdictSwap {
  if (pairs.length === 0) throw dataError("no pairs: expected pairs of answers, each judged in both orders");
  pairs.forEach(checkPair);
  const winners = pairs.map(winnerOf);
  const rows = pairs.flatMap((pair, i) => (isComplete(pair) ? [i] : []));
  const complete = rows.map((i) => pairs[i] as Complete);
  const own = clusters === null ? null : clustersAt(clusters, rows);
  const n = complete.length;
  const slotSums = complete.map(({ forward, reversed }) => signs[forward] + signs[reversed]);
  // In the second order answer a is in the second slot.
  const answerSums = complete.map(({ forward, reversed }) => signs[forward] - signs[reversed]);
  const times = (sum: number): number => occurrences(slotSums, sum);
  const [firstSlot, secondSlot] = [times(2), times(-2)];
  const consistent = times(0);
  const won = (winner: Winner): number => occurrences(winners, winner);
  const [a, b] = [won("a"), won("b")];
  const preference = meanOfSigns(
    answerSums.map((sum) => sum / 2),
    own,
    level,
  );
  const slotTests = testsOf(slotSums, own);
  return {
    pairs: pairs.length,
    complete: n,
    missing: pairs.length - n,
    clusters: own?.count ?? null,
    forward: slotCounts(pairs.map(({ forward }) => forward)),
    reversed: slotCounts(pairs.map(({ reversed }) => reversed)),
    counts: {
      consistent,
      consistentTies: consistent - a - b,
      firstSlot,
      secondSlot,
      firstSlotAndTie: times(1),
      secondSlotAndTie: times(-1),
    },
    consistency: share(
      slotSums.map((sum) => sum === 0),
      own,
      level,
    ),
    firstSlot: share(
      slotSums.map((sum) => sum === 2),
      own,
      level,
    ),
    secondSlot: share(
      slotSums.map((sum) => sum === -2),
      own,
      level,
    ),
    bias: meanOfSigns(
      slotSums.map((sum) => sum / 2),
      own,
      level,
    ),
    firstSlotOfDecided: firstOfDecided(complete),
    tests: slotTests,
    debiased: {
      winners,
      a,
      b,
      tie: won("tie"),
      preference: asProbability(preference),
      forwardPreference: meanPreference(complete.map(({ forward }) => signs[forward])),
      reversedPreference: meanPreference(complete.map(({ reversed }) => -signs[reversed])),
      test: answerTest(answerSums, own),
    },
    alarms: slotAlarms(slotTests.exact, firstSlot - secondSlot, {
      first: `${firstSlot} of ${n} pairs went to the first slot both times, ${secondSlot} to the second`,
      second: `${secondSlot} of ${n} pairs went to the second slot both times, ${firstSlot} to the first`,
    }),
    warnings: swapWarnings(n, "verdicts", own),
  };
}

const exactName = "exact sign (McNemar)";
const withTiesName = "exact sign, pairs with a tie too";

/** +1 and -1 for a sum of two verdicts for one slot, or answer, both times; else 0. */
const whole = (sum: number): number => (Math.abs(sum) === 2 ? Math.sign(sum) : 0);

function testsOf(sums: readonly number[], clusters: Clusters | null): VerdictSwap["tests"] {
  if (sums.length === 0) {
    const [exact, normal, withTies] = [exactName, normalSignName, withTiesName].map((name) =>
      noSignificance(name, noPairs),
    );
    return { exact, normal, withTies };
  }
  if (clusters !== null) {
    const both = clusterSums(sums.map(whole), clusters);
    return {
      exact: flipTest(both, "one slot both times"),
      normal: normalFlips(both, "one slot both times"),
      withTies: flipTest(clusterSums(sums.map(Math.sign), clusters), "pairs with a tie too"),
    };
  }
  const times = (sum: number): number => occurrences(sums, sum);
  const [first, second] = [times(2), times(-2)];
  return {
    exact: signTest(exactName, first, second),
    normal: normalSignTest(first, second),
    withTies: signTest(withTiesName, first + times(1), second + times(-1)),
  };
}

function answerTest(sums: readonly number[], clusters: Clusters | null): Significance {
  if (sums.length === 0) return noSignificance("exact sign", noPairs);
  if (clusters !== null) return flipTest(clusterSums(sums.map(whole), clusters), "winners in both orders");
  const times = (sum: number): number => occurrences(sums, sum);
  return signTest("exact sign", times(2), times(-2));
}

type Complete = { readonly forward: Slot; readonly reversed: Slot };

const isComplete = (pair: VerdictPair): pair is Complete => pair.forward !== null && pair.reversed !== null;

function checkPair(pair: VerdictPair, i: number): void {
  for (const order of ["forward", "reversed"] as const) {
    const verdict = pair[order];
    if (verdict === null || (typeof verdict === "string" && Object.hasOwn(signs, verdict))) continue;
    throw dataError(
      `pairs[${i}].${order} must be "first", "second" or "tie", or null where missing, not ${show(verdict)}`,
    );
  }
}

function winnerOf({ forward, reversed }: VerdictPair): Winner {
  if (forward === null || reversed === null) return null;
  if (forward === "first" && reversed === "second") return "a";
  return forward === "second" && reversed === "first" ? "b" : "tie";
}

function slotCounts(verdicts: readonly (Slot | null)[]): SlotCounts {
  const count = (slot: Slot | null): number => occurrences(verdicts, slot);
  return { first: count("first"), second: count("second"), tie: count("tie"), missing: count(null) };
}

function firstOfDecided(pairs: readonly Complete[]): number | null {
  const all = slotCounts(pairs.flatMap(({ forward, reversed }) => [forward, reversed]));
  const decided = all.first + all.second;
  return decided === 0 ? null : all.first / decided;
}

const meanPreference = (signs: readonly number[]): number | null =>
  signs.length === 0 ? null : (1 + signs.reduce((sum, sign) => sum + sign, 0) / signs.length) / 2;

/** From the mean of signs in [-1, 1] to a probability. */
function asProbability(signs: Estimate): Estimate {
  const half = (value: number | null): number | null => (value === null ? null : (1 + value) / 2);
  return {
    ...signs,
    value: half(signs.value),
    error: signs.error === null ? null : signs.error / 2,
    lower: half(signs.lower),
    upper: half(signs.upper),
  };
}
