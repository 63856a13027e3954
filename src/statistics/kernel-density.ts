/** Kernel density of draws: a Gaussian kernel, reflected at the bounds of a probability. */
import { quantileOfSorted } from "./quantile.js";

/** Values on an even grid. */
export interface Density {
  readonly from: number;
  readonly step: number;
  readonly values: Float64Array;
}

/** Of the kernel, in standard deviations. */
const reach = 4;
const [leastPoints, mostPoints] = [64, 2048];

/**
 * The density of some draws; null where they are all the same. The bandwidth is Silverman's rule of thumb (Silverman 1986,
 * "Density Estimation", equation 3.31). 0 and 1 are bounds where no draw lies beyond them, and what the kernel would
 * spread over a bound is reflected: the density is 0 outside and integrates to 1 by the trapezoidal rule.
 */
export function kernelDensity(draws: Float64Array): Density | null {
  const sorted = draws.filter(Number.isFinite).sort();
  const [least, most] = [sorted[0], sorted[sorted.length - 1]];
  if (sorted.length < 2 || !(most - least > 1e-9 * Math.max(Math.abs(least), Math.abs(most)))) return null;
  // Draws that have a few values far apart would need more points than anyone can see.
  const bandwidth = Math.max(bandwidthOf(sorted), (most - least) / (mostPoints / 2));
  const margin = (reach + 1) * bandwidth;
  const isLow = least >= 0 && least < margin;
  const isHigh = most <= 1 && most > 1 - margin;
  const [from, to] = [isLow ? 0 : least - margin, isHigh ? 1 : most + margin];
  const points = Math.min(mostPoints, Math.max(leastPoints, Math.ceil((4 * (to - from)) / bandwidth))) + 1;
  const step = (to - from) / (points - 1);
  const kernel = kernelOf(bandwidth, step);
  const shares = shared(sorted, from, step, points);
  const values = new Float64Array(points);
  const end = points - 1;
  for (let j = 0; j < points; j++) {
    if (shares[j] === 0) continue;
    for (let k = 1 - kernel.length; k < kernel.length; k++) {
      const at = j + k < 0 ? -(j + k) : j + k > end ? 2 * end - j - k : j + k;
      values[at] += shares[j] * kernel[Math.abs(k)];
    }
  }
  // A point on a bound is its own mirror image.
  if (isLow) values[0] *= 2;
  if (isHigh) values[end] *= 2;
  return { from, step, values };
}

function bandwidthOf(sorted: Float64Array): number {
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const sd = Math.sqrt(sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sorted.length - 1));
  const spread = (quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25)) / 1.34;
  return 0.9 * (spread > 0 ? Math.min(sd, spread) : sd) * sorted.length ** -0.2;
}

/** At 0, 1, 2, ... steps to either side; what all of it sums to, times the step, is 1. */
function kernelOf(bandwidth: number, step: number): Float64Array {
  const kernel = new Float64Array(Math.floor((reach * bandwidth) / step) + 1);
  for (let k = 0; k < kernel.length; k++) kernel[k] = Math.exp(-0.5 * ((k * step) / bandwidth) ** 2);
  const sum = 2 * kernel.reduce((total, value) => total + value, 0) - kernel[0];
  return kernel.map((value) => value / (sum * step));
}

/** The share of the draws that each point of the grid stands for: a draw between two goes to both. */
function shared(draws: Float64Array, from: number, step: number, points: number): Float64Array {
  const shares = new Float64Array(points);
  for (const draw of draws) {
    const at = Math.min((draw - from) / step, points - 1);
    const below = Math.min(Math.floor(at), points - 2);
    shares[below] += (1 - (at - below)) / draws.length;
    shares[below + 1] += (at - below) / draws.length;
  }
  return shares;
}
