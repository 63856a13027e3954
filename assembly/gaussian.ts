// Independent normals with mean 0 in place of a network's density, for tests of the samplers: as many as the network block
// has rows, and its values are the positions. Known moments, any scales, an exact metric.

import { broadcast, constant, div, mul, negate, sub } from "./lanes";

@unmanaged
@final
export class Gaussian {
  rows: usize = 0;
  values: usize = 0;
  private scales: usize = 0; // f64 [rows]
  private informed: bool = false;

  place(rows: usize, values: usize, scales: usize, informed: bool): void {
    this.rows = rows;
    this.values = values;
    this.scales = scales;
    this.informed = informed;
  }

  start(k: usize, u: f64): f64 {
    return 2.0 * u;
  }

  guessScale(scale: usize): void {
    for (let k: usize = 0; k < 8 * this.rows; k += 8) {
      store<f64>(scale + k, this.informed ? load<f64>(this.scales + k) : 1.0);
    }
  }

  down<V>(x: usize): void {
    memory.copy(this.values, x, this.rows * sizeof<V>());
  }

  complete<V>(): void {}

  gradient<V>(x: usize, g: usize): void {
    for (let k: usize = 0; k < this.rows; k++) {
      const s = load<f64>(this.scales + 8 * k);
      const at = k * sizeof<V>();
      store<V>(g + at, div<V>(negate<V>(load<V>(x + at)), constant<V>(s * s)));
    }
    this.down<V>(x);
  }

  logDensity<V>(x: usize): V {
    let sum = constant<V>(0.0);
    for (let k: usize = 0; k < this.rows; k++) {
      const z = div<V>(load<V>(x + k * sizeof<V>()), broadcast<V>(this.scales + 8 * k));
      sum = sub<V>(sum, mul<V>(constant<V>(0.5), mul<V>(z, z)));
    }
    return sum;
  }
}
