import { describe, expect, it } from "vitest";
import { worstError } from "../support/accuracy.js";
import { openProbe, Scratch } from "../support/kernel.js";
import { meanAndSd } from "../support/montecarlo.js";
import { Inputs } from "../support/random.js";

const probe = openProbe();
const scratch = new Scratch(probe);
const dimensions = 5;
const [scale, block, positions] = [8, 64, 4096].map((count) => scratch.floats(count));
/** Draws that the guess counts for. */
const guessWeight = 5;

describe("the running variance", () => {
  it.each([2, 3, 25, 400])(
    "of %d positions of one chain sets the scale by the shrunk sample variance, to 1e-12",
    (count) => {
      const inputs = new Inputs(91);
      const draws = Array.from({ length: dimensions }, (_, k) =>
        inputs.array(count, () => 1e3 * k + 10 ** (k - 2) * inputs.normal()),
      );
      const guess = inputs.array(dimensions, () => inputs.uniform(0.1, 3));
      scale.array.set(guess);
      draws.forEach((values, k) => {
        values.forEach((x, i) => {
          positions.array[dimensions * i + k] = x;
        });
      });
      probe.adaptScale(scale.at, block.at, positions.at, dimensions, count);
      const expected = draws.map((values, k) =>
        Math.sqrt((count * meanAndSd(values).sd ** 2 + guessWeight * guess[k] ** 2) / (count + guessWeight)),
      );
      expect(worstError(scale.array.subarray(0, dimensions), expected)).toBeLessThan(1e-12);
    },
  );

  it.each([2, 25, 400])(
    "of %d positions of two chains pools variances within each, not between them, to 1e-12",
    (count) => {
      const inputs = new Inputs(92);
      const draws = Array.from({ length: 2 * dimensions }, (_, k) =>
        inputs.array(count, () => 100 * k + inputs.normal()),
      );
      draws.forEach((values, k) => {
        values.forEach((x, i) => {
          positions.array[2 * dimensions * i + k] = x;
        });
      });
      probe.pooledVariances(scale.at, block.at, positions.at, dimensions, count, 1.5);
      const expected = Array.from({ length: dimensions }, (_, k) => {
        const within = (meanAndSd(draws[2 * k]).sd ** 2 + meanAndSd(draws[2 * k + 1]).sd ** 2) / 2;
        return (2 * count * within + guessWeight * 1.5) / (2 * count + guessWeight);
      });
      expect(worstError(scale.array.subarray(0, dimensions), expected)).toBeLessThan(1e-12);
    },
  );

  it("leaves the guess where a single position says nothing, or positions are not finite", () => {
    for (const values of [[3], [1, Infinity], [1, NaN, 2]]) {
      scale.array.fill(0.25);
      values.forEach((x, i) => {
        positions.array.fill(x, dimensions * i, dimensions * (i + 1));
      });
      probe.adaptScale(scale.at, block.at, positions.at, dimensions, values.length);
      expect([...scale.array.subarray(0, dimensions)]).toEqual(new Array(dimensions).fill(0.25));
    }
  });

  it("shrinks to the guess where a chain stood still, and stays above 0", () => {
    scale.array.fill(0.5);
    positions.array.fill(7);
    probe.adaptScale(scale.at, block.at, positions.at, dimensions, 100);
    const expected = Math.sqrt((guessWeight * 0.25) / (100 + guessWeight));
    expect(worstError(scale.array.subarray(0, dimensions), new Array(dimensions).fill(expected))).toBeLessThan(1e-15);
  });
});
