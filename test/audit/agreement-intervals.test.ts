import { describe, expect, it } from "vitest";
import { type Agreement, auditAgreement, type LabelledItem } from "../../src/audit/agreement.js";
import { clustersOf } from "../../src/audit/cluster.js";
import { zLimit } from "../support/montecarlo.js";
import {
  chanceJudges,
  drawKind,
  type Kind,
  manyJudges,
  ofAll,
  ofPair,
  ofWeights,
  optionsFor,
  orderedJudges,
  type Picked,
  tallyOf,
  truthOf,
  twoJudges,
} from "./agreement-support.js";
import { notFinite, shortfall, simulation } from "./support.js";

describe("coverage of 95% intervals of independent items", () => {
  // [what of, kinds, items, scale, claimed for each estimate]
  const settings: readonly (readonly [string, Picked, Kind[], number, "nominal" | "interval", number])[] = [
    ["two judges, even", ofPair, twoJudges(0.85, 0.5), 50, "nominal", 0.93],
    ["two judges, a rare label", ofPair, twoJudges(0.9, 0.9), 30, "nominal", 0.93],
    ["two judges, a label rarer still", ofPair, twoJudges(0.95, 0.95), 100, "nominal", 0.93],
    ["five judges, a rare label", ofAll, manyJudges(5, 0.1, 0.8, 0.97), 50, "nominal", 0.93],
    ["two judges of ten labels who hardly agree", ofPair, chanceJudges(10), 20, "nominal", 0.93],
    ["ordered categories", ofWeights, orderedJudges(), 50, "interval", 0.93],
  ];
  const limit = zLimit(5 + 5 + 5 + 4 + 5 + 8);

  it.each(settings)("%s: at least what is stated (a false alarm in any once in 10,000 if so)", (...setting) => {
    const [name, pick, kinds, n, scale, claimed] = setting;
    const variates = simulation(20261130 + n);
    const found = tallyOf(truthOf(kinds, pick, scale));
    for (let trial = 0; trial < 800; trial++) {
      const items = Array.from({ length: n }, (): LabelledItem => ({ labels: drawKind(kinds, variates).labels }));
      found.add(pick(auditAgreement(items, { ...optionsFor(kinds), scale, seed: trial })));
    }
    found.held.forEach((held, i) => {
      expect(shortfall(held, found.trials[i], claimed), `${name}, estimate ${i}`).toBeLessThan(limit);
    });
    // Why the intervals aren't normal: those of kappa fall far short.
    if (name === "two judges, a rare label") expect(found.normal[1] / found.trials[1]).toBeLessThan(0.85);
  });

  it("the bootstrap's error of alpha is the delta method's, within Monte Carlo error of 4,000 replicates", () => {
    const variates = simulation(7);
    const kinds = manyJudges(3, 0.4, 0.85, 0.9);
    const items = Array.from({ length: 300 }, () => ({ labels: drawKind(kinds, variates).labels }));
    const keys = items.map((_, i) => i % 60);
    for (const clusters of [undefined, clustersOf(keys)]) {
      const given = { ...optionsFor(kinds), clusters, seed: 1 };
      const [drawn, delta] = [4000, 0].map(
        (replicates) => auditAgreement(items, { ...given, replicates }).all.alpha.nominal,
      );
      expect(Math.abs((drawn.error ?? 0) / (delta.error ?? 1) - 1)).toBeLessThan(0.06);
      expect(drawn.interval).toContain(clusters === undefined ? "bootstrap over items" : "bootstrap over clusters");
    }
  });
});

