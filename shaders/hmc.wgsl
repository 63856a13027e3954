// Hamiltonian Monte Carlo of jittered fixed length (Neal 2011, section 4.2), one workgroup a refit, one invocation a chain.
//
// Positions are whitened: z standard normal were the Laplace approximation exact, logits = reference + W z. All chains of
// a refit share step size, W and the length of each trajectory, so that none waits for another. Warmup goes in rounds:
// within one nothing is shared; at its end the chains agree on the step size and, early on, on the stretch of W's columns.

const TARGET = 0.8;
const DIVERGENCE = 1000.0;
// Times of trajectories, as in assembly/hmc.ts.
const SHORTEST = 1.0;
const LONGEST = 2.7;
/** However small the step: a trajectory is then cut short, so that no dispatch is held up. */
const MOST_LEAPFROGS = 256.0;
/** Positions that the Laplace approximation's scale is worth against those that were seen. */
const GUESS_WEIGHT = 5.0;
/**
 * Log density of a start, relative to the mode's, below which the chain begins at the mode instead: a posterior that bends
 * away from its Laplace approximation has starts where all trajectories diverge at the step that suits other chains. Of
 * the starts in a normal posterior a millionth is so low.
 */
const LOWEST_START = -10.0 - f32(ROWS);

struct Chain {
  position: Vector,
  pull: Vector, // gradient there, in directions of W
  kept: Kept, // changes of the quantities there
  density: f32, // log density there minus that at the reference
}

/** Two quads a row: (theta, 1 - theta, successes, failures) at the reference, then what the log density needs (record.ts). */
var<workgroup> rows: array<vec4f, 2u * ROWS>;
/** W, an upper triangle, row by row. */
var<workgroup> root: array<f32, ROOT>;
/** Positions of all chains: [ROWS][CHAINS]. */
var<workgroup> tile: array<f32, TILE>;
var<workgroup> acceptances: array<f32, CHAINS>;
var<workgroup> factors: array<f32, ROWS>;
var<workgroup> sharedStep: f32;

/** Entry (i, j) of an upper triangle that is stored row by row. */
fn rootAt(i: u32, j: u32) -> u32 {
  return i * ROWS - (i * (i + 1u)) / 2u + j;
}

/** Brings what every gradient needs into workgroup memory: the rows, and W with the stretch so far. */
fn loadReference(record: u32, adaptation: u32, index: u32) {
  for (var i = index; i < 2u * ROWS; i += CHAINS) {
    let at = record + RECORD_ROWS + 4u * i;
    rows[i] = bitcast<vec4f>(vec4u(records[at], records[at + 1u], records[at + 2u], records[at + 3u]));
  }
  loadRoot(record, adaptation, index);
  workgroupBarrier();
}

/** W with the stretch of its columns so far: the same product, hence the same bits, wherever dispatches begin and end. */
fn loadRoot(record: u32, adaptation: u32, index: u32) {
  for (var j = index; j < ROWS; j += CHAINS) {
    let stretch = adapted[adaptation + ADAPTED_STRETCH + j]; // written by this invocation, if in this dispatch
    for (var i = 0u; i <= j; i++) {
      root[rootAt(i, j)] = stretch * bitcast<f32>(records[record + RECORD_ROOT + rootAt(i, j)]);
    }
  }
}

fn warmupRounds() -> u32 {
  return (job.warmup + ROUND - 1u) / ROUND;
}

/** The last iteration of a round. Iterations count from 1; draws begin a round of their own. */
fn lastOf(round: u32) -> u32 {
  let rounds = warmupRounds();
  if (round < rounds) {
    return min((round + 1u) * ROUND, job.warmup);
  }
  return job.warmup + min((round - rounds + 1u) * ROUND, job.draws);
}

