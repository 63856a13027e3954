import { inParts, type Pace } from "../../pace.js";

/**
 * log Gamma(base + i) - log Gamma(base) for i = 0 ... last: sums of log(base + j) with their rounding errors carried
 * along. Differences stay accurate where log Gamma itself, 10^10 and more for large counts, has lost its decimals.
 */
export async function logGammaTable(base: number, last: number, pace: Pace): Promise<Float64Array> {
  const table = new Float64Array(last + 1);
  let sum = 0;
  let error = 0;
  await inParts(last, 1 << 14, pace, (from, to) => {
    for (let i = from; i < to; i++) {
      const term = Math.log(base + i);
      const next = sum + term;
      error += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
      sum = next;
      table[i + 1] = sum + error;
    }
  });
  return table;
}
