import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyCalibration } from "../../src/audit/calibration/maps.js";
import { auditCalibration, type CalibrationFigures, type CalibrationOptions } from "../../src/audit/calibration.js";

const read = (name: string): string => readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8");

interface Figures {
  auc: number;
  brier: number;
  log_loss: number;
  ece_equal_width_10: number;
  mce_equal_width_10: number;
  ece_equal_mass_10: number;
  ece_equal_width_5: number;
  ece_equal_width_15: number;
}

const reference = JSON.parse(read("audit-reference.json")).calibration as {
  input: { confidence: number[]; label: number[] };
  raw: Figures & { bins_equal_width_10: { bin: number; n: number; mean_confidence: number; accuracy: number }[] };
  platt_on_confidence: Figures & { intercept: number; slope: number; fitted: number[] };
  platt_on_logit: Figures & { intercept: number; slope: number; fitted: number[] };
  platt_smoothed_targets: Figures & { intercept: number; slope: number; fitted: number[] };
  isotonic: Figures & { fitted: number[]; thresholds_x: number[]; thresholds_y: number[] };
  auc_ties_example: { score: number[]; label: number[]; auc: number };
};

const input = { confidence: reference.input.confidence, outcome: reference.input.label };

/** The figures of the reference, at 10, 5 and 15 bins. */
function expectFigures(
  of: (options: CalibrationOptions) => CalibrationFigures | null,
  expected: Figures,
  within: number,
) {
  const figures = of({}) as CalibrationFigures;
  const near = (actual: number | null | undefined, value: number): void =>
    expect(Math.abs((actual ?? Number.NaN) - value)).toBeLessThan(within);
  near(figures.auc.value, expected.auc);
  near(figures.brier.value, expected.brier);
  near(figures.logLoss.value, expected.log_loss);
  near(figures.equalWidth.ece.value, expected.ece_equal_width_10);
  near(figures.equalWidth.mce, expected.mce_equal_width_10);
  near(figures.equalMass.ece.value, expected.ece_equal_mass_10);
  near(of({ bins: 5 })?.equalWidth.ece.value, expected.ece_equal_width_5);
  near(of({ bins: 15 })?.equalWidth.ece.value, expected.ece_equal_width_15);
}

describe("the reference (numpy, scikit-learn)", () => {
  it("figures and bins of the raw confidences", () => {
    expectFigures((options) => auditCalibration(input, options).raw, reference.raw, 1e-12);
    const { bins } = auditCalibration(input).raw.equalWidth;
    expect(bins.map(({ bin, rows }) => [bin, rows])).toEqual(
      reference.raw.bins_equal_width_10.map(({ bin, n }) => [bin, n]),
    );
    bins.forEach((bin, k) => {
      expect(bin.meanConfidence).toBeCloseTo(reference.raw.bins_equal_width_10[k].mean_confidence, 12);
      expect(bin.frequency).toBeCloseTo(reference.raw.bins_equal_width_10[k].accuracy, 12);
    });
  });

  it.each([
    ["on the confidence", { on: "confidence" } as const, reference.platt_on_confidence],
    ["on the logit", { on: "logit" } as const, reference.platt_on_logit],
    ["with smoothed targets", { on: "confidence", smooth: true } as const, reference.platt_smoothed_targets],
  ])("Platt %s", (_, options, expected) => {
    const { map } = auditCalibration(input, options).platt.fit;
    expect(map).not.toBeNull();
    expect(Math.abs((map?.intercept ?? 0) - expected.intercept)).toBeLessThan(1e-6);
    expect(Math.abs((map?.slope ?? 0) - expected.slope)).toBeLessThan(1e-6);
    const fitted = applyCalibration(map as NonNullable<typeof map>, input.confidence);
    fitted.forEach((p, i) => {
      expect(Math.abs(p - expected.fitted[i])).toBeLessThan(1e-6);
    });
    expectFigures((more) => auditCalibration(input, { ...options, ...more }).platt.inSample, expected, 1e-6);
  });

  it("isotonic", () => {
    const { map } = auditCalibration(input).isotonic.fit;
    expect(map?.x).toEqual(reference.isotonic.thresholds_x);
    expect(map?.y).toEqual(reference.isotonic.thresholds_y);
    expect([...applyCalibration(map as NonNullable<typeof map>, input.confidence)]).toEqual(reference.isotonic.fitted);
    // Its levels are ties, which numpy.array_split divides by the order of rows.
    const divided = (options: CalibrationOptions) => auditCalibration(input, { ...options, ties: "divide" });
    expectFigures((options) => divided(options).isotonic.inSample, reference.isotonic, 1e-12);
    expect(auditCalibration(input).notes.join()).toContain("0.8375 to 0.8600");
  });

  it("AUC with ties", () => {
    const { score, label, auc } = reference.auc_ties_example;
    expect(auditCalibration({ confidence: score, outcome: label }).raw.auc.value).toBe(auc);
  });
});

