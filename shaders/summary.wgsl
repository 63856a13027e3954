// Summaries of one quantity's draws, one workgroup a refit and quantity, one invocation a chain: the statistics of
// assembly/summary.ts. Everything is of changes from the reference, which the host adds to places, not to spreads.
//
// Order statistics by three histograms in one another: 256 bins over all draws, 256 over the bin with the rank that is
// sought, and so on. What is left of the range, 2^-24, is less than f32 can tell.

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

/** A bin within a bin within the range, for one rank. */
struct Place {
  rank: u32, // among the draws in the bin
  bins: vec3u, // chosen so far, level by level
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

/** (least, greatest) of all chains. */
fn extent(least: f32, greatest: f32, chain: u32) -> vec2f {
  partial[chain] = vec4f(least, greatest, 0.0, 0.0);
  workgroupBarrier();
  if (chain == 0u) {
    for (var c = 1u; c < CHAINS; c++) {
      partial[0] = vec4f(min(partial[0].x, partial[c].x), max(partial[0].y, partial[c].y), 0.0, 0.0);
    }
    whole = partial[0];
  }
  return workgroupUniformLoad(&whole).xy;
}

/** (bin, place within it from 0 to 1) of a place from 0 to 1. */
fn binOf(place: f32) -> vec2f {
  let scaled = place * f32(BINS);
  let bin = clamp(floor(scaled), 0.0, f32(BINS - 1u));
  return vec2f(bin, scaled - bin);
}

@compute @workgroup_size(CHAINS)
fn summarise(@builtin(local_invocation_index) chain: u32, @builtin(workgroup_id) group: vec3u) {
  let refit = job.firstRefit + group.y;
  let quantity = group.x;
  let first = (refit * QUANTITIES + quantity) * job.draws * CHAINS + chain;
  let length = job.draws;

  var sum = 0.0;
  var least = draws[first];
  var greatest = least;
  for (var i = 0u; i < length; i++) {
    let x = draws[first + i * CHAINS];
    sum += x;
    least = min(least, x);
    greatest = max(greatest, x);
  }
  let count = f32(length * CHAINS);
  let mean = total(vec4f(sum, 0.0, 0.0, 0.0), chain).x / count;
  let range = extent(least, greatest, chain);

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
    places[r] = Place(quantiles.ranks[r / 4u][r % 4u], vec3u(0u));
  }
  let width = range.y - range.x;
  let scale = select(0.0, 1.0 / width, width > 0.0);
  for (var level = 0u; level < 3u; level++) {
    for (var bin = chain; bin < RANKS * BINS; bin += CHAINS) {
      atomicStore(&histogram[bin], 0u);
    }
    workgroupBarrier();
    for (var i = 0u; i < length; i++) {
      let a = binOf((draws[first + i * CHAINS] - range.x) * scale);
      let b = binOf(a.y);
      let c = binOf(b.y);
      let bins = vec3u(u32(a.x), u32(b.x), u32(c.x));
      for (var r = 0u; r < RANKS; r++) {
        let chosen = places[r].bins;
        let inside = (level < 1u || bins.x == chosen.x) && (level < 2u || bins.y == chosen.y);
        // At first all ranks look at the same histogram.
        if (inside && (level > 0u || r == 0u)) {
          atomicAdd(&histogram[r * BINS + bins[level]], 1u);
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
      places[r].bins[level] = bin;
    }
    workgroupBarrier();
  }

  if (chain == 0u) {
    var ends: array<f32, 3>;
    for (var e = 0u; e < 3u; e++) {
      let below = valueOf(places[2u * e].bins, range.x, width);
      let above = valueOf(places[2u * e + 1u].bins, range.x, width);
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

/** The middle of a bin of the last level. */
fn valueOf(bins: vec3u, least: f32, width: f32) -> f32 {
  let size = 1.0 / f32(BINS);
  return least + width * (size * (f32(bins.x) + size * (f32(bins.y) + size * (f32(bins.z) + 0.5))));
}
