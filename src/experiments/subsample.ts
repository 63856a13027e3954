import type { Stream } from "../random/stream.js";

/**
 * The first `size` records of a random permutation, as the cell of each: drawing from the counts without replacement is
 * the same as drawing record numbers.
 * @param counts records a cell, [cells]; at least `size` in all
 */
export function subsample(counts: ArrayLike<number>, size: number, stream: Stream): Int32Array {
  const left = Float64Array.from(counts);
  let total = left.reduce((sum, n) => sum + n, 0);
  const cells = new Int32Array(size);
  for (let i = 0; i < size; i++) {
    let place = stream.integerBelow(total);
    let cell = 0;
    while (place >= left[cell]) place -= left[cell++];
    left[cell]--;
    total--;
    cells[i] = cell;
  }
  return cells;
}
