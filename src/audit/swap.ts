import { checkClustersOption, checkObjects, checkOptionNames } from "./arguments.js";
import type { Clusters } from "./cluster.js";
import { checkLevel } from "./estimate.js";
import { type ScorePair, type ScoreSwap, scoreSwap } from "./swap/scores.js";
import { type VerdictPair, type VerdictSwap, verdictSwap } from "./swap/verdicts.js";

export type { Significance } from "./significance.js";
export { alarmTestOf, slotAlarmCount } from "./swap/alarms.js";
export type { DifferenceBin } from "./swap/distribution.js";
export type { ScorePair, ScoreSwap } from "./swap/scores.js";
export type { Slot, SlotCounts, VerdictPair, VerdictSwap, Winner } from "./swap/verdicts.js";

export interface SwapOptions {
  /** Probability inside each interval. Default 0.95. */
  readonly level?: number | undefined;
  /** Of the pairs handed over, where some err together: pairs of one question. Default: none do. */
  readonly clusters?: Clusters | null | undefined;
}

/** What reading answers in both orders can't show, for every report of a swap test. */
export const swapBlindness: readonly string[] = [
  "A swap test sees what depends on the slot alone. A judge that prefers its own model's answers, longer ones or a style " +
    "prefers them in either slot: it is consistent, and both orders share that bias.",
  "A judge without slot bias may still be wrong: consistency isn't accuracy. That needs labels of people.",
  "Inconsistent pairs without a slot's excess are noise, or slot effects that differ from pair to pair and cancel.",
];

/**
 * Slot bias of a judge that compared answers in both orders (Wang et al. 2023, "Large Language Models are not Fair
 * Evaluators", arXiv:2305.17926; Zheng et al. 2023, "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena",
 * arXiv:2306.05685, whose debiased winner has to win in both).
 * @throws RatError (data) for what is no verdict, and for no pairs; (usage) for arguments of another shape
 */
export function auditVerdictSwap(pairs: readonly VerdictPair[], options: SwapOptions = {}): VerdictSwap {
  const { level, clusters } = settingsOf(pairs, "pairs of verdicts, { forward, reversed }", options);
  return verdictSwap(pairs, clusters, level);
}

/**
 * Slot bias of a judge that scored answers in both slots.
 * @throws RatError (data) for what is no score, and for no pairs; (usage) for arguments of another shape
 */
export function auditScoreSwap(pairs: readonly ScorePair[], options: SwapOptions = {}): ScoreSwap {
  const { level, clusters } = settingsOf(pairs, "pairs of scores, { first, second }", options);
  return scoreSwap(pairs, clusters, level);
}

function settingsOf(pairs: readonly unknown[], expected: string, options: SwapOptions) {
  checkObjects(pairs, "pairs", expected);
  checkOptionNames(options, ["level", "clusters"]);
  const { level = 0.95, clusters = null } = options;
  checkLevel(level);
  if (clusters !== null) checkClustersOption(clusters, pairs.length, "pairs");
  return { level, clusters };
}
