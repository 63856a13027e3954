import { describe, expect, it } from "vitest";
import { CHAIN_FIELDS, CHAIN_METRIC_UPDATES, WARMUP_COLLECT, WARMUP_UPDATE } from "../../src/generated/layout.js";
import { compileNetwork } from "../../src/network/index.js";
import { openProbe, openSampler } from "../support/kernel.js";
import { coin } from "../support/networks.js";

const probe = openProbe();

/** Lengths of the windows of a warmup, in order, and the iterations before the first and after the last. */
function windowsOf(total: number): { before: number; windows: number[]; after: number } {
  const actions = Array.from({ length: total }, (_, iteration) => probe.warmupActionsAt(iteration, total));
  const collecting = actions.map((action) => (action & WARMUP_COLLECT) !== 0);
  const first = collecting.indexOf(true);
  if (first < 0) return { before: total, windows: [], after: 0 };
  const windows: number[] = [];
  let length = 0;
  for (let i = first; i <= collecting.lastIndexOf(true); i++) {
    // Every iteration of the slow phase is in a window, and only its last one updates the metric.
    if (!collecting[i]) throw new Error(`iteration ${i} of ${total} is between windows`);
    length++;
    if (actions[i] & WARMUP_UPDATE) {
      windows.push(length);
      length = 0;
    }
  }
  if (length > 0) throw new Error(`the last window of ${total} iterations doesn't update the metric`);
  return { before: first, windows, after: total - 1 - collecting.lastIndexOf(true) };
}

/**
 * How often the metric is set, written down independently: windows of 25, 50, 100, ... fill the warmup less 125
 * iterations at its ends, k of them 25 (2^k - 1), as long as they fit; one window in 20 ... 149 iterations.
 */
const expectedUpdates = (total: number): number => {
  if (total < 20) return 0;
  if (total < 150) return 1;
  return Math.floor(Math.log2((total - 125) / 25 + 1));
};

describe("the warmup schedule", () => {
  it("sets the metric as often as the closed form says, for every length from 0 to 1000", () => {
    const updates = Array.from({ length: 1001 }, (_, total) => windowsOf(total).windows.length);
    expect(updates).toEqual(updates.map((_, total) => expectedUpdates(total)));
  });

  it.each([
    [0, 0],
    [19, 0],
    [20, 1],
    [100, 1],
    [149, 1],
    [150, 1],
    [199, 1],
    [200, 2],
    [300, 3],
    [500, 4],
    [899, 4],
    [900, 5],
    [1000, 5],
    [2000, 6],
    [10000, 8],
  ])("of %d iterations sets the metric %d times", (total, updates) => {
    expect(windowsOf(total).windows).toHaveLength(updates);
  });

  it("of 1000 iterations is Stan's: 75, then 25, 50, 100, 200, 500, then 50", () => {
    expect(windowsOf(1000)).toEqual({ before: 75, windows: [25, 50, 100, 200, 500], after: 50 });
  });

  it("puts every iteration in one phase or window, for every length from 0 to 1000", () => {
    const lengths = Array.from({ length: 1001 }, (_, total) => {
      const { before, windows, after } = windowsOf(total);
      return before + windows.reduce((a, b) => a + b, 0) + after;
    });
    expect(lengths).toEqual(lengths.map((_, total) => total));
  });

  it("doubles the windows from 150 iterations on; the last is at least as long as doubling makes it", () => {
    for (let total = 150; total <= 2000; total++) {
      const { before, windows, after } = windowsOf(total);
      const doubled = windows.map((_, i) => 25 * 2 ** i);
      const rest = total - 125 - doubled.reduce((a, b) => a + b, 0);
      const last = doubled[doubled.length - 1];
      expect({ before, windows, after }).toEqual({
        before: 75,
        windows: [...doubled.slice(0, -1), last + rest],
        after: 50,
      });
      expect(rest >= 0 && rest < 2 * last).toBe(true);
    }
  });

  it("cuts 20 to 149 iterations into about 15 %, 75 % and 10 %", () => {
    for (let total = 20; total < 150; total++) {
      expect(windowsOf(total)).toEqual({
        before: Math.floor(0.15 * total + 1e-9),
        windows: [total - Math.floor(0.15 * total + 1e-9) - Math.floor(total / 10)],
        after: Math.floor(total / 10),
      });
    }
  });

  it.each([0, 19, 20, 149, 150, 500, 1000])("is what nuts does: metric updates of a warmup of %d", (warmup) => {
    const network = compileNetwork(coin);
    const sampler = openSampler(network, { sampler: "nuts", chains: 2, warmup, draws: 1 });
    sampler.sample(new Float64Array(network.patterns.length), 0);
    for (let chain = 0; chain < 2; chain++) {
      expect(sampler.chainResults[CHAIN_FIELDS * chain + CHAIN_METRIC_UPDATES]).toBe(expectedUpdates(warmup));
    }
  });

  it.each([0, 39, 40, 298, 400, 1000])("is what hmc does in the first half of a warmup of %d", (warmup) => {
    const network = compileNetwork(coin);
    const sampler = openSampler(network, { sampler: "hmc", chains: 2, warmup, draws: 1 });
    sampler.sample(new Float64Array(network.patterns.length), 0);
    for (let chain = 0; chain < 2; chain++) {
      expect(sampler.chainResults[CHAIN_FIELDS * chain + CHAIN_METRIC_UPDATES]).toBe(expectedUpdates(warmup / 2));
    }
  });
});
