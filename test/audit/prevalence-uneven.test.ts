import { describe, expect, it } from "vitest";
import { PrevalenceTally } from "../../src/audit/prevalence/rows.js";
import { auditPrevalence } from "../../src/audit/prevalence.js";
import type { Variates } from "../../src/random/variates.js";
import { zLimit } from "../support/montecarlo.js";
import { shortfall, simulation } from "./support.js";

const ones = (n: number): number[] => Array.from({ length: n }, () => 1);
const designs = [
  ["one of 50 and 49 of 1", [50, ...ones(49)]],
  ["one of 20 and 19 of 2", [20, ...ones(19).map(() => 2)]],
  ["3 of 40", [40, 40, 40]],
  ["5 of 20", [20, 20, 20, 20, 20]],
] as const;

interface Judge {
  readonly pi: number;
  readonly se: number;
  readonly sp: number;
}

/** Correlation of records of a cluster, in truth and in each rate of the judge. */
const alike = 0.3;

/** Half of the records audited, or all of them and 60 more clusters of 8 that aren't. */
function inputOf(variates: Variates, { pi, se, sp }: Judge, sizes: readonly number[], sample: "random" | "separate") {
  const worth = 1 / alike - 1;
  const around = (mean: number): number => 1 / (1 + Math.exp(-variates.logitBeta(mean * worth, (1 - mean) * worth)));
  const tally = new PrevalenceTally();
  const others = sample === "random" ? [] : ones(60).map(() => 8);
  [...sizes, ...others].forEach((size, g) => {
    const [truth, hit, miss] = [around(pi), around(se), around(1 - sp)];
    for (let i = 0; i < size; i++) {
      const isTrue = variates.binomial(1, truth) as 0 | 1;
      const said = variates.binomial(1, isTrue === 1 ? hit : miss) as 0 | 1;
      const audited = sample === "random" ? variates.binomial(1, 0.5) === 1 : g < sizes.length;
      tally.add(audited ? isTrue : null, said, g);
    }
  });
  return tally.input(sample);
}

describe("clusters that are few, or of very different sizes", () => {
  it.each(designs)("%s: 95%% intervals cover at least 92%% (a false alarm once in 10,000)", (_, sizes) => {
    const variates = simulation(20261201);
    const judge = { pi: 0.65, se: 0.92, sp: 0.7 };
    const limit = zLimit(8 * designs.length);
    for (const sample of ["random", "separate"] as const) {
      const covered = new Map<string, [inside: number, all: number]>();
      for (let i = 0; i < 500; i++) {
        const found = auditPrevalence(inputOf(variates, judge, sizes, sample));
        for (const [name, ends, truth] of [
          ["observed", found.observed, judge.pi * judge.se + (1 - judge.pi) * (1 - judge.sp)],
          ["roganGladen", found.roganGladen, judge.pi],
          ["corrected", found.fieller ?? found.predictionPowered, judge.pi],
          ["overClusters", found.overClusters?.roganGladen, judge.pi],
        ] as const) {
          if (ends?.lower == null || ends.upper === null) continue;
          const [inside, all] = covered.get(name) ?? [0, 0];
          covered.set(name, [inside + (ends.lower <= truth && truth <= ends.upper ? 1 : 0), all + 1]);
        }
      }
      expect(covered.size).toBe(4);
      for (const [inside, all] of covered.values()) expect(shortfall(inside, all, 0.92)).toBeLessThan(limit);
    }
  });

  it.each(designs)("%s: a judge as often wrong either way has p < 0.05 in 5%% at most (once in 10,000)", (_, sizes) => {
    const variates = simulation(20261202);
    for (const sample of ["random", "separate"] as const) {
      let small = 0;
      for (let i = 0; i < 500; i++) {
        const { bias } = auditPrevalence(inputOf(variates, { pi: 0.5, se: 0.8, sp: 0.8 }, sizes, sample));
        if (bias.p !== null && bias.p < 0.05) small++;
      }
      expect((small / 500 - 0.05) / Math.sqrt((0.05 * 0.95) / 500)).toBeLessThan(zLimit(2 * designs.length));
    }
  });
});
