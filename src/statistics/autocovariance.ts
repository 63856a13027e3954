import type { CentredChains } from "./chains.js";
import { fft } from "./fft.js";
import { FloatScratch } from "./scratch.js";

/*
 * Autocovariances of chains, averaged over the chains; that average is all that the effective sample size needs. The
 * "biased" estimate, with divisor n at every lag (Geyer 1992, "Practical Markov Chain Monte Carlo", Statistical Science
 * 7, 473-483), as in posterior:
 *
 *     a(t) = 1 / (chains n)  sum over chains and i of  d[i] d[i + t]
 */

/** Lags of one pass over the chains, which then loads two deviations for four products. */
const lagsAPass = 4;

const lagScratch = new FloatScratch();
const realScratch = new FloatScratch();
const imaginaryScratch = new FloatScratch();
const powerScratch = new FloatScratch();

/**
 * Mean autocovariances by lag, computed as they are asked for: a chain that mixes well needs about ten of them. One that
 * doesn't may need thousands; once the sums so far have cost as much as a transform would, a transform computes all, so
 * that the whole costs at most twice the cheaper of the two ways. Holds until the next one is made (working memory).
 */
export class MeanAutocovariance {
  readonly #centred: CentredChains;
  readonly #lags: Float64Array;
  readonly #directLimit: number;
  #known = 0;

  constructor(centred: CentredChains) {
    this.#centred = centred;
    this.#lags = lagScratch.take(centred.length);
    this.#directLimit = directLimit(centred.length);
  }

  /** Mean autocovariance at a lag from 0 to the length less one. */
  at(lag: number): number {
    while (lag >= this.#known) {
      if (this.#known < this.#directLimit) {
        directAutocovariance(this.#centred, this.#known, this.#lags);
        this.#known = Math.min(this.#known + lagsAPass, this.#lags.length);
      } else {
        transformAutocovariance(this.#centred, this.#lags);
        this.#known = this.#lags.length;
      }
    }
    return this.#lags[lag];
  }
}

/** Lags by direct sums that cost about as much as one transform of everything (measured on V8). */
function directLimit(length: number): number {
  return 8 * Math.ceil(Math.log2(2 * length));
}

/** Writes the lags `first` to `first` + 3, as far as there are so many, by direct sums. */
export function directAutocovariance(centred: CentredChains, first: number, lags: Float64Array): void {
  const { deviations, chains, length } = centred;
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  for (let chain = 0; chain < chains; chain++) {
    const start = chain * length;
    const end = start + length;
    let i = start;
    let j = start + first;
    let next0 = deviations[j];
    let next1 = deviations[j + 1];
    let next2 = deviations[j + 2];
    for (; j < end - 3; i++, j++) {
      const value = deviations[i];
      const next3 = deviations[j + 3];
      sum0 += value * next0;
      sum1 += value * next1;
      sum2 += value * next2;
      sum3 += value * next3;
      next0 = next1;
      next1 = next2;
      next2 = next3;
    }
    // The last pairs of the shorter lags.
    for (; j < end; i++, j++) {
      sum0 += deviations[i] * deviations[j];
      if (j + 1 < end) sum1 += deviations[i] * deviations[j + 1];
      if (j + 2 < end) sum2 += deviations[i] * deviations[j + 2];
    }
  }
  const divisor = chains * length;
  lags[first] = sum0 / divisor;
  // Writes past the last lag are ignored by a typed array.
  lags[first + 1] = sum1 / divisor;
  lags[first + 2] = sum2 / divisor;
  lags[first + 3] = sum3 / divisor;
}

/**
 * Writes all lags by Fourier transforms (Wiener-Khinchin), padded with zeros to twice the length or more so that the ends
 * don't meet. Two chains go through one transform as real and imaginary part: the real part of the transform of
 * |X + iY|^2 is the sum of both autocovariances, as their cross terms are antisymmetric. Powers add up over chains, so
 * that one transform back serves all.
 */
export function transformAutocovariance(centred: CentredChains, lags: Float64Array): void {
  const { deviations, chains, length } = centred;
  let size = 1;
  while (size < 2 * length) size *= 2;
  const real = realScratch.take(size);
  const imaginary = imaginaryScratch.take(size);
  const power = powerScratch.take(size).fill(0);
  for (let chain = 0; chain < chains; chain += 2) {
    real.fill(0).set(deviations.subarray(chain * length, (chain + 1) * length));
    imaginary.fill(0);
    if (chain + 1 < chains) imaginary.set(deviations.subarray((chain + 1) * length, (chain + 2) * length));
    fft(real, imaginary);
    for (let k = 0; k < size; k++) power[k] += real[k] * real[k] + imaginary[k] * imaginary[k];
  }
  // A forward transform serves as the inverse: they differ in the sign of the imaginary part alone.
  fft(power, imaginary.fill(0));
  const divisor = size * chains * length;
  for (let lag = 0; lag < length; lag++) lags[lag] = power[lag] / divisor;
}
