import { describe, expect, it } from "vitest";
import { calibrate, calibrations, isUniform, rankLimit } from "../support/calibration.js";

/*
 * Simulation-based calibration: docs/calibration.md says what it is, test/calibration what it catches.
 */
const all = calibrations();
// One false alarm in 10,000 seeds for all quantities of all calibrations.
const limit = rankLimit(all);

describe.each(all)("$sampler on the $name", (calibration) => {
  it(`gives uniform ranks of ${calibration.refits} true values, each quantity's mean and chi-square within ${limit.toFixed(2)} standard errors`, () => {
    for (const test of calibrate(calibration)) {
      expect(isUniform(test, limit), `${test.quantity}: shape ${test.shape}, shift ${test.shift}`).toBe(true);
    }
  });
});
