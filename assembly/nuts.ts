// One transition of the no-U-turn sampler with multinomial sampling of the trajectory (Hoffman and Gelman 2014;
// Betancourt 2017, "A conceptual introduction to Hamiltonian Monte Carlo", appendix A) and the U-turn checks of
// Stan >= 2.21, across the seam of the two halves too. No recursion: 2^depth leaves are walked one after the other, and
// finished subtrees wait on a stack like the digits of a binary counter.
//
// Weights are linear, exp(H0 - H), relative to the start of the transition.

import { add, copy, high, low, mul } from "./lanes";
import { MAX_DEPTH, OUTCOME_COMPLETE, OUTCOME_DIVERGENT, OUTCOME_MAX_DEPTH, OUTCOME_NON_FINITE } from "./layout";
import { leapfrog, logDensityOf, paddedBytes, pointBytes } from "./leapfrog";
import { normal } from "./normal";
import { Stream } from "./philox";
import { exp } from "./special";

/** Energy error beyond which a trajectory is called divergent, as in Stan: arbitrary, far above any useful error. */
const DIVERGENCE: f64 = 1000.0;

// A subtree on the stack: summed momentum [span], then weight, first leaf, last leaf, proposal (f64, 3 x u32).
const WEIGHT: usize = 0;
const FIRST: usize = 8;
const LAST: usize = 12;
const PROPOSAL: usize = 16;
const SUBTREE_TAIL: usize = 32;

// What the last transition did.
export let outcome: i32 = OUTCOME_COMPLETE;
export let depth: i32 = 0;
export let leapfrogs: i32 = 0;
export let acceptance: f64 = 0; // mean over the leaves, in [0, 1]
export let energy: f64 = 0; // of the point that was drawn

let acceptanceSum: f64 = 0;
let free: usize = 0; // where the next leaf goes

/** Bytes of the workspace of `Trajectory`: stack, total momentum, the start and all leaves of a full tree. */
export function trajectoryBytes(dimensions: usize): usize {
  const span = paddedBytes(dimensions);
  return (MAX_DEPTH + 1) * (span + SUBTREE_TAIL) + span + (1 + (1 << MAX_DEPTH)) * pointBytes(span);
}

/** A tree of phase points in the workspace. The chain's current point is at `start`. */
@unmanaged
@final
export class Trajectory {
  span: usize = 0;
  stack: usize = 0;
  momentum: usize = 0; // summed over the trajectory
  start: usize = 0;

  place(workspace: usize, dimensions: usize): void {
    this.span = paddedBytes(dimensions);
    this.stack = workspace;
    this.momentum = workspace + (MAX_DEPTH + 1) * this.subtreeBytes;
    this.start = this.momentum + this.span;
    memory.fill(workspace, 0, trajectoryBytes(dimensions));
  }

  @inline get subtreeBytes(): usize {
    return this.span + SUBTREE_TAIL;
  }

  /** Draws fresh momenta; returns minus the energy of the start. */
  kick(stream: Stream, dimensions: usize): f64 {
    const momentum = this.start + this.span;
    let squares: f64 = 0;
    for (let k: usize = 0; k < dimensions; k++) {
      const r = normal(stream);
      store<f64>(momentum + 8 * k, r);
      squares += r * r;
    }
    return logDensityOf(this.start, this.span) - 0.5 * squares;
  }
}

/**
 * Moves the trajectory's start to the next draw. `forward` and `backward` hold +- step size * scale, [span].
 * Non-finite energies count as divergent with acceptance 0 and never become a draw.
 */
