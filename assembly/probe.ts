// Entry points that only the tests need: one per part of the kernel, so that each can be checked by itself. Built together
// with index.ts into build/kernels.probe.wasm; never shipped. Numbers go in and out through `scratch`.

import { Centred } from "./centred";
import { nutsChains } from "./chain";
import { Table } from "./density";
import { Gaussian } from "./gaussian";
import { Rat } from "./generated/rat";
import { hmcChains } from "./hmc";
import { networkBlock, quantityBlock, runBlock } from "./index";
import { Laplace } from "./laplace";
import { leapfrog, logDensityOf, paddedBytes, pointBytes } from "./leapfrog";
import { addPosition, clearVariance, shrunkVariance, updateScale } from "./metric";
import { normal } from "./normal";
import { acceptance, depth, energy, leapfrogs, outcome, Trajectory, transition } from "./nuts";
import { STREAM_BYTES, Stream } from "./philox";
import { Quantities } from "./quantity";
import { Run } from "./run";
import { exp, log, logisticBelow, storeLogistic } from "./special";
import { DualAveraging, StochasticApproximation } from "./stepsize";
import { warmupActions } from "./warmup";

export * from "./layout";

const SCRATCH_BYTES: usize = 1 << 22;
const room = memory.data(<i32>SCRATCH_BYTES, 16);
const stream = changetype<Stream>(memory.data(<i32>STREAM_BYTES, 16));
const averaging = changetype<DualAveraging>(memory.data(64, 16));
const approaching = changetype<StochasticApproximation>(memory.data(64, 16));
const approximation = changetype<Laplace>(memory.data(128, 16));
const tree = changetype<Trajectory>(memory.data(32, 16));
const gaussian = changetype<Gaussian>(memory.data(32, 16));
const table = changetype<Table>(networkBlock());
const centred = changetype<Centred>(networkBlock());
const straight = changetype<Rat>(networkBlock());
const quantities = changetype<Quantities>(quantityBlock());

/** Memory for arguments and results. */
export function scratch(): usize {
  return room;
}
export function scratchBytes(): usize {
  return SCRATCH_BYTES;
}

// Random numbers.

export function streamStart(seed: u64, refit: u64, purpose: u32, chain: u32): void {
  stream.start(seed, refit, purpose, chain);
}
/** Makes the next word the first of this block; the block number is the first word of the counter. */
export function streamSeek(block: u32): void {
  store<u32>(changetype<usize>(stream) + STREAM_BYTES - 16, block);
}
export function streamBits(count: u32, out: usize): void {
  for (let i: usize = 0; i < count; i++) store<u64>(out + 8 * i, stream.next());
}
export function streamUniforms(count: u32, out: usize): void {
  for (let i: usize = 0; i < count; i++) store<f64>(out + 8 * i, stream.uniform());
}
export function streamNormals(count: u32, out: usize): void {
  for (let i: usize = 0; i < count; i++) store<f64>(out + 8 * i, normal(stream));
}

// Special functions, from x [count]; the pairs take two neighbours at once, count even.

export function exps(count: u32, x: usize, out: usize): void {
  for (let at: usize = 0; at < 8 * <usize>count; at += 8) store<f64>(out + at, exp<f64>(load<f64>(x + at)));
}
export function expPairs(count: u32, x: usize, out: usize): void {
  for (let at: usize = 0; at < 8 * <usize>count; at += 16) v128.store(out + at, exp<v128>(v128.load(x + at)));
}
export function logs(count: u32, x: usize, out: usize): void {
  for (let at: usize = 0; at < 8 * <usize>count; at += 8) store<f64>(out + at, log<f64>(load<f64>(x + at)));
}
export function logPairs(count: u32, x: usize, out: usize): void {
  for (let at: usize = 0; at < 8 * <usize>count; at += 16) v128.store(out + at, log<v128>(v128.load(x + at)));
}
/** [softplus(-a), sigmoid(-a)] of each a. */
export function logistics(count: u32, a: usize, out: usize): void {
  for (let i: usize = 0; i < count; i++) v128.store(out + 16 * i, logisticBelow(load<f64>(a + 8 * i)));
}
/** [1 - theta (two lanes), theta (two lanes)] of each two x. */
export function logisticPairs(count: u32, x: usize, out: usize): void {
  for (let at: usize = 0; at < 8 * <usize>count; at += 16) storeLogistic(v128.load(x + at), out + 2 * at);
}