@compute @workgroup_size(CHAINS)
fn advance(@builtin(local_invocation_index) index: u32, @builtin(workgroup_id) group: vec3u) {
  let refit = job.firstRefit + group.x;
  let record = refit * RECORD_WORDS;
  loadReference(record, refit * ADAPTED_WORDS, index);
  let patterns = Patterns(record + RECORD_PATTERNS, records[record + RECORD_COUNT]);
  var chain = Chain(
    loadVector(stateAt(refit, STATE_POSITION, index)),
    loadVector(stateAt(refit, STATE_PULL, index)),
    loadKept(stateAt(refit, STATE_KEPT, index)),
    bitcast<f32>(states[stateAt(refit, STATE_DENSITY, index)]),
  );
  var random = loadRandom(stateAt(refit, STATE_RANDOM, index));
  var lengths = loadRandom(stateAt(refit, STATE_LENGTHS, index));
  var totals = vec3f( // of the draws: acceptance, divergences, leapfrogs
    bitcast<f32>(states[stateAt(refit, STATE_TOTALS, index)]),
    bitcast<f32>(states[stateAt(refit, STATE_TOTALS + 1u, index)]),
    bitcast<f32>(states[stateAt(refit, STATE_TOTALS + 2u, index)]),
  );
  var step = adapted[refit * ADAPTED_WORDS + ADAPTED_STEP];
  for (var round = job.firstRound; round < job.endRound; round++) {
    let first = select(lastOf(max(round, 1u) - 1u) + 1u, 0u, round == 0u);
    let last = lastOf(round);
    var acceptance = 0.0;
    for (var iteration = first; iteration <= last; iteration++) {
      // Iteration 0 has step 0: it moves nothing, and finds gradient, density and quantities.
      let still = iteration == 0u;
      let time = SHORTEST + uniform01(&lengths) * (LONGEST - SHORTEST);
      let leapfrogs = clamp(ceil(time / step), 1.0, MOST_LEAPFROGS);
      let size = select(min(time / leapfrogs, step), 0.0, still);
      var momentum = normals(&random);
      let before = chain.density - 0.5 * squares(momentum);
      var position = chain.position;
      var pull = chain.pull;
      var logits = position;
      momentum = moved(momentum, 0.5 * size, pull);
      for (var left = u32(leapfrogs); left > 0u; left--) {
        position = moved(position, size, momentum);
        logits = logitsOf(position);
        pull = directionsOf(gradient(logits, patterns));
        momentum = moved(momentum, select(size, 0.5 * size, left == 1u), pull);
      }
      let there = evaluate(logits, patterns);
      let gain = there.density - 0.5 * squares(momentum) - before;
      let sound = isSound(gain) && gain > -DIVERGENCE;
      let probability = select(0.0, exp(min(gain, 0.0)), sound);
      let accepted = select(uniform01(&random) < probability, there.density > LOWEST_START, still);
      if (still) {
        chain.position = Vector(); // the mode, where all else that is known of a chain is 0 as well
      }
      chain.position = chosen(position, chain.position, accepted);
      chain.pull = chosen(pull, chain.pull, accepted);
      chain.kept = chosenKept(there.kept, chain.kept, accepted);
      chain.density = select(chain.density, there.density, accepted);
      acceptance += select(probability, 0.0, still);
      if (iteration > job.warmup) {
        totals += vec3f(probability, select(1.0, 0.0, sound), leapfrogs);
        keep(chain.kept, (refit * QUANTITIES * job.draws + (iteration - job.warmup - 1u)) * CHAINS + index, job.draws * CHAINS);
      }
    }
    if (round < warmupRounds()) {
      acceptances[index] = acceptance / f32(last + 1u - max(first, 1u));
      spill(chain.position, index);
      workgroupBarrier();
      adaptStep(refit * ADAPTED_WORDS, round, index);
      let stretches = round > 0u && round < (warmupRounds() + 1u) / 2u;
      if (stretches) {
        adaptStretch(refit * ADAPTED_WORDS, round, index);
      }
      workgroupBarrier();
      step = sharedStep;
      if (stretches) {
        chain.position = shrunk(chain.position);
        chain.pull = stretched(chain.pull);
        loadRoot(record, refit * ADAPTED_WORDS, index);
      }
      workgroupBarrier();
    }
  }
  storeVector(stateAt(refit, STATE_POSITION, index), chain.position);
  storeVector(stateAt(refit, STATE_PULL, index), chain.pull);
  storeKept(stateAt(refit, STATE_KEPT, index), chain.kept);
  states[stateAt(refit, STATE_DENSITY, index)] = bitcast<u32>(chain.density);
  storeRandom(stateAt(refit, STATE_RANDOM, index), random);
  storeRandom(stateAt(refit, STATE_LENGTHS, index), lengths);
  for (var i = 0u; i < 3u; i++) {
    states[stateAt(refit, STATE_TOTALS + i, index)] = bitcast<u32>(totals[i]);
  }
}

/** Stochastic approximation (Robbins and Monro 1951) of the log step size at which acceptance meets its target. */
fn adaptStep(at: u32, round: u32, index: u32) {
  if (index == 0u) {
    var sum = 0.0;
    for (var c = 0u; c < CHAINS; c++) {
      sum += acceptances[c];
    }
    let gain = max(2.0 * pow(0.8, f32(round)), 0.3);
    sharedStep = clamp(adapted[at + ADAPTED_STEP] * exp(gain * (sum / f32(CHAINS) - TARGET)), 0.005, 2.0);
    adapted[at + ADAPTED_STEP] = sharedStep;
  }
}

/**
 * Factors that bring each direction to the spread that the chains have shown at the ends of rounds 1 to this one; one
 * invocation a direction.
 */
fn adaptStretch(at: u32, round: u32, index: u32) {
  let n = f32(round * CHAINS);
  for (var k = index; k < ROWS; k += CHAINS) {
    let stretch = adapted[at + ADAPTED_STRETCH + k];
    var sum = adapted[at + ADAPTED_SUMS + k];
    var sumOfSquares = adapted[at + ADAPTED_SQUARES + k];
    for (var c = 0u; c < CHAINS; c++) {
      let z = stretch * tile[k * CHAINS + c]; // in units of the Laplace approximation
      sum += z;
      sumOfSquares += z * z;
    }
    let variance = max(sumOfSquares - sum * sum / n, 0.0) / max(n - 1.0, 1.0);
    factors[k] = sqrt((n * variance + GUESS_WEIGHT) / (n + GUESS_WEIGHT)) / stretch;
    adapted[at + ADAPTED_STRETCH + k] = stretch * factors[k];
    adapted[at + ADAPTED_SUMS + k] = sum;
    adapted[at + ADAPTED_SQUARES + k] = sumOfSquares;
  }
}
