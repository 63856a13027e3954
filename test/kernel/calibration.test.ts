import { testRanks } from "../calibration/nominal.js";
import { calibrations } from "../support/calibration.js";

/*
 * Simulation-based calibration: docs/calibration.md says what it is, test/calibration what it catches.
 */
testRanks(calibrations(), "$sampler on the $name");