export function transition<D>(
  density: D,
  tree: Trajectory,
  forward: usize,
  backward: usize,
  stream: Stream,
  dimensions: usize,
): void {
  const span = tree.span;
  const start = tree.start;
  const startEnergy = tree.kick(stream, dimensions);
  let front = start;
  let back = start;
  let proposal = start;
  let weight: f64 = 1.0;
  copy(tree.momentum, start + span, span);
  free = start + pointBytes(span);
  leapfrogs = 0;
  acceptanceSum = 0.0;
  outcome = OUTCOME_MAX_DEPTH;
  let directions = stream.next();
  depth = 0;
  while (depth < MAX_DEPTH) {
    const ahead = (directions & 1) != 0;
    directions >>= 1;
    const near = ahead ? front : back;
    const far = ahead ? back : front;
    const ending = grow<D>(density, tree, near, ahead ? forward : backward, startEnergy, stream);
    if (ending != GROWN) {
      if (ending != TURNED) outcome = ending;
      else outcome = OUTCOME_COMPLETE;
      break;
    }
    depth++;
    const half = tree.stack;
    const halfWeight = load<f64>(half + span, WEIGHT);
    const first = <usize>load<u32>(half + span, FIRST);
    const last = <usize>load<u32>(half + span, LAST);
    // Biased progressive sampling: the new half is taken with probability min(1, its weight / the old weight).
    if (stream.uniform() * weight < halfWeight) proposal = load<u32>(half + span, PROPOSAL);
    weight += halfWeight;
    const on = continues(tree.momentum, half, far, near, first, last, span, depth > 1);
    for (let k: usize = 0; k < span; k += 16) {
      v128.store(tree.momentum + k, add<v128>(v128.load(tree.momentum + k), v128.load(half + k)));
    }
    if (ahead) front = last;
    else back = last;
    if (!on) {
      outcome = OUTCOME_COMPLETE;
      break;
    }
  }
  acceptance = acceptanceSum / <f64>max(leapfrogs, 1);
  energy = -drawnEnergy(proposal, span);
  if (proposal != start) {
    copy(start, proposal, span);
    copy(start + 2 * span, proposal + 2 * span, span + 16);
  }
}

function drawnEnergy(point: usize, span: usize): f64 {
  let squares = f64x2.splat(0.0);
  for (let k = span; k < 2 * span; k += 16) {
    squares = add<v128>(squares, mul<v128>(v128.load(point + k), v128.load(point + k)));
  }
  return logDensityOf(point, span) - 0.5 * (low(squares) + high(squares));
}

const GROWN: i32 = -1;
const TURNED: i32 = -2;

/** Walks as many leaves as the tree has points, from an edge; leaves the subtree at the bottom of the stack. */
@inline function grow<D>(density: D, tree: Trajectory, edge: usize, step: usize, startEnergy: f64, stream: Stream): i32 {
  const span = tree.span;
  const subtree = span + SUBTREE_TAIL;
  const leaves = 1 << depth;
  let from = edge;
  let top = tree.stack;
  let evenWeight: f64 = 0;
  for (let i = 0; i < leaves; i++) {
    const leaf = free;
    free += pointBytes(span);
    const gain = leapfrog<D>(density, from, leaf, step, span) - startEnergy;
    leapfrogs++;
    if (!(gain > -DIVERGENCE)) return isFinite(gain) ? OUTCOME_DIVERGENT : OUTCOME_NON_FINITE;
    const weight = exp<f64>(gain);
    acceptanceSum += weight < 1.0 ? weight : 1.0;
    if (leaves == 1) {
      single(top, leaf, weight, span);
    } else if (i & 1) {
      if (!pair(top, from, leaf, evenWeight, weight, span, stream)) return TURNED;
      for (let k = i >> 1; k & 1; k >>= 1) {
        const lower = top - subtree;
        if (!merge(lower, top, span, stream)) return TURNED;
        top = lower;
      }
      top += subtree;
    } else {
      evenWeight = weight;
    }
    from = leaf;
  }
  return GROWN;
}

/** A leaf as a subtree of one. */
@inline function single(top: usize, leaf: usize, weight: f64, span: usize): void {
  copy(top, leaf + span, span);
  finish(top + span, leaf, leaf, leaf, weight);
}

