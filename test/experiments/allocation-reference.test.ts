import { testAllocation } from "../support/allocation.js";

testAllocation(
  "the default sweep of hotpotqa-hybrid-qwen3.5",
  {
    strategies: ["all-joint", "half-joint-R", "half-joint-T", "all-R", "all-T"],
    cells: 21,
    pairs: 64,
    replicates: 500,
  },
  { workers: 2 },
);
