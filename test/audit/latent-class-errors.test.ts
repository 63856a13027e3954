import { describe, expect, it } from "vitest";
import type { Estimate } from "../../src/audit/estimate.js";
import { auditLatentClasses, type LatentClassReport } from "../../src/audit/latent-class.js";
import { Stream } from "../../src/random/stream.js";
import { drawClustered, drawVotes, panelRates, tableVotes, testStream, unsmoothed } from "./latent-class-support.js";
import { auditReference, shortfall } from "./support.js";

const simVotes: number[][] = auditReference.dawid_skene.sim_300x5.votes.map((row: string) => [...row].map(Number));

describe("standard errors", () => {
  it("are those of a numerical Hessian of the log-likelihood", () => {
    const report = auditLatentClasses(tableVotes(simVotes), unsmoothed);
    const start = [
      report.classes[1].prevalence.value ?? 0,
      ...report.judges.map(({ sensitivity }) => sensitivity?.value ?? 0),
      ...report.judges.map(({ specificity }) => specificity?.value ?? 0),
    ];
    const logLikelihood = (x: number[]): number =>
      simVotes.reduce((sum, row) => {
        const one = row.reduce((p, l, j) => p * (l === 1 ? x[1 + j] : 1 - x[1 + j]), x[0]);
        const zero = row.reduce((p, l, j) => p * (l === 0 ? x[6 + j] : 1 - x[6 + j]), 1 - x[0]);
        return sum + Math.log(one + zero);
      }, 0);
    const h = 1e-4;
    const moved = (a: number, da: number, b: number, db: number): number => {
      const x = [...start];
      x[a] += da;
      x[b] += db;
      return logLikelihood(x);
    };
    const hessian = start.map((_, a) =>
      start.map(
        (_, b) => -(moved(a, h, b, h) - moved(a, h, b, -h) - moved(a, -h, b, h) + moved(a, -h, b, -h)) / (4 * h * h),
      ),
    );
    const errors = invert(hessian).map((row, k) => Math.sqrt(row[k]));
    expect(report.errorMethod).toBe("observed information");
    expect(Math.abs((report.classes[1].prevalence.error ?? 0) / errors[0] - 1)).toBeLessThan(1e-3);
    report.judges.forEach(({ errors: own }, j) => {
      expect(Math.abs((own[1][1] ?? 0) / errors[1 + j] - 1)).toBeLessThan(1e-3);
      expect(Math.abs((own[0][0] ?? 0) / errors[6 + j] - 1)).toBeLessThan(1e-3);
    });
  });

  it("by bootstrap are alike", () => {
    const votes = tableVotes(
      drawVotes(new Stream(7, 0, 1), 2000, 0.5, [0.9, 0.85, 0.8, 0.75], [0.8, 0.85, 0.9, 0.75]).table,
    );
    const [information, bootstrap] = (["information", "bootstrap"] as const).map((errors) =>
      auditLatentClasses(votes, { ...unsmoothed, errors, replicates: 400 }).judges.map(
        ({ informedness }) => informedness.error ?? 0,
      ),
    );
    // A standard deviation of 400 replicates has a relative error of 1/sqrt(800); 5 of it, and a tenth for small samples.
    bootstrap.forEach((error, j) => {
      expect(Math.abs(error / information[j] - 1)).toBeLessThan(0.28);
    });
  });
});

/** z of a mean of panels' shares against what is claimed; positive where it falls short. */
function meanShortfall(shares: readonly number[], claimed: number): number {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const squares = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0);
  return (claimed - mean) / Math.sqrt(squares / (shares.length - 1) / shares.length);
}

const holds = ({ lower, upper }: Estimate, truth: number): number =>
  Number(lower !== null && upper !== null && lower <= truth && truth <= upper);

/** Shares of a panel's rates and informedness, and of its prevalence, that intervals hold. */
function heldBy(report: LatentClassReport, prevalence: number, sensitivity: number[], specificity: number[]): number[] {
  const rates = report.judges.flatMap((judge, j) => [
    holds(judge.sensitivity as Estimate, sensitivity[j]),
    holds(judge.specificity as Estimate, specificity[j]),
    holds(judge.informedness, sensitivity[j] + specificity[j] - 1),
  ]);
  const share = rates.reduce((sum, one) => sum + one, 0) / rates.length;
  return [share, holds(report.classes[1].prevalence, prevalence)];
}

