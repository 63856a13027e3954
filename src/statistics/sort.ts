import { IntegerScratch } from "./scratch.js";

/*
 * Sorting with the places kept. Ranks need to know where each sorted value stood; looking every draw up in a sorted copy
 * costs more than the sort, because a binary search mispredicts half its branches. A radix sort of the places (least
 * significant digit first, six digits of 11 bits a double) yields both in one go, in linear time whatever the values.
 */

/** Values in ascending order and their places: sorted[k] = values[order[k]]. */
export interface Ordered {
  readonly sorted: Float64Array;
  readonly order: Uint32Array;
}

const digitBits = 11;
const digitValues = 1 << digitBits;
const digitMask = digitValues - 1;
/** Three digits for each 32-bit half of a double, the low half first. */
const digits = 6;

const lowKeys = new IntegerScratch();
const highKeys = new IntegerScratch();
const spareOrder = new IntegerScratch();
const digitCounts = new Uint32Array(digits * digitValues);

/** An `Ordered` for `size` values, to be filled by `sortWithPlaces`. */
export function allocateOrdered(size: number): Ordered {
  return { sorted: new Float64Array(size), order: new Uint32Array(size) };
}

/**
 * Sorts without touching `values`; equal values keep the order of their places. -0 counts as less than 0 here, which no
 * user of the result can tell, as ties are found by ===. NaN go to either end, beyond the infinities.
 */
export function sortWithPlaces(values: Float64Array, out: Ordered = allocateOrdered(values.length)): Ordered {
  const size = values.length;
  const low = lowKeys.take(size);
  const high = highKeys.take(size);
  countDigits(values, low, high);
  let from = spareOrder.take(size);
  let to = out.order;
  for (let i = 0; i < size; i++) to[i] = i;
  // Passes that would move nothing are skipped, so the last one may end in either array.
  for (let digit = 0; digit < digits; digit++) {
    const starts = digitCounts.subarray(digit * digitValues, (digit + 1) * digitValues);
    if (!countsToStarts(starts, size)) continue;
    const swap = from;
    from = to;
    to = swap;
    scatter(digit < digits / 2 ? low : high, (digit % (digits / 2)) * digitBits, starts, from, to);
  }
  const { sorted, order } = out;
  if (to !== order) order.set(to);
  for (let k = 0; k < size; k++) sorted[k] = values[order[k]];
  return out;
}

/**
 * Unsigned 64-bit keys that sort as the doubles do (negative: all bits flipped; else: the sign bit set), in two halves,
 * and the histograms of all their digits. Reads the halves as little-endian, as every engine with WebAssembly has them.
 */
function countDigits(values: Float64Array, low: Uint32Array, high: Uint32Array): void {
  const bits = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  const counts = digitCounts;
  counts.fill(0);
  for (let i = 0; i < low.length; i++) {
    const sign = bits[2 * i + 1] | 0;
    const flip = sign >> 31;
    const l = bits[2 * i] ^ flip;
    const h = sign ^ (flip | 0x80000000);
    low[i] = l;
    high[i] = h;
    counts[l & digitMask]++;
    counts[digitValues + ((l >>> digitBits) & digitMask)]++;
    counts[2 * digitValues + (l >>> (2 * digitBits))]++;
    counts[3 * digitValues + (h & digitMask)]++;
    counts[4 * digitValues + ((h >>> digitBits) & digitMask)]++;
    counts[5 * digitValues + (h >>> (2 * digitBits))]++;
  }
}

/** Turns counts into running starts; false where all `size` values share the digit, so that a pass would move nothing. */
function countsToStarts(counts: Uint32Array, size: number): boolean {
  let start = 0;
  for (let value = 0; value < digitValues; value++) {
    const count = counts[value];
    if (count === size) return false;
    counts[value] = start;
    start += count;
  }
  return true;
}

function scatter(keys: Uint32Array, shift: number, starts: Uint32Array, from: Uint32Array, to: Uint32Array): void {
  for (let i = 0; i < from.length; i++) {
    const place = from[i];
    to[starts[(keys[place] >>> shift) & digitMask]++] = place;
  }
}
