import { describe, expect, it } from "vitest";
import { accuracies, plantedJudges } from "../../src/audit/demo/latent-class.js";
import { auditDemo, type DemoFinding, type DemoScenes, demoSets } from "../../src/audit/demo.js";
import { notFinite } from "./support.js";

const seeds = [1, 2, 3, 4, 5];
const runs = seeds.map((seed) => auditDemo(seed));
const findingsOf = (scenes: DemoScenes): DemoFinding[] => Object.values(scenes).flatMap(({ panel }) => panel.findings);
const all = runs.map(findingsOf);
const find = (findings: readonly DemoFinding[], id: string): DemoFinding =>
  findings.find((one) => one.id === id) as DemoFinding;

/** What no seed makes agree: see the panel's remarks. */
const contradicted = ["aucIsotonic", "aucOfVerdict"];

describe("auditDemo, seeds 1 to 5", () => {
  it("plants truths that the article's numbers are roundings of", () => {
    for (const { id, planted, article } of all[0]) {
      if (planted === null || article === null || contradicted.includes(id)) continue;
      expect(planted, id).toBeGreaterThanOrEqual((article.lower ?? -Infinity) - 1e-9);
      expect(planted, id).toBeLessThanOrEqual((article.upper ?? Infinity) + 1e-9);
    }
  });

  // 28 intervals of 0.999 a seed: were seeds drawn at random, two or more of 140 would miss with probability 0.009.
  it("finds what it planted within its intervals, all but one of them at most", () => {
    const missed = all.flatMap((findings, s) =>
      findings
        .filter(({ kind, planted, lower, upper }) => {
          if (kind === "exact" || planted === null || lower === null || upper === null) return false;
          return planted < lower || planted > upper;
        })
        .map(({ id }) => `${id}, seed ${seeds[s]}`),
    );
    expect(missed.length, missed.join("; ")).toBeLessThanOrEqual(1);
  });

  // A number that rounds to the printed one is refused more rarely than the truth lies outside, so in 0.009 of all fives of seeds.
  it("agrees with the article but for what can't be had from any data, and one number at most", () => {
    const refused = all.flatMap((findings, s) => {
      const no = findings.filter(({ agrees }) => agrees === false).map(({ id }) => id);
      expect(no, `seed ${seeds[s]}`).toEqual(expect.arrayContaining(contradicted));
      return no.filter((id) => !contradicted.includes(id));
    });
    expect(refused.length, refused.join("; ")).toBeLessThanOrEqual(1);
    expect(all[0].filter(({ agrees }) => agrees !== null).length).toBe(40);
  });

  it("gives back the share of truth where every claim's own rates correct it", () => {
    for (const findings of all) {
      const { value, planted } = find(findings, "identity");
      expect(value).toBeCloseTo(Number(planted), 12);
    }
  });

  it("says of a swap test that counts one slot alone what 2^(1 - k) is", () => {
    expect(find(all[0], "slotLog10PAt").value).toBeCloseTo(Math.log10(2) * -349, 10);
    for (const findings of all) {
      const pairs = Math.round(find(findings, "slotBias").value * 5000);
      expect(find(findings, "slotLog10P").value).toBeCloseTo((1 - pairs) * Math.log10(2), 8);
    }
  });

  // Isotonic maps pool neighbours out of order, of which 5,000 claims of two overlapping classes always have some.
  it("moves the AUC by an isotonic map, upwards on its own rows, and not by Platt's", () => {
    for (const findings of all) {
      expect(find(findings, "aucIsotonic").value).toBeGreaterThan(0);
      expect(find(findings, "aucPlatt").value).toBe(0);
      expect(find(findings, "eceIsotonicHeld").value).toBeGreaterThan(0);
    }
  });

  // Means and shares of 400 sets, each expected 5 standard errors or more within these bounds: below 1e-5 in all.
  it("says how often the fit beats the majority vote, and where it doesn't", () => {
    for (const [s, findings] of all.entries()) {
      const [wins, ties, losses] = ["wins", "ties", "losses"].map((id) => find(findings, id).value);
      expect(wins + ties + losses).toBeCloseTo(1, 12);
      expect(wins).toBeGreaterThan(0.37);
      expect(losses).toBeGreaterThan(0.1);
      expect(losses).toBeLessThan(0.34);
      const sets = runs[s].latentClass.differences;
      expect(sets.reduce((sum, { sets: own }) => sum + own, 0)).toBe(400);
      const mean = sets.reduce((sum, { items, sets: own }) => sum + (items / 360) * (own / 400), 0);
      expect(mean).toBeCloseTo(find(findings, "beatsMajority").value, 12);
      expect(find(findings, "alikeDifference").value).toBeLessThan(find(findings, "beatsMajority").value);
    }
  });

  it("plants judges of whom the majority vote is the best rule, and others of whom it isn't", () => {
    const [unlike, alike] = [accuracies(plantedJudges.unlike), accuracies(plantedJudges.alike)];
    expect(unlike.best - unlike.majority).toBeCloseTo(0.0031, 4);
    expect(alike.best).toBeCloseTo(alike.majority, 12);
  });

  it("has a better split of 200 calls than the article's", () => {
    const error = (id: string): number => find(all[0], id).value;
    expect(error("bestError")).toBeLessThan(error("panelError"));
    expect(error("panelError")).toBeLessThan(error("oneJudgeError"));
    expect(error("bestError")).toBeCloseTo(Math.sqrt(0.0102 / 20 + 0.0048 / 10 + 0.0134 / 200), 12);
  });

  it("is the same for the same seed, another for another, and finite", () => {
    let sets = 0;
    const again = auditDemo(1, () => {
      sets++;
    });
    expect(again).toEqual(runs[0]);
    expect(sets).toBe(demoSets);
    for (const id of ["observed", "kappaEven", "auc", "panelSpread", "icc", "slotBias", "rateError", "beatsMajority"]) {
      expect(new Set(all.map((findings) => find(findings, id).value)).size, id).toBeGreaterThan(1);
    }
    for (const findings of all) expect(notFinite(findings)).toEqual([]);
  });
});
