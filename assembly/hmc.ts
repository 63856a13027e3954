// Fixed-length Hamiltonian Monte Carlo for many short runs: two chains of one refit in the two lanes of a vector, in
// lockstep. They start from the Laplace approximation, whose covariance is the dense inverse mass matrix W W' up to one
// factor a direction that warmup adapts. They share step size, metric and the length of each trajectory, which is
// jittered (Neal 2011, "MCMC using Hamiltonian dynamics", section 4.2): time uniform on [SHORTEST, LONGEST], in equal
// steps no longer than the adapted one.

import { add, broadcast, copy, high, low, mul, sub } from "./lanes";
import { Laplace } from "./laplace";
import {
  CHAIN_ACCEPTANCE,
  CHAIN_DIVERGENCES,
  CHAIN_LEAPFROGS,
  CHAIN_METRIC_UPDATES,
  CHAIN_STEP_SIZE,
  OUTCOME_COMPLETE,
  OUTCOME_DIVERGENT,
  OUTCOME_NON_FINITE,
  WARMUP_COLLECT,
  WARMUP_UPDATE,
} from "./layout";
import { addPosition, clearVariance, shrunkVariance } from "./metric";
import { normal } from "./normal";
import { STREAM_BYTES, Stream } from "./philox";
import { Quantities } from "./quantity";
import { Run } from "./run";
import { exp } from "./special";
import { StochasticApproximation } from "./stepsize";
import { warmupActions } from "./warmup";

const TARGET: f64 = 0.8;
const DIVERGENCE: f64 = 1000.0;
// In units of the posterior a trajectory of time t leaves the correlation cos(t) with its start. Over this range its mean
// is -0.24, so that means are estimated better than from independent draws, and that of cos(t)^2 is 0.25, so that
// variances and interval ends are not much worse.
const SHORTEST: f64 = 1.0;
const LONGEST: f64 = 2.7;
const FIRST_STEP: f64 = 0.8;
/** However small the adapted step: as many as in the largest NUTS tree, so that a trajectory always ends. */
const MOST_LEAPFROGS: f64 = 1024.0;

const streamA = changetype<Stream>(memory.data(<i32>STREAM_BYTES, 16));
const streamB = changetype<Stream>(memory.data(<i32>STREAM_BYTES, 16));
const averaging = changetype<StochasticApproximation>(memory.data(64, 16));
let approximation = changetype<Laplace>(0);

// Vectors in the workspace: lanes [K].
let root: usize = 0; // f64, rows of an upper triangle: W with W W' = inverse mass matrix
let position: usize = 0; // of the chains, and the gradient there
let gradient: usize = 0;
let movingPosition: usize = 0; // along a trajectory
let movingGradient: usize = 0;
let momentum: usize = 0; // in units of the metric
let whitened: usize = 0; // position in units of the Laplace approximation
let variance: usize = 0;
let values: usize = 0; // quantities of the chains, lanes [quantities]
let movingValues: usize = 0;
let span: usize = 0; // bytes of lanes [K]

let logDensity: v128 = i64x2.splat(0);

// What the last transition did, lane by lane where a pair.
let accepted: v128 = i64x2.splat(0); // mask
let probability: v128 = i64x2.splat(0); // of acceptance
let energy: v128 = i64x2.splat(0); // of the trajectory's end
let leapfrogs: i32 = 0;

/** Bytes of workspace that `hmcChains` needs. */
export function hmcBytes(dimensions: usize, quantities: usize): usize {
  const triangle = 4 * dimensions * (dimensions + 1) + 16;
  return triangle + 16 * 9 * dimensions + 32 * quantities;
}

function place(workspace: usize, dimensions: usize, quantities: usize): void {
  span = 16 * dimensions;
  root = workspace;
  position = root + ((4 * dimensions * (dimensions + 1) + 15) & ~15);
  gradient = position + span;
  movingPosition = gradient + span;
  movingGradient = movingPosition + span;
  momentum = movingGradient + span;
  whitened = momentum + span;
  variance = whitened + span;
  values = variance + 2 * span;
  movingValues = values + 16 * quantities;
}

/** Samples every chain of the run, two by two; the run has an even number of chains. */
export function hmcChains<D>(density: D, laplace: Laplace, quantities: Quantities, run: Run): void {
  place(run.workspace, density.rows, quantities.count);
  approximation = laplace;
  for (let chain: u32 = 0; chain < run.chains; chain += 2) hmcPair<D>(density, quantities, run, chain);
}

