import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestAssignment } from "../../src/audit/latent-class/starts.js";
import { type Votes, votesOfRows } from "../../src/audit/latent-class/votes.js";
import { auditLatentClasses, type LatentClassOptions } from "../../src/audit/latent-class.js";
import { Stream } from "../../src/random/stream.js";

const read = (name: string): string => readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8");

interface Reference {
  votes: number[][];
  prevalence: number;
  sensitivity: number[];
  specificity: number[];
  posterior: number[];
  log_likelihood: number;
}

const reference = JSON.parse(read("audit-reference.json")).dawid_skene as {
  small_20x4: Reference;
  sim_300x5: Omit<Reference, "votes"> & {
    votes: string[];
    truth: string;
    posterior_first_20: number[];
    accuracy_em: number;
    accuracy_majority: number;
  };
};

/** Votes of a full table, items by judges; -1 is no vote. */
function tableVotes(table: number[][], classes = 2): Votes {
  const entries = table.flatMap((row, i) => row.map((l, j) => [i, j, l])).filter(([, , l]) => l >= 0);
  return {
    items: table.length,
    judges: table[0].length,
    classes,
    item: entries.map(([i]) => i),
    judge: entries.map(([, j]) => j),
    label: entries.map(([, , l]) => l),
  };
}

const unsmoothed = { smoothing: { confusion: 0 }, randomStarts: 0, checkReplicates: 0 } as const;
const simVotes = reference.sim_300x5.votes.map((row) => [...row].map(Number));

/** P(class 1) of each item. */
const second = ({ posterior }: { posterior: Float64Array }): number[] => [...posterior].filter((_, k) => k % 2 === 1);

function expectNear(actual: readonly (number | null)[], expected: readonly number[], within: number): void {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, k) => {
    expect(Math.abs((value ?? Number.NaN) - expected[k])).toBeLessThan(within);
  });
}

describe("the reference (an independent EM)", () => {
  it.each([
    ["20 items, 4 judges", reference.small_20x4.votes, reference.small_20x4, reference.small_20x4.posterior],
    ["300 items, 5 judges", simVotes, reference.sim_300x5, reference.sim_300x5.posterior_first_20],
  ])("%s", (_, table, expected, posterior) => {
    const report = auditLatentClasses(tableVotes(table), unsmoothed);
    expect(report.converged).toBe(true);
    expect(Math.abs(report.logLikelihood - expected.log_likelihood)).toBeLessThan(1e-8);
    expectNear([report.classes[1].prevalence], [expected.prevalence], 1e-6);
    expectNear(
      report.judges.map(({ sensitivity }) => sensitivity),
      expected.sensitivity,
      1e-6,
    );
    expectNear(
      report.judges.map(({ specificity }) => specificity),
      expected.specificity,
      1e-6,
    );
    expectNear(second(report).slice(0, posterior.length), posterior, 1e-6);
  });

  it("random starts find nothing better than the reference's best of 20", () => {
    const report = auditLatentClasses(tableVotes(reference.small_20x4.votes), { ...unsmoothed, randomStarts: 20 });
    expect(Math.max(...report.starts.map(({ logLikelihood }) => logLikelihood))).toBeCloseTo(-50.78212361652804, 6);
    expect(report.warnings.join()).not.toContain("another start");
  });

  it("accuracy against gold, beside the majority vote's", () => {
    const gold = [...reference.sim_300x5.truth].map(Number);
    const report = auditLatentClasses(tableVotes(simVotes), { ...unsmoothed, gold });
    expect(report.gold?.fitted.value).toBeCloseTo(reference.sim_300x5.accuracy_em, 12);
    expect(report.gold?.majority.value).toBeCloseTo(reference.sim_300x5.accuracy_majority, 12);
    expect(report.gold?.difference.error).toBeGreaterThan(0);
  });
});