describe("clusters", () => {
  const items = [
    [1, 1, 1],
    [1, 0, 1],
    [0, 0, null],
    [0, 1, 0],
    [1, 1, null],
    [0, 0, 0],
  ].map((labels) => ({ labels }));
  const given = { judges: ["a", "b", "c"], categories: [0, 1], seed: 1, replicates: 0 };
  const errorsOf = ({ all, pairs }: Agreement): number[] =>
    [all.raw, all.fleissKappa, all.ac1, pairs[0].raw, pairs[0].cohenKappa, pairs[0].scottPi, pairs[0].ac1].map(
      ({ error }) => error as number,
    );

  it("of one item each have its errors, up to G - 1 for G; of each item twice those of the items once", () => {
    const once = errorsOf(auditAgreement(items, given));
    const factor = Math.sqrt(items.length / (items.length - 1));
    for (const copies of [1, 2, 5]) {
      const all = Array.from({ length: copies }, () => items).flat();
      const clusters = clustersOf(all.map((_, i) => i % items.length));
      const result = auditAgreement(all, { ...given, clusters });
      expect(result.clusters).toBe(6);
      errorsOf(result).forEach((error, i) => {
        expect(error).toBeCloseTo(factor * once[i], 12);
      });
    }
  });

  it("change no value; fewer than twenty come with a warning, one without intervals", () => {
    const plain = auditAgreement(items, given);
    for (const count of [1, 2]) {
      const clusters = clustersOf(items.map((_, i) => i % count));
      const result = auditAgreement(items, { ...given, replicates: 50, clusters });
      expect(result.all.fleissKappa.value).toBe(plain.all.fleissKappa.value);
      expect(result.all.alpha.nominal.value).toBe(plain.all.alpha.nominal.value);
      expect(notFinite(result)).toEqual([]);
      const { raw, fleissKappa, ac1, alpha } = result.all;
      const intervals = [raw, fleissKappa, ac1, alpha.nominal].map(({ interval }) => interval !== null);
      expect(intervals).toEqual(intervals.map(() => count > 1));
      const words = count === 1 ? /one cluster.*no intervals/ : /2 clusters are rough/;
      expect(result.warnings).toEqual([expect.stringMatching(words)]);
    }
    expect(() => auditAgreement(items, { ...given, clusters: clustersOf([1, 2]) })).toThrow(
      /clusters must be of 6 items/,
    );
  });

  it("of any labels give finite numbers in their order", () => {
    const variates = simulation(11);
    const below = (n: number): number => Math.floor(n * variates.uniform());
    for (let run = 0; run < 400; run++) {
      const [judges, categories, count] = [2 + below(3), 1 + below(4), below(12)];
      const label = () => (variates.uniform() < 0.3 ? null : below(categories));
      const drawn = Array.from({ length: count }, () => ({ labels: Array.from({ length: judges }, label) }));
      const result = auditAgreement(drawn, {
        judges: drawn[0]?.labels.map((_, j) => `${j}`) ?? ["a", "b"],
        ...(run % 2 === 0 ? {} : { categories: [0, 1, 2, 3].slice(0, categories) }),
        clusters: clustersOf(drawn.map(() => below(4))),
        scale: (["nominal", "ordinal", "interval"] as const)[run % 3],
        replicates: 5 * (run % 2),
        seed: run,
      });
      expect(notFinite(result)).toEqual([]);
      for (const { value, lower, upper } of result.pairs.flatMap((pair) => [pair.raw, pair.cohenKappa, pair.ac1])) {
        if (value === null || lower === null || upper === null) continue;
        expect(lower <= value + 1e-12 && value <= upper + 1e-12 && upper <= 1).toBe(true);
      }
    }
  });

  it.each<[string, number[]]>([
    ["a hundred items and nineteen alone", [100, ...Array<number>(19).fill(1)]],
    ["fifty items and forty-nine alone", [50, ...Array<number>(49).fill(1)]],
    ["ever fewer items", Array.from({ length: 30 }, (_, g) => Math.max(1, Math.round(60 / (g + 1))))],
  ])("of %s: intervals cover at least 93% (false alarms as above)", (_, sizes) => {
    const variates = simulation(11 + sizes.length);
    const kinds = twoJudges(0.9, 0.85);
    const found = tallyOf(truthOf(kinds, ofPair, "nominal"));
    const clusters = clustersOf(sizes.flatMap((size, g) => Array<number>(size).fill(g)));
    for (let trial = 0; trial < 300; trial++) {
      const drawn = sizes.flatMap((size) => {
        const shared = drawKind(kinds, variates);
        return Array.from({ length: size }, () => (variates.uniform() < 0.8 ? shared : drawKind(kinds, variates)));
      });
      found.add(ofPair(auditAgreement(drawn, { ...optionsFor(kinds), clusters, seed: trial })));
    }
    found.held.forEach((held, i) => {
      expect(shortfall(held, found.trials[i], 0.93), `estimate ${i}`).toBeLessThan(zLimit(3 * 5));
    });
  });

  it("count only where an item has two labels; pairs without enough are named", () => {
    const row = (...labels: (number | null)[]) => ({ labels });
    const all = [
      row(1, 1, 1),
      row(0, 0, null),
      row(1, 0, null),
      row(0, 1, 1),
      row(1, null, null),
      row(null, null, null),
    ];
    const clusters = clustersOf(["p", "q", "r", "p", "s", "t"]);
    const { clusters: count, pairs, warnings } = auditAgreement(all, { ...given, clusters });
    expect(count).toBe(3);
    expect(pairs.map(({ raw }) => raw.lower === null)).toEqual([false, true, true]);
    expect(warnings.join()).toContain("are of one cluster, so that there are no intervals: a and c; b and c");
    const none = auditAgreement([row(1, null, null)], { ...given, clusters: clustersOf(["p"]) });
    expect(none.warnings).toContain("no item has labels of two judges, so there are no clusters");
  });

  it("intervals cover at least 92% where items of a cluster are alike, and naive ones under 85% (false alarms as above)", () => {
    const variates = simulation(3);
    const kinds = twoJudges(0.9, 0.85);
    const truths = truthOf(kinds, ofPair, "nominal");
    const [clustered, naive] = [tallyOf(truths), tallyOf(truths)];
    for (let trial = 0; trial < 500; trial++) {
      const drawn: LabelledItem[] = [];
      const keys: number[] = [];
      for (let g = 0; g < 30; g++) {
        const shared = drawKind(kinds, variates);
        const size = 1 + Math.floor(9 * variates.uniform());
        for (let i = 0; i < size; i++) {
          drawn.push({ labels: (variates.uniform() < 0.7 ? shared : drawKind(kinds, variates)).labels });
          keys.push(g);
        }
      }
      const options = { ...optionsFor(kinds), seed: trial };
      clustered.add(ofPair(auditAgreement(drawn, { ...options, clusters: clustersOf(keys) })));
      naive.add(ofPair(auditAgreement(drawn, options)));
    }
    clustered.held.forEach((held, i) => {
      expect(shortfall(held, clustered.trials[i], 0.92), `estimate ${i}`).toBeLessThan(zLimit(5));
      expect(naive.held[i] / naive.trials[i]).toBeLessThan(0.85);
    });
  });
});
