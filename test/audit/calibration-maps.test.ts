import { describe, expect, it } from "vitest";
import { applyCalibration, confidenceOfLogProbabilities } from "../../src/audit/calibration/maps.js";
import { auditCalibration, type CalibrationOptions } from "../../src/audit/calibration.js";
import { type Clusters, clustersOf } from "../../src/audit/cluster.js";
import { RatError } from "../../src/errors.js";
import { Stream } from "../../src/random/stream.js";
import { auditReference } from "./support.js";

const { confidence, label } = auditReference.calibration.input as { confidence: number[]; label: number[] };
const input = { confidence, outcome: label };

describe("maps", () => {
  it("Platt's derivatives vanish: the mean of the fitted is the frequency", () => {
    const { map, interceptSe, slopeSe } = auditCalibration(input).platt.fit;
    const fitted = applyCalibration(map as NonNullable<typeof map>, input.confidence);
    const residual = (weight: (f: number) => number): number =>
      input.outcome.reduce((sum, y, i) => sum + weight(input.confidence[i]) * (y - fitted[i]), 0);
    expect(Math.abs(residual(() => 1))).toBeLessThan(1e-9);
    expect(Math.abs(residual((f) => Math.log(f / (1 - f))))).toBeLessThan(1e-9);
    expect(interceptSe).toBeGreaterThan(0);
    expect(slopeSe).toBeGreaterThan(0);
  });

  it("an isotonic map is linear between its levels and constant beyond", () => {
    const map = { kind: "isotonic", x: [0.2, 0.4, 0.6], y: [0.1, 0.1, 0.5] } as const;
    [0.1, 0.1, 0.1, 0.3, 0.5, 0.5].forEach((y, k) => {
      expect(applyCalibration(map, [0, 0.2, 0.3, 0.5, 0.6, 1])[k]).toBeCloseTo(y, 12);
    });
  });

  it("what is no map is refused", () => {
    const broken = { kind: "isotonic", x: [0.5, 0.5], y: [0, 1] } as const;
    expect(() => applyCalibration(broken, [0.5])).toThrow("not a calibration map");
  });

  it("log probabilities keep what their confidence has lost", () => {
    const { confidence, logits } = confidenceOfLogProbabilities(
      [-0.1, -1e-20, -60, -Infinity],
      [-2.4, -50, -1e-26, -1],
    );
    expect(logits).toEqual(Float64Array.of(2.3, 50, -60, -Infinity));
    expect([...confidence].map((f) => f.toPrecision(4))).toEqual(["0.9089", "1.000", "8.757e-27", "0.000"]);
    const map = { kind: "platt", on: "logit", intercept: 0, slope: 0.1, clip: 1e-6 } as const;
    expect(applyCalibration(map, confidence, logits)[1]).toBeCloseTo(1 / (1 + Math.exp(-5)), 12);
    expect(() => confidenceOfLogProbabilities([-Infinity], [-Infinity])).toThrow("yes[0] and no[0]");
    expect(() => confidenceOfLogProbabilities([0.9], [0.1])).toThrow("yes[0] and no[0]");
  });
});