it("Dawid and Skene's own data: four classes, a judge who votes three times", () => {
  const rows = read("dawid-skene-1979.csv").trim().split("\n").slice(1);
  const votes = votesOfRows(
    rows.map((line) => {
      const [item, judge, label] = line.split(",");
      return { item, judge, label };
    }),
  );
  const report = auditLatentClasses(votes, unsmoothed);
  // Their table 2 prints .40 .42 .11 .07; digits from an independent EM.
  expectNear(
    report.classes.map(({ prevalence }) => prevalence),
    [0.4, 0.4216, 0.1118, 0.0667],
    5e-5,
  );
  expect(Math.abs(report.logLikelihood + 190.731)).toBeLessThan(6e-4);
  const first = [0.907, 0.093, 0, 0, 0.07, 0.877, 0.053, 0, 0, 0.339, 0.661, 0, 0, 0, 0.556, 0.444];
  expectNear(report.judges[0].confusion.flat(), first, 6e-4);
});

const caseVotes = (name: string) =>
  votesOfRows(
    read(`cases/${name}.csv`)
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => {
        const [item, judge, label] = line.split(",");
        return { item, judge, label };
      }),
  );

describe("cases", () => {
  it("H1: no posterior is 0 or 1, and the judge of one label is named", () => {
    const report = auditLatentClasses(caseVotes("H1_one_label_judge"));
    const posterior = second(report);
    expectNear([posterior[0], posterior[4], posterior[5]], [0.979, 0.568, 0.943], 1e-3);
    expect(posterior.every((p) => p > 0 && p < 1)).toBe(true);
    expect(report.degenerate.find(({ judge }) => judge === "d")).toMatchObject({ kind: "one label" });
    expect(report.warnings.join()).toContain("says 0 in all 3 votes");
  });

  it("H3: items with 1, 2 and 3 votes are all used", () => {
    const report = auditLatentClasses(caseVotes("H3_ragged_votes"));
    expectNear(second(report), [0.922, 0.143, 0.726, 0.302, 0.851, 0.521], 1e-3);
  });

  it.each([0, 0.5])("H5: judges who always say 1 don't win votes, with smoothing %f", (confusion) => {
    const gold = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0];
    const report = auditLatentClasses(caseVotes("H5_spammers"), { smoothing: { confusion }, gold });
    expect([report.gold?.fitted.value, report.gold?.majority.value]).toEqual([1, 0.8]);
    if (confusion === 0) expect(report.judges.slice(3).map(({ specificity }) => specificity)).toEqual([0, 0]);
    expect(report.degenerate.filter(({ kind }) => kind === "one label").map(({ judge }) => judge)).toEqual([
      "w4",
      "w5",
    ]);
  });

  it("H8: ten seeds, one labelling; what an inverted panel hides is said", () => {
    const votes = caseVotes("H8_label_swap");
    for (const choose of ["majority", "best"] as const) {
      const labellings = Array.from({ length: 10 }, (_, seed) =>
        second(auditLatentClasses(votes, { seed, choose }))
          .map((p) => Number(p > 0.5))
          .join(""),
      );
      expect(new Set(labellings)).toEqual(new Set(["110010"]));
    }
    expect(auditLatentClasses(votes).notes.join()).toContain("inverted");
  });
});

/** Votes of judges with the given rates, independent given the class; class 1 with the given share. */
function drawVotes(
  stream: Stream,
  items: number,
  prevalence: number,
  sensitivity: number[],
  specificity: number[],
  missing = 0,
) {
  const truth = Array.from({ length: items }, () => Number(stream.uniform() < prevalence));
  const table = truth.map((y) =>
    sensitivity.map((se, j) => {
      const one = stream.uniform() < (y === 1 ? se : 1 - specificity[j]);
      return stream.uniform() < missing ? -1 : Number(one);
    }),
  );
  return { truth, table };
}

