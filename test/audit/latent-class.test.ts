import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { votesOfRows } from "../../src/audit/latent-class/votes.js";
import { auditLatentClasses } from "../../src/audit/latent-class.js";
import { Stream } from "../../src/random/stream.js";
import { drawVotes, tableVotes, unsmoothed } from "./latent-class-support.js";
import { csvRows } from "./support.js";

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
    expectNear([report.classes[1].prevalence.value], [expected.prevalence], 1e-6);
    expectNear(
      report.judges.map(({ sensitivity }) => sensitivity?.value ?? null),
      expected.sensitivity,
      1e-6,
    );
    expectNear(
      report.judges.map(({ specificity }) => specificity?.value ?? null),
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
  const rows = read("audit/dawid-skene-1979.csv").trim().split("\n").slice(1);
  const votes = votesOfRows(
    rows.map((line) => {
      const [item, judge, label] = line.split(",");
      return { item, judge, label };
    }),
  );
  const report = auditLatentClasses(votes, unsmoothed);
  // Their table 2 prints .40 .42 .11 .07; digits from an independent EM.
  expectNear(
    report.classes.map(({ prevalence }) => prevalence.value),
    [0.4, 0.4216, 0.1118, 0.0667],
    5e-5,
  );
  expect(Math.abs(report.logLikelihood + 190.731)).toBeLessThan(6e-4);
  const first = [0.907, 0.093, 0, 0, 0.07, 0.877, 0.053, 0, 0, 0.339, 0.661, 0, 0, 0, 0.556, 0.444];
  expectNear(report.judges[0].confusion.flat(), first, 6e-4);
});

it("108 pictures by 39 workers: the accuracy of an independent EM, and of the majority", () => {
  const rows = csvRows("audit/crowd-bluebird.csv").slice(1);
  const votes = votesOfRows(rows.map(([item, judge, label]) => ({ item, judge, label })));
  const truth = new Map(rows.map(([item, , , known]) => [item, Number(known)]));
  const gold = votes.itemNames.map((item) => truth.get(item) ?? -1);
  const report = auditLatentClasses(votes, { ...unsmoothed, gold });
  expectNear(
    report.classes.map(({ prevalence }) => prevalence.value),
    [0.5641, 0.4359],
    5e-5,
  );
  expect(Math.abs(report.logLikelihood + 1888.1168)).toBeLessThan(1e-4);
  expect(report.gold?.fitted.value).toBeCloseTo(97 / 108, 12);
  expect(report.gold?.majority.value).toBeCloseTo(82 / 108, 12);
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
    if (confusion === 0) expect(report.judges.slice(3).map(({ specificity }) => specificity?.value)).toEqual([0, 0]);
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
    const { value, error } = report.judges[j].informedness;
    // P(right label) is right + (1 - right) / 3, so the informedness is `right`; 4 comparisons, 1 in 10,000.
    expect(Math.abs((value ?? 0) - right)).toBeLessThan(4.3 * (error ?? 0));
  });
  expect(report.gold?.difference.value).toBeGreaterThan(0);
});

describe("bad input", () => {
  const votes = { items: 1, judges: 1, classes: 2, item: [0], judge: [0], label: [0] };
  it.each([
    [{ ...votes, label: [2] }, {}, "votes[0]: expected an item below 1"],
    [{ ...votes, judge: [] }, {}, "one each a vote"],
    [{ ...votes, item: [], judge: [], label: [] }, {}, "no votes"],
    [{ ...votes, classes: 1 }, {}, "classes must be a whole number from 2"],
    [votes, { smoothing: { confusion: -1 } }, "smoothing.confusion"],
    [votes, { gold: [0, 1] }, "gold must have a class for each of 1 items, not 2"],
    [votes, { gold: [5] }, "gold[0]: expected a class below 2"],
  ])("%o is refused", (given, options, message) => {
    expect(() => auditLatentClasses(given, options)).toThrow(message);
  });
});

it.each([
  ["200,000 items of 5 votes by 5 judges", 200_000, 5, 5],
  ["50,000 items of 20 votes by 200 judges", 50_000, 20, 200],
])("a million votes: %s", (_, items, each, judges) => {
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
  const report = auditLatentClasses({ items, judges, classes: 2, item, judge, label }, { gold });
  expect(report.gold?.difference.value).toBeGreaterThan(0);
});
