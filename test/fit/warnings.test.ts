import { describe, expect, it } from "vitest";
import type { FitQuantity } from "../../src/documents.js";
import { warningsOf } from "../../src/warnings.js";

const quantity = (rhat: number, ess: number): FitQuantity => ({
  ...{ name: "x", mean: 0.5, sd: 0.1, median: 0.5, lower: 0.3, upper: 0.7, mcse: 0.001 },
  ...{ essBulk: ess, essTail: ess, rhat, counted: null, nObserved: null, nMissing: null },
});

const warned = (rhat: number, ess: number, chains: number): boolean => {
  const none = Array(chains).fill(0);
  const statistics = { stepSize: none, divergences: none, leapfrogs: none, acceptance: none, maxDepth: none };
  const warnings = warningsOf({ quantities: [quantity(rhat, ess)], statistics, stuck: [[]], draws: 200 * chains });
  return warnings.some((warning) => warning.startsWith("R-hat above"));
};

describe("R-hat", () => {
  it("is warned of above 1.01 for a few long chains", () => {
    expect([warned(1.009, 4000, 4), warned(1.011, 4000, 4)]).toEqual([false, true]);
  });

  it("of many short chains may be as far above 1 as that of good ones is, sqrt(1 + halves / ESS), and twice that", () => {
    // 64 chains of 200 draws, 9,000 effective: 1.0071 on average.
    expect([warned(1.0135, 9000, 64), warned(1.02, 9000, 64)]).toEqual([false, true]);
  });
});
