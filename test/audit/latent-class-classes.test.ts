import { describe, expect, it } from "vitest";
import { clustersOf } from "../../src/audit/cluster.js";
import { type VoteRow, votesOfRows } from "../../src/audit/latent-class/votes.js";
import { auditLatentClasses, type LatentClassOptions } from "../../src/audit/latent-class.js";
import { RatError } from "../../src/errors.js";
import { drawVotes, panelRates, tableVotes, testStream } from "./latent-class-support.js";

/** Independent judges of so many classes, wrong labels evenly. */
function panelOf(seed: number, classes: number, items: number, judges: number) {
  const stream = testStream(seed, 40);
  const right = panelRates(stream, judges);
  const table = Array.from({ length: items }, () => {
    const truth = stream.integerBelow(classes);
    return right.map((rate) =>
      stream.uniform() < rate ? truth : (truth + 1 + stream.integerBelow(classes - 1)) % classes,
    );
  });
  return { right, votes: tableVotes(table, classes) };
}

describe("many classes", () => {
  it.each([
    [5, 100, 24],
    [10, 100, 16],
  ])("%i classes, %i items: independent judges pass, and rates aren't smoothed away", (classes, items, panels) => {
    let [accused, offset] = [0, 0];
    for (let seed = 0; seed < panels; seed++) {
      const { right, votes } = panelOf(seed, classes, items, 5);
      const report = auditLatentClasses(votes, { randomStarts: 0, errors: "none", seed });
      accused += Number(report.independence?.fails ?? true) + Number(report.alarms.length > 0);
      report.judges.forEach(({ confusion }, j) => {
        for (let c = 0; c < classes; c++) offset += (confusion[c][c] - right[j]) / (5 * classes * panels);
      });
    }
    // Two tests of 0.01: P(Binomial(2 * 24, 0.01) > 4) is below 1 in 8,000.
    expect(accused).toBeLessThanOrEqual(4);
    // One pseudo-count among the items / classes votes of a row.
    expect(offset).toBeGreaterThan(-1.2 / (items / classes + 1));
  });

  it("too few items for the parameters: pairs aren't looked for, said so", () => {
    const { votes } = panelOf(1, 20, 100, 5);
    const { alarms, warnings, independence } = auditLatentClasses(votes, { randomStarts: 0, checkReplicates: 19 });
    expect([alarms.length, independence === null]).toEqual([0, false]);
    expect(warnings.join()).toContain("100 items are too few to tell them from the 1919 rates");
  });

  it("fewer than four items a class: no check either, said so", () => {
    const { votes } = panelOf(1, 30, 100, 5);
    const { independence, independenceNote } = auditLatentClasses(votes, { randomStarts: 0, errors: "none" });
    expect(independence).toBeNull();
    expect(independenceNote).toContain("100 items are too few to tell 30 classes");
  });

  it("pseudo-counts are one a judge and class by default", () => {
    for (const classes of [2, 5]) {
      const { votes } = panelOf(2, classes, 60, 4);
      expect(auditLatentClasses(votes, { checkReplicates: 0 }).smoothing).toEqual({
        confusion: 1 / classes,
        prevalence: 0,
      });
    }
  });
});

describe("heavy smoothing", () => {
  const { votes } = panelOf(3, 2, 200, 5);

  it("intervals lie around what it makes of the votes, and a warning says how far it moves them", () => {
    const report = auditLatentClasses(votes, { smoothing: { confusion: 20 }, checkReplicates: 0 });
    expect(report.warnings.join()).toMatch(/smoothing moves \d+ of 10 rates .* are 40 votes a judge and class/);
    for (const { sensitivity, specificity, informedness } of report.judges) {
      for (const one of [sensitivity, specificity, informedness]) {
        const [value, lower, upper] = [one?.value ?? 0, one?.lower ?? 0, one?.upper ?? 0];
        expect(Math.min(value - lower, upper - value)).toBeGreaterThan(0.25 * (upper - lower));
      }
    }
  });

  it("doesn't pass for dependence; the default isn't remarked on", () => {
    expect(auditLatentClasses(votes, { smoothing: { confusion: 20 } }).independence?.fails).toBe(false);
    expect(auditLatentClasses(votes, { checkReplicates: 0 }).warnings.join()).not.toContain("smoothing");
  });
});

