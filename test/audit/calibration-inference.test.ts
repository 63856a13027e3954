import { describe, expect, it } from "vitest";
import { logistic } from "../../src/audit/calibration/maps.js";
import { auditCalibration, figuresOf, testCalibration } from "../../src/audit/calibration.js";
import { type Clusters, clustersOf } from "../../src/audit/cluster.js";
import type { Estimate } from "../../src/audit/estimate.js";
import type { Variates } from "../../src/random/variates.js";
import { normalQuantile } from "../../src/statistics/index.js";
import { sortWithPlaces } from "../../src/statistics/sort.js";
import { notFinite, shortfall, simulation } from "./support.js";

interface Rows {
  readonly confidence: Float64Array;
  readonly outcome: Uint8Array;
  readonly logits: null;
  readonly clusters: Clusters | null;
}

/** A judge: the logit that it states, and the one that is true. */
interface Judge {
  readonly stated: (variates: Variates) => number;
  readonly slope: number;
  readonly shift: number;
}

const wide: Judge = { stated: (variates) => 3 * variates.normal(), slope: 1, shift: 0 };
const sure: Judge = { stated: (variates) => 2.5 + variates.normal(), slope: 1, shift: 0 };

function rowsOf(variates: Variates, n: number, { stated, slope, shift }: Judge): Rows {
  const logits = Float64Array.from({ length: n }, () => stated(variates));
  return {
    confidence: logits.map(logistic),
    outcome: Uint8Array.from(logits, (logit) => Number(variates.uniform() < logistic(shift + slope * logit))),
    logits: null,
    clusters: null,
  };
}

/** Rows of a cluster share part of what they state and of what decides their outcomes. */
function clusteredRows(variates: Variates, count: number, size: number, judge: Judge): Rows {
  return unequalRows(variates, Array<number>(count).fill(size), judge);
}

/** @param alike latent correlation of a cluster's outcomes */
function unequalRows(variates: Variates, sizes: readonly number[], { stated, slope, shift }: Judge, alike = 0.5): Rows {
  const all = sizes.flatMap((size, cluster) => {
    const [common, decided] = [stated(variates), variates.normal()];
    return Array.from({ length: size }, () => {
      const logit = 0.7 * common + 0.3 * stated(variates);
      const below = Math.sqrt(alike) * decided + Math.sqrt(1 - alike) * variates.normal();
      return { cluster, logit, outcome: Number(below < normalQuantile(logistic(shift + slope * logit))) };
    });
  });
  return {
    confidence: Float64Array.from(all, ({ logit }) => logistic(logit)),
    outcome: Uint8Array.from(all, ({ outcome }) => outcome),
    logits: null,
    clusters: clustersOf(all.map(({ cluster }) => cluster)),
  };
}

const figures = (rows: Rows) =>
  figuresOf(
    rows,
    sortWithPlaces(rows.confidence).order,
    { bins: 10, level: 0.95, ties: "whole", logLossClip: 0 },
    false,
  );
const tested = (rows: Rows, seed = 1) => testCalibration(rows, { level: 0.95, seed, clip: 1e-6 });
const holds = ({ lower, upper }: Estimate, truth: number): boolean =>
  lower !== null && upper !== null && lower <= truth && truth <= upper;

