import { describe, expect, it } from "vitest";
import { auditPrevalence, type ClusterCounts, type CountsInput, orderSystems } from "../../src/audit/prevalence.js";
import type { Variates } from "../../src/random/variates.js";
import { zLimit } from "../support/montecarlo.js";
import { notFinite, shortfall, simulation } from "./support.js";

/** @param table of clusters, each [TP, FN, FP, TN, yes, no] */
function inputOf(table: readonly (readonly number[])[], sample: "random" | "separate", ids?: Int32Array): CountsInput {
  const [truePositives, falseNegatives, falsePositives, trueNegatives, positives, negatives] = [0, 1, 2, 3, 4, 5].map(
    (k) => table.reduce((sum, row) => sum + row[k], 0),
  );
  const clusters: ClusterCounts = { count: table.length, table: Float64Array.from(table.flat()), ids };
  return {
    audit: { truePositives, falseNegatives, falsePositives, trueNegatives },
    judged: { positives, negatives },
    sample,
    clusters,
  };
}

const withoutClusters = ({ clusters: _, ...rest }: CountsInput): CountsInput => rest;

/** A cluster a record. */
const singles = ([tp, fn, fp, tn, yes, no]: readonly number[]): number[][] =>
  [tp, fn, fp, tn, yes, no].flatMap((n, k) =>
    Array.from({ length: n }, () => [0, 1, 2, 3, 4, 5].map((i) => +(i === k))),
  );

describe("clusters of one record each", () => {
  it.each(["random", "separate"] as const)("are no clusters, but for G / (G - 1), with a %s audit", (sample) => {
    const input = inputOf(singles([300, 40, 70, 190, 900, 500]), sample);
    const [own, plain] = [auditPrevalence(input), auditPrevalence(withoutClusters(input))];
    for (const name of ["observed", "sensitivity", "specificity", "j", "roganGladen", "predictionPowered"] as const) {
      expect(own[name].value).toBe(plain[name].value);
      if (plain[name].error === null) continue;
      // The fewest clusters that anything rests on are the 260 false ones.
      expect((own[name].error as number) / (plain[name].error as number)).toBeGreaterThan(0.9999);
      expect((own[name].error as number) / (plain[name].error as number)).toBeLessThan(1 + 1 / 260);
    }
    expect(own.overClusters?.observed.value).toBeCloseTo(plain.observed.value as number, 12);
    expect(own.overClusters?.roganGladen.raw).toBeCloseTo(plain.roganGladen.raw as number, 12);
    expect(notFinite(own)).toEqual([]);
  });
});

describe("clusters", () => {
  it("that are copies of one another have the error of as many records as there are clusters", () => {
    const copies = (times: number): number[][] =>
      singles([30, 4, 7, 19, 90, 50]).map((row) => row.map((n) => n * times));
    const [once, fourfold] = [1, 4].map((times) => auditPrevalence(inputOf(copies(times), "random")));
    for (const name of ["observed", "sensitivity", "roganGladen", "predictionPowered"] as const) {
      // n / N of lambda is the same, its N - 1 isn't.
      const digits = name === "predictionPowered" ? 4 : 12;
      expect(fourfold[name].error as number).toBeCloseTo(once[name].error as number, digits);
    }
    // A sign flip of a cluster flips all of its records.
    expect(fourfold.bias.p).toBeCloseTo(once.bias.p as number, 12);
  });

  it("count once each in the mean over clusters", () => {
    const { overClusters, observed } = auditPrevalence(
      inputOf(
        [
          [0, 0, 0, 0, 9, 0],
          [0, 0, 0, 0, 0, 1],
          [3, 1, 0, 0, 0, 0],
          [2, 0, 1, 3, 0, 0],
        ],
        "separate",
      ),
    );
    expect(observed.value).toBe(0.9);
    expect(overClusters).toMatchObject({ clusters: 2, observed: { value: 0.5 } });
  });

  it("of which there is one give values without intervals", () => {
    const found = auditPrevalence(inputOf([[5, 1, 2, 6, 20, 10]], "random"));
    for (const name of ["observed", "sensitivity", "roganGladen", "predictionPowered"] as const) {
      expect(found[name].value).not.toBeNull();
      expect(found[name]).toMatchObject({ error: null, lower: null, interval: null });
    }
    expect(notFinite(found)).toEqual([]);
  });

  it("that don't add up to the counts are refused", () => {
    const input = inputOf([[5, 1, 2, 6, 20, 10]], "random");
    expect(() => auditPrevalence({ ...input, judged: { positives: 21, negatives: 10 } })).toThrow(/clusters must be/);
  });
});

