// The density of Table for very many records, where log densities are so large that their differences drown in rounding:
// relative to a reference, the mode, and built from deviations alone. With d = x - x^, u = theta^ expm1(d):
//
//   log theta - log theta^ = d - log1p(u),   log(1 - theta) - log(1 - theta^) = -log1p(u),
//   theta - theta^ = u (1 - theta^) / (1 + u)
//
// (with theta and 1 - theta, d and -d exchanged where theta^ is the greater of the two),
// and the change of a node's probability by the product rule: change(child) = change(parent) theta + p^(parent) change(theta).
// Gradients need no centre. Slower than Table, but at no number of records wrong.
import { spread, Table } from "./density";
import { Laplace } from "./laplace";
import { NETWORK_REFERENCE } from "./layout";

@unmanaged
@final
export class Centred {
  @inline private get table(): Table {
    return changetype<Table>(changetype<usize>(this));
  }
  /** f64: x^ [K], (1 - theta^, theta^) [K], p^ [2F + 1], then scratch: changes of theta [K] and of p [2F + 1]. */
  @inline private get reference(): usize {
    return load<u32>(changetype<usize>(this), NETWORK_REFERENCE);
  }
  @inline get rows(): usize {
    return this.table.rows;
  }
  @inline get values(): usize {
    return this.table.values;
  }
  guessScale(scale: usize): void {
    this.table.guessScale(scale);
  }
  start(k: usize, u: f64): f64 {
    const fixed = this.table.fixed + 16 * k;
    return load<f64>(this.reference + 8 * k) + spread(load<f64>(fixed), load<f64>(fixed, 8)) * u;
  }
  @inline down<V>(x: usize): void {
    this.table.down<V>(x);
  }
  @inline complete<V>(): void {
    this.table.complete<V>();
  }
  @inline gradient<V>(x: usize, g: usize): void {
    this.table.gradient<V>(x, g);
  }

  /** Takes the mode as the reference. */
  centre(laplace: Laplace): void {
    const rows = this.rows;
    memory.copy(this.reference, laplace.mode, 8 * rows);
    this.table.down<f64>(this.reference);
    memory.copy(this.reference + 8 * rows, this.table.entries<f64>(), 16 * rows);
    memory.copy(this.reference + 24 * rows, this.values, 8 * (2 * this.table.families + 1));
  }

  logDensity<V>(x: usize): V {
    if (isVector<V>()) return f64x2(this.at(x, 16), this.at(x + 8, 16));
    else return <V>this.at(x, 8);
  }

  /** Log density at x, whose logits are `stride` bytes apart, minus that at the reference. */
  private at(x: usize, stride: usize): f64 {
    const rows = this.rows;
    const entries = this.reference + 8 * rows;
    const changes = this.reference + 24 * rows + 8 * (2 * this.table.families + 1);
    let fixed = this.table.fixed;
    let sum: f64 = 0;
    for (let k: usize = 0; k < rows; k++) {
      const success = load<f64>(fixed);
      const failure = load<f64>(fixed, 8);
      // By the less likely entry q: where it is tiny, the other one's logarithm would have no digits left.
      const d = load<f64>(x + k * stride) - load<f64>(this.reference + 8 * k);
      const rest = load<f64>(entries + 16 * k);
      const theta = load<f64>(entries + 16 * k, 8);
      const up = theta < rest;
      const u = up ? theta * Math.expm1(d) : rest * Math.expm1(-d);
      const v = Math.log1p(u);
      sum += up ? success * (d - v) - failure * v : failure * (-d - v) - success * v;
      const change = u / (1.0 + u);
      store<f64>(changes + 8 * k, up ? change * rest : -change * theta);
      fixed += 16;
    }
    return sum + this.patterns(changes);
  }

  private patterns(changes: usize): f64 {
    const table = this.table;
    if (table.patterns == 0) return 0;
    const entries = this.reference + 8 * table.rows;
    const nodes = this.reference + 24 * table.rows;
    const moved = changes + 8 * table.rows;
    store<f64>(moved, 0.0);
    for (let f: usize = 0; f < table.families; f++) {
      const parent = (<usize>load<u32>(table.familyTable + 8 * f)) << 3;
      const row = <usize>load<u32>(table.familyTable + 8 * f, 4);
      const p = load<f64>(nodes + parent);
      const change = load<f64>(changes + 8 * row);
      const theta = load<f64>(entries + 16 * row, 8) + change;
      const rest = load<f64>(entries + 16 * row) - change;
      store<f64>(moved + 16 * f + 8, load<f64>(moved + parent) * rest - p * change);
      store<f64>(moved + 16 * f + 16, load<f64>(moved + parent) * theta + p * change);
    }
    let sum: f64 = 0;
    let pattern = table.patternTable;
    for (let m = table.patterns; m > 0; m--) {
      const end = pattern + 12 + ((<usize>load<u32>(pattern, 8)) << 2);
      let total: f64 = 0;
      let change: f64 = 0;
      for (let at = pattern + 12; at < end; at += 4) {
        const node = (<usize>load<u32>(at)) << 3;
        total += load<f64>(nodes + node);
        change += load<f64>(moved + node);
      }
      sum += load<f64>(pattern) * Math.log1p(change / total);
      pattern = (end + 7) & ~7;
    }
    return sum;
  }
}