describe("the test of calibration", () => {
  it("is the score test at intercept 0 and slope 1: its parts add up, and a tilt by hand agrees", () => {
    const rows = rowsOf(simulation(1), 2000, { ...wide, slope: 0.9, shift: 0.1 });
    const { test, interceptTest, slopeTest } = tested(rows).recalibration;
    expect((interceptTest.statistic ?? 0) ** 2 + (slopeTest.statistic ?? 0) ** 2).toBeCloseTo(test.statistic ?? 0, 9);
    let [u, v, a, b, c] = [0, 0, 0, 0, 0];
    rows.confidence.forEach((f, i) => {
      const logit = Math.log(f / (1 - f));
      u += rows.outcome[i] - f;
      v += (rows.outcome[i] - f) * logit;
      a += f * (1 - f);
      b += f * (1 - f) * logit;
      c += f * (1 - f) * logit * logit;
    });
    expect(test.statistic).toBeCloseTo((c * u * u - 2 * b * u * v + a * v * v) / (a * c - b * b), 9);
    expect(test.log10P).toBeCloseTo(-(test.statistic ?? 0) / 2 / Math.LN10, 9);
  });

  it.each<[string, number, Judge]>([
    ["20 rows, simulated", 20, wide],
    ["60 rows of a sure judge, simulated", 60, sure],
    ["400 rows, chi-squared", 400, wide],
  ])("of %s: calibrated judges raise an alarm about 1 time in 100", (_name, n, judge) => {
    const variates = simulation(n);
    const sets = 500;
    let raised = 0;
    for (let set = 0; set < sets; set++) raised += tested(rowsOf(variates, n, judge), set).alarms.length;
    // Binomial(500, 0.012) is above 17 less than 1 time in 10,000.
    expect(raised).toBeLessThanOrEqual(17);
  });

  it.each<[string, Judge, string]>([
    ["too far from 0.5", { ...wide, slope: 0.5 }, "over-confident"],
    ["too near to 0.5", { ...wide, stated: (v) => v.normal(), slope: 2.5 }, "under-confident"],
    ["0.9 where 0.6 come true", { stated: () => Math.log(9), slope: 0, shift: Math.log(1.5) }, "over-confident"],
    ["too high, far and near", { ...wide, shift: -1.5 }, "lenient"],
    ["too low, far and near", { ...wide, shift: 1.5 }, "strict"],
  ])("names what confidences are wrong in: %s", (_name, judge, defect) => {
    const { alarms } = tested(rowsOf(simulation(5), 400, judge));
    expect(alarms).toMatchObject([{ defect, subject: null }]);
    expect(alarms[0].p).toBeLessThan(0.01);
  });

  it("needs no fit: separated classes, one class, equal confidences and certain ones have a p", () => {
    const of = (confidence: number[], outcome: number[]) => auditCalibration({ confidence, outcome });
    const separated = of([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1]).recalibration;
    expect(separated.slope.reason).toContain("separated");
    expect(separated.test.p).toBeGreaterThan(0.05);
    expect(of([0.9, 0.8, 0.7], [1, 1, 1]).recalibration.test.p).toBeGreaterThan(0.05);
    const equal = of(Array(20).fill(0.7), [...Array(10).fill(0), ...Array(10).fill(1)]).recalibration;
    expect(equal.slopeTest).toMatchObject({ p: null, reason: expect.stringContaining("all confidences are equal") });
    expect(equal.test.p).toBe(equal.interceptTest.p);
    const certain = of([...Array(99).fill(1), 1], [...Array(99).fill(1), 0]);
    expect(certain.recalibration.test.p).toBeLessThan(0.001);
    for (const report of [separated, equal, certain]) expect(notFinite(report)).toEqual([]);
  });

  it("is the same whatever the order of rows, and for the same seed", () => {
    const { confidence, outcome } = rowsOf(simulation(9), 50, sure);
    const p = (f: Float64Array, y: Uint8Array) => auditCalibration({ confidence: f, outcome: y }).recalibration.test.p;
    expect(p(confidence.toReversed(), outcome.toReversed())).toBe(p(confidence, outcome));
  });
});

/** Figures of very many rows: what intervals are to hold. */
function truths(judge: Judge) {
  const { auc, brier, logLoss, equalWidth } = figures(rowsOf(simulation(77), 400_000, judge));
  const calibrated = judge.slope === 1 && judge.shift === 0;
  const ece = calibrated ? 0 : Number(equalWidth.ece.value);
  return { auc: Number(auc.value), brier: Number(brier.value), logLoss: Number(logLoss.value), ece };
}