describe("the order of systems that share clusters", () => {
  const table = (seed: number): number[][] => clusteredTable(simulation(seed), { ...hard, clusters: 80 });
  const ids = Int32Array.from({ length: 80 }, (_, g) => g);

  it("is surer than that of systems with clusters of their own, where they err together", () => {
    const rows = table(5);
    // The second says yes to a little less, cluster by cluster.
    const other = rows.map(([tp, fn, fp, tn, yes, no], g) =>
      g % 5 === 0 && yes > 0 ? [tp, fn, fp, tn, yes - 1, no + 1] : [tp, fn, fp, tn, yes, no],
    );
    const systems = (shared: boolean) => [
      { name: "one", input: inputOf(rows, "separate", shared ? ids : undefined) },
      { name: "two", input: inputOf(other, "separate", shared ? ids : undefined) },
    ];
    const [together, apart] = [true, false].map((shared) => orderSystems(systems(shared), { seed: 1 }));
    expect(together.pairs[0].pRaw).toBeGreaterThan(0.99);
    expect(apart.pairs[0].pRaw).toBeLessThan(0.8);
    expect(together.corrected).toEqual(apart.corrected);
  });

  it("has no probabilities of one cluster", () => {
    const one = inputOf([[5, 1, 2, 6, 20, 10]], "random", Int32Array.of(0));
    const order = orderSystems(
      [
        { name: "one", input: one },
        { name: "two", input: one },
      ],
      { seed: 1 },
    );
    expect(order.pairs[0]).toMatchObject({ pRaw: null, pCorrected: null });
  });
});

interface Setting {
  readonly pi: number;
  readonly se: number;
  readonly sp: number;
  readonly clusters: number;
  readonly size: number;
  /** Clusters that are audited. */
  readonly audited: number;
}

const hard: Setting = { pi: 0.65, se: 0.92, sp: 0.7, clusters: 150, size: 8, audited: 40 };
/** Correlation of records of a cluster: in truth, and in each rate of the judge. */
const alike = 0.3;

function clusteredTable(variates: Variates, { pi, se, sp, clusters, size, audited }: Setting): number[][] {
  const worth = 1 / alike - 1;
  const around = (mean: number): number => 1 / (1 + Math.exp(-variates.logitBeta(mean * worth, (1 - mean) * worth)));
  return Array.from({ length: clusters }, (_, g) => {
    const ones = variates.binomial(size, around(pi));
    const hits = variates.binomial(ones, around(se));
    const alarms = variates.binomial(size - ones, around(1 - sp));
    if (g >= audited) return [0, 0, 0, 0, hits + alarms, size - hits - alarms];
    return [hits, ones - hits, alarms, size - ones - alarms, 0, 0];
  });
}

describe("coverage of 95% intervals of clusters", () => {
  it.each(["random", "separate"] as const)(
    "is at least 91.5%, where that of records taken for independent is below 86%, with a %s audit (false alarm 1 in 10,000)",
    (sample) => {
      const variates = simulation(20261130);
      const trials = 400;
      const truths = {
        observed: 0.65 * 0.92 + 0.35 * 0.3,
        sensitivity: 0.92,
        specificity: 0.7,
        j: 0.62,
        roganGladen: 0.65,
      };
      const wanted = { ...truths, ...(sample === "random" ? { predictionPowered: 0.65 } : { fieller: 0.65 }) };
      const names = Object.keys(wanted) as (keyof typeof truths)[];
      const counts = { own: names.map(() => 0), plain: names.map(() => 0), over: 0 };
      for (let i = 0; i < trials; i++) {
        const input = inputOf(clusteredTable(variates, hard), sample);
        const [own, plain] = [auditPrevalence(input), auditPrevalence(withoutClusters(input))];
        names.forEach((name, k) => {
          for (const [all, found] of [
            [counts.own, own[name]],
            [counts.plain, plain[name]],
          ] as const) {
            if ((found.lower as number) <= wanted[name] && wanted[name] <= (found.upper as number)) all[k]++;
          }
        });
        const mean = own.overClusters?.roganGladen;
        if ((mean?.lower as number) <= 0.65 && 0.65 <= (mean?.upper as number)) counts.over++;
      }
      const limit = zLimit(2 * (names.length + 1));
      for (const covered of [...counts.own, counts.over]) {
        expect(shortfall(covered, trials, 0.915)).toBeLessThan(limit);
      }
      for (const covered of counts.plain) expect(covered / trials).toBeLessThan(0.86);
    },
  );
});
