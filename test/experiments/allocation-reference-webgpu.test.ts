import { beforeAll } from "vitest";
import { testAllocation } from "../support/allocation.js";
import { useSoftwareAdapter } from "../support/software.js";

beforeAll(useSoftwareAdapter);

/*
 * The cells whose records are ambiguous, T bought without R, and where they begin. A quarter of the default chains, for a
 * CPU's sake: noise of 1,600 draws is in the standard errors.
 */
testAllocation(
  "a sweep of hotpotqa-hybrid-qwen3.5 with webgpu",
  { strategies: ["half-joint-T", "all-T"], cells: 9, pairs: 8, replicates: 150 },
  { engine: "webgpu", chains: 16, workers: 0 },
);