describe("cross-validation", () => {
  const noisy = (n: number, seed: number) => {
    const stream = new Stream(seed, 0, 1);
    const confidence = Array.from({ length: n }, () => stream.uniform());
    return { confidence, outcome: confidence.map((f) => Number(stream.uniform() < f)) };
  };

  it("is the same for the same seed, and another for another", () => {
    const rows = noisy(200, 3);
    const ece = (seed: number) => auditCalibration(rows, { seed }).isotonic.crossValidated?.equalWidth.ece.value;
    expect(ece(5)).toBe(ece(5));
    expect(ece(5)).not.toBe(ece(6));
  });

  it("marks the figures, and isn't flattered as isotonic in-sample ones are", () => {
    const { isotonic } = auditCalibration(noisy(200, 4));
    expect(isotonic.inSample).toMatchObject({ inSample: true });
    expect(isotonic.inSample?.equalWidth.ece.value).toBeLessThan(1e-12);
    expect(isotonic.crossValidated).toMatchObject({ inSample: false, folds: 5 });
    expect(isotonic.crossValidated?.equalWidth.ece.value).toBeGreaterThan(0.01);
  });

  it("keeps clusters together: where a cluster's rows are copies, folds by row would know them", () => {
    const { confidence, outcome } = noisy(40, 5);
    const copies = (values: number[]): number[] => values.flatMap((value) => [value, value, value, value, value]);
    const rows = { confidence: copies(confidence), outcome: copies(outcome) };
    const clusters = clustersOf(rows.confidence.map((_, i) => Math.floor(i / 5)));
    const brier = (own: Clusters | null) =>
      auditCalibration({ ...rows, clusters: own }).isotonic.crossValidated?.brier.value;
    expect(brier(clusters)).toBeGreaterThan(brier(null) ?? 1);
  });

  it("of 1,000 calibrated sets about 95 in 100 intervals of the slope hold 1", () => {
    let held = 0;
    for (let seed = 0; seed < 1000; seed++) {
      const { fit } = auditCalibration(noisy(300, 1000 + seed), { folds: 0 }).platt;
      held += Number(Math.abs((fit.map?.slope ?? 0) - 1) < 1.959964 * (fit.slopeSe ?? 0));
    }
    // Binomial(1000, 0.95) is within 920 to 975 but for 1 in 10,000.
    expect(held).toBeGreaterThan(920);
    expect(held).toBeLessThan(975);
  });
});

describe("bad input", () => {
  it.each([
    [{ confidence: [0.5, 1.2], outcome: [0, 1] }, "confidence[1] must be a number from 0 to 1, not 1.2"],
    [{ confidence: [0.5, 0.2], outcome: [0, 0.5] }, "outcome[1] must be 0 or 1, not 0.5"],
    [{ confidence: [0.5, Number.NaN], outcome: [0, 1] }, "confidence[1]"],
    [{ confidence: [], outcome: [] }, "no rows"],
    [{ confidence: [0.5], outcome: [0, 1] }, "outcome must have as many values as confidence, 1, not 2"],
  ])("%o is refused", (rows, message) => {
    expect(() => auditCalibration(rows)).toThrow(message);
  });

  it.each([
    ...[{ bins: 0 }, { bins: 1.5 }, { level: 1 }, { clip: 0 }, { folds: 1 }, { seed: -1 }],
    ...[{ on: "logits" }, { ties: "shared" }, { smooth: 5 }, null],
  ])("%o is refused", (options) => {
    expect(() => auditCalibration(input, options as CalibrationOptions)).toThrow("must be");
  });

  const map = { kind: "isotonic", x: [0, 1], y: [0, 1] } as const;
  it.each<[string, () => unknown, string]>([
    ["no rows", () => auditCalibration(undefined as never), "rows must be an object"],
    ["keys for clusters", () => auditCalibration({ ...input, clusters: ["a"] as never }), "clustersOf(keys)"],
    ["an unknown option", () => auditCalibration(input, { bin: 5 } as never), 'no "bin": there are bins, ties'],
    ["a confidence beyond 1", () => applyCalibration(map, [0.5, 2]), "confidence[1] must be a number from 0 to 1"],
    ["too few logits", () => applyCalibration(map, [0.5, 0.6], [1]), "logits must have as many values"],
    ["levels beyond 1", () => applyCalibration({ ...map, y: [0, 2] }, [0.5]), "not a calibration map"],
    ["numbers for columns", () => confidenceOfLogProbabilities(-0.1 as never, -2 as never), "yes must be a list"],
  ])("%s: refused in words", (_name, call, message) => {
    expect(call).toThrow(message);
    expect(call).toThrow(RatError);
  });
});
