import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compareJudges, logMarginal } from "../../src/judge/compare.js";
import { compileNetwork, patternIndex, rat, ratJudge } from "../../src/network/index.js";
import { Stream } from "../../src/random/stream.js";
import { Variates } from "../../src/random/variates.js";

const network = compileNetwork(ratJudge());
const indexOf = patternIndex(network);
const names = ["R", "A", "T", "R_J", "T_J"];

function countsOf(rows: Iterable<readonly [labels: readonly number[], n: number]>): Float64Array {
  const counts = new Float64Array(network.patterns.length);
  for (const [labels, n] of rows) counts[indexOf([...labels])] += n;
  return counts;
}

/** The shipped judge labels of a generator, which were made independent given R and T. */
function shipped(generator: string): Float64Array {
  const [head, ...rows] = readFileSync(new URL("../../data/judge-counts.csv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const at = (name: string): number => head.indexOf(name);
  return countsOf(
    rows
      .filter((row) => row[at("generator")] === generator)
      .map((row) => [names.map((name) => Number(row[at(name)])), Number(row[at("n")])] as const),
  );
}

const logFactorial = (n: number): number => {
  let sum = 0;
  for (let i = 2; i <= n; i++) sum += Math.log(i);
  return sum;
};

describe("the log Bayes factor", () => {
  it("is that of four-level Dirichlets against four Beta-binomials", () => {
    const labels = [
      [0, 0, 0, 0, 1, 3],
      [0, 0, 0, 1, 1, 2],
      [0, 0, 1, 0, 1, 4],
      [0, 1, 0, 0, 0, 6],
      [1, 0, 0, 1, 0, 1],
      [1, 0, 1, 1, 1, 9],
      [1, 0, 1, 0, 0, 2],
      [1, 1, 0, 1, 0, 1],
    ];
    const counts = countsOf(labels.map((row) => [row.slice(0, 5), row[5]] as const));
    // log of prod (n_j)! 3! / (n + 3)! over states, and of k! (n - k)! / (n + 1)! over the four rows.
    const states = new Map<string, number[]>();
    const rows = new Map<string, number[]>();
    for (const [R, A, T, RJ, TJ, n] of labels) {
      const add = (map: Map<string, number[]>, key: string, place: number, size: number): void => {
        const all = map.get(key) ?? Array(size).fill(0);
        all[place] += n;
        map.set(key, all);
      };
      add(states, `${R}${A}${T}`, 2 * RJ + TJ, 4);
      add(rows, `R${R}`, RJ, 2);
      add(rows, `T${T}`, TJ, 2);
    }
    const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);
    const likelihood = (map: Map<string, number[]>): number =>
      sum(
        [...map.values()].map(
          (all) => sum(all.map(logFactorial)) + logFactorial(all.length - 1) - logFactorial(sum(all) + all.length - 1),
        ),
      );
    const { logBayesFactor, records } = compareJudges(network, counts, 1);
    expect(records).toBe(28);
    expect(logBayesFactor).toBeCloseTo(likelihood(states) - likelihood(rows), 10);
  });

  it("doesn't depend on records that lack a label", () => {
    const counts = shipped("Apertus");
    const more = counts.map((n, m) => (network.patterns[m].levels.includes(-1) ? 17 : n));
    expect(compareJudges(network, more, 1)).toEqual(compareJudges(network, counts, 1));
  });

  it("a marginal likelihood is the product of predictive probabilities, record by record", () => {
    const coin = compileNetwork(rat, { priors: { theta_R: [2, 3] } });
    const place = patternIndex(coin)([1, -1, -1]);
    const counts = new Float64Array(coin.patterns.length);
    counts[place] = 2;
    // P(R = 1) twice under Beta(success 3, failure 2): 3/5 * 4/6.
    expect(logMarginal(coin, counts)).toBeCloseTo(Math.log((3 / 5) * (4 / 6)), 12);
  });
});

describe("the shipped judge labels", () => {
  it.each(["Apertus", "Gemma3", "Qwen3.5"])("of %s were made independent, and it is said", (generator) => {
    const { logBayesFactor, checks, verdict } = compareJudges(network, shipped(generator), 1);
    expect(logBayesFactor).toBeLessThan(-10);
    expect(checks).toHaveLength(5);
    for (const { observed, lower, upper, p } of checks) {
      expect(p).toBeGreaterThan(0.1); // expected counts rounded: nearer to independence than samples are
      expect(lower).toBeLessThan(observed);
      expect(upper).toBeGreaterThan(observed);
    }
    expect(verdict).toMatch(/^the simple judge is enough: .* beyond doubt; no pair moves together beyond chance$/);
  });
});

describe("a judge whose errors come together", () => {
  it("is found, and no other pair is", () => {
    // 30 records in 1,000 of each answered state with both labels wrong, taken from those with one.
    const counts = shipped("Qwen3.5");
    for (const [R, T] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]) {
      const at = (wrongR: number, wrongT: number): number => indexOf([R, 0, T, R ^ wrongR, T ^ wrongT]);
      const state = [at(0, 0), at(0, 1), at(1, 0), at(1, 1)].reduce((sum, m) => sum + counts[m], 0);
      const shift = Math.round(Math.min(0.03 * state, counts[at(0, 1)], counts[at(1, 0)]));
      counts[at(1, 1)] += shift;
      counts[at(0, 0)] += shift;
      counts[at(0, 1)] -= shift;
      counts[at(1, 0)] -= shift;
    }
    const { logBayesFactor, checks, verdict } = compareJudges(network, counts, 1);
    expect(logBayesFactor).toBeGreaterThan(10);
    expect(checks.filter(({ p }) => p < 0.002).map(({ pair }) => pair)).toEqual(["errors of R_J and errors of T_J"]);
    expect(verdict).toContain("together move errors of R_J and errors of T_J");
  });
});

it("no record with all labels: nothing can be said", () => {
  const { records, logBayesFactor, checks, verdict } = compareJudges(network, countsOf([[[1, -1, -1, 1, 1], 5]]), 1);
  expect({ records, logBayesFactor, checks }).toEqual({ records: 0, logBayesFactor: 0, checks: [] });
  expect(verdict).toContain("nothing can be said");
});

it("binomial variates have the distribution that they should", () => {
  const variates = new Variates(new Stream(1, 1, 4));
  for (const [n, p] of [
    [3, 0.3],
    [50, 0.02],
    [1000, 0.5],
  ]) {
    const draws = 20_000;
    let [sum, squares, zeros] = [0, 0, 0];
    for (let i = 0; i < draws; i++) {
      const k = variates.binomial(n, p);
      sum += k;
      squares += (k - n * p) ** 2;
      zeros += k === 0 ? 1 : 0;
    }
    const variance = n * p * (1 - p);
    const z = (value: number, mean: number, sd: number): number => (value - mean) / (sd / Math.sqrt(draws));
    const fourth = variance * (1 + 3 * (n - 2) * p * (1 - p)); // central moment
    const none = (1 - p) ** n;
    // Nine tests of fixed seeds: any beyond 4.4 by chance once in 10,000.
    expect(Math.abs(z(sum / draws, n * p, Math.sqrt(variance)))).toBeLessThan(4.4);
    expect(Math.abs(z(squares / draws, variance, Math.sqrt(fourth - variance ** 2)))).toBeLessThan(4.4);
    if (none * draws > 50) expect(Math.abs(z(zeros / draws, none, Math.sqrt(none * (1 - none))))).toBeLessThan(4.4);
  }
});
