import type { Stream } from "./stream.js";

/** Random variates other than uniform ones. */
export class Variates {
  private spare = Number.NaN;

  constructor(private readonly stream: Stream) {}

  uniform(): number {
    return this.stream.uniform();
  }

  /** Standard normal, by the polar method (Marsaglia and Bray 1964), which makes two at a time. */
  normal(): number {
    if (!Number.isNaN(this.spare)) {
      const spare = this.spare;
      this.spare = Number.NaN;
      return spare;
    }
    for (;;) {
      const x = 2 * this.stream.uniform() - 1;
      const y = 2 * this.stream.uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      this.spare = y * scale;
      return x * scale;
    }
  }

  /**
   * Log of a standard gamma variate (Marsaglia and Tsang 2000, "A simple method for generating gamma variables"): of
   * any shape > 0, as the variate itself underflows where the shape is small.
   */
  logGamma(shape: number): number {
    // Their section 6: gamma(a) = gamma(a + 1) U^(1/a). 1 - uniform is never 0.
    if (shape < 1) return this.logGamma(shape + 1) + Math.log(1 - this.stream.uniform()) / shape;
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const w = c * x;
      if (w <= -1) continue;
      const u = this.stream.uniform();
      if (u < 1 - 0.0331 * x ** 4 || Math.log(u) < logAcceptance(d, w)) return Math.log(d) + 3 * Math.log1p(w);
    }
  }

  /**
   * Number of successes in n trials: by Beta order statistics down to few trials (Devroye 1986, section X.4.3), exact and
   * in steps of log n.
   */
  binomial(n: number, p: number): number {
    let [trials, rate, successes] = [n, p, 0];
    while (trials > 16) {
      // The i-th smallest of the trials' uniforms; those below it number i - 1.
      const i = Math.floor(trials / 2) + 1;
      const order = 1 / (1 + Math.exp(-this.logitBeta(i, trials + 1 - i)));
      if (order <= rate) {
        successes += i;
        trials -= i;
        rate = (rate - order) / (1 - order);
      } else {
        trials = i - 1;
        rate /= order;
      }
    }
    for (; trials > 0; trials--) if (this.stream.uniform() < rate) successes++;
    return successes;
  }

  /** Logit of a Beta(success, failure) variate. */
  logitBeta(success: number, failure: number): number {
    return this.logGamma(success) - this.logGamma(failure);
  }
}

/**
 * Their x^2 / 2 + d - d v + d log v with v = (1 + w)^3 and x^2 = 9 d w^2, which is 3 d (log(1 + w) - w + w^2 / 2 -
 * w^3 / 3): near 0 as the rest of the logarithm's series, since the sum itself cancels where d is large.
 */
function logAcceptance(d: number, w: number): number {
  if (Math.abs(w) > 0.05) return 3 * d * (Math.log1p(w) - w + (w * w) / 2 - (w * w * w) / 3);
  let series = 0;
  for (let k = 14; k >= 4; k--) series = 1 / k - w * series;
  return -3 * d * w ** 4 * series;
}
