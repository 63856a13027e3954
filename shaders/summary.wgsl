// Summaries of one quantity's draws, one workgroup a refit and quantity, one invocation a chain: the statistics of
// assembly/summary.ts. Everything is of changes from the reference, which the host adds to places, not to spreads.
//
// Order statistics by radix selection: a histogram of the draws' first 8 bits, of the next 8 among those that agree with the
// rank sought in the first, and so on. However far one draw is from the rest, the others keep all their digits.

const BINS = 256u;
/** Ranks that are sought: the two neighbours of each of three quantiles. */
const RANKS = 6u;

struct Quantiles {
  ranks: array<vec4u, 2>, // 0-based, of lower end, median, upper end: two each
  fractions: vec4f, // from the first neighbour to the second
}

@group(0) @binding(7) var<uniform> quantiles: Quantiles;

var<workgroup> partial: array<vec4f, CHAINS>;
var<workgroup> histogram: array<atomic<u32>, RANKS * BINS>;
var<workgroup> whole: vec4f;

/** Where the draw of one rank is. */
struct Place {
  rank: u32, // among the draws that agree in the bits so far
  key: u32, // its bits so far
}
var<workgroup> places: array<Place, RANKS>;

/** Sum over the chains of a workgroup. */
fn total(value: vec4f, chain: u32) -> vec4f {
  partial[chain] = value;
  workgroupBarrier();
  if (chain == 0u) {
    var sum = vec4f(0.0);
    for (var c = 0u; c < CHAINS; c++) {
      sum += partial[c];
    }
    whole = sum;
  }
  return workgroupUniformLoad(&whole);
}

/** A number's bits, changed so that they are in the numbers' order. */
fn keyOf(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  return bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u);
}

fn valueOf(key: u32) -> f32 {
  return bitcast<f32>(key ^ select(0xffffffffu, 0x80000000u, key >= 0x80000000u));
}

@compute @workgroup_size(CHAINS)
fn summarise(@builtin(local_invocation_index) chain: u32, @builtin(workgroup_id) group: vec3u) {
  let refit = job.firstRefit + group.y;
  let quantity = group.x;
  let first = (refit * QUANTITIES + quantity) * job.draws * CHAINS + chain;
  let length = job.draws;

  var sum = 0.0;
  for (var i = 0u; i < length; i++) {
    sum += draws[first + i * CHAINS];
  }
  let count = f32(length * CHAINS);
  let mean = total(vec4f(sum, 0.0, 0.0, 0.0), chain).x / count;

  // Split R-hat: each chain as two halves, the middle draw left out. ESS: batches of about sqrt(length) draws.
  let half = length / 2u;
  let batch = u32(sqrt(f32(length)));
  let batches = length / batch;
  var squares = 0.0;
  var firstHalf = vec2f(0.0); // sum, sum of squares
  var lastHalf = vec2f(0.0);
  var batchSum = 0.0;
  var batchSquares = 0.0; // of the batches' means
  for (var i = 0u; i < length; i++) {
    let d = draws[first + i * CHAINS] - mean;
    let both = vec2f(d, d * d);
    squares += d * d;
    firstHalf += select(vec2f(0.0), both, i < half);
    lastHalf += select(vec2f(0.0), both, i >= length - half);
    batchSum += select(0.0, d, i < batch * batches);
    if ((i + 1u) % batch == 0u) {
      batchSquares += (batchSum / f32(batch)) * (batchSum / f32(batch));
      batchSum = 0.0;
    }
  }
  let n = f32(half);
  let within = (firstHalf.y - firstHalf.x * firstHalf.x / n + lastHalf.y - lastHalf.x * lastHalf.x / n) / (n - 1.0);
  let means = vec2f(firstHalf.x, lastHalf.x) / n;
  let sums = total(vec4f(squares, batchSquares, within, means.x + means.y), chain);
  let squaresOfMeans = total(vec4f(dot(means, means), 0.0, 0.0, 0.0), chain).x;
  let halves = 2.0 * f32(CHAINS);
  let variance = sums.x / (count - 1.0);
  let between = (squaresOfMeans - sums.w * sums.w / halves) / (halves - 1.0);
  let betweenBatches = f32(batch) * sums.y / (f32(CHAINS * batches) - 1.0);

  for (var r = chain; r < RANKS; r += CHAINS) {
    places[r] = Place(quantiles.ranks[r / 4u][r % 4u], 0u);
  }
  for (var level = 0u; level < 4u; level++) {
    let shift = 24u - 8u * level;
    for (var bin = chain; bin < RANKS * BINS; bin += CHAINS) {
      atomicStore(&histogram[bin], 0u);
    }
    workgroupBarrier();
    for (var i = 0u; i < length; i++) {
      let bits = keyOf(draws[first + i * CHAINS]) >> shift;
      for (var r = 0u; r < RANKS; r++) {
        // At first all ranks look at the same histogram.
        if (select(bits >> 8u == places[r].key, r == 0u, level == 0u)) {
          atomicAdd(&histogram[r * BINS + (bits & 255u)], 1u);
        }
      }
    }
    workgroupBarrier();
    for (var r = chain; r < RANKS; r += CHAINS) {
      let histogramOf = select(0u, r * BINS, level > 0u);
      var rank = places[r].rank;
      var bin = 0u;
      for (; bin < BINS - 1u; bin++) {
        let here = atomicLoad(&histogram[histogramOf + bin]);
        if (rank < here) {
          break;
        }
        rank -= here;
      }
      places[r].rank = rank;
      places[r].key = (places[r].key << 8u) | bin;
    }
    workgroupBarrier();
  }

  if (chain == 0u) {
    var ends: array<f32, 3>;
    for (var e = 0u; e < 3u; e++) {
      let below = valueOf(places[2u * e].key);
      let above = valueOf(places[2u * e + 1u].key);
      ends[e] = below + quantiles.fractions[e] * (above - below);
    }
    let at = refit * RESULT_WORDS + RESULT_QUANTITIES + quantity * SUMMARY_FIELDS;
    results[at + SUMMARY_MEAN] = mean;
    results[at + SUMMARY_SD] = sqrt(variance);
    results[at + SUMMARY_MEDIAN] = ends[1];
    results[at + SUMMARY_LOWER] = ends[0];
    results[at + SUMMARY_UPPER] = ends[2];
    results[at + SUMMARY_RHAT] = sqrt((n - 1.0) / n + between / (sums.z / halves));
    results[at + SUMMARY_ESS] = count * variance / betweenBatches;
  }
  if (quantity == 0u) {
    let state = stateAt(refit, STATE_TOTALS, chain);
    let own = vec3f(bitcast<f32>(states[state]), bitcast<f32>(states[state + CHAINS]), bitcast<f32>(states[state + 2u * CHAINS]));
    let sampler = total(vec4f(own, 0.0), chain);
    if (chain == 0u) {
      results[refit * RESULT_WORDS + RESULT_ACCEPTANCE] = sampler.x / count;
      results[refit * RESULT_WORDS + RESULT_DIVERGENCES] = sampler.y;
      results[refit * RESULT_WORDS + RESULT_LEAPFROGS] = sampler.z;
      results[refit * RESULT_WORDS + RESULT_STEP_SIZE] = adapted[refit * ADAPTED_WORDS + ADAPTED_STEP];
    }
  }
}
