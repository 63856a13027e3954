import { describe, expect, it } from "vitest";
import { type Calibration, calibrate, isUniform, rankLimit } from "../support/calibration.js";
import { falseAlarms } from "../support/montecarlo.js";
import { coverage, levels } from "./coverage.js";

/** Puts the engine in, which is opened once the tests run. */
type Completed = (calibration: Calibration) => Calibration;

/** A software adapter takes half a minute of a busy machine. */
const timeout = 300_000;

/** Ranks of truths are uniform: one false alarm in 10,000 seeds for all quantities of all calibrations. */
export function testRanks(all: readonly Calibration[], title: string, completed: Completed = (same) => same): void {
  const limit = rankLimit(all);
  describe.each(all)(title, (calibration) => {
    it(
      `gives uniform ranks of ${calibration.refits} true values, each quantity's mean and chi-square within ${limit.toFixed(2)} standard errors`,
      async () => {
        for (const test of await calibrate(completed(calibration))) {
          expect(isUniform(test, limit), `${test.quantity}: shape ${test.shape}, shift ${test.shift}`).toBe(true);
        }
      },
      timeout,
    );
  });
}

/**
 * Averaged over the prior the share of truths beyond an end is exactly nominal, whatever is missing. Draws of a chain are
 * not independent: an end from S of them leaves (1 - 2p) / 3 / (S + 1) more than p beyond it, and were they worth only a
 * quarter of their number, that would be 0.0005, a tenth of a standard error here.
 */
export function testCoverage(all: readonly Calibration[], title: string, completed: Completed = (same) => same): void {
  const ends = all.reduce((sum, { definition }) => sum + definition.quantities.length * levels.length * 2, 0);
  describe.each(all)(title, (calibration) => {
    it(
      `leaves nominal shares of ${calibration.refits} truths beyond each end of 95 and 80 % intervals, all ${ends} together with one false alarm in 10,000 seeds`,
      async () => {
        for (const test of await coverage(completed(calibration))) {
          expect(test.chance, JSON.stringify(test)).toBeGreaterThan(falseAlarms / ends);
        }
      },
      timeout,
    );
  });
}