describe("intervals", () => {
  it.each([
    ["3 judges, 300 items", 3, 300, 0.8, 0.95],
    ["5 judges, 100 items", 5, 100, 0.7, 0.95],
    ["5 judges all but perfect, 100 items", 5, 100, 0.95, 0.99],
    ["9 judges, 300 items, votes missing", 9, 300, 0.7, 0.95],
  ])("hold the truth as often as they say: %s", (_, judges, items, least, most) => {
    const [rates, prevalences]: [number[], number[]] = [[], []];
    for (let seed = 0; seed < 200; seed++) {
      const stream = testStream(seed, 21);
      const [sensitivity, specificity] = [0, 1].map(() => panelRates(stream, judges, least, most));
      const prevalence = 0.3 + 0.4 * stream.uniform();
      const missing = judges === 9 ? 0.2 : 0;
      const { table } = drawVotes(stream, items, prevalence, sensitivity, specificity, missing);
      const report = auditLatentClasses(tableVotes(table), { randomStarts: 0, checkReplicates: 0 });
      const [rate, base] = heldBy(report, prevalence, sensitivity, specificity);
      rates.push(rate);
      prevalences.push(base);
    }
    // Two comparisons a setting; too low by 4 standard errors, or by 3.7 of a binomial share, but for 1 in 5,000.
    expect(meanShortfall(rates, 0.945)).toBeLessThan(4);
    expect(shortfall(prevalences.filter((one) => one === 1).length, prevalences.length, 0.945)).toBeLessThan(3.7);
  });

  it("allow for clusters, where those that don't fall short", () => {
    const sensitivity = [0.85, 0.8, 0.9, 0.75, 0.8];
    const specificity = [0.8, 0.85, 0.75, 0.8, 0.9];
    const shares: [number[], number[]] = [[], []];
    for (let seed = 0; seed < 150; seed++) {
      const { table, clusters } = drawClustered(seed, new Array(60).fill(8), 0.4, sensitivity, specificity);
      [clusters, null].forEach((own, k) => {
        const report = auditLatentClasses(tableVotes(table), { randomStarts: 0, checkReplicates: 0, clusters: own });
        shares[k].push(heldBy(report, 0.4, sensitivity, specificity)[0]);
      });
    }
    // They reach 0.95 and 0.75; 4 standard errors: 1 in 30,000.
    expect(meanShortfall(shares[0], 0.935)).toBeLessThan(4);
    expect(meanShortfall(shares[1], 0.9)).toBeGreaterThan(4);
  });

  it.each<[string, number[], number]>([
    ["one of 100 items, 19 of 1", [100, ...new Array(19).fill(1)], 0.5],
    ["one of 20, 19 of 2", [20, ...new Array(19).fill(2)], 0.9],
    ["ever smaller, from 120 on", Array.from({ length: 40 }, (_, g) => Math.round(120 / (g + 1))), 0.5],
  ])("of clusters of unequal sizes hold the truth: %s", (_, sizes, common) => {
    const sensitivity = [0.85, 0.8, 0.9, 0.75, 0.8];
    const specificity = [0.8, 0.85, 0.75, 0.8, 0.9];
    const rates: number[] = [];
    let prevalences = 0;
    for (let seed = 0; seed < 120; seed++) {
      const { table, clusters } = drawClustered(seed, sizes, 0.4, sensitivity, specificity, common);
      const report = auditLatentClasses(tableVotes(table), { randomStarts: 0, checkReplicates: 0, clusters });
      const [rate, base] = heldBy(report, 0.4, sensitivity, specificity);
      rates.push(rate);
      prevalences += base;
    }
    // Two comparisons a setting; too low by 4 standard errors, or by 3.7 of a binomial share, but for 1 in 5,000.
    expect(meanShortfall(rates, 0.935)).toBeLessThan(4);
    expect(shortfall(prevalences, 120, 0.935)).toBeLessThan(3.7);
  });

  it("of a judge who saw one cluster alone there are none, and a warning says so", () => {
    const { table, clusters } = drawClustered(
      3,
      new Array(40).fill(8),
      0.4,
      [0.85, 0.8, 0.9, 0.75],
      [0.8, 0.85, 0.75, 0.8],
    );
    for (const [i, row] of table.entries()) if (clusters.of[i] > 0) row[2] = -1;
    const { judges, warnings } = auditLatentClasses(tableVotes(table), { checkReplicates: 0, clusters });
    expect(judges[2].sensitivity).toMatchObject({ error: null, lower: null, upper: null, interval: null });
    expect(judges[2].informedness).toMatchObject({ error: null, lower: null, interval: null });
    expect(judges[1].sensitivity?.lower).not.toBeNull();
    expect(warnings.join()).toContain("votes of 2 given 0, 2 given 1 are of one cluster or none");
  });

  it("of clusters: the sandwich is like the bootstrap of whole clusters", () => {
    const { table, clusters } = drawClustered(
      1,
      new Array(200).fill(8),
      0.4,
      [0.85, 0.8, 0.9, 0.75],
      [0.8, 0.85, 0.75, 0.8],
    );
    const [sandwich, bootstrap] = (["information", "bootstrap"] as const).map((errors) =>
      auditLatentClasses(tableVotes(table), { ...unsmoothed, errors, clusters, replicates: 400 }),
    );
    expect([sandwich.errorMethod, bootstrap.errorMethod]).toEqual(["clustered sandwich", "clustered bootstrap"]);
    expect(sandwich.clusters).toBe(200);
    // A standard deviation of 400 replicates has a relative error of 1/sqrt(800); 5 of it, and a tenth for small samples.
    bootstrap.judges.forEach(({ informedness }, j) => {
      expect(Math.abs((informedness.error ?? 0) / (sandwich.judges[j].informedness.error ?? 1) - 1)).toBeLessThan(0.28);
    });
  });

  it("of clusters of one item are nearly those without clusters", () => {
    const { table } = drawVotes(testStream(5, 22), 3000, 0.5, [0.9, 0.85, 0.8, 0.75], [0.8, 0.85, 0.9, 0.75]);
    const clusters = { of: Int32Array.from(table, (_, i) => i), count: table.length };
    const [own, none] = [clusters, null].map((given) =>
      auditLatentClasses(tableVotes(table), { randomStarts: 0, checkReplicates: 0, clusters: given }),
    );
    // Both estimate the same; of 3,000 items they differ by a few hundredths.
    own.judges.forEach(({ informedness }, j) => {
      expect(Math.abs((informedness.error ?? 0) / (none.judges[j].informedness.error ?? 1) - 1)).toBeLessThan(0.15);
    });
  });

  it("of one cluster there are none, said so", () => {
    const clusters = { of: new Int32Array(simVotes.length), count: 1 };
    const report = auditLatentClasses(tableVotes(simVotes), { clusters, gold: simVotes.map(([a]) => a) });
    expect(report.warnings.join()).toContain("fewer than two clusters");
    expect(report.judges[0].informedness).toMatchObject({ error: null, lower: null, upper: null });
    expect(report.gold?.fitted).toMatchObject({ error: null, lower: null, upper: null });
  });
});

