import type { Fitted } from "./fit.js";
import type { IsotonicMap } from "./maps.js";

/**
 * Isotonic regression by pooling adjacent violators (Ayer, Brunk, Ewing, Reid and Silverman 1955, "An empirical distribution
 * function for sampling with incomplete information", Annals of Mathematical Statistics 26, 641-647; for calibration:
 * Zadrozny and Elkan 2002, "Transforming classifier scores into accurate multiclass probability estimates", KDD). Rows of
 * equal confidence are pooled first, so that their order can't matter; levels are compared as fractions of whole numbers.
 * @param order rows by ascending confidence; a part of them will do
 */
export function fitIsotonic(confidence: Float64Array, outcome: Uint8Array, order: Uint32Array): Fitted<IsotonicMap> {
  const n = order.length;
  // Blocks of one level: their rows, outcomes of 1, least and greatest confidence.
  const rows = new Uint32Array(n);
  const ones = new Uint32Array(n);
  const from = new Float64Array(n);
  const to = new Float64Array(n);
  let top = -1;
  let positives = 0;
  for (let start = 0; start < n; ) {
    const value = confidence[order[start]];
    let [end, here] = [start, 0];
    for (; end < n && confidence[order[end]] === value; end++) here += outcome[order[end]];
    positives += here;
    top++;
    rows[top] = end - start;
    ones[top] = here;
    from[top] = value;
    to[top] = value;
    for (; top > 0 && ones[top - 1] * rows[top] >= ones[top] * rows[top - 1]; top--) {
      rows[top - 1] += rows[top];
      ones[top - 1] += ones[top];
      to[top - 1] = to[top];
    }
    start = end;
  }
  if (positives === 0 || positives === n) return { map: null, note: "one class: the map would be constant" };
  const x: number[] = [];
  const y: number[] = [];
  for (let block = 0; block <= top; block++) {
    const level = ones[block] / rows[block];
    x.push(from[block]);
    y.push(level);
    if (to[block] === from[block]) continue;
    x.push(to[block]);
    y.push(level);
  }
  const note = top === 0 ? "constant: outcomes don't rise with confidence (or all confidences are equal)" : null;
  return { map: { kind: "isotonic", x, y }, note };
}
