/*
 * The distribution function of Beta(a, b), made for shapes from near 0 to about 10^8, at places where it matters: its
 * absolute error is that of rounding a few times.
 */

/**
 * x (1 - x) times the density of Beta(a, b) at x: x^a (1 - x)^b / B(a, b), by deviations from the mean and Stirling's
 * errors, so that no large logarithms cancel (Loader 2000, "Fast and accurate computation of binomial probabilities").
 */
export function betaMass(x: number, a: number, b: number): number {
  const total = a + b;
  const mean = a / total;
  const rest = b / total;
  const exponent = a * logRatio(x, mean, x - mean) + b * logRatio(1 - x, rest, mean - x);
  const error = stirlingError(total) - stirlingError(a) - stirlingError(b);
  return Math.sqrt((mean * rest * total) / (2 * Math.PI)) * Math.exp(exponent + error);
}

/** log(x / mean), also where they nearly agree. */
const logRatio = (x: number, mean: number, deviation: number): number =>
  Math.abs(deviation) < mean / 2 ? Math.log1p(deviation / mean) : Math.log(x / mean);

/** log Gamma(a) - ((a - 1/2) log a - a + log(2 pi) / 2), which is about 1 / (12 a). */
function stirlingError(a: number): number {
  let shift = 0;
  let at = a;
  for (; at < 12; at++) shift += (at + 0.5) * Math.log1p(1 / at) - 1;
  const s = 1 / (at * at);
  return shift + (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188))))) / at;
}

/**
 * P(theta <= x) for theta ~ Beta(a, b), given betaMass(x, a, b), by the continued fraction DLMF 8.17.22, which
 * converges fast up to about the mean; beyond it the other tail is taken.
 */
export function betaCdf(x: number, a: number, b: number, mass: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - (mass * fraction(1 - x, b, a)) / b;
  return (mass * fraction(x, a, b)) / a;
}

/** By Lentz's method (Press et al. 2007, "Numerical Recipes", section 5.2). */
function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1, change = 0; Math.abs(change - 1) > 1e-15 && m < 1e6; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    result *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    change = c * d;
    result *= change;
  }
  return result;
}
