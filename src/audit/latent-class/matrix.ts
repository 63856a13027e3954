import type { Gradient } from "./parameters.js";

/** Variance of what has this gradient. */
export function quadratic(gradient: Gradient, covariance: Float64Array, size: number): number {
  let sum = 0;
  for (const a of gradient) {
    for (const b of gradient) sum += a.value * b.value * covariance[a.parameter * size + b.parameter];
  }
  return Math.max(0, sum);
}

/** Adds weight v v' to a matrix; most of v is 0. */
export function addSquare(v: Float64Array, weight: number, matrix: Float64Array): void {
  const places: number[] = [];
  for (let a = 0; a < v.length; a++) if (v[a] !== 0) places.push(a);
  for (const a of places) {
    const scaled = weight * v[a];
    for (const b of places) matrix[a * v.length + b] += scaled * v[b];
  }
}

/** A B A of symmetric matrices. */
export function sandwich(outer: Float64Array, inner: Float64Array, size: number): Float64Array {
  return product(product(outer, inner, size), outer, size);
}

function product(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const out = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < size; k++) {
      const scale = a[i * size + k];
      if (scale !== 0) for (let j = 0; j < size; j++) out[i * size + j] += scale * b[k * size + j];
    }
  }
  return out;
}

/** Inverse of a symmetric positive definite matrix by Cholesky's factors; null where it isn't (numerically) one. */
export function inverse(matrix: Float64Array, size: number): Float64Array | null {
  const factor = matrix.slice();
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = factor[i * size + j];
      for (let k = 0; k < j; k++) sum -= factor[i * size + k] * factor[j * size + k];
      if (i !== j) factor[i * size + j] = sum / factor[j * size + j];
      else if (sum > 1e-10 * matrix[i * size + i]) factor[i * size + i] = Math.sqrt(sum);
      else return null;
    }
  }
  // Columns of the factor's inverse, as rows; then (L L')^-1 = L^-T L^-1.
  const lower = new Float64Array(size * size);
  for (let c = 0; c < size; c++) {
    for (let i = c; i < size; i++) {
      let sum = i === c ? 1 : 0;
      for (let k = c; k < i; k++) sum -= factor[i * size + k] * lower[c * size + k];
      lower[c * size + i] = sum / factor[i * size + i];
    }
  }
  const out = new Float64Array(size * size);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let k = a; k < size; k++) sum += lower[a * size + k] * lower[b * size + k];
      out[a * size + b] = sum;
      out[b * size + a] = sum;
    }
  }
  return out;
}
