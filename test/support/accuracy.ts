/** |actual - expected| / |expected|; 0 where both are equal, NaN where one is NaN. */
export function relativeError(actual: number, expected: number): number {
  return actual === expected ? 0 : Math.abs(actual - expected) / Math.abs(expected);
}

/** The greatest relative error of two lists of equal length; NaN where one is NaN. */
export function worstError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) throw new Error(`${actual.length} numbers against ${expected.length}`);
  let worst = 0;
  for (let i = 0; i < actual.length; i++) worst = Math.max(worst, relativeError(actual[i], expected[i]));
  return worst;
}

/** Whether two lists of floats have the same bits; faster than comparing them one by one with `expect`. */
export const sameBits = (a: Float64Array, b: Float64Array): boolean =>
  Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));