/** A case of test/data/cases. */
function rowsOf(name: string): { confidence: number[]; outcome: number[] } {
  const lines = read(`cases/${name}.csv`).trim().split("\n").slice(1);
  const numbers = lines.map((line) => line.split(",").map(Number));
  return { confidence: numbers.map(([f]) => f), outcome: numbers.map(([, y]) => y) };
}

describe("cases", () => {
  it("G1: a confidence of 1 is in the last bin", () => {
    const { raw, warnings } = auditCalibration(rowsOf("G1_conf_exactly_one"));
    expect(raw.equalWidth.bins).toHaveLength(1);
    const [bin] = raw.equalWidth.bins;
    expect([bin.bin, bin.rows, bin.frequency]).toEqual([9, 2, 0.5]);
    expect(bin.meanConfidence).toBeCloseTo(0.975, 12);
    expect(raw.equalWidth.ece.value).toBeCloseTo(0.475, 12);
    expect(raw.logLoss.value).toBeNull();
    expect(warnings.join()).toContain("certain and wrong");
  });

  it("G3: isotonic pools ties first, so that the order of rows doesn't matter", () => {
    const { confidence, outcome } = rowsOf("G3_isotonic_ties");
    for (const order of [
      [0, 1, 2, 3, 4],
      [4, 2, 1, 3, 0],
      [3, 1, 0, 4, 2],
    ]) {
      const rows = { confidence: order.map((i) => confidence[i]), outcome: order.map((i) => outcome[i]) };
      const { map } = auditCalibration(rows).isotonic.fit;
      expect([...applyCalibration(map as NonNullable<typeof map>, confidence)]).toEqual([0, 1 / 3, 1 / 3, 1 / 3, 1]);
    }
  });

  it("G5: one class has an ECE, but neither AUC nor maps", () => {
    const { raw, platt, isotonic } = auditCalibration(rowsOf("G5_one_class"));
    expect(raw.auc.value).toBeNull();
    expect(raw.auc.reason).toContain("undefined (one class)");
    expect(raw.equalWidth.ece.value).toBeCloseTo(0.7 / 3, 12);
    expect([platt.fit.map, isotonic.fit.map]).toEqual([null, null]);
    expect([platt.fit.note, isotonic.fit.note].every((note) => note?.includes("one class"))).toBe(true);
  });

  it("G7: equal confidences have constant maps, said so", () => {
    const { raw, platt, isotonic } = auditCalibration(rowsOf("G7_constant_conf"));
    expect(raw.equalWidth.ece.value).toBeCloseTo(0.2, 12);
    expect(raw.auc.value).toBe(0.5);
    expect(platt.fit.map).toMatchObject({ slope: 0, intercept: 0 });
    expect(platt.fit.note).toContain("slope undetermined");
    expect(isotonic.fit.map).toEqual({ kind: "isotonic", x: [0.7], y: [0.5] });
    expect(isotonic.fit.note).toContain("constant");
  });

  it("equal confidences share a bin of equal mass, whatever the order of rows", () => {
    const rows = (f: number, ones: number, zeros: number) => ({
      confidence: Array(ones + zeros).fill(f),
      outcome: [...Array(ones).fill(1), ...Array(zeros).fill(0)],
    });
    for (const one of [rows(0.9, 90, 10), rows(0.5, 10, 10)]) {
      const { equalMass } = auditCalibration(one).raw;
      expect(equalMass.ece.value).toBeCloseTo(0, 12);
      expect(equalMass.bins).toHaveLength(1);
    }
    expect(auditCalibration(rows(0.5, 10, 10), { ties: "divide" }).raw.equalMass.ece.value).toBeCloseTo(0.5, 12);
  });

  it("G9: bins have means, not centres", () => {
    expect(auditCalibration(rowsOf("G9_bin_mean")).raw.equalWidth.ece.value).toBeCloseTo(0.09, 12);
  });

  it("forecasts of NFL games: figures, curves and levels of independent programs", () => {
    const games = read("audit/nfl-games.csv").trim().split("\n").slice(1);
    const known = games.map((line) => line.split(",").map(Number)).filter(([, , y]) => y !== 0.5);
    const rows = { confidence: known.map(([, f]) => f), outcome: known.map(([, , y]) => y) };
    expect([games.length, known.length]).toEqual([1889, 1882]);
    const { raw, platt, isotonic, recalibration, alarms } = auditCalibration(rows);
    const near = (value: number | null | undefined, expected: number, digits: number): void =>
      expect(value).toBeCloseTo(expected, digits);
    near(raw.brier.value, 0.22083, 5);
    near(raw.auc.value, 0.691782, 6);
    near(raw.equalWidth.ece.value, 0.0323, 4);
    near(platt.fit.map?.intercept, -0.113238, 6);
    near(platt.fit.map?.slope, 0.919916, 6);
    near(platt.inSample?.equalWidth.ece.value, 0.008482, 6);
    expect(new Set(isotonic.fit.map?.y).size).toBe(19);
    near(isotonic.inSample?.auc.value, 0.697855, 6);
    const linear = auditCalibration(rows, { on: "confidence", folds: 0 }).platt;
    near(linear.fit.map?.intercept, -2.195388, 5);
    near(linear.fit.map?.slope, 4.163119, 5);
    near(linear.inSample?.equalWidth.ece.value, 0.016173, 6);
    near(recalibration.slope.value, 0.919916, 6);
    expect(alarms.map(({ defect }) => defect)).toEqual(["over-confident"]);
  });

  it("scikit-learn's documented examples", () => {
    const auc = auditCalibration({ confidence: [0.1, 0.4, 0.35, 0.8], outcome: [0, 0, 1, 1] });
    expect(auc.raw.auc.value).toBe(0.75);
    const brier = auditCalibration({ confidence: [0.1, 0.9, 0.8, 0.3], outcome: [0, 1, 1, 0] });
    expect(brier.raw.brier.value).toBeCloseTo(0.0375, 12);
    // Separated: Platt's curve is declined without smoothed targets.
    expect(brier.platt.fit.map).toBeNull();
    expect(brier.platt.fit.note).toContain("separated");
    const confidence = [0.1, 0.2, 0.3, 0.4, 0.65, 0.7, 0.8, 0.9, 1];
    const { bins } = auditCalibration({ confidence, outcome: [0, 0, 0, 0, 1, 1, 1, 1, 1] }, { bins: 3 }).raw.equalWidth;
    expect(bins.map(({ frequency }) => frequency)).toEqual([0, 0.5, 1]);
    [0.2, 0.525, 0.85].forEach((mean, k) => {
      expect(bins[k].meanConfidence).toBeCloseTo(mean, 12);
    });
  });
});