describe("standard errors", () => {
  it("are those of a numerical Hessian of the log-likelihood", () => {
    const report = auditLatentClasses(tableVotes(simVotes), unsmoothed);
    const start = [
      report.classes[1].prevalence,
      ...report.judges.map(({ sensitivity }) => sensitivity ?? 0),
      ...report.judges.map(({ specificity }) => specificity ?? 0),
    ];
    const logLikelihood = (x: number[]): number =>
      simVotes.reduce((sum, row) => {
        const one = row.reduce((p, l, j) => p * (l === 1 ? x[1 + j] : 1 - x[1 + j]), x[0]);
        const zero = row.reduce((p, l, j) => p * (l === 0 ? x[6 + j] : 1 - x[6 + j]), 1 - x[0]);
        return sum + Math.log(one + zero);
      }, 0);
    const h = 1e-4;
    const moved = (a: number, da: number, b: number, db: number): number => {
      const x = [...start];
      x[a] += da;
      x[b] += db;
      return logLikelihood(x);
    };
    const hessian = start.map((_, a) =>
      start.map(
        (_, b) => -(moved(a, h, b, h) - moved(a, h, b, -h) - moved(a, -h, b, h) + moved(a, -h, b, -h)) / (4 * h * h),
      ),
    );
    const errors = invert(hessian).map((row, k) => Math.sqrt(row[k]));
    expect(report.errorMethod).toBe("observed information");
    expect(Math.abs((report.classes[1].error ?? 0) / errors[0] - 1)).toBeLessThan(1e-3);
    report.judges.forEach(({ errors: own }, j) => {
      expect(Math.abs((own[1][1] ?? 0) / errors[1 + j] - 1)).toBeLessThan(1e-3);
      expect(Math.abs((own[0][0] ?? 0) / errors[6 + j] - 1)).toBeLessThan(1e-3);
    });
  });

  it("by bootstrap are alike", () => {
    const votes = tableVotes(
      drawVotes(new Stream(7, 0, 1), 2000, 0.5, [0.9, 0.85, 0.8, 0.75], [0.8, 0.85, 0.9, 0.75]).table,
    );
    const [information, bootstrap] = (["information", "bootstrap"] as const).map((errors) =>
      auditLatentClasses(votes, { ...unsmoothed, errors, replicates: 400 }).judges.map(
        (judge) => judge.informednessError ?? 0,
      ),
    );
    // A standard deviation of 400 replicates has a relative error of 1/sqrt(800); 5 of it, and a tenth for small samples.
    bootstrap.forEach((error, j) => {
      expect(Math.abs(error / information[j] - 1)).toBeLessThan(0.28);
    });
  });

  it("hold the truth as often as they say, with votes missing", () => {
    const [sensitivity, specificity] = [
      [0.9, 0.85, 0.8, 0.75, 0.7],
      [0.8, 0.85, 0.9, 0.7, 0.75],
    ];
    let [held, all] = [0, 0];
    for (let seed = 0; seed < 200; seed++) {
      const { table } = drawVotes(new Stream(seed, 1, 1), 1000, 0.6, sensitivity, specificity, 0.2);
      const report = auditLatentClasses(tableVotes(table), unsmoothed);
      report.judges.forEach((judge, j) => {
        const off = Math.abs(judge.informedness - (sensitivity[j] + specificity[j] - 1));
        held += Number(off < 1.959964 * (judge.informednessError ?? 0));
        all++;
      });
    }
    // Were the five judges of a fit wholly alike, a share of 200 would have a standard error of 0.0154; 3.9 of it and 0.01 of
    // bias in small samples: but for 1 in 10,000.
    expect(Math.abs(held / all - 0.95)).toBeLessThan(0.07);
  });
});

/** Gauss and Jordan's. */
function invert(matrix: number[][]): number[][] {
  const n = matrix.length;
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => Number(i === j))]);
  for (let k = 0; k < n; k++) {
    const pivot = work
      .slice(k)
      .reduce((best, row, i) => (Math.abs(row[k]) > Math.abs(work[best][k]) ? k + i : best), k);
    [work[k], work[pivot]] = [work[pivot], work[k]];
    work[k] = work[k].map((value) => value / work[k][k]);
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = work[i][k];
      work[i] = work[i].map((value, j) => value - factor * work[k][j]);
    }
  }
  return work.map((row) => row.slice(n));
}