describe("intervals", () => {
  it.each<[string, number, Judge]>([
    ["20 rows", 20, wide],
    ["40 rows of a sure judge", 40, sure],
    ["100 rows of an over-confident judge", 100, { ...wide, slope: 0.5 }],
  ])("of %s hold the truth 95 times in 100, where normal ones don't", (_name, n, judge) => {
    const [variates, truth, sets] = [simulation(1000 + n), truths(judge), 1000];
    const held = { auc: 0, brier: 0, logLoss: 0, ece: 0 };
    let defined = 0;
    for (let set = 0; set < sets; set++) {
      const { auc, brier, logLoss, equalWidth } = figures(rowsOf(variates, n, judge));
      const named = { auc, brier, logLoss, ece: equalWidth.ece };
      // Sets of one class, or with a single row of one, have no interval for the AUC.
      defined += Number(auc.lower !== null);
      for (const name of ["auc", "brier", "logLoss", "ece"] as const)
        held[name] += Number(holds(named[name], truth[name]));
    }
    // 3.8 standard errors: less than 1 time in 10,000 of one that covers 95 in 100.
    expect(shortfall(held.auc, defined, 0.95)).toBeLessThan(3.8);
    for (const name of ["brier", "logLoss", "ece"] as const) {
      expect(shortfall(held[name], sets, 0.95)).toBeLessThan(3.8);
    }
  });

  it("an AUC of 1 has an interval that ends below it", () => {
    const { auc } = auditCalibration({ confidence: [0.1, 0.2, 0.3, 0.7, 0.8, 0.9], outcome: [0, 0, 0, 1, 1, 1] }).raw;
    expect(auc).toMatchObject({ value: 1, error: null, upper: 1, interval: "score" });
    expect(auc.lower).toBeGreaterThan(0.3);
    expect(auc.lower).toBeLessThan(0.8);
  });

  it("of clusters hold the truth, where those of independent rows fall well short", () => {
    const [variates, sets] = [simulation(31), 400];
    const big = figures({ ...clusteredRows(simulation(78), 60_000, 5, sure), clusters: null });
    const held = { clustered: 0, independent: 0 };
    for (let set = 0; set < sets; set++) {
      const rows = clusteredRows(variates, 60, 5, sure);
      held.clustered += Number(holds(figures(rows).brier, Number(big.brier.value)));
      held.independent += Number(holds(figures({ ...rows, clusters: null }).brier, Number(big.brier.value)));
    }
    expect(shortfall(held.clustered, sets, 0.95)).toBeLessThan(3.8);
    expect(shortfall(held.independent, sets, 0.95)).toBeGreaterThan(3.8);
  });
});

describe("clusters of unequal sizes", () => {
  it("one large and many small: intervals hold the truth", () => {
    const [variates, sets] = [simulation(61), 300];
    const sizes = [50, ...Array<number>(49).fill(1)];
    const big = figures({ ...clusteredRows(simulation(79), 60_000, 5, sure), clusters: null });
    const held = { auc: 0, brier: 0, ece: 0 };
    let defined = 0;
    for (let set = 0; set < sets; set++) {
      const { auc, brier, equalWidth } = figures(unequalRows(variates, sizes, sure, 0.8));
      defined += Number(auc.lower !== null);
      held.auc += Number(holds(auc, Number(big.auc.value)));
      held.brier += Number(holds(brier, Number(big.brier.value)));
      held.ece += Number(holds(equalWidth.ece, 0));
    }
    // 3.8 standard errors: less than 1 time in 10,000 of one that covers 95 in 100.
    expect(shortfall(held.auc, defined, 0.95)).toBeLessThan(3.8);
    expect(shortfall(held.brier, sets, 0.95)).toBeLessThan(3.8);
    expect(shortfall(held.ece, sets, 0.95)).toBeLessThan(3.8);
  });

  it("and outcomes very much alike: calibrated judges raise an alarm about 1 time in 100", () => {
    const variates = simulation(62);
    const sizes = [20, ...Array<number>(19).fill(2)];
    let raised = 0;
    for (let set = 0; set < 60; set++) raised += tested(unequalRows(variates, sizes, sure, 0.8), set).alarms.length;
    // Binomial(60, 0.014) is above 6 less than 1 time in 10,000.
    expect(raised).toBeLessThanOrEqual(6);
  });
});