function hmcPair<D>(density: D, quantities: Quantities, run: Run, chain: u32): void {
  const dimensions = density.rows;
  const count = quantities.count;
  run.start(streamA, chain);
  run.start(streamB, chain + 1);
  approximation.inverseRoot(root);
  startChain(streamA, dimensions, 0);
  startChain(streamB, dimensions, 8);
  density.gradient<v128>(position, gradient);
  logDensity = density.logDensity<v128>(position);
  const updates = warmUp<D>(density, run.warmup, dimensions);
  const stepSize = averaging.settled;

  density.gradient<v128>(position, gradient);
  density.complete<v128>();
  quantities.evaluate<v128>(density.values, values);
  let totalLeapfrogs: f64 = 0;
  let totalProbability = f64x2.splat(0.0);
  let divergences = i64x2.splat(0);
  for (let draw: u32 = 0; draw < run.draws; draw++) {
    const before = logDensity;
    const divergent = transition<D>(density, stepSize, dimensions);
    totalLeapfrogs += <f64>leapfrogs;
    totalProbability = add<v128>(totalProbability, probability);
    divergences = i64x2.sub(divergences, divergent);
    // The values at the trajectory's end are there already: keep them where it was accepted.
    density.complete<v128>();
    quantities.evaluate<v128>(density.values, movingValues);
    choose(values, movingValues, 16 * count);
    run.keep(values, 16, count, chain, draw);
    run.keep(values + 8, 16, count, chain + 1, draw);
    if (run.wantsTrace) traceDraw(run, chain, draw, stepSize, before, divergent);
  }
  const draws = <f64>max(run.draws, 1);
  keepResults(run.resultsOf(chain), stepSize, totalLeapfrogs, low(totalProbability) / draws, updates);
  keepResults(run.resultsOf(chain + 1), stepSize, totalLeapfrogs, high(totalProbability) / draws, updates);
  store<f64>(run.resultsOf(chain) + 8 * CHAIN_DIVERGENCES, <f64>i64x2.extract_lane(divergences, 0));
  store<f64>(run.resultsOf(chain + 1) + 8 * CHAIN_DIVERGENCES, <f64>i64x2.extract_lane(divergences, 1));
}

function keepResults(results: usize, stepSize: f64, total: f64, acceptance: f64, updates: i32): void {
  store<f64>(results + 8 * CHAIN_STEP_SIZE, stepSize);
  store<f64>(results + 8 * CHAIN_LEAPFROGS, total);
  store<f64>(results + 8 * CHAIN_ACCEPTANCE, acceptance);
  store<f64>(results + 8 * CHAIN_METRIC_UPDATES, <f64>updates);
}

/** A draw of the Laplace approximation into one lane of the position. */
function startChain(stream: Stream, dimensions: usize, lane: usize): void {
  for (let k: usize = 0; k < dimensions; k++) store<f64>(momentum + 8 * k, normal(stream));
  approximation.transform(momentum);
  for (let k: usize = 0; k < dimensions; k++) {
    store<f64>(position + 16 * k + lane, load<f64>(momentum + 8 * k));
  }
}

/**
 * Adapts step size and metric, both from the two chains together: the metric in the first half of the warmup by the usual
 * schedule, the step size throughout. Returns how often the metric was set.
 */
function warmUp<D>(density: D, iterations: i32, dimensions: usize): i32 {
  let updates = 0;
  let collected: f64 = 0;
  let stepSize = FIRST_STEP;
  averaging.restart(stepSize, TARGET);
  clearVariance<v128>(variance, dimensions);
  for (let iteration = 0; iteration < iterations; iteration++) {
    transition<D>(density, stepSize, dimensions);
    stepSize = averaging.update(0.5 * (low(probability) + high(probability)));
    const actions = warmupActions(iteration, iterations / 2);
    if (actions & WARMUP_COLLECT) {
      collected += 1.0;
      approximation.whiten(position, whitened);
      addPosition<v128>(variance, whitened, dimensions, collected);
    }
    if (actions & WARMUP_UPDATE) {
      approximation.inverseRoot(root);
      stretch(collected, dimensions);
      clearVariance<v128>(variance, dimensions);
      collected = 0;
      updates++;
      stepSize = averaging.settled;
      averaging.restart(stepSize, TARGET);
    }
  }
  return updates;
}

/** Scales each direction of the Laplace approximation to the spread that the chains have shown. */
function stretch(collected: f64, dimensions: usize): void {
  for (let j: usize = 0; j < dimensions; j++) {
    const factor = Math.sqrt(shrunkVariance<v128>(variance, dimensions, j, collected, 1.0));
    for (let i: usize = 0; i <= j; i++) {
      const w = root + 8 * (i * dimensions - (i * (i + 1)) / 2 + j);
      store<f64>(w, load<f64>(w) * factor);
    }
  }
}

