import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { subsample } from "../../src/experiments/subsample.js";
import { Stream } from "../../src/random/stream.js";
import { zLimit } from "../support/montecarlo.js";
import { population, sum } from "./support.js";

const streamOf = (seed: number, id = 0): Stream => new Stream(seed, id, 1);

const populations = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 8 }).filter((counts) => sum(counts) > 0);

function tally(cells: Int32Array, length: number): number[] {
  const counts = new Array(length).fill(0);
  for (const cell of cells) counts[cell]++;
  return counts;
}

describe("without replacement", () => {
  it("as many records as there are give back the population exactly", () => {
    fc.assert(
      fc.property(populations, fc.nat(), (counts, seed) => {
        const drawn = subsample(counts, sum(counts), streamOf(seed));
        expect(tally(drawn, counts.length)).toEqual(counts);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("no beginning of a sample holds more of a cell than the population does", () => {
    fc.assert(
      fc.property(populations, fc.nat(), fc.nat({ max: 240 }), (counts, seed, size) => {
        const drawn = subsample(counts, Math.min(size, sum(counts)), streamOf(seed));
        tally(drawn, counts.length).forEach((n, cell) => {
          expect(n).toBeLessThanOrEqual(counts[cell]);
        });
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  it("leaves the population's counts as they were", () => {
    const counts = Float64Array.from(population);
    subsample(counts, 500, streamOf(1));
    expect(counts).toEqual(population);
  });
});

it("is the same as drawing record numbers from a list of all records", () => {
  fc.assert(
    fc.property(populations, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (counts, seed, share) => {
      const size = Math.floor(share * sum(counts));
      const records = counts.flatMap((n, cell) => new Array<number>(n).fill(cell));
      const stream = streamOf(seed);
      const expected = Array.from({ length: size }, () => records.splice(stream.integerBelow(records.length), 1)[0]);
      expect([...subsample(counts, size, streamOf(seed))]).toEqual(expected);
    }),
    { seed: 3, numRuns: 300 },
  );
});

it("a smaller sample is the beginning of a larger one from the same stream", () => {
  const large = subsample(population, 600, streamOf(7));
  expect(subsample(population, 160, streamOf(7))).toEqual(large.slice(0, 160));
});

describe("hypergeometric", () => {
  const replicates = 4000;
  const size = 600;
  const total = sum(population);
  const samples = Array.from({ length: replicates }, (_, id) =>
    tally(subsample(population, size, streamOf(11, id)), population.length),
  );
  const meanOf = (value: (counts: number[]) => number): number => sum(samples.map(value)) / replicates;

  // 6 + 6 + 1 comparisons in standard errors that are exact; one false alarm in 10,000 for a new seed, all together.
  const limit = zLimit(13);

  it("mean number of records of each cell is size x share, within its exact standard error", () => {
    population.forEach((count, cell) => {
      const p = count / total;
      const variance = (size * p * (1 - p) * (total - size)) / (total - 1);
      const z = (meanOf((counts) => counts[cell]) - size * p) / Math.sqrt(variance / replicates);
      expect.soft(Math.abs(z), `cell ${cell}`).toBeLessThan(limit);
    });
  });

  it("their variances are those of draws without replacement, 6% below those with", () => {
    population.forEach((count, cell) => {
      const p = count / total;
      const variance = (size * p * (1 - p) * (total - size)) / (total - 1);
      // For counts so large the fourth moment is 3 variance^2 within 2%, which the standard error of the variance shows.
      const error = variance * Math.sqrt(2.1 / replicates);
      const z = (meanOf((counts) => (counts[cell] - size * p) ** 2) - variance) / error;
      expect.soft(Math.abs(z), `cell ${cell}`).toBeLessThan(limit);
    });
    const withReplacement = size * 0.3675 * (1 - 0.3675);
    const spread = meanOf((counts) => (counts[2] - size * 0.3675) ** 2);
    expect((spread - withReplacement) / withReplacement).toBeLessThan(0);
  });

  it("place in the sample doesn't matter: the first and the last record are of cell 0 equally often", () => {
    const ends = Array.from({ length: replicates }, (_, id) => subsample(population, size, streamOf(12, id)));
    const difference = sum(ends.map((cells) => Number(cells[0] === 0) - Number(cells[size - 1] === 0))) / replicates;
    const p = population[0] / total;
    expect(Math.abs(difference) / Math.sqrt((2 * p * (1 - p)) / replicates)).toBeLessThan(limit);
  });
});

it("draws the 14 possible sequences of two records from cells of 3, 2, 1 and 1 with their exact probabilities", () => {
  const counts = [3, 2, 1, 1];
  const replicates = 20_000;
  const seen = new Map<string, number>();
  for (let id = 0; id < replicates; id++) {
    const key = subsample(counts, 2, streamOf(13, id)).join();
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  const limit = zLimit(14); // 4 x 4 sequences less two impossible ones; one false alarm in 10,000
  for (let a = 0; a < 4; a++) {
    for (let b = 0; b < 4; b++) {
      const p = ((counts[a] / 7) * (counts[b] - Number(a === b))) / 6;
      const share = (seen.get(`${a},${b}`) ?? 0) / replicates;
      if (p === 0) expect(share).toBe(0);
      else expect.soft(Math.abs(share - p) / Math.sqrt((p * (1 - p)) / replicates), `${a},${b}`).toBeLessThan(limit);
    }
  }
});

it("samples from up to 2^53 records", () => {
  const counts = [2 ** 52, 0, 2 ** 52 - 1, 1];
  const drawn = tally(subsample(counts, 10_000, streamOf(14)), 4);
  expect(drawn[1]).toBe(0);
  expect(Math.abs(drawn[0] - 5000) / 50).toBeLessThan(zLimit(1));
});
