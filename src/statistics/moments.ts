/** Arithmetic mean, summed relative to the first value: that keeps digits, and equal values have exactly their value. */
export function mean(values: Float64Array): number {
  const first = values[0];
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] - first;
  return first + sum / values.length;
}

/** Sample variance (divisor n - 1) around a known mean; NaN for a single value. */
export function variance(values: Float64Array, centre: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i] - centre;
    sum += deviation * deviation;
  }
  return sum / (values.length - 1);
}

/** Results are finite or null: what overflowed, or isn't defined, isn't available. */
export function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
