/*
 * Radix-2 fast Fourier transform (Cooley and Tukey 1965), for the autocovariances of chains that mix so slowly that
 * hundreds of lags are needed.
 */

let cosines = new Float64Array(0);
let sines = new Float64Array(0);

/** Forward discrete Fourier transform in place: X[k] = sum over j of x[j] exp(-2 pi i j k / n), n a power of two. */
export function fft(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  if (imaginary.length !== size || size < 1 || (size & (size - 1)) !== 0) {
    throw new RangeError(`transform of ${size} and ${imaginary.length} numbers: expected one power of two for both`);
  }
  prepareTwiddles(size);
  reverseBits(real, imaginary);
  for (let half = 1; half < size; half *= 2) butterflies(real, imaginary, half);
}

/** exp(-2 pi i k / size) for k < size / 2; kept for the last size. */
function prepareTwiddles(size: number): void {
  if (cosines.length === size >> 1) return;
  cosines = new Float64Array(size >> 1);
  sines = new Float64Array(size >> 1);
  for (let k = 0; k < size >> 1; k++) {
    const angle = (-2 * Math.PI * k) / size;
    cosines[k] = Math.cos(angle);
    sines[k] = Math.sin(angle);
  }
}

/** Swaps each element with the one at its index with the bits reversed. */
function reverseBits(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  let reversed = 0;
  for (let i = 0; i < size; i++) {
    if (i < reversed) {
      const re = real[i];
      const im = imaginary[i];
      real[i] = real[reversed];
      imaginary[i] = imaginary[reversed];
      real[reversed] = re;
      imaginary[reversed] = im;
    }
    // Adds one from the top bit down.
    let bit = size >> 1;
    while (bit !== 0 && (reversed & bit) !== 0) {
      reversed ^= bit;
      bit >>= 1;
    }
    reversed |= bit;
  }
}

/** Joins transforms of length `half` pairwise into transforms of twice that length. */
function butterflies(real: Float64Array, imaginary: Float64Array, half: number): void {
  const size = real.length;
  const stride = size / (2 * half);
  for (let start = 0; start < size; start += 2 * half) {
    for (let k = 0; k < half; k++) {
      const c = cosines[k * stride];
      const s = sines[k * stride];
      const even = start + k;
      const odd = even + half;
      const re = real[odd] * c - imaginary[odd] * s;
      const im = real[odd] * s + imaginary[odd] * c;
      real[odd] = real[even] - re;
      imaginary[odd] = imaginary[even] - im;
      real[even] += re;
      imaginary[even] += im;
    }
  }
}