/** One transition of both chains; returns the mask of divergent lanes. A divergent trajectory is never accepted. */
@inline function transition<D>(density: D, stepSize: f64, dimensions: usize): v128 {
  const before = sub<v128>(logDensity, kick(dimensions));
  const time = SHORTEST + streamA.uniform() * (LONGEST - SHORTEST);
  // Where only tiny steps are accepted the trajectory is cut short: slow, but neither endless nor wrong.
  leapfrogs = <i32>Math.min(Math.ceil(time / stepSize), MOST_LEAPFROGS);
  const step = Math.min(time / <f64>leapfrogs, stepSize);
  copy(movingPosition, position, span);
  kickBy(gradient, 0.5 * step);
  for (let left = leapfrogs; ; ) {
    drift(step);
    density.gradient<v128>(movingPosition, movingGradient);
    if (--left == 0) break;
    kickBy(movingGradient, step);
  }
  kickBy(movingGradient, 0.5 * step);
  const end = density.logDensity<v128>(movingPosition);
  const after = sub<v128>(end, kinetic());
  energy = f64x2.neg(after);
  const gain = sub<v128>(after, before);
  const sound = f64x2.gt(gain, f64x2.splat(-DIVERGENCE)); // false for NaN
  probability = v128.and(sound, exp<v128>(f64x2.pmin(f64x2.splat(0.0), gain)));
  accepted = f64x2.lt(f64x2(streamA.uniform(), streamB.uniform()), probability);
  choose(position, movingPosition, span);
  choose(gradient, movingGradient, span);
  logDensity = v128.bitselect(end, logDensity, accepted);
  return v128.not(sound);
}

/** Fresh momenta of both chains, each from its own stream; returns their kinetic energies. */
@inline function kick(dimensions: usize): v128 {
  for (let k: usize = 0; k < dimensions; k++) {
    store<f64>(momentum + 16 * k, normal(streamA));
    store<f64>(momentum + 16 * k, normal(streamB), 8);
  }
  return kinetic();
}

@inline function kinetic(): v128 {
  let squares = f64x2.splat(0.0);
  for (let k: usize = 0; k < span; k += 16) {
    squares = add<v128>(squares, mul<v128>(v128.load(momentum + k), v128.load(momentum + k)));
  }
  return mul<v128>(f64x2.splat(0.5), squares);
}

/** momentum += step W' gradient */
@inline function kickBy(gradients: usize, step: f64): void {
  const size = f64x2.splat(step);
  let w = root;
  for (let i: usize = 0; i < span; i += 16) {
    const g = mul<v128>(size, v128.load(gradients + i));
    for (let j = i; j < span; j += 16) {
      v128.store(momentum + j, add<v128>(v128.load(momentum + j), mul<v128>(g, broadcast<v128>(w))));
      w += 8;
    }
  }
}

/** position += step W momentum */
@inline function drift(step: f64): void {
  const size = f64x2.splat(step);
  let w = root;
  for (let i: usize = 0; i < span; i += 16) {
    let sum = f64x2.splat(0.0);
    for (let j = i; j < span; j += 16) {
      sum = add<v128>(sum, mul<v128>(broadcast<v128>(w), v128.load(momentum + j)));
      w += 8;
    }
    v128.store(movingPosition + i, add<v128>(v128.load(movingPosition + i), mul<v128>(size, sum)));
  }
}

/** Takes over the lanes that were accepted. */
@inline function choose(to: usize, from: usize, bytes: usize): void {
  for (let k: usize = 0; k < bytes; k += 16) {
    v128.store(to + k, v128.bitselect(v128.load(from + k), v128.load(to + k), accepted));
  }
}

function traceDraw(run: Run, chain: u32, draw: u32, stepSize: f64, before: v128, divergent: v128): void {
  for (let lane: u32 = 0; lane < 2; lane++) {
    const second = lane == 1;
    const value = second ? high(logDensity) : low(logDensity);
    const start = second ? high(before) : low(before);
    const end = second ? high(energy) : low(energy);
    const diverged = (second ? i64x2.extract_lane(divergent, 1) : i64x2.extract_lane(divergent, 0)) != 0;
    const outcome = !diverged ? OUTCOME_COMPLETE : isFinite(end) ? OUTCOME_DIVERGENT : OUTCOME_NON_FINITE;
    const acceptance = second ? high(probability) : low(probability);
    run.trace(chain + lane, draw, value, acceptance, stepSize, 0, leapfrogs, outcome, isFinite(end) ? end : -start);
  }
}
