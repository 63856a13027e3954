import { Stream } from "../../src/random/stream.js";

/** Numbers for the inputs of tests, from the project's own streams: the same on every machine. */
export class Inputs {
  private readonly stream: Stream;

  constructor(seed: number) {
    this.stream = new Stream(seed, 0, 1);
  }

  uniform(low = 0, high = 1): number {
    return low + (high - low) * this.stream.uniform();
  }

  below(count: number): number {
    return this.stream.integerBelow(count);
  }

  /** Box and Muller. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.stream.uniform())) * Math.cos(2 * Math.PI * this.stream.uniform());
  }

  /** Marsaglia and Tsang 2000; below shape 1 by Gamma(a) = Gamma(a + 1) U^(1/a). */
  gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * (1 - this.stream.uniform()) ** (1 / shape);
    const d = shape - 1 / 3;
    for (;;) {
      const x = this.normal();
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(1 - this.stream.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  beta(a: number, b: number): number {
    const x = this.gamma(a);
    return x / (x + this.gamma(b));
  }

  array(length: number, draw: (index: number) => number): Float64Array {
    return Float64Array.from({ length }, (_, index) => draw(index));
  }

  /** Index drawn with these probabilities. */
  category(probabilities: ArrayLike<number>): number {
    let left = this.uniform();
    let index = 0;
    while (index + 1 < probabilities.length && left >= probabilities[index]) left -= probabilities[index++];
    return index;
  }
}
