import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Design, populationCounts, populationOf, replicateCounts } from "../../src/experiments/design.js";
import { subsample } from "../../src/experiments/subsample.js";
import { type CompiledNetwork, compileNetwork, patternIndex, ratJudge } from "../../src/network/index.js";
import { Stream } from "../../src/random/stream.js";
import { designOf, network, population, refusal, sum } from "./support.js";

const judge = compileNetwork(ratJudge());

/** Counts of the refits of a replicate, one array a cell of the design. */
function refits(design: Design, replicate: number): Float64Array[] {
  const all = replicateCounts(design, replicate);
  const patterns = design.network.patterns.length;
  expect(all).toHaveLength(design.cells.length * patterns);
  return design.cells.map((_, c) => all.slice(c * patterns, (c + 1) * patterns));
}

const refit = (design: Design, replicate: number, strategy: string, add: number): Float64Array =>
  refits(design, replicate)[design.cells.findIndex((cell) => cell.strategy === strategy && cell.add === add)];

/** Records that show a level of a variable. */
function showing({ patterns, variables }: CompiledNetwork, counts: Float64Array, name: string, level: number): number {
  const v = variables.findIndex((variable) => variable.name === name);
  return sum(patterns.map(({ levels }, m) => (levels[v] === level ? counts[m] : 0)));
}

describe("cells of a design", () => {
  it("are base alone, then each strategy as given with additions ascending", () => {
    const { cells } = designOf({ strategies: "all-T,all-joint", adds: [200, 60] });
    expect(cells.map(({ strategy, add }) => `${strategy} ${add}`)).toEqual([
      "base 0",
      "all-T 60",
      "all-T 200",
      "all-joint 60",
      "all-joint 200",
    ]);
  });

  it("the defaults make 21 of them", () => {
    expect(designOf().cells).toHaveLength(21);
  });

  it("an addition given twice is one, and 0 is the base itself", () => {
    expect(designOf({ strategies: "all-R", adds: [60, 0, 60] }).cells).toEqual([
      { strategy: "base", add: 0 },
      { strategy: "all-R", add: 60 },
    ]);
  });
});

describe("population", () => {
  it("too small for base and the largest addition is refused with code 65, the numbers and the file", () => {
    const error = refusal(() => designOf({ base: 9501, adds: [60, 500] }));
    expect(error).toMatchObject({ kind: "data", exitCode: 65, place: { file: "records.csv" } });
    expect(error.message).toMatch(/^10000 records hold every label, but --base 9501 .* needs 10001;/);
  });

  it("exactly large enough is taken whole", () => {
    const design = designOf({ base: 9500, adds: [500], strategies: "all-joint" });
    expect(refit(design, 0, "all-joint", 500)).toEqual(populationCounts(network, population));
  });

  it("kinds that the network has no variables for are refused as wrong usage", () => {
    expect(refusal(() => designOf({ strategies: "judge" }))).toMatchObject({ kind: "usage" });
  });

  it("is the records that show every label; those that lack one are counted apart", () => {
    const index = patternIndex(network);
    const counts = new Float64Array(network.patterns.length);
    counts[index([0, 0, 1])] = 5;
    counts[index([1, 1, -1])] = 7; // A = 1 implies T = 0
    counts[index([1, 0, -1])] = 11;
    counts[index([-1, 1, 0])] = 13;
    expect(populationOf(network, counts)).toEqual({ population: Float64Array.of(0, 5, 0, 0, 0, 7), partial: 24 });
  });

  it("as counts and back is itself", () => {
    const counts = populationCounts(network, population);
    expect(populationOf(network, counts)).toEqual({ population, partial: 0 });
  });
});

describe("counts of a replicate", () => {
  it("are what revealing labels record by record gives, for every strategy and addition, odd ones too", () => {
    const strategies = "all-joint,half-joint-R,half-joint-T,all-R,all-T,mine: T 30%, joint 45%, R 25%";
    const design = designOf({ strategies, adds: [7, 60, 61] });
    const shows: Record<string, number[]> = { joint: [0, 1, 2], R: [0, 1], T: [1, 2] };
    const index = patternIndex(network);
    const segments = new Map(
      design.purchases.map(({ name, segments: parts }) => [name, parts.map(({ kind, share }) => ({ kind, share }))]),
    );
    for (const replicate of [0, 1, 17]) {
      const records = subsample(population, 161, new Stream(1, replicate, 1));
      const found = refits(design, replicate);
      design.cells.forEach(({ strategy, add }, c) => {
        const expected = new Float64Array(network.patterns.length);
        for (let i = 0; i < 100 + add; i++) {
          // The first segment whose share, of all additional records, this one's place is still below.
          let until = 0;
          const part = segments.get(strategy)?.find(({ share }) => {
            until += share;
            return i - 100 < add * until - 1e-9;
          });
          const shown = i < 100 ? [0, 1, 2] : shows[part?.kind ?? ""];
          const { levels } = network.cells[records[i]];
          expected[index(levels.map((level, v) => (shown.includes(v) ? level : -1)))]++;
        }
        expect(found[c], `${strategy} ${add}`).toEqual(expected);
      });
    }
  });

  it("are the same for the same seed and replicate, and others for another seed or replicate", () => {
    expect(replicateCounts(designOf(), 3)).toEqual(replicateCounts(designOf(), 3));
    expect(replicateCounts(designOf(), 4)).not.toEqual(replicateCounts(designOf(), 3));
    expect(replicateCounts(designOf({ seed: 2 }), 3)).not.toEqual(replicateCounts(designOf(), 3));
  });

  it("of one strategy don't depend on which others there are, nor on larger additions", () => {
    const alone = designOf({ strategies: "all-T", adds: [100, 500] });
    expect(refit(alone, 5, "all-T", 100)).toEqual(refit(designOf(), 5, "all-T", 100));
    // A larger sample begins with the smaller one.
    expect(refit(designOf({ adds: [100] }), 5, "all-T", 100)).toEqual(refit(designOf(), 5, "all-T", 100));
  });
});

