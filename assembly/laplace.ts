// The mode of the posterior on the logits and its curvature there: where short chains start, and in what units.
//
// Hessian of the observed-data log likelihood (Louis 1982): the expected complete-data Hessian plus, per ambiguous record,
// the variance of the complete-data score u, where u_k = 1 - theta_k along entry 1 of row k and -theta_k along entry 0:
//   -H = diag(theta (1 - theta) (s + f + E)) - sum_m n_m (sum_j q_j u_j u_j' - u u'),  q_j = p_j / p_m,  u = sum_j q_j u_j
import { Table } from "./density";

const MOST_STEPS = 200;
/** Of a step that doesn't climb: below this share it's rounding that keeps it from climbing. */
const LEAST_SHARE: f64 = 1e-3;
/** Newton's decrement below which the mode is found: in units of a squared posterior standard deviation. */
const DECREMENT: f64 = 1e-9;

/** The Laplace approximation in a workspace. */
@unmanaged
@final
export class Laplace {
  dimensions: usize = 0;
  mode: usize = 0; // f64 [K]
  factor: usize = 0; // f64 [K][K]: lower Cholesky factor of -H
  private gradient: usize = 0;
  private trial: usize = 0;
  private direction: usize = 0;
  private success: usize = 0; // s + E1
  private total: usize = 0; // s + f + E0 + E1
  private score: usize = 0; // u
  private path: usize = 0; // { f64 u_k, u64 k } of the rows above one node

  place(workspace: usize, dimensions: usize): void {
    const span = 8 * dimensions;
    this.dimensions = dimensions;
    this.mode = workspace;
    this.gradient = workspace + span;
    this.trial = workspace + 2 * span;
    this.success = workspace + 3 * span;
    this.total = workspace + 4 * span;
    this.score = workspace + 5 * span;
    this.direction = workspace + 6 * span;
    this.factor = workspace + 7 * span;
    this.path = this.factor + span * dimensions;
  }

