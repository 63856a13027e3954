/** The largest count: up to here every whole number is a double of its own. */
export const maxCount = 2 ** 53;

export const expectedCount = "a whole number from 0 to 2^53";

/** Whether a number can be one of records. */
export const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxCount;

/** How many records a row stands for; null if the cell is no whole number from 0 to 2^53. */
export function readCount(value: unknown): number | null {
  if (typeof value === "number") return isCount(value) ? value : null;
  if (typeof value !== "string") return null;
  // Tables with a blank somewhere turn whole columns to floats, and write 38 as 38.0.
  const digits = /^(\d+)(?:\.0*)?$/.exec(value.trim())?.[1];
  // Number() would round 2^53 + 1 down to 2^53.
  return digits === undefined || BigInt(digits) > BigInt(maxCount) ? null : Number(digits);
}
