// Numbers that the kernel and its host share, and nothing else: AssemblyScript here, TypeScript without the types there
// (copied to src/generated/layout.ts by the build). Offsets are bytes from the start of a block.

// Network block: u32 fields, then what they point at.
export const NETWORK_ROWS: usize = 0; // K Bernoulli rows = dimensions
export const NETWORK_FAMILIES: usize = 4; // F
export const NETWORK_PATTERNS: usize = 8; // ambiguous patterns with records in this refit
export const NETWORK_FIXED: usize = 12; // -> f64 [K][success, failure]: prior plus fixed counts
export const NETWORK_FAMILY_TABLE: usize = 16; // -> u32 [F][parent node, row]
export const NETWORK_PATTERN_TABLE: usize = 20; // -> [patterns] of { f64 count, u32 nodes, u32 node... , padded to 8 }
export const NETWORK_VALUES: usize = 24; // -> lanes [2F + 1 nodes, then K x (1 - theta, theta)]
export const NETWORK_EXPECTED: usize = 28; // -> lanes [2F + 1]: expected records a node
export const NETWORK_SOFTPLUS: usize = 32; // -> f64 [K]: softplus(-|x|) of each row, one chain only
export const NETWORK_TOTALS: usize = 36; // -> lanes [patterns]: probability of each pattern
export const NETWORK_REFERENCE: usize = 40; // -> f64 [K + 2K + (2F + 1) + K + (2F + 1)]: see centred.ts
export const NETWORK_BYTES: usize = 48;

// Quantity block: u32 fields.
export const QUANTITY_COUNT: usize = 0;
export const QUANTITY_PROGRAMS: usize = 4; // -> per quantity { u32 steps, u32 0, step... }
export const QUANTITY_STACK: usize = 8; // -> lanes
export const QUANTITY_BYTES: usize = 16;

// Steps of a program: { u32 code, u32 terms }; a form goes on with f64 constant, then terms of { u32 index, u32 0, f64 weight }.
export const STEP_FORM: u32 = 0;
export const STEP_ADD: u32 = 1;
export const STEP_SUBTRACT: u32 = 2;
export const STEP_MULTIPLY: u32 = 3;
export const STEP_DIVIDE: u32 = 4;
export const STEP_PROBABILITY: u32 = 5; // into the open interval (0, 1)

// Run block: what to sample, then where.
export const RUN_SEED: usize = 0; // u64 key of all streams
export const RUN_REFIT: usize = 8; // u64 refit id
export const RUN_LOWER: usize = 16; // f64 probabilities of the interval ends
export const RUN_UPPER: usize = 24;
export const RUN_FIRST_CHAIN: usize = 32; // u32
export const RUN_CHAINS: usize = 36; // u32
export const RUN_WARMUP: usize = 40; // u32 iterations a chain
export const RUN_DRAWS: usize = 44; // u32 draws a chain
export const RUN_OUTPUT: usize = 48; // u32 -> f64 [quantity][chain][draw]
export const RUN_TRACE: usize = 52; // u32 -> f64 [chain][draw][TRACE_FIELDS], 0 = not wanted
export const RUN_WORKSPACE: usize = 56; // u32 -> scratch of the sampler; what `approximate` writes
export const RUN_CHAIN_RESULTS: usize = 60; // u32 -> f64 [chain][CHAIN_FIELDS]
export const RUN_SUMMARIES: usize = 64; // u32 -> f64 [quantity][SUMMARY_FIELDS]
export const RUN_APPROXIMATION: usize = 68; // u32 -> scratch of the Laplace approximation
export const RUN_BYTES: usize = 72;

// Fields of a chain's result.
export const CHAIN_STEP_SIZE: i32 = 0;
export const CHAIN_LEAPFROGS: i32 = 1; // after warmup
export const CHAIN_DIVERGENCES: i32 = 2; // after warmup, non-finite transitions included
export const CHAIN_ACCEPTANCE: i32 = 3; // mean over the draws
export const CHAIN_MAX_DEPTH: i32 = 4; // transitions that met the depth limit
export const CHAIN_METRIC_UPDATES: i32 = 5;
export const CHAIN_FIELDS: i32 = 6;

// Fields of a quantity's summary.
export const SUMMARY_MEAN: i32 = 0;
export const SUMMARY_SD: i32 = 1;
export const SUMMARY_MEDIAN: i32 = 2;
export const SUMMARY_LOWER: i32 = 3;
export const SUMMARY_UPPER: i32 = 4;
export const SUMMARY_RHAT: i32 = 5;
export const SUMMARY_ESS: i32 = 6;
export const SUMMARY_FIELDS: i32 = 7;

// Fields of a draw's trace.
export const TRACE_LOG_DENSITY: i32 = 0;
export const TRACE_ACCEPTANCE: i32 = 1;
export const TRACE_STEP_SIZE: i32 = 2;
export const TRACE_DEPTH: i32 = 3;
export const TRACE_LEAPFROGS: i32 = 4;
export const TRACE_OUTCOME: i32 = 5;
export const TRACE_ENERGY: i32 = 6;
export const TRACE_FIELDS: i32 = 7;

// How a transition ended.
export const OUTCOME_COMPLETE: i32 = 0; // fixed length walked, or a NUTS trajectory that turned
export const OUTCOME_MAX_DEPTH: i32 = 1;
export const OUTCOME_DIVERGENT: i32 = 2;
export const OUTCOME_NON_FINITE: i32 = 3;

// Limits and streams.
export const MAX_DEPTH: i32 = 10;
export const STREAM_CHAIN: u32 = 0; // purposes of a stream: high byte of the second counter word
export const STREAM_SUBSAMPLE: u32 = 1;
export const STREAM_EXACT: u32 = 2;
export const STREAM_GPU: u32 = 3; // seeds of the GPU's own generators
export const STREAM_PREDICTIVE: u32 = 4; // data sets drawn from a posterior
export const STREAM_COMPARE: u32 = 5; // draws of paired systems; the order of independent ones
export const STREAM_AUDIT: u32 = 6; // draws and bootstrap samples of a judge audit
export const STREAM_LATENT: u32 = 7; // folds of calibration; starts and simulated votes of latent classes

// Warmup actions: bits.
export const WARMUP_COLLECT: i32 = 1; // add the position to the running variance
export const WARMUP_UPDATE: i32 = 2; // set the metric from it, start the step size anew
