import { afterAll, beforeAll } from "vitest";
import { WebGpuEngine } from "../../src/engines/webgpu/engine.js";
import { rat } from "../../src/network/index.js";
import { basePlans, type Calibration, calibrations } from "../support/calibration.js";
import { useSoftwareAdapter } from "../support/software.js";
import { testCoverage, testRanks } from "./nominal.js";

/*
 * The calibration of the kernel's samplers, of the GPU's: one false alarm in 10,000 seeds each for all ranks and for all
 * interval ends together.
 */
let engine: WebGpuEngine;
beforeAll(async () => {
  useSoftwareAdapter();
  engine = await WebGpuEngine.open({ workers: 0 });
});
afterAll(() => engine?.dispose());

const completed = (calibration: Calibration): Calibration => ({ ...calibration, engine });

testRanks(calibrations(1, "webgpu"), "webgpu on the $name", completed);

testCoverage(
  [{ name: "base network", sampler: "hmc", definition: rat, plans: basePlans, refits: 500 }],
  "webgpu, truths from the prior",
  completed,
);