const rowsArbitrary = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.integer({ min: 0, max: 20 }).map((k) => k / 20),
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
      fc.integer({ min: 0, max: 1 }),
    ),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  .map((rows) => ({ confidence: rows.map(([f]) => f), outcome: rows.map(([, y]) => y) }));

/** Every number that a report holds. */
function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

describe("for any rows", () => {
  it("every number is finite, and all survive JSON", () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.boolean(), fc.integer({ min: 1, max: 12 }), (rows, smooth, bins) => {
        const report = auditCalibration(rows, { smooth, bins, folds: 3 });
        expect(numbersOf(report).filter((value) => !Number.isFinite(value))).toEqual([]);
        expect(JSON.parse(JSON.stringify(report))).toEqual(report);
      }),
    );
  });

  it("AUC is the share of pairs, ties half", () => {
    fc.assert(
      fc.property(rowsArbitrary, ({ confidence, outcome }) => {
        let [pairs, won] = [0, 0];
        confidence.forEach((f, i) => {
          confidence.forEach((g, j) => {
            if (outcome[i] !== 1 || outcome[j] !== 0) return;
            pairs++;
            won += f > g ? 1 : f === g ? 0.5 : 0;
          });
        });
        const { value } = auditCalibration({ confidence, outcome }, { folds: 0 }).raw.auc;
        if (pairs === 0) expect(value).toBeNull();
        else expect(value).toBeCloseTo(won / pairs, 12);
      }),
    );
  });

  it("the parts of the Brier score add up to it, in bins of either kind", () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer({ min: 1, max: 12 }), (rows, bins) => {
        const { raw } = auditCalibration(rows, { bins, folds: 0 });
        for (const { brier, bins: filled } of [raw.equalWidth, raw.equalMass]) {
          const { reliability, resolution, uncertainty, withinVariance, withinCovariance } = brier;
          const sum = reliability - resolution + uncertainty + withinVariance - withinCovariance;
          expect(sum).toBeCloseTo(raw.brier.value ?? Number.NaN, 12);
          expect(filled.reduce((n, bin) => n + bin.rows, 0)).toBe(rows.confidence.length);
        }
      }),
    );
  });

  it("isotonic levels rise and are the least squares among rising ones: no level of a block moves without loss", () => {
    fc.assert(
      fc.property(rowsArbitrary, ({ confidence, outcome }) => {
        const { map } = auditCalibration({ confidence, outcome }, { folds: 0 }).isotonic.fit;
        if (map === null) return;
        const fitted = applyCalibration(map, confidence);
        // Barlow and Brunk's conditions: sum (y - g) g = 0, and sum over rows above any bound of (y - g) <= 0.
        expect(outcome.reduce((sum, y, i) => sum + (y - fitted[i]) * fitted[i], 0)).toBeCloseTo(0, 9);
        for (const bound of confidence) {
          const above = outcome.reduce((sum, y, i) => sum + (confidence[i] >= bound ? y - fitted[i] : 0), 0);
          expect(above).toBeLessThan(1e-9);
        }
        expect(map.y.every((y, k) => k === 0 || y >= map.y[k - 1])).toBe(true);
      }),
    );
  });

  it("nothing depends on the order of rows", () => {
    fc.assert(
      fc.property(rowsArbitrary, ({ confidence, outcome }) => {
        const options = { folds: 0 };
        const forward = auditCalibration({ confidence, outcome }, options);
        const backward = auditCalibration(
          { confidence: confidence.toReversed(), outcome: outcome.toReversed() },
          options,
        );
        const [a, b] = [forward, backward].map((report) => numbersOf({ ...report, platt: null }));
        expect(a).toHaveLength(b.length);
        a.forEach((value, k) => {
          expect(Math.abs(b[k] - value)).toBeLessThan(1e-9 * Math.max(1, Math.abs(value)));
        });
      }),
    );
  });
});