describe("independence", () => {
  const [sensitivity, specificity] = [
    [0.85, 0.8, 0.8, 0.75, 0.8],
    [0.8, 0.85, 0.75, 0.8, 0.8],
  ];
  const quick = { errors: "none", randomStarts: 0 } as const;

  it("of independent judges 1 in 20 fails at a false-alarm rate of 1 in 20", () => {
    let failures = 0;
    for (let seed = 0; seed < 60; seed++) {
      const { table } = drawVotes(new Stream(seed, 2, 1), 300, 0.5, sensitivity, specificity);
      const { independence } = auditLatentClasses(tableVotes(table), { ...quick, checkReplicates: 19, seed });
      failures += Number((independence?.p ?? 0) <= 0.05);
    }
    // P(Binomial(60, 0.05) > 11) is below 1 in 10,000.
    expect(failures).toBeLessThanOrEqual(11);
  });

  it.each([0.3, 0.5, 0.9])("fails where two judges share their errors in %f of the items", (share) => {
    const stream = new Stream(11, 3, 1);
    const { table } = drawVotes(stream, 1500, 0.5, sensitivity, specificity);
    for (const row of table) if (stream.uniform() < share) row[1] = row[0];
    const report = auditLatentClasses(tableVotes(table), quick);
    expect(report.independence?.fails).toBe(true);
    expect(report.warnings.join()).toContain("aren't independent");
  });

  it("names judges that never disagree", () => {
    const { table } = drawVotes(new Stream(12, 3, 1), 400, 0.5, sensitivity, specificity);
    for (const row of table) row[4] = row[3];
    const { degenerate } = auditLatentClasses(tableVotes(table), quick);
    expect(degenerate).toMatchObject([{ judge: "4", kind: "identical", detail: expect.stringContaining("as 3 does") }]);
  });

  it("of three judges with two classes can't be checked, said so", () => {
    const { table } = drawVotes(new Stream(13, 3, 1), 100, 0.5, [0.8, 0.8, 0.8], [0.8, 0.8, 0.8]);
    const report = auditLatentClasses(tableVotes(table), quick);
    expect(report.independence).toBeNull();
    expect(report.independenceNote).toContain("can't be checked");
  });
});

it("names a judge that says nothing and one that says the contrary", () => {
  const { table } = drawVotes(new Stream(14, 3, 1), 2000, 0.5, [0.9, 0.9, 0.85, 0.5, 0.2], [0.9, 0.85, 0.9, 0.5, 0.2]);
  const { degenerate } = auditLatentClasses(tableVotes(table), { checkReplicates: 0 });
  expect(degenerate.map(({ judge, kind }) => [judge, kind])).toEqual([
    ["3", "no information"],
    ["4", "below chance"],
  ]);
});

it("two judges don't identify their rates, said so", () => {
  const report = auditLatentClasses(
    tableVotes([
      [0, 1],
      [1, 1],
      [0, 0],
      [1, 0],
      [1, 1],
    ]),
  );
  expect(report.warnings.join()).toContain("don't identify");
});

it("finds three classes of judges whose rates differ, each named after its label", () => {
  const stream = new Stream(15, 3, 1);
  const truth = Array.from({ length: 1000 }, () => stream.integerBelow(3));
  const votes = truth.map((y) =>
    [0.9, 0.8, 0.75, 0.7].map((right) => (stream.uniform() < right ? y : stream.integerBelow(3))),
  );
  const report = auditLatentClasses(tableVotes(votes, 3), { checkReplicates: 0, gold: truth });
  [0.9, 0.8, 0.75, 0.7].forEach((right, j) => {
    const { informedness, informednessError } = report.judges[j];
    // P(right label) is right + (1 - right) / 3, so the informedness is `right`; 4 comparisons, 1 in 10,000.
    expect(Math.abs(informedness - right)).toBeLessThan(4.3 * (informednessError ?? 0));
  });
  expect(report.gold?.difference.value).toBeGreaterThan(0);
});

const tableArbitrary = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 2, max: 3 }))
  .chain(([judges, classes]) =>
    fc.record({
      classes: fc.constant(classes),
      table: fc.array(fc.array(fc.integer({ min: -1, max: classes - 1 }), { minLength: judges, maxLength: judges }), {
        minLength: 1,
        maxLength: 25,
      }),
    }),
  )
  .filter(({ table }) => table.flat().some((l) => l >= 0));

/** Every number that a report holds. */
function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