/** Two leaves, one after the other, as a subtree; false where it turns. */
@inline function pair(
  top: usize,
  first: usize,
  last: usize,
  firstWeight: f64,
  lastWeight: f64,
  span: usize,
  stream: Stream,
): bool {
  let start = f64x2.splat(0.0);
  let end = start;
  for (let k: usize = 0; k < span; k += 16) {
    const a = v128.load(first + span + k);
    const b = v128.load(last + span + k);
    const rho = add<v128>(a, b);
    v128.store(top + k, rho);
    start = add<v128>(start, mul<v128>(rho, a));
    end = add<v128>(end, mul<v128>(rho, b));
  }
  if (!bothPositive(start, end)) return false;
  const weight = firstWeight + lastWeight;
  finish(top + span, first, last, stream.uniform() * weight < lastWeight ? last : first, weight);
  return true;
}

@inline function finish(tail: usize, first: usize, last: usize, proposal: usize, weight: f64): void {
  store<f64>(tail, weight, WEIGHT);
  store<u32>(tail, <u32>first, FIRST);
  store<u32>(tail, <u32>last, LAST);
  store<u32>(tail, <u32>proposal, PROPOSAL);
}

/** Joins two neighbours into the lower one; false where the joined subtree turns. */
@inline function merge(lower: usize, upper: usize, span: usize, stream: Stream): bool {
  const a = lower + span;
  const b = upper + span;
  const lowerFirst = <usize>load<u32>(a, FIRST);
  const lowerLast = <usize>load<u32>(a, LAST);
  const upperFirst = <usize>load<u32>(b, FIRST);
  const upperLast = <usize>load<u32>(b, LAST);
  if (!continues(lower, upper, lowerFirst, lowerLast, upperFirst, upperLast, span, true)) return false;
  for (let k: usize = 0; k < span; k += 16) {
    v128.store(lower + k, add<v128>(v128.load(lower + k), v128.load(upper + k)));
  }
  const upperWeight = load<f64>(b, WEIGHT);
  const weight = load<f64>(a, WEIGHT) + upperWeight;
  store<f64>(a, weight, WEIGHT);
  store<u32>(a, <u32>upperLast, LAST);
  if (stream.uniform() * weight < upperWeight) store<u32>(a, load<u32>(b, PROPOSAL), PROPOSAL);
  return true;
}

/**
 * No U-turn: the summed momentum points along the momenta at both ends, over both parts together and, where the parts
 * have more than one point (`seam`), over each part joined with the nearest point of the other.
 */
@inline function continues(
  rhoA: usize,
  rhoB: usize,
  firstA: usize,
  lastA: usize,
  firstB: usize,
  lastB: usize,
  span: usize,
  seam: bool,
): bool {
  let wholeStart = f64x2.splat(0.0);
  let wholeEnd = wholeStart;
  for (let k: usize = 0; k < span; k += 16) {
    const whole = add<v128>(v128.load(rhoA + k), v128.load(rhoB + k));
    wholeStart = add<v128>(wholeStart, mul<v128>(whole, v128.load(firstA + span + k)));
    wholeEnd = add<v128>(wholeEnd, mul<v128>(whole, v128.load(lastB + span + k)));
  }
  if (!bothPositive(wholeStart, wholeEnd)) return false;
  if (!seam) return true;
  let leftStart = f64x2.splat(0.0);
  let leftEnd = leftStart;
  let rightStart = leftStart;
  let rightEnd = leftStart;
  for (let k: usize = 0; k < span; k += 16) {
    const seamA = v128.load(lastA + span + k);
    const seamB = v128.load(firstB + span + k);
    const left = add<v128>(v128.load(rhoA + k), seamB);
    const right = add<v128>(v128.load(rhoB + k), seamA);
    leftStart = add<v128>(leftStart, mul<v128>(left, v128.load(firstA + span + k)));
    leftEnd = add<v128>(leftEnd, mul<v128>(left, seamB));
    rightStart = add<v128>(rightStart, mul<v128>(right, seamA));
    rightEnd = add<v128>(rightEnd, mul<v128>(right, v128.load(lastB + span + k)));
  }
  return bothPositive(leftStart, leftEnd) && bothPositive(rightStart, rightEnd);
}

/** Whether the lanes of each sum to more than 0. */
@inline function bothPositive(a: v128, b: v128): bool {
  const sums = f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
  return i64x2.all_true(f64x2.gt(sums, f64x2.splat(0.0)));
}
