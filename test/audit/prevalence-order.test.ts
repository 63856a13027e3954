import { describe, expect, it } from "vitest";
import { auditPrevalence, orderSystems, type RatesInput } from "../../src/audit/prevalence.js";
import { zLimit } from "../support/montecarlo.js";
import { auditReference, notFinite } from "./support.js";

describe("the order of systems", () => {
  // The article's: A is ahead as judged, B in truth.
  const lenient = {
    observed: 0.8,
    n: 1000,
    sensitivity: 0.95,
    sensitivityN: 200,
    specificity: 0.55,
    specificityN: 200,
  };
  const { input } = auditReference.rogan_gladen.cases.system_B;
  const strict: RatesInput = {
    observed: input.positive_verdicts / input.n,
    n: input.n,
    sensitivity: input.se_hits / input.se_n,
    sensitivityN: input.se_n,
    specificity: input.sp_hits / input.sp_n,
    specificityN: input.sp_n,
  };

  it("is reversed by the correction where a judge is lenient with one, and says so", () => {
    const order = orderSystems(
      [
        { name: "A", input: lenient },
        { name: "B", input: strict },
      ],
      { seed: 1 },
    );
    expect(order.raw.map(({ system }) => system)).toEqual(["A", "B"]);
    expect(order.corrected.map(({ system }) => system)).toEqual(["B", "A"]);
    expect(order.corrected[1].value).toBeCloseTo(0.7, 12);
    expect(order).toMatchObject({ estimator: "Rogan-Gladen", reason: null, usedDraws: 4000 });
    expect(order.reversals).toHaveLength(1);
    expect(order.reversals[0]).toMatch(/^A is ahead of B by 0\.060 as judged, but behind by 0\.089 when corrected/);
    expect(order.pairs[0].pRaw).toBeGreaterThan(0.99);
    expect(order.orders.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
    const [error, delta] = [lenient, strict].map((input) => auditPrevalence(input).roganGladen.error as number);
    // Nearly normal draws: P(B > A) is that of the difference; .02 is its skewness and the Monte Carlo error.
    const z = (order.corrected[0].value - order.corrected[1].value) / Math.hypot(error, delta);
    expect(z).toBeGreaterThan(1.3);
    expect(order.orders[0]).toMatchObject({ systems: ["B", "A"] });
    expect(order.orders[0].probability).toBeGreaterThan(0.9);
    expect(1 - (order.pairs[0].pCorrected as number)).toBeCloseTo(order.orders[0].probability, 12);
  });

  it("of random audits is corrected by the prediction-powered estimate, whose judge may be worse than chance", () => {
    const judged = { positives: 260, negatives: 140 };
    const systems = [
      { truePositives: 30, falseNegatives: 4, falsePositives: 7, trueNegatives: 19 },
      { truePositives: 3, falseNegatives: 20, falsePositives: 18, trueNegatives: 4 },
    ].map((audit, s) => ({ name: `s${s}`, input: { audit, judged } }));
    const order = orderSystems(systems, { seed: 1 });
    expect(order.estimator).toBe("prediction-powered");
    for (const { system, value } of order.corrected) {
      expect(value).toBe(auditPrevalence(systems[Number(system[1])].input).predictionPowered.value);
    }
    expect(order.usedDraws).toBe(4000);
  });

  it("keeps where judges are equal, is even between equal systems, and is refused with a judge of no information", () => {
    const same = orderSystems(
      [
        { name: "one", input: strict },
        { name: "two", input: strict },
      ],
      { seed: 2 },
    );
    expect(same.reversals).toEqual([]);
    // 4,000 draws of a fair coin: off by more once in 10,000.
    expect(Math.abs((same.pairs[0].pCorrected ?? 0) - 0.5)).toBeLessThan(zLimit(1) * Math.sqrt(0.25 / 4000));
    const refused = orderSystems(
      [
        { name: "one", input: strict },
        { name: "coin", input: { ...strict, sensitivity: 0.5, specificity: 0.5 } },
      ],
      { seed: 2 },
    );
    expect(refused).toMatchObject({ corrected: [], estimator: null, orders: [] });
    expect(refused.reason).toMatch(/^coin: .*no information/);
    expect(notFinite(refused)).toEqual([]);
  });

  it("leaves out the systems that can't be corrected, with their own reasons, and orders the others as without them", () => {
    const judged = { positives: 260, negatives: 140 };
    const none = { truePositives: 0, falseNegatives: 0, falsePositives: 0, trueNegatives: 0 };
    const one = { truePositives: 30, falseNegatives: 4, falsePositives: 7, trueNegatives: 19 };
    const other = { truePositives: 20, falseNegatives: 9, falsePositives: 3, trueNegatives: 25 };
    const [a, b, bare] = [one, other, none].map((audit, s) => ({ name: `s${s}`, input: { audit, judged } }));
    const [all, two] = [
      [a, b, bare],
      [a, b],
    ].map((systems) => orderSystems(systems, { seed: 3 }));
    expect(all).toMatchObject({ estimator: "prediction-powered", reason: null });
    expect(all.leftOut).toEqual([{ system: "s2", reason: "undefined (nothing audited): no record is audited" }]);
    expect(all.corrected).toEqual(two.corrected);
    expect(all.orders).toEqual(two.orders);
    expect(all.raw).toHaveLength(3);
    expect(all.pairs[0].pCorrected).toBe(two.pairs[0].pCorrected);
    expect(all.pairs.slice(1).map(({ pCorrected }) => pCorrected)).toEqual([null, null]);
    const alone = orderSystems([a, bare], { seed: 3 });
    expect(alone).toMatchObject({ estimator: null, corrected: [], reason: expect.stringMatching(/^s1|^s2/) });
  });
});
