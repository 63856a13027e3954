// A NUTS chain: dispersed start, warmup (step size, metric), draws.
import {
  CHAIN_ACCEPTANCE,
  CHAIN_DIVERGENCES,
  CHAIN_LEAPFROGS,
  CHAIN_MAX_DEPTH,
  CHAIN_METRIC_UPDATES,
  CHAIN_STEP_SIZE,
  OUTCOME_DIVERGENT,
  OUTCOME_MAX_DEPTH,
  OUTCOME_NON_FINITE,
  WARMUP_COLLECT,
  WARMUP_UPDATE,
} from "./layout";
import { leapfrog, logDensityOf, paddedBytes, pointBytes } from "./leapfrog";
import { addPosition, clearVariance, updateScale } from "./metric";
import { acceptance, depth, energy, leapfrogs, outcome, Trajectory, trajectoryBytes, transition } from "./nuts";
import { STREAM_BYTES, Stream } from "./philox";
import { Quantities } from "./quantity";
import { Run } from "./run";
import { DualAveraging } from "./stepsize";
import { warmupActions } from "./warmup";

const TARGET: f64 = 0.8;
/** Stan's: larger steps are tried first, since a step too small costs more than one too large. */
const BOLDNESS: f64 = 10.0;
/** log 0.8: a first step size is doubled or halved until one step's acceptance crosses it (Stan's init_stepsize). */
const LOG_CROSSING: f64 = -0.22314355131420976;

const stream = changetype<Stream>(memory.data(<i32>STREAM_BYTES, 16));
const tree = changetype<Trajectory>(memory.data(32, 16));
const averaging = changetype<DualAveraging>(memory.data(64, 16));

/** Bytes of workspace that `nutsChains` needs. */
export function chainBytes(dimensions: usize, quantities: usize): usize {
  return 4 * paddedBytes(dimensions) + 16 * dimensions + 8 * quantities + 32 + trajectoryBytes(dimensions);
}

/** Samples every chain of the run, one after the other. */
export function nutsChains<D>(density: D, quantities: Quantities, run: Run): void {
  for (let chain: u32 = 0; chain < run.chains; chain++) nutsChain<D>(density, quantities, run, chain);
}

// Where a chain's vectors stand in the workspace.
let scale: usize = 0;
let forward: usize = 0; // step size * scale
let backward: usize = 0;
let variance: usize = 0;
let span: usize = 0;

function place(workspace: usize, dimensions: usize): void {
  span = paddedBytes(dimensions);
  scale = workspace;
  forward = scale + span;
  backward = forward + span;
  variance = backward + span;
  const values = (variance + 16 * dimensions + 15) & ~15;
  memory.fill(workspace, 0, values - workspace);
  tree.place(values, dimensions);
}

function setStepSize(stepSize: f64): void {
  for (let k: usize = 0; k < span; k += 8) {
    const step = stepSize * load<f64>(scale + k);
    store<f64>(forward + k, step);
    store<f64>(backward + k, -step);
  }
}

function nutsChain<D>(density: D, quantities: Quantities, run: Run, chain: u32): void {
  const dimensions = density.rows;
  place(run.workspace, dimensions);
  run.start(stream, chain);
  density.guessScale(scale);
  disperse<D>(density, dimensions);
  const updates = warmUp<D>(density, run.warmup, dimensions);
  const stepSize = averaging.settled;
  setStepSize(stepSize);

  const count = quantities.count;
  const values = tree.start + pointBytes(span); // the leaves are free between transitions
  let totalLeapfrogs: f64 = 0;
  let totalAcceptance: f64 = 0;
  let divergences = 0;
  let limited = 0;
  for (let draw: u32 = 0; draw < run.draws; draw++) {
    transition<D>(density, tree, forward, backward, stream, dimensions);
    totalLeapfrogs += <f64>leapfrogs;
    totalAcceptance += acceptance;
    divergences += i32(outcome == OUTCOME_DIVERGENT || outcome == OUTCOME_NON_FINITE);
    limited += i32(outcome == OUTCOME_MAX_DEPTH);
    density.down<f64>(tree.start);
    quantities.evaluate<f64>(density.values, values);
    run.keep(values, 8, count, chain, draw);
    if (run.wantsTrace) {
      const logDensity = logDensityOf(tree.start, span);
      run.trace(chain, draw, logDensity, acceptance, stepSize, depth, leapfrogs, outcome, energy);
    }
  }
  const results = run.resultsOf(chain);
  store<f64>(results + 8 * CHAIN_STEP_SIZE, stepSize);
  store<f64>(results + 8 * CHAIN_LEAPFROGS, totalLeapfrogs);
  store<f64>(results + 8 * CHAIN_DIVERGENCES, <f64>divergences);
  store<f64>(results + 8 * CHAIN_ACCEPTANCE, totalAcceptance / <f64>max(run.draws, 1));
  store<f64>(results + 8 * CHAIN_MAX_DEPTH, <f64>limited);
  store<f64>(results + 8 * CHAIN_METRIC_UPDATES, <f64>updates);
}

function disperse<D>(density: D, dimensions: usize): void {
  for (let k: usize = 0; k < dimensions; k++) {
    store<f64>(tree.start + 8 * k, density.start(k, 2.0 * stream.uniform() - 1.0));
  }
  density.gradient<f64>(tree.start, tree.start + 2 * span);
  store<f64>(tree.start + 3 * span, density.logDensity<f64>(tree.start));
}

/** Adapts step size and metric; returns how often the metric was set. */
function warmUp<D>(density: D, iterations: i32, dimensions: usize): i32 {
  let updates = 0;
  let collected: f64 = 0;
  let stepSize = searchStepSize<D>(density, 1.0, dimensions);
  averaging.restart(stepSize, TARGET, BOLDNESS);
  clearVariance<f64>(variance, dimensions);
  for (let iteration = 0; iteration < iterations; iteration++) {
    setStepSize(stepSize);
    transition<D>(density, tree, forward, backward, stream, dimensions);
    stepSize = averaging.update(acceptance);
    const actions = warmupActions(iteration, iterations);
    if (actions & WARMUP_COLLECT) {
      collected += 1.0;
      addPosition<f64>(variance, tree.start, dimensions, collected);
    }
    if (actions & WARMUP_UPDATE) {
      updateScale(scale, variance, dimensions, collected);
      clearVariance<f64>(variance, dimensions);
      collected = 0;
      updates++;
      stepSize = searchStepSize<D>(density, stepSize, dimensions);
      averaging.restart(stepSize, TARGET, BOLDNESS);
    }
  }
  return updates;
}

/** Doubles or halves a step size until the acceptance of a single step crosses 0.8. */
function searchStepSize<D>(density: D, first: f64, dimensions: usize): f64 {
  let stepSize = first;
  let growing = false;
  for (let tries = 0; tries < 100; tries++) {
    setStepSize(stepSize);
    const before = tree.kick(stream, dimensions);
    const change = leapfrog<D>(density, tree.start, tree.start + pointBytes(span), forward, span) - before;
    const accepted = change > LOG_CROSSING; // false for NaN
    if (tries == 0) growing = accepted;
    else if (accepted != growing) break;
    stepSize *= growing ? 2.0 : 0.5;
  }
  return stepSize;
}