describe("for any votes", () => {
  const options = { checkReplicates: 3, randomStarts: 2, iterations: 300 } as const;

  it("every number is finite, and probabilities are", () => {
    fc.assert(
      fc.property(
        tableArbitrary,
        fc.constantFrom(0, 0.5),
        fc.constantFrom("information", "bootstrap"),
        ({ table, classes }, confusion, errors) => {
          const own: LatentClassOptions = {
            ...options,
            smoothing: { confusion },
            errors: errors as "bootstrap",
            replicates: 5,
          };
          const report = auditLatentClasses(tableVotes(table, classes), {
            ...own,
            gold: table.map((_, i) => i % classes),
          });
          expect(numbersOf(report).filter((value) => !Number.isFinite(value))).toEqual([]);
          for (let i = 0; i < table.length; i++) {
            const sum = report.posterior.subarray(i * classes, (i + 1) * classes).reduce((a, b) => a + b, 0);
            expect(sum).toBeCloseTo(1, 12);
          }
          for (const { confusion: rows } of report.judges) {
            for (const row of rows) expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("neither the order of votes nor that of items matters", () => {
    fc.assert(
      fc.property(tableArbitrary, ({ table, classes }) => {
        const forward = tableVotes(table, classes);
        const backward = tableVotes(table.toReversed(), classes);
        const shuffled = {
          ...backward,
          item: [...(backward.item as number[])].reverse(),
          judge: [...(backward.judge as number[])].reverse(),
          label: [...(backward.label as number[])].reverse(),
        };
        const few = { ...unsmoothed, smoothing: { confusion: 0.5 }, iterations: 100 };
        const [a, b] = [forward, shuffled].map((votes) => auditLatentClasses(votes, few));
        table.forEach((_, i) => {
          for (let c = 0; c < classes; c++) {
            expect(b.posterior[(table.length - 1 - i) * classes + c]).toBeCloseTo(a.posterior[i * classes + c], 8);
          }
        });
      }),
      { numRuns: 60 },
    );
  });

  it("the assignment is the best of all", () => {
    const permutations = (n: number): number[][] =>
      n === 0
        ? [[]]
        : permutations(n - 1).flatMap((p) => Array.from({ length: n }, (_, at) => p.toSpliced(at, 0, n - 1)));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }).chain((n) =>
          fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: n, maxLength: n }), {
            minLength: n,
            maxLength: n,
          }),
        ),
        (gain) => {
          const worth = (columns: number[]): number => columns.reduce((sum, column, row) => sum + gain[row][column], 0);
          const found = bestAssignment(gain);
          expect(found.toSorted()).toEqual(gain.map((_, k) => k));
          expect(worth(found)).toBe(Math.max(...permutations(gain.length).map(worth)));
        },
      ),
    );
  });
});

describe("bad input", () => {
  const votes = { items: 1, judges: 1, classes: 2, item: [0], judge: [0], label: [0] };
  it.each([
    [{ ...votes, label: [2] }, {}, "vote 0: expected an item below 1"],
    [{ ...votes, judge: [] }, {}, "one each a vote"],
    [{ ...votes, item: [], judge: [], label: [] }, {}, "no votes"],
    [{ ...votes, classes: 1 }, {}, "classes must be a whole number from 2"],
    [votes, { smoothing: { confusion: -1 } }, "smoothing.confusion"],
    [votes, { gold: [0, 1] }, "2 gold labels for 1 items"],
    [votes, { gold: [5] }, "gold of item 0"],
  ])("%o is refused", (given, options, message) => {
    expect(() => auditLatentClasses(given, options)).toThrow(message);
  });
});

it.each([
  ["200,000 items of 5 votes by 5 judges", 200_000, 5, 5],
  ["50,000 items of 20 votes by 200 judges", 50_000, 20, 200],
])("a million votes take seconds: %s", (_, items, each, judges) => {
  const stream = new Stream(16, 3, 1);
  const [item, judge, label] = [
    new Uint32Array(items * each),
    new Uint32Array(items * each),
    new Uint8Array(items * each),
  ];
  const gold = new Uint8Array(items);
  for (let i = 0, v = 0; i < items; i++) {
    gold[i] = Number(stream.uniform() < 0.6);
    const first = stream.integerBelow(judges);
    for (let k = 0; k < each; k++, v++) {
      const j = (first + k) % judges;
      item[v] = i;
      judge[v] = j;
      label[v] = stream.uniform() < 0.65 + (0.3 * j) / judges ? gold[i] : 1 - gold[i];
    }
  }
  const start = performance.now();
  const report = auditLatentClasses({ items, judges, classes: 2, item, judge, label }, { gold });
  const took = performance.now() - start;
  expect(took).toBeLessThan(60_000);
  expect(report.gold?.difference.value).toBeGreaterThan(0);
});
