import { describe, expect, it } from "vitest";
import type { Approximations } from "../../src/engines/wasm/approximations.js";
import { Approximator } from "../../src/engines/wasm/approximator.js";
import { logDensity } from "../../src/network/density.js";
import {
  type CompiledNetwork,
  compileNetwork,
  type Folded,
  fold,
  isAmbiguous,
  rat,
  ratJudge,
} from "../../src/network/index.js";
import { Inputs } from "../support/random.js";

const kinds: [string, (inputs: Inputs, ambiguous: boolean) => number][] = [
  ["no records", () => 0],
  ["few records", (i) => i.below(2) * i.below(4)],
  ["usual records", (i) => i.below(100)],
  ["many ambiguous records, few others", (i, ambiguous) => i.below(ambiguous ? 100_000 : 3)],
  ["very uneven records", (i) => Math.floor(10 ** i.uniform(0, 6)) - 1],
  ["10^6 records a pattern", (i) => 1_000_000 + i.below(1000)],
];
const refits = 8;

/** Of the differences: a share of a posterior standard deviation. */
const step = 1e-4;

/** W, all of it, of one refit. */
function rootOf({ root }: Approximations, refit: number, K: number): number[][] {
  let next = (refit * (K * (K + 1))) / 2;
  return Array.from({ length: K }, (_, i) => Array.from({ length: K }, (_, j) => (j < i ? 0 : root[next++])));
}

/** W' v. */
const whiten = (W: number[][], v: ArrayLike<number>): number[] =>
  W.map((_, j) => W.reduce((sum, row, i) => sum + row[j] * v[i], 0));

/** C: at least the curvature along each row that complete records would have. */
function completeCurvature({ success, failure, counts }: Folded, mode: Float64Array): Float64Array {
  const ambiguous = counts.reduce((a, b) => a + b, 0);
  return mode.map((x, k) => (success[k] + failure[k] + ambiguous) / ((1 + Math.exp(x)) * (1 + Math.exp(-x))));
}

/**
 * -H by central differences of the oracle's gradient over h = step / sqrt(C). In units of C they are off by at most
 * h^2 / 6, from a fourth derivative, and by 2^-53 / h, from rounding: as C is from 1/2 to some 10^8 here, by 3e-9 and 1e-8
 * or less, times a few.
 */
function differences(network: CompiledNetwork, folded: Folded, mode: Float64Array, complete: Float64Array): number[][] {
  return Array.from(mode, (x, j) => {
    const h = step / Math.sqrt(complete[j]);
    const [up, down] = [x + h, x - h];
    const [above, below] = [up, down].map((moved) => logDensity(network, folded, mode.with(j, moved)).gradient);
    return Array.from(below, (g, i) => (g - above[i]) / (up - down));
  });
}

describe.each([rat, ratJudge()].map((definition) => compileNetwork(definition)))(
  "approximations of $name",
  (network) => {
    const K = network.rowNames.length;
    const patterns = network.patterns.length;
    const approximator = new Approximator(network);

    describe.each(kinds)("of %s", (_, count) => {
      const inputs = new Inputs(75);
      const counts = inputs.array(refits * patterns, (m) => count(inputs, isAmbiguous(network.patterns[m % patterns])));
      const all = approximator.approximate(counts);
      const each = Array.from({ length: refits }, (_, refit) => ({
        mode: all.mode.subarray(refit * K, (refit + 1) * K),
        W: rootOf(all, refit, K),
        folded: fold(network, counts.subarray(refit * patterns, (refit + 1) * patterns)),
      }));

      it("have their mode where the oracle's gradient is 0, to 1e-4 posterior standard deviations", () => {
        for (const { mode, W, folded } of each) {
          // How far the mode still is, in standard deviations along orthogonal directions.
          expect(Math.hypot(...whiten(W, logDensity(network, folded, mode).gradient))).toBeLessThan(1e-4);
        }
      });

      it("have W W' = (-H)^-1, with H by differences of the oracle's gradient, as well as those can tell", () => {
        for (const { mode, W, folded } of each) {
          const complete = completeCurvature(folded, mode);
          const minusH = differences(network, folded, mode, complete);
          // W W' = (-H)^-1 where W' (-H) W = I. In these units of the posterior, W' C W says how much more curvature
          // complete records would have, and with it how much of the differences' error is left.
          const more = W.map((_, j) => W.reduce((sum, row, k) => sum + complete[k] * row[j] ** 2, 0));
          W.forEach((_, j) => {
            const product = minusH.map((row) => row.reduce((sum, h, i) => sum + h * W[i][j], 0));
            whiten(W, product).forEach((value, i) => {
              const error = Math.abs(value - (i === j ? 1 : 0));
              expect(error / Math.sqrt(more[i] * more[j])).toBeLessThan(10 * step ** 2);
            });
          });
        }
      });

      it("come with the prior and fixed counts of each row", () => {
        expect(all.success).toEqual(Float64Array.from(each.flatMap(({ folded }) => [...folded.success])));
        expect(all.failure).toEqual(Float64Array.from(each.flatMap(({ folded }) => [...folded.failure])));
      });
    });
  },
);