describe("gold", () => {
  const { table, truth } = drawVotes(testStream(4, 41), 100, 0.5, [0.8, 0.85, 0.8, 0.75], [0.8, 0.8, 0.85, 0.8]);
  const warningsWith = (gold: number[], more: LatentClassOptions = {}): string =>
    auditLatentClasses(tableVotes(table), { checkReplicates: 0, gold, ...more }).warnings.join();

  it("that contradicts the names of the classes is said to, from few items on and with clusters", () => {
    const mirrored = truth.map((y) => 1 - y);
    expect(warningsWith(mirrored)).toContain("if what is called 0 is 1, what is called 1 is 0");
    expect(warningsWith(mirrored.map((y, i) => (i < 12 ? y : -1)))).toContain("gold contradicts");
    expect(warningsWith(mirrored, { clusters: clustersOf(truth.map((_, i) => i % 20)) })).toContain("gold contradicts");
    expect(warningsWith(mirrored, { clusters: clustersOf(truth.map((_, i) => i % 3)) })).not.toContain("contradicts");
  });

  it("that agrees, or can't be told, isn't", () => {
    expect(warningsWith(truth)).not.toContain("contradicts");
    let said = 0;
    for (let seed = 0; seed < 100; seed++) {
      const stream = testStream(seed, 42);
      said += Number(warningsWith(truth.map(() => stream.integerBelow(2))).includes("contradicts"));
    }
    // Gold at random: P(Binomial(100, 0.01) > 6) is below 1 in 10,000.
    expect(said).toBeLessThanOrEqual(6);
  });

  it("of a class that no judge votes for is wrong", () => {
    const report = auditLatentClasses(tableVotes(table), { checkReplicates: 0, gold: truth.map(() => 2) });
    expect(report.gold?.fitted.value).toBe(0);
    expect(report.gold?.majority.value).toBe(0);
    expect(report.warnings.join()).toContain("gold of 100 of 100 items is a label that no judge votes for");
  });
});

it("a judge that votes again on an item is counted, not refused", () => {
  const { votes } = panelOf(5, 2, 50, 3);
  const twice = Object.fromEntries(
    (["item", "judge", "label"] as const).map((name) => [
      name,
      [...Array.from(votes[name]), ...Array.from(votes[name])],
    ]),
  );
  const { warnings } = auditLatentClasses({ ...votes, ...twice }, { checkReplicates: 0 });
  expect(warnings.join()).toContain("150 votes, on 50 items, by a judge that has voted on the same item before");
});

describe("what can't be is refused", () => {
  const rows = ["1", "2", "3"].flatMap((item) =>
    ["a", "b"].map((judge) => ({ item, judge, label: item === "2" ? "x" : "y" })),
  );
  const votes = votesOfRows(rows);
  const usage = (act: () => unknown, message: string): void => {
    expect(act).toThrow(expect.objectContaining({ kind: "usage", message: expect.stringContaining(message) }));
    expect(act).toThrow(RatError);
  };

  it.each<[unknown, string]>([
    [null, "rows must be a list"],
    ["abc", "rows must be a list"],
    [[null], "rows[0] must be an object"],
    [[rows[0], { item: "1", judge: "a" }], "rows[1].label must be text, not undefined"],
    [[{ item: 1, judge: "a", label: null }], "rows[0].item must be text, not 1"],
  ])("rows %j", (given, message) => {
    usage(() => votesOfRows(given as VoteRow[]), message);
  });

  it.each<[unknown, string]>([
    [undefined, "votes must be what votesOfRows returns"],
    [rows, "votes must be what votesOfRows returns"],
    [{ ...votes, label: null }, "votes.label must be a list"],
    [{ ...votes, judgeNames: ["a"] }, "votes.judgeNames has 1 names: expected 2"],
  ])("votes %j", (given, message) => {
    usage(() => auditLatentClasses(given as typeof votes), message);
  });

  it.each<[unknown, string]>([
    [null, "options must be an object"],
    [{ smothing: 1 }, 'options has no "smothing"'],
    [{ smoothing: 5 }, "smoothing must be an object, not 5"],
    [{ smoothing: { cell: 1 } }, 'smoothing has no "cell"'],
    [{ smoothing: { confusion: Number.NaN } }, "smoothing.confusion must be a number from 0"],
    [{ choose: "besst" }, 'choose must be "majority" or "best"'],
    [{ errors: "boot" }, 'errors must be "information", "bootstrap" or "none"'],
    [{ clusters: ["a", "b", "c"] }, "clusters must be what clustersOf(keys) returns"],
    [{ clusters: { of: [0, 1, 2], count: 2 } }, "clusters must be what clustersOf(keys) returns"],
    [{ gold: 5 }, "gold must be a list"],
    [{ seed: 1.5 }, "seed must be a whole number from 0"],
    [{ level: "0.9" }, "level must be a number between 0 and 1"],
    [{ iterations: Number.POSITIVE_INFINITY }, "iterations must be a whole number from 1"],
  ])("options %j", (given, message) => {
    usage(() => auditLatentClasses(votes, given as LatentClassOptions), message);
  });
});