// The density of the network block, and its quantities, at x.

export function density(x: usize, gradient: usize): f64 {
  table.gradient<f64>(x, gradient);
  return table.logDensity<f64>(x);
}
/** x and gradient [rows][2], a chain a lane; the two log densities into out. */
export function densityPair(x: usize, gradient: usize, out: usize): void {
  table.gradient<v128>(x, gradient);
  v128.store(out, table.logDensity<v128>(x));
}
/** The same by the base network's straight-line code. */
export function straightDensity(x: usize, gradient: usize): f64 {
  straight.gradient<f64>(x, gradient);
  return straight.logDensity<f64>(x);
}
export function straightDensityPair(x: usize, gradient: usize, out: usize): void {
  straight.gradient<v128>(x, gradient);
  v128.store(out, straight.logDensity<v128>(x));
}
/** Values, nodes and then entries, after a gradient, one chain; the number of f64. */
export function straightValues(x: usize, gradient: usize, out: usize): usize {
  straight.gradient<f64>(x, gradient);
  straight.complete<f64>();
  const count = 2 * table.families + 1 + 2 * table.rows;
  memory.copy(out, straight.values, 8 * count);
  return count;
}
export function quantitiesAt(x: usize, out: usize): void {
  table.down<f64>(x);
  quantities.evaluate<f64>(table.values, out);
}
/** As a trajectory leaves them: values from `gradient`, completed. `gradient` is overwritten. */
export function quantityPairsAt(x: usize, gradient: usize, out: usize): void {
  table.gradient<v128>(x, gradient);
  table.complete<v128>();
  quantities.evaluate<v128>(table.values, out);
}
export function guessScale(out: usize): void {
  table.guessScale(out);
}

/** Fits the Laplace approximation in a workspace; mode [rows] and Cholesky factor of -H [rows][rows] are copied out. */
export function laplace(workspace: usize, mode: usize, factor: usize): void {
  const rows = table.rows;
  approximation.place(workspace, rows);
  approximation.fit(table);
  memory.copy(mode, approximation.mode, 8 * rows);
  memory.copy(factor, approximation.factor, 8 * rows * rows);
}
/** W, row by row of its upper triangle, with W W' = (-H)^-1. */
export function laplaceRoot(root: usize): void {
  approximation.inverseRoot(root);
}
/** Standard normals z [rows] to positions, in place. */
export function laplaceTransform(z: usize): void {
  approximation.transform(z);
}
/** Positions x [rows][2] of two chains back to standard normals. */
export function laplaceWhiten(x: usize, out: usize): void {
  approximation.whiten(x, out);
}

/** Takes the mode as the reference of the density for very many records; copies it out. */
export function centre(workspace: usize, mode: usize): void {
  approximation.place(workspace, table.rows);
  approximation.fit(table);
  centred.centre(approximation);
  memory.copy(mode, approximation.mode, 8 * table.rows);
}
export function centredDensity(x: usize): f64 {
  return centred.logDensity<f64>(x);
}
/** x [rows][2]. */
export function centredPair(x: usize, out: usize): void {
  v128.store(out, centred.logDensity<v128>(x));
}

// Adaptation.

