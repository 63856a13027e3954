import { auditVerdictSwap, type VerdictPair } from "../swap.js";
import { article } from "./article.js";
import { type DemoPanel, demoLevel, estimated, exact, known, seen } from "./finding.js";
import { coin, inWords, variatesOf } from "./simulate.js";

export interface SwapScene {
  readonly panel: DemoPanel;
  readonly lenient: readonly VerdictPair[];
  readonly control: readonly VerdictPair[];
}

/**
 * The article prints a bias and a p without pairs or a test. An exact sign test of 350 pairs that all go over to the first
 * slot has p = 2^-349 = 8.7e-106, and they are 0.070 of 5,000: a set-up that gives both numbers.
 */
const swapPairs = 5000;
const slotShare = 0.07;
/** log10 of 2^(1 - k), the p of k pairs on one side. */
const log10POf = (pairs: number): number => Math.min(0, (1 - pairs) * Math.log10(2));

export function swapScene(seed: number): SwapScene {
  const [lenient, control] = [slotShare, 0].map((share, set) => simulatePairs(seed, set, share));
  const [own, other] = [lenient, control].map((pairs) => auditVerdictSwap(pairs, { level: demoLevel }));
  const ends = [own.firstSlot.upper, own.firstSlot.lower].map((share) => log10POf(known(share) * swapPairs));
  const logP = {
    value: own.tests.exact.log10P,
    lower: ends[0],
    upper: ends[1],
    interval: "of the share of such pairs",
  };
  return {
    lenient,
    control,
    panel: {
      panel: "swap",
      title: "The same pairs in both orders: a slot's bias",
      setup: `${inWords(swapPairs)} pairs; the lenient judge picks the first slot in both orders with probability ${slotShare}, the control never`,
      findings: [
        estimated(["slotBias", "slot bias, lenient judge", article.slotBias], slotShare, own.bias),
        estimated(
          ["slotLog10P", "log10 of p, lenient judge", article.slotLog10P],
          log10POf(slotShare * swapPairs),
          logP,
        ),
        exact(["slotLog10PAt", "log10 of p, 350 pairs of 5,000", article.slotLog10P], log10POf(350)),
        seen(["controlBias", "slot bias, control", article.controlBias], 0, known(other.bias.value)),
        seen(["controlP", "p, control", article.controlP], 1, known(other.tests.exact.p)),
      ],
      remarks: [
        "the article names neither test nor pairs: 350 of 5,000 pairs give its bias and its p by the exact sign test. Such a p tells " +
          "how many pairs there were; the bias tells how large it is",
        "a bias of 0 with p = 1 is a judge without any noise. One that errs at random, without a slot's bias, has p anywhere from 0 to 1",
      ],
    },
  };
}

/** Either answer is better as often as the other; a judge that doesn't pick the slot picks that answer in both orders. */
function simulatePairs(seed: number, set: number, share: number): VerdictPair[] {
  const variates = variatesOf(seed, "demoSwap", set);
  return Array.from({ length: swapPairs }, (): VerdictPair => {
    const slot = coin(variates, share) === 1;
    const isBetter = coin(variates, 0.5) === 1;
    if (slot) return { forward: "first", reversed: "first" };
    return isBetter ? { forward: "first", reversed: "second" } : { forward: "second", reversed: "first" };
  });
}
