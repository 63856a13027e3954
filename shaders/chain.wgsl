// What one invocation knows of its chain, kept in a buffer between dispatches.

const FIRST_STEP = 0.8;

struct Job {
  seed: vec2u,
  firstRefit: u32, // of the batch, that this dispatch begins with
  firstRound: u32,
  endRound: u32,
  warmup: u32, // iterations
  draws: u32, // a chain
  unused: u32, // a multiple of 16 bytes
}

/** Refits as record.ts packs them: [refits][RECORD_WORDS], f32 but for the first words. */
@group(0) @binding(0) var<storage, read> records: array<u32>;
/** Weights (0 or 1) of the touched nodes in each ambiguous pattern: [patterns][TOUCHED_QUADS]. */
@group(0) @binding(1) var<storage, read> members: array<vec4f>;
/** [refits][STATE_WORDS][CHAINS] */
@group(0) @binding(2) var<storage, read_write> states: array<u32>;
/** [refits][ADAPTED_WORDS]: step size, then [ROWS] of stretch, sums, sums of squares. */
@group(0) @binding(3) var<storage, read_write> adapted: array<f32>;
/** Changes of the quantities from their values at the reference: [refits][QUANTITIES][draws][CHAINS] */
@group(0) @binding(4) var<storage, read_write> draws: array<f32>;
/** [refits][RESULT_WORDS] */
@group(0) @binding(5) var<storage, read_write> results: array<f32>;
@group(0) @binding(6) var<uniform> job: Job;

fn stateAt(refit: u32, field: u32, chain: u32) -> u32 {
  return (refit * STATE_WORDS + field) * CHAINS + chain;
}

fn loadRandom(at: u32) -> vec4u {
  return vec4u(states[at], states[at + CHAINS], states[at + 2u * CHAINS], states[at + 3u * CHAINS]);
}

fn storeRandom(at: u32, random: vec4u) {
  states[at] = random.x;
  states[at + CHAINS] = random.y;
  states[at + 2u * CHAINS] = random.z;
  states[at + 3u * CHAINS] = random.w;
}