export function warmupActionsAt(iteration: i32, total: i32): i32 {
  return warmupActions(iteration, total);
}
export function averagingRestart(stepSize: f64, target: f64, boldness: f64): void {
  averaging.restart(stepSize, target, boldness);
}
export function averagingUpdate(observed: f64): f64 {
  return averaging.update(observed);
}
export function averagingSettled(): f64 {
  return averaging.settled;
}
export function approachRestart(stepSize: f64, target: f64): void {
  approaching.restart(stepSize, target);
}
export function approachUpdate(observed: f64): f64 {
  return approaching.update(observed);
}
export function approachSettled(): f64 {
  return approaching.settled;
}
/** Sets scale [dimensions] from `count` positions [count][dimensions]. */
export function adaptScale(scale: usize, block: usize, positions: usize, dimensions: u32, count: u32): void {
  clearVariance<f64>(block, dimensions);
  for (let i: usize = 0; i < count; i++) {
    addPosition<f64>(block, positions + 8 * dimensions * i, dimensions, <f64>(i + 1));
  }
  updateScale(scale, block, dimensions, <f64>count);
}
/** Shrunk variances [dimensions] from positions [count][dimensions][2] of two chains. */
export function pooledVariances(
  out: usize,
  block: usize,
  positions: usize,
  dimensions: u32,
  count: u32,
  guess: f64,
): void {
  clearVariance<v128>(block, dimensions);
  for (let i: usize = 0; i < count; i++) {
    addPosition<v128>(block, positions + 16 * dimensions * i, dimensions, <f64>(i + 1));
  }
  for (let k: usize = 0; k < dimensions; k++) {
    store<f64>(out + 8 * k, shrunkVariance<v128>(block, dimensions, k, <f64>count, guess));
  }
}

/** @param informed whether the first guess at the scales is right; otherwise it is 1 everywhere */
export function gaussianSetup(scales: usize, informed: bool): void {
  gaussian.place(table.rows, table.values, scales, informed);
}
/** Two-lane HMC whose metric starts from the Laplace approximation of the network block, right or wrong. */
export function hmcGaussian(): void {
  const run = changetype<Run>(runBlock());
  approximation.place(run.approximation, table.rows);
  approximation.fit(table);
  hmcChains<Gaussian>(gaussian, approximation, quantities, run);
}
export function nutsGaussian(): void {
  nutsChains<Gaussian>(gaussian, quantities, changetype<Run>(runBlock()));
}

// Steps and transitions, of the network (`ofTable`) or the Gaussian. Points are as in leapfrog.ts, padded.

export function pointSize(dimensions: u32): usize {
  return pointBytes(paddedBytes(dimensions));
}
/** Gradient and log density of a point whose position is set. */
export function pointFill(ofTable: bool, point: usize, dimensions: u32): void {
  const span = paddedBytes(dimensions);
  if (ofTable) {
    table.gradient<f64>(point, point + 2 * span);
    store<f64>(point + 3 * span, table.logDensity<f64>(point));
  } else {
    gaussian.gradient<f64>(point, point + 2 * span);
    store<f64>(point + 3 * span, gaussian.logDensity<f64>(point));
  }
}
/** One leapfrog with `step` = step size * scale [padded]; returns minus the energy of the new point. */
export function step(ofTable: bool, from: usize, to: usize, steps: usize, dimensions: u32): f64 {
  const span = paddedBytes(dimensions);
  return ofTable ? leapfrog<Table>(table, from, to, steps, span) : leapfrog<Gaussian>(gaussian, from, to, steps, span);
}

/** A tree in a workspace; its start is the point to set. */
export function treeSetup(workspace: usize, dimensions: u32): usize {
  tree.place(workspace, dimensions);
  return tree.start;
}
/** One transition with the probe's stream, without any adaptation. */
export function treeTransition(ofTable: bool, forward: usize, backward: usize, dimensions: u32): void {
  if (ofTable) transition<Table>(table, tree, forward, backward, stream, dimensions);
  else transition<Gaussian>(gaussian, tree, forward, backward, stream, dimensions);
}
export function treeOutcome(): i32 {
  return outcome;
}
export function treeDepth(): i32 {
  return depth;
}
export function treeLeapfrogs(): i32 {
  return leapfrogs;
}
export function treeAcceptance(): f64 {
  return acceptance;
}
export function treeEnergy(): f64 {
  return energy;
}
export function treeLogDensity(): f64 {
  return logDensityOf(tree.start, tree.span);
}