describe("common random numbers", () => {
  it("base records are the same in every cell: taking them away leaves what the additions show", () => {
    const design = designOf();
    for (let replicate = 0; replicate < 20; replicate++) {
      const [base, ...others] = refits(design, replicate);
      expect(sum(base)).toBe(100);
      for (const counts of others) expect(counts.every((n, m) => n >= base[m])).toBe(true);
    }
  });

  it("budgets are nested: a larger addition holds the records of the smaller one", () => {
    const design = designOf({ strategies: "all-joint,all-R,all-T" });
    for (let replicate = 0; replicate < 20; replicate++) {
      for (const strategy of ["all-joint", "all-R", "all-T"]) {
        for (const [less, more] of [
          [60, 100],
          [100, 200],
          [200, 500],
        ]) {
          const small = refit(design, replicate, strategy, less);
          const large = refit(design, replicate, strategy, more);
          expect(large.every((n, m) => n >= small[m])).toBe(true);
        }
      }
    }
  });

  it("all strategies see the same records: what two of them show of a label agrees", () => {
    const design = designOf();
    const count = (strategy: string, name: string, level: number): number =>
      showing(network, refit(design, 9, strategy, 200), name, level);
    for (const strategy of ["half-joint-R", "half-joint-T", "all-R", "all-T"]) {
      expect(count(strategy, "A", 1)).toBe(count("all-joint", "A", 1));
    }
    expect(count("all-R", "R", 1)).toBe(count("all-joint", "R", 1));
    expect(count("half-joint-R", "R", 1)).toBe(count("all-joint", "R", 1));
    expect(count("all-T", "T", 1)).toBe(count("all-joint", "T", 1));
    expect(count("half-joint-T", "T", 1)).toBe(count("all-joint", "T", 1));
  });
});

describe("totals (any population, base, additions and shares)", () => {
  const choices = fc.record({
    counts: fc.array(fc.nat({ max: 400 }), { minLength: 6, maxLength: 6 }),
    base: fc.nat({ max: 200 }),
    adds: fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 3 }),
    percent: fc.integer({ min: 0, max: 100 }),
    seed: fc.nat(),
    replicate: fc.nat({ max: 1e9 }),
  });

  it("every refit has base + add records, and A of each is seen", () => {
    fc.assert(
      fc.property(choices, ({ counts, base, adds, percent, seed, replicate }) => {
        fc.pre(sum(counts) >= base + Math.max(...adds));
        const strategies = `half-joint-R,all-T,x: joint ${percent}%, T ${100 - percent}%`;
        const design = designOf({ population: Float64Array.from(counts), base, adds, strategies, seed });
        const found = refits(design, replicate);
        design.cells.forEach(({ add }, c) => {
          expect(sum(found[c])).toBe(base + add);
          expect(showing(network, found[c], "A", 0) + showing(network, found[c], "A", 1)).toBe(base + add);
          const same = design.cells.findIndex((cell) => cell.add === add);
          expect(showing(network, found[c], "A", 1)).toBe(showing(network, found[same], "A", 1));
        });
      }),
      { seed: 4, numRuns: 150 },
    );
  });

  it("the judge's network conserves them too, with labels of the judge only", () => {
    const design = designOf({
      network: judge,
      population: Float64Array.from(judge.cells, (_, c) => 20 + c),
      strategies: "judge,x: R_J 50%, T_J 25%, joint 25%",
      adds: [41],
    });
    for (let replicate = 0; replicate < 20; replicate++) {
      for (const [c, counts] of refits(design, replicate).entries()) {
        expect(sum(counts)).toBe(100 + design.cells[c].add);
      }
      const bought = refit(design, replicate, "judge", 41);
      const base = refits(design, replicate)[0];
      const hidden = judge.patterns.map(({ levels }, m) => (levels[0] < 0 ? bought[m] - base[m] : 0));
      expect(sum(hidden)).toBe(41);
    }
  });
});
