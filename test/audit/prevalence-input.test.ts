import { describe, expect, it } from "vitest";
import {
  auditPrevalence,
  bayesianPrevalence,
  clustersOf,
  orderSystems,
  type PrevalenceInput,
  prevalenceInputOf,
  prevalenceSystemsOf,
} from "../../src/audit.js";

const audit = { truePositives: 9, falseNegatives: 1, falsePositives: 3, trueNegatives: 7 };
const judged = { positives: 70, negatives: 30 };
const counts = { audit, judged };
const rates = { observed: 0.4, n: 10, sensitivity: 0.9, specificity: 0.8 };
const two = [
  { name: "a", input: counts },
  { name: "b", input: counts },
];

describe("rows of judged records", () => {
  const rows = [
    { verdict: true, gold: true, cluster: "a" },
    { verdict: 0, gold: 1, cluster: "a" },
    { verdict: 1, gold: false, cluster: 7 },
    { verdict: false, gold: 0, cluster: 7 },
    { verdict: 1, gold: null, cluster: "a" },
    { verdict: 0, cluster: 7 },
    { verdict: 1, cluster: "b" },
  ] as const;

  it("make the input, with clusters and without", () => {
    const { clusters, ...plain } = prevalenceInputOf(rows);
    expect(plain).toEqual({
      audit: { truePositives: 1, falseNegatives: 1, falsePositives: 1, trueNegatives: 1 },
      judged: { positives: 2, negatives: 1 },
      sample: "random",
    });
    expect(clusters).toMatchObject({ count: 3, ids: Int32Array.of(0, 1, 2) });
    expect([...(clusters?.table ?? [])]).toEqual([1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0]);
    expect(auditPrevalence(prevalenceInputOf(rows, { sample: "separate" }))).toMatchObject({ clusters: 3, judged: 3 });
    const single = rows.map(({ cluster: _, ...row }) => row);
    expect(prevalenceInputOf(single)).toEqual(plain);
  });

  it("of several systems make the input of each, which share clusters", () => {
    const systems = prevalenceSystemsOf([
      { system: "x", verdict: 1, cluster: "q1" },
      { system: "y", verdict: 0, cluster: "q2" },
      { system: "y", verdict: 0, gold: 1, cluster: "q1" },
    ]);
    expect(systems.map(({ name }) => name)).toEqual(["x", "y"]);
    expect(systems.map(({ input }) => [...(input.clusters?.ids ?? [])])).toEqual([[0], [1, 0]]);
  });
});

describe("wrong arguments", () => {
  const call =
    (use: unknown, ...given: unknown[]) =>
    () =>
      (use as (...given: unknown[]) => unknown)(...given);

  it.each([
    [call(auditPrevalence), /^input must be an object of counts or rates, not undefined/],
    [call(auditPrevalence, null), /not null/],
    [call(auditPrevalence, { judged }), /^input\.audit must be an object/],
    [
      call(auditPrevalence, { audit, judged: { ...judged, positives: Number.NaN } }),
      /^input\.judged\.positives must be/,
    ],
    [call(auditPrevalence, { ...rates, sensitvityN: 3 }), /^input has no "sensitvityN"/],
    [call(auditPrevalence, { ...rates, specificity: Number.POSITIVE_INFINITY }), /^input\.specificity must be a share/],
    [call(auditPrevalence, { ...counts, sample: "rand" }), /^input\.sample must be/],
    [call(auditPrevalence, { ...counts, clusters: ["a", "b"] }), /^input\.clusters must be .*prevalenceInputOf/],
    [call(auditPrevalence, { ...counts, clusters: clustersOf(["a", "b"]) }), /^input\.clusters must be/],
    [call(auditPrevalence, counts, { levle: 0.9 }), /^options has no "levle"/],
    [call(auditPrevalence, counts, null), /^options must be an object/],
    [call(orderSystems, []), /^options must be an object/],
    [call(orderSystems, [], { seed: 1 }), /^systems must be 2 to 100/],
    [call(orderSystems, two, {}), /^seed must be a whole number from 0/],
    [call(orderSystems, two, { seed: -1 }), /^seed must be/],
    [call(orderSystems, [two[0], { name: "b" }], { seed: 1 }), /^systems\[1\]\.input must be/],
    [call(orderSystems, [two[0], two[0]], { seed: 1 }), /^systems\[1\]\.name: two systems are called "a"/],
    [call(prevalenceInputOf), /^rows must be a list/],
    [call(prevalenceInputOf, []), /^rows must be at least one/],
    [call(prevalenceInputOf, [{ verdict: 2 }]), /^rows\[0\]\.verdict must be/],
    [call(prevalenceInputOf, [{ verdict: 1, gold: "yes" }]), /^rows\[0\]\.gold must be/],
    [call(prevalenceInputOf, [{ verdict: 1, cluster: "a" }, { verdict: 1 }]), /^rows\[1\] has no cluster/],
    [call(prevalenceInputOf, [{ verdict: 1 }], { sample: "x" }), /^sample must be/],
    [call(prevalenceSystemsOf, [{ verdict: 1 }]), /^rows\[0\]\.system must be text/],
  ])("%# are named", (wrong, message) => {
    expect(wrong).toThrow(expect.objectContaining({ kind: "usage", message: expect.stringMatching(message) }));
  });

  it.each([
    [{ level: 95 }, /^level must be/],
    [{ seed: -1 }, /^seed must be/],
    [{ priors: { prevalence: 2 } }, /^priors\.prevalence must be two positive numbers/],
    [{ priors: { prev: [2, 5] } }, /^priors has no "prev"/],
    [{ signal: 3 }, /^signal must be/],
  ])("of the Bayesian estimate are named: %j", async (options, message) => {
    const made = bayesianPrevalence(counts, options as object);
    await expect(made).rejects.toMatchObject({ kind: "usage", message: expect.stringMatching(message) });
  });
});

describe("rates that are given", () => {
  const warningsOf = (input: PrevalenceInput) => auditPrevalence(input).warnings;
  const full = { ...rates, sensitivityN: 100, specificityN: 50 };

  it("may be printed with few digits, but are of a whole number of records", () => {
    for (const [observed, n] of [
      [0.703, 1000],
      [0.333, 3],
      [2 / 3, 3],
      [1e-7, 1e7],
      [1, 10],
    ]) {
      expect(warningsOf({ ...full, observed, n }).filter((warning) => warning.includes("can't be"))).toEqual([]);
    }
    expect(warningsOf({ ...full, observed: 0.333 })).toContainEqual(
      "the observed rate can't be 0.333 of 10 records: the nearest is 3, so the Bayesian estimate takes 3",
    );
    expect(warningsOf({ ...full, specificity: 0.85 })).toContainEqual(
      expect.stringMatching(/^specificity can't be 0\.85 of 50 records/),
    );
  });

  it("without numbers of records have warnings for the intervals that there aren't", () => {
    expect(warningsOf(rates)).toContainEqual(
      "sensitivity and specificity are taken for known: no interval has their errors in it",
    );
    expect(warningsOf({ ...full, n: undefined })).toContainEqual(
      expect.stringMatching(/^how many records were judged/),
    );
  });
});