it("of two labellings that never differ the difference's interval isn't empty", () => {
  const truth: string = auditReference.dawid_skene.sim_300x5.truth;
  const { gold } = auditLatentClasses(tableVotes(simVotes), { checkReplicates: 0, gold: [...truth].map(Number) });
  const { value, lower, upper } = gold?.difference ?? {};
  // Bonett and Price's of no discordant pair among 300: 1.96 sqrt(2) / 302.
  expect(value).toBe(0);
  expect(upper).toBeCloseTo((1.959964 * Math.SQRT2) / 302, 6);
  expect(lower).toBeCloseTo(-(upper ?? 0), 12);
});

/** Gauss and Jordan's. */
function invert(matrix: number[][]): number[][] {
  const n = matrix.length;
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => Number(i === j))]);
  for (let k = 0; k < n; k++) {
    const pivot = work
      .slice(k)
      .reduce((best, row, i) => (Math.abs(row[k]) > Math.abs(work[best][k]) ? k + i : best), k);
    [work[k], work[pivot]] = [work[pivot], work[k]];
    work[k] = work[k].map((value) => value / work[k][k]);
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = work[i][k];
      work[i] = work[i].map((value, j) => value - factor * work[k][j]);
    }
  }
  return work.map((row) => row.slice(n));
}