  /**
   * Finds the mode: Newton steps, halved until they climb; where the density isn't concave, EM steps, which always climb,
   * doubled while that climbs further.
   */
  fit(density: Table): void {
    const span: usize = 8 * this.dimensions;
    this.startAt(density);
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      const value = this.valueAt(density, this.mode);
      this.expectations(density);
      this.curvature(density);
      if (this.factorise()) {
        memory.copy(this.direction, this.gradient, span);
        this.solveLower(this.direction);
        if (!(dot(this.direction, this.direction, this.dimensions) > DECREMENT)) return;
        this.solveUpper(this.direction);
        if (this.climb(density, value, false)) continue;
      }
      for (let k: usize = 0; k < span; k += 8) {
        const s = load<f64>(this.success + k);
        store<f64>(this.direction + k, Math.log(s / (load<f64>(this.total + k) - s)) - load<f64>(this.mode + k));
      }
      if (!this.climb(density, value, true)) break; // rounding is all that is left
    }
    density.gradient<f64>(this.mode, this.gradient);
    this.expectations(density);
    this.curvature(density);
    if (!this.factorise()) this.diagonal();
  }

  /** Moves the mode along the direction if that climbs from `value`: a step of 1, or halved or doubled. */
  private climb(density: Table, value: f64, further: bool): bool {
    let size = 1.0;
    let best = this.valueAlong(density, size);
    while (!(best > value)) {
      size *= 0.5;
      if (size < LEAST_SHARE) return false;
      best = this.valueAlong(density, size);
    }
    while (further) {
      const next = this.valueAlong(density, 2.0 * size);
      if (!(next > best)) break;
      best = next;
      size *= 2.0;
    }
    this.move(size);
    memory.copy(this.mode, this.trial, 8 * this.dimensions);
    return true;
  }

  private valueAlong(density: Table, size: f64): f64 {
    this.move(size);
    return this.valueAt(density, this.trial);
  }

  private move(size: f64): void {
    for (let k: usize = 0; k < 8 * this.dimensions; k += 8) {
      store<f64>(this.trial + k, load<f64>(this.mode + k) + size * load<f64>(this.direction + k));
    }
  }

  /** Positions of two chains, lanes [K], to L' (x - mode): standard normal under the approximation. */
  whiten(x: usize, out: usize): void {
    const K = this.dimensions;
    for (let j: usize = 0; j < K; j++) {
      let sum = f64x2.splat(0.0);
      for (let i = j; i < K; i++) {
        const deviation = f64x2.sub(v128.load(x + 16 * i), v128.load64_splat(this.mode + 8 * i));
        sum = f64x2.add(sum, f64x2.mul(v128.load64_splat(this.entry(i, j)), deviation));
      }
      v128.store(out + 16 * j, sum);
    }
  }

  /** L^-T, whose square is (-H)^-1: an upper triangle, row by row. */
  inverseRoot(out: usize): void {
    const K = this.dimensions;
    // Column j of L^-T solves L' w = e_j; entries below the diagonal are 0.
    for (let j: usize = 0; j < K; j++) {
      memory.fill(this.trial, 0, 8 * K);
      store<f64>(this.trial + 8 * j, 1.0);
      this.solveUpper(this.trial);
      for (let i: usize = 0; i <= j; i++) {
        // Row i starts after the i longer rows above it.
        store<f64>(out + 8 * (i * K - (i * (i + 1)) / 2 + j), load<f64>(this.trial + 8 * i));
      }
    }
  }

  /** f64: the mode [K], then its inverse root [K (K + 1) / 2]. */
  write(out: usize): void {
    const span = 8 * this.dimensions;
    memory.copy(out, this.mode, span);
    this.inverseRoot(out + span);
  }

  /** z standard normal [K] -> mode + (-H)^(-1/2) z, in place. */
  transform(z: usize): void {
    this.solveUpper(z);
    for (let k: usize = 0; k < 8 * this.dimensions; k += 8) {
      store<f64>(z + k, load<f64>(z + k) + load<f64>(this.mode + k));
    }
  }

  private startAt(density: Table): void {
    let fixed = density.fixed;
    for (let k: usize = 0; k < 8 * this.dimensions; k += 8) {
      store<f64>(this.mode + k, Math.log(load<f64>(fixed) / load<f64>(fixed, 8)));
      fixed += 16;
    }
  }

  private valueAt(density: Table, x: usize): f64 {
    density.gradient<f64>(x, this.gradient);
    return density.logDensity<f64>(x);
  }

  /** Expected counts of each row given the records, from what `gradient` left. */
  private expectations(density: Table): void {
    let fixed = density.fixed;
    for (let k: usize = 0; k < 8 * this.dimensions; k += 8) {
      store<f64>(this.success + k, load<f64>(fixed));
      store<f64>(this.total + k, load<f64>(fixed) + load<f64>(fixed, 8));
      fixed += 16;
    }
    if (density.patterns == 0) return;
    let children = density.expected + 8;
    for (let f: usize = 0; f < density.families; f++) {
      const row = <usize>load<u32>(density.familyTable + 8 * f, 4) << 3;
      const e1 = load<f64>(children, 8);
      store<f64>(this.success + row, load<f64>(this.success + row) + e1);
      store<f64>(this.total + row, load<f64>(this.total + row) + load<f64>(children) + e1);
      children += 16;
    }
  }

  /** -H into `factor`, its lower triangle. */
  private curvature(density: Table): void {
    const K = this.dimensions;
    memory.fill(this.factor, 0, 8 * K * K);
    let entries = density.entries<f64>();
    for (let k: usize = 0; k < K; k++) {
      store<f64>(this.entry(k, k), load<f64>(entries) * load<f64>(entries, 8) * load<f64>(this.total + 8 * k));
      entries += 16;
    }
    let pattern = density.patternTable;
    let totals = density.totals;
    for (let m = density.patterns; m > 0; m--) {
      const count = load<f64>(pattern);
      const end = pattern + 12 + (<usize>load<u32>(pattern, 8) << 2);
      memory.fill(this.score, 0, 8 * K);
      for (let at = pattern + 12; at < end; at += 4) {
        const node = load<u32>(at);
        const share = load<f64>(density.values + 8 * <usize>node) / load<f64>(totals);
        this.addNode(density, node, share, count * share);
      }
      for (let i: usize = 0; i < K; i++) {
        const u = count * load<f64>(this.score + 8 * i);
        if (u == 0.0) continue;
        for (let j: usize = 0; j <= i; j++) this.addEntry(i, j, u * load<f64>(this.score + 8 * j));
      }
      totals += 8;
      pattern = (end + 7) & ~7;
    }
  }

  /** A node's part of a pattern: q u into the mean score, -n q u u' into the curvature. */
  private addNode(density: Table, node: u32, share: f64, records: f64): void {
    let steps: usize = 0;
    const entries = density.entries<f64>();
    for (let at = node; at > 0; ) {
      const family = density.familyTable + (<usize>((at - 1) >> 1) << 3);
      const row = <usize>load<u32>(family, 4);
      const u = (at - 1) & 1 ? load<f64>(entries + 16 * row) : -load<f64>(entries + 16 * row, 8);
      store<f64>(this.score + 8 * row, load<f64>(this.score + 8 * row) + share * u);
      store<f64>(this.path + 16 * steps, u);
      store<u64>(this.path + 16 * steps, row, 8);
      steps++;
      at = load<u32>(family);
    }
    for (let a: usize = 0; a < steps; a++) {
      const i = <usize>load<u64>(this.path + 16 * a, 8);
      const u = records * load<f64>(this.path + 16 * a);
      for (let b: usize = 0; b < steps; b++) {
        const j = <usize>load<u64>(this.path + 16 * b, 8);
        if (j <= i) this.addEntry(i, j, -u * load<f64>(this.path + 16 * b));
      }
    }
  }

  @inline private entry(i: usize, j: usize): usize {
    return this.factor + 8 * (i * this.dimensions + j);
  }

  @inline private addEntry(i: usize, j: usize, x: f64): void {
    store<f64>(this.entry(i, j), load<f64>(this.entry(i, j)) + x);
  }

  /** Cholesky, in place; false where -H is not positive definite. */
  private factorise(): bool {
    const K = this.dimensions;
    for (let j: usize = 0; j < K; j++) {
      const pivot = load<f64>(this.entry(j, j)) - dot(this.entry(j, 0), this.entry(j, 0), j);
      if (!(pivot > 0.0)) return false;
      const root = Math.sqrt(pivot);
      store<f64>(this.entry(j, j), root);
      for (let i = j + 1; i < K; i++) {
        store<f64>(this.entry(i, j), (load<f64>(this.entry(i, j)) - dot(this.entry(i, 0), this.entry(j, 0), j)) / root);
      }
    }
    return true;
  }

  /** Away from a proper maximum: each row by itself, as if its expected counts were seen. */
  private diagonal(): void {
    const K = this.dimensions;
    memory.fill(this.factor, 0, 8 * K * K);
    for (let k: usize = 0; k < K; k++) {
      const s = load<f64>(this.success + 8 * k);
      const n = load<f64>(this.total + 8 * k);
      store<f64>(this.entry(k, k), Math.sqrt((s * (n - s)) / n));
    }
  }

  private solveLower(b: usize): void {
    for (let i: usize = 0; i < this.dimensions; i++) {
      store<f64>(b + 8 * i, (load<f64>(b + 8 * i) - dot(this.entry(i, 0), b, i)) / load<f64>(this.entry(i, i)));
    }
  }

  private solveUpper(b: usize): void {
    for (let i = this.dimensions; i > 0; i--) {
      const k = i - 1;
      const x = load<f64>(b + 8 * k) / load<f64>(this.entry(k, k));
      store<f64>(b + 8 * k, x);
      for (let j: usize = 0; j < k; j++) store<f64>(b + 8 * j, load<f64>(b + 8 * j) - load<f64>(this.entry(k, j)) * x);
    }
  }
}

/** Bytes of workspace that `Laplace` needs. A path is at most as long as there are families above a node. */
export function laplaceBytes(dimensions: usize, families: usize): usize {
  return 56 * dimensions + 8 * dimensions * dimensions + 16 * (families + 1);
}

@inline function dot(a: usize, b: usize, count: usize): f64 {
  let sum: f64 = 0;
  for (let k: usize = 0; k < 8 * count; k += 8) sum += load<f64>(a + k) * load<f64>(b + k);
  return sum;
}