describe("tied confidences", () => {
  it.each([2, 5, 20])("%i distinct ones: the ECE of equal mass holds that of very many rows", (count) => {
    const levels = Array.from({ length: count }, (_, k) => 0.05 + (0.9 * (k + 0.5)) / count);
    const of = (variates: Variates, n: number): Rows => {
      const confidence = Float64Array.from({ length: n }, () => levels[Math.floor(variates.uniform() * count)]);
      const outcome = confidence.map((f) => Number(variates.uniform() < 0.2 + 0.6 * f));
      return { confidence, outcome: Uint8Array.from(outcome), logits: null, clusters: null };
    };
    const truth = Number(figures(of(simulation(71), 400_000)).equalMass.ece.value);
    const [variates, sets] = [simulation(72), 300];
    let held = 0;
    for (let set = 0; set < sets; set++) held += Number(holds(figures(of(variates, 200)).equalMass.ece, truth));
    expect(shortfall(held, sets, 0.95)).toBeLessThan(3.8);
  });
});

describe("clusters", () => {
  it("calibrated judges raise an alarm about 1 time in 100", () => {
    const variates = simulation(41);
    let raised = 0;
    for (let set = 0; set < 150; set++) raised += tested(clusteredRows(variates, 30, 4, wide), set).alarms.length;
    // Binomial(150, 0.012) is above 9 less than 1 time in 10,000.
    expect(raised).toBeLessThanOrEqual(9);
  });

  it("of one row each leave the errors of independent rows, up to n - 1 for n", () => {
    const rows = rowsOf(simulation(51), 200, wide);
    const own = figures({ ...rows, clusters: clustersOf([...rows.outcome.keys()]) });
    const free = figures(rows);
    expect(own.brier.error).toBeCloseTo(free.brier.error ?? 0, 12);
    // DeLong's divides by each class less 1, the sandwich by all rows less 1.
    expect((own.auc.error ?? 0) / (free.auc.error ?? 1)).toBeCloseTo(1, 2);
    expect((own.equalWidth.ece.error ?? 0) / (free.equalWidth.ece.error ?? 1)).toBeCloseTo(1, 9);
  });

  it("of copied rows have the error of one copy", () => {
    const { confidence, outcome } = rowsOf(simulation(52), 60, wide);
    const twice = (values: Iterable<number>): number[] => Array.from({ length: 2 }, () => [...values]).flat();
    const copied = figures({
      confidence: Float64Array.from(twice(confidence)),
      outcome: Uint8Array.from(twice(outcome)),
      logits: null,
      clusters: clustersOf(twice([...outcome.keys()])),
    });
    expect(copied.brier.error).toBeCloseTo(
      figures({ confidence, outcome, logits: null, clusters: null }).brier.error ?? 0,
      12,
    );
  });

  it("one of them: no intervals, no tests, a warning; two: no joint test of the slope and intercept", () => {
    const { confidence, outcome } = rowsOf(simulation(53), 40, wide);
    const of = (count: number) =>
      auditCalibration({ confidence, outcome, clusters: clustersOf([...outcome.keys()].map((i) => i % count)) });
    const one = of(1);
    expect(one.warnings[0]).toContain("all rows are of one cluster");
    expect([one.raw.auc, one.raw.brier, one.raw.logLoss, one.raw.equalWidth.ece].map(({ lower }) => lower)).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(one.recalibration.test).toMatchObject({ p: null, reason: expect.stringContaining("few clusters") });
    expect(one.raw.equalWidth.bins.every(({ frequencyLower }) => frequencyLower === null)).toBe(true);
    expect(of(2).recalibration.test.p).toBeNull();
    expect(of(5).warnings[0]).toContain("5 clusters are rough");
    for (const count of [1, 2, 3, 5]) expect(notFinite(of(count))).toEqual([]);
  });
});
