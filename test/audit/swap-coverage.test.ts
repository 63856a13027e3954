import { describe, expect, it } from "vitest";
import { type Clusters, clustersOf } from "../../src/audit/cluster.js";
import { auditScoreSwap, auditVerdictSwap, type Slot, type VerdictPair } from "../../src/audit/swap.js";
import { Stream } from "../../src/random/stream.js";
import { Variates } from "../../src/random/variates.js";
import { zLimit } from "../support/montecarlo.js";
import { shortfall } from "./support.js";

const pair = (forward: Slot, reversed: Slot): VerdictPair => ({ forward, reversed });

/*
 * 3,000 simulated audits of 60 pairs each. A test at 5% is right if it rejects a judge without slot bias at most so often,
 * an exact one less; intervals at 95% cover within the binomial error and 1.5 points, as Bonett and Price report. A false
 * alarm of these comparisons with new seeds: below one in ten thousand.
 */
describe("by simulation", () => {
  const replicates = 3000;
  const limit = (rate: number) => zLimit(8) * Math.sqrt((rate * (1 - rate)) / replicates);

  /** Verdicts of a judge to whom a is better by `merit`, the first slot by `bonus`, ties within a distance of 0.3. */
  function judged(variates: Variates, bonus: number, question = 0): VerdictPair {
    const merit = 0.2 + question + variates.normal();
    const verdict = (advantage: number): Slot => {
      const seen = advantage + bonus + 0.7 * variates.normal();
      return Math.abs(seen) < 0.3 ? "tie" : seen > 0 ? "first" : "second";
    };
    return pair(verdict(merit), verdict(-merit));
  }

  it("tests of verdicts keep their level without bias", () => {
    const variates = new Variates(new Stream(42, 0, 1));
    const rejections = { exact: 0, withTies: 0 };
    for (let r = 0; r < replicates; r++) {
      const { tests } = auditVerdictSwap(Array.from({ length: 60 }, () => judged(variates, 0)));
      if ((tests.exact.p as number) < 0.05) rejections.exact++;
      if ((tests.withTies.p as number) < 0.05) rejections.withTies++;
    }
    for (const count of Object.values(rejections)) expect(count / replicates).toBeLessThan(0.05 + limit(0.05));
  });

  it("intervals of the bias and of the debiased preference cover", () => {
    const variates = new Variates(new Stream(42, 1, 1));
    // The true values: means over very many pairs, their errors far below an interval's width.
    const truth = auditVerdictSwap(Array.from({ length: 400_000 }, () => judged(variates, 0.4)));
    const hits = { bias: 0, preference: 0, consistency: 0 };
    for (let r = 0; r < replicates; r++) {
      const audit = auditVerdictSwap(Array.from({ length: 60 }, () => judged(variates, 0.4)));
      const covers = (ends: { lower: number | null; upper: number | null }, value: number | null) =>
        (ends.lower as number) <= (value as number) && (value as number) <= (ends.upper as number);
      if (covers(audit.bias, truth.bias.value)) hits.bias++;
      if (covers(audit.debiased.preference, truth.debiased.preference.value)) hits.preference++;
      if (covers(audit.consistency, truth.consistency.value)) hits.consistency++;
    }
    expect(Math.abs(hits.bias / replicates - 0.95)).toBeLessThan(0.015 + limit(0.95));
    expect(Math.abs(hits.preference / replicates - 0.95)).toBeLessThan(0.015 + limit(0.95));
    expect(hits.consistency / replicates).toBeGreaterThan(0.95 - limit(0.95));
  });

  it("tests of scores keep their level, the t interval covers, and averages of both slots are unbiased", () => {
    const variates = new Variates(new Stream(42, 2, 1));
    const rejections = { t: 0, sign: 0, wilcoxon: 0 };
    let covered = 0;
    const scored = (bonus: number) => {
      const merit = variates.normal();
      return { first: merit + bonus + variates.normal(), second: merit + variates.normal() };
    };
    for (let r = 0; r < replicates; r++) {
      const { tests } = auditScoreSwap(Array.from({ length: 25 }, () => scored(0)));
      for (const name of ["t", "sign", "wilcoxon"] as const) if ((tests[name].p as number) < 0.05) rejections[name]++;
      const { bias } = auditScoreSwap(Array.from({ length: 25 }, () => scored(0.5)));
      if ((bias.lower as number) <= 0.25 && 0.25 <= (bias.upper as number)) covered++;
    }
    expect(Math.abs(rejections.t / replicates - 0.05)).toBeLessThan(limit(0.05));
    expect(rejections.sign / replicates).toBeLessThan(0.05 + limit(0.05));
    expect(rejections.wilcoxon / replicates).toBeLessThan(0.05 + limit(0.05));
    expect(Math.abs(covered / replicates - 0.95)).toBeLessThan(limit(0.95));
  });

  it("alarms of a judge without slot bias: in at most one of a hundred", () => {
    const variates = new Variates(new Stream(42, 3, 1));
    let [ofVerdicts, ofScores] = [0, 0];
    for (let r = 0; r < replicates; r++) {
      ofVerdicts += auditVerdictSwap(Array.from({ length: 60 }, () => judged(variates, 0))).alarms.length;
      const scored = Array.from({ length: 60 }, () => ({ first: variates.normal(), second: variates.normal() }));
      ofScores += auditScoreSwap(scored).alarms.length;
    }
    expect(ofVerdicts / replicates).toBeLessThan(0.01 + limit(0.01));
    expect(ofScores / replicates).toBeLessThan(0.01 + limit(0.01));
  });

  it("coarse scores, mostly the same in both slots: t would cover 88%, the adjusted interval covers", () => {
    const variates = new Variates(new Stream(42, 4, 1));
    const difference = (): number => {
      const u = variates.uniform();
      return u < 0.05 ? -1 : u < 0.8 ? 0 : u < 0.94 ? 1 : u < 0.98 ? 2 : 4;
    };
    const truth = -0.05 + 0.14 + 0.08 + 0.08;
    let covered = 0;
    for (let r = 0; r < replicates; r++) {
      const audit = auditScoreSwap(Array.from({ length: 20 }, () => ({ first: difference(), second: 0 })));
      const { lower, upper } = audit.difference;
      if (lower !== null && lower <= truth && truth <= (upper as number)) covered++;
    }
    expect(shortfall(covered, replicates, 0.925)).toBeLessThan(zLimit(8));
  });

  /** Questions of five pairs, each with a slot effect of its own around none. */
  it("pairs of one question: naive intervals and tests fall far short, clustered ones don't", () => {
    const variates = new Variates(new Stream(42, 5, 1));
    const questions = 25;
    const clusters: Clusters = clustersOf(Array.from({ length: 5 * questions }, (_, i) => Math.floor(i / 5)));
    const hits = { naive: 0, clustered: 0, preference: 0 };
    const rejected = { naive: 0, clustered: 0, scores: 0, naiveScores: 0 };
    const runs = 1000;
    // By symmetry: no bias, and of merit 0.2 - 0.2 no preference.
    const has = (ends: { lower: number | null; upper: number | null }, value: number): number =>
      (ends.lower as number) <= value && value <= (ends.upper as number) ? 1 : 0;
    for (let r = 0; r < runs; r++) {
      const effects = Array.from({ length: questions }, () => [variates.normal(), variates.normal() - 0.2]);
      const pairs = effects.flatMap(([bonus, merit]) =>
        Array.from({ length: 5 }, () => judged(variates, bonus, merit)),
      );
      const [naive, clustered] = [auditVerdictSwap(pairs), auditVerdictSwap(pairs, { clusters })];
      hits.naive += has(naive.bias, 0);
      hits.clustered += has(clustered.bias, 0);
      hits.preference += has(clustered.debiased.preference, 0.5);
      if ((naive.tests.exact.p as number) < 0.05) rejected.naive++;
      if ((clustered.tests.exact.p as number) < 0.05) rejected.clustered++;
      const scored = effects.flatMap(([bonus]) =>
        Array.from({ length: 5 }, () => ({ first: bonus + variates.normal(), second: variates.normal() })),
      );
      if ((auditScoreSwap(scored, { clusters }).tests.t.p as number) < 0.05) rejected.scores++;
      if ((auditScoreSwap(scored).tests.t.p as number) < 0.05) rejected.naiveScores++;
    }
    expect(hits.naive / runs).toBeLessThan(0.85);
    expect(rejected.naive / runs).toBeGreaterThan(0.1);
    expect(rejected.naiveScores / runs).toBeGreaterThan(0.1);
    expect(shortfall(hits.clustered, runs, 0.95)).toBeLessThan(zLimit(8));
    expect(shortfall(hits.preference, runs, 0.94)).toBeLessThan(zLimit(8));
    const noise = zLimit(8) * Math.sqrt((0.05 * 0.95) / runs);
    expect(rejected.clustered / runs).toBeLessThan(0.05 + noise);
    expect(rejected.scores / runs).toBeLessThan(0.055 + noise);
  });

  /** One question has most of the pairs, or half of them. */
  it.each([
    [100, 19],
    [50, 49],
  ])("%i pairs of one question and %i of others: intervals cover, alarms keep their level", (large, others) => {
    const variates = new Variates(new Stream(42, 100 + large, 1));
    const sizes = [large, ...Array.from({ length: others }, () => 1)];
    const clusters = clustersOf(sizes.flatMap((size, g) => Array.from({ length: size }, () => g)));
    const runs = 600;
    const covered = { bias: 0, difference: 0 };
    const raised = { verdicts: 0, scores: 0 };
    for (let r = 0; r < runs; r++) {
      const effects = sizes.flatMap((size) => {
        const bonus = variates.normal();
        return Array.from({ length: size }, () => bonus);
      });
      const verdicts = auditVerdictSwap(
        effects.map((bonus) => judged(variates, bonus)),
        { clusters },
      );
      const scores = auditScoreSwap(
        effects.map((bonus) => ({ first: bonus + variates.normal(), second: 0 })),
        { clusters },
      );
      if ((verdicts.bias.lower as number) <= 0 && 0 <= (verdicts.bias.upper as number)) covered.bias++;
      const { lower, upper } = scores.difference;
      if ((lower as number) <= 0 && 0 <= (upper as number)) covered.difference++;
      raised.verdicts += verdicts.alarms.length;
      raised.scores += scores.alarms.length;
    }
    for (const count of Object.values(covered)) expect(shortfall(count, runs, 0.95)).toBeLessThan(zLimit(8));
    const noise = zLimit(8) * Math.sqrt((0.01 * 0.99) / runs);
    for (const count of Object.values(raised)) expect(count / runs).toBeLessThan(0.01 + noise);
  });
});
