import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxTerms, mixtureTerms, posteriorMeans } from "../../src/engines/exact/index.js";
import { RatError } from "../../src/errors.js";
import { logDensity } from "../../src/network/density.js";
import { type CompiledNetwork, compileNetwork, fold, type NetworkDefinition } from "../../src/network/index.js";
import { fiveVariables, sharedRow, ternary } from "../support/networks.js";
import { logPosteriorOfTied, tied } from "../support/tied.js";
import { type CellWeights, enumerate, integrate } from "./exact-brute.js";
import { base, countsOf, type Observations, solve } from "./exact-support.js";

/** What the slow ways lose by rounding. */
const near = 1e-11;

function expectNear(
  summary: { mean: Float64Array; sd: Float64Array },
  expected: readonly { mean: number; sd: number }[],
) {
  expected.forEach(({ mean, sd }, q) => {
    expect.soft(Math.abs(summary.mean[q] - mean), `mean of quantity ${q}`).toBeLessThan(near);
    expect.soft(Math.abs(summary.sd[q] - sd), `sd of quantity ${q}`).toBeLessThan(near);
  });
}

describe("moments agree with an enumeration of every record's cell", () => {
  /** Quantities by expression and, for the enumeration, by cell. */
  type Case = [name: string, NetworkDefinition, Observations, [string, CellWeights][]];

  const level =
    (v: number, l: number): CellWeights =>
    (levels) =>
      levels[v] === l ? 1 : 0;

  const cases: Case[] = [
    [
      "three levels of R",
      ternary,
      [
        [[0, 1, -1], 2],
        [[2, 0, 1], 3],
        [[-1, 0, 1], 2],
        [[-1, 1, -1], 2],
        [[-1, -1, 0], 2],
        [[1, -1, -1], 1],
      ],
      [
        ["P(R=partial)", level(0, 1)],
        ["P(A=1)", level(1, 1)],
        ["P(T=1)", level(2, 1)],
        ["P(R=none) - 2 * P(R=full)", ([r]) => (r === 0 ? 1 : r === 2 ? -2 : 0)],
        ["P(G=1)", ([r, a, t]) => (r === 0 ? a : r === 1 ? 0.25 * a + 0.5 * t : t)],
      ],
    ],
    [
      "one row for two settings",
      sharedRow,
      [
        [[-1, 1, 0], 3],
        [[-1, 0, -1], 3],
        [[0, -1, 1], 2],
        [[2, 1, 1], 1],
        [[1, 0, 0], 2],
      ],
      [
        ["P(X=1)", level(0, 1)],
        ["P(Y=1)", level(1, 1)],
        ["P(Z=1)", level(2, 1)],
        ["P(X=0, Y=1) + P(X=2, Y=1)", ([x, y]) => (x !== 1 && y === 1 ? 1 : 0)],
      ],
    ],
    [
      "five variables",
      fiveVariables,
      [
        [[0, -1, -1, 1, 0], 1],
        [[-1, 1, 2, 0, -1], 1],
        [[2, 0, 1, 1, 1], 2],
        [[-1, -1, 1, 0, 0], 1],
      ],
      [
        ["P(V=c)", level(0, 2)],
        ["P(X=low)", level(2, 0)],
        ["P(Y=1)", level(3, 1)],
        ["P(Z=1)", level(4, 1)],
      ],
    ],
  ];

  it.each(cases)("%s", async (_, definition, observations, expressions) => {
    const quantities = expressions.map(([expression]) => ({ name: expression, expression }));
    const network = compileNetwork(definition, { quantities });
    const counts = countsOf(network, observations);
    expect(mixtureTerms(network, counts)).toBeGreaterThan(10);
    const summary = await solve(network, counts);
    expect(summary.exactMoments.every((exact) => exact)).toBe(true);
    expectNear(
      summary,
      enumerate(
        network,
        observations,
        expressions.map(([, weights]) => weights),
      ),
    );
  });
});

describe("moments agree with numerical integration", () => {
  const logit = (theta: number): number => Math.log(theta / (1 - theta));

  it("of products and powers of probabilities in a network of three parameters", async () => {
    const pair: NetworkDefinition = {
      name: "pair",
      variables: [
        { name: "X", levels: ["0", "1"], rows: [{ name: "x", prior: [2, 1] }] },
        {
          name: "Y",
          levels: ["0", "1"],
          parents: ["X"],
          rows: ["0", "1"].map((X) => ({ name: `y${X}`, when: [{ X }], prior: [1, 3] })),
        },
      ],
      quantities: [
        "P(X=1) * P(Y=1)",
        "P(Y=1) * P(Y=1)",
        "P(Y=1) - 2 * P(X=1) * P(X=1) * P(Y=0)",
        "P(Y=1 | X=0) * P(Y=1 | X=1) + P(X=0) * P(X=0) * P(X=0)",
      ].map((expression) => ({ name: expression, expression })),
    };
    const network = compileNetwork(pair);
    const counts = countsOf(network, [
      [[-1, 1], 6],
      [[-1, 0], 3],
      [[1, 1], 1],
      [[0, 0], 4],
      [[0, -1], 2],
    ]);
    expect(mixtureTerms(network, counts)).toBe(7 * 4);
    const folded = fold(network, counts);
    const density = (theta: readonly number[]): number =>
      Math.exp(logDensity(network, folded, theta.map(logit)).value) / theta.reduce((p, t) => p * t * (1 - t), 1);
    const values = ([x, y0, y1]: readonly number[]): number[] => {
      const y = (1 - x) * y0 + x * y1;
      return [x * y, y * y, y - 2 * x * x * (1 - y), y0 * y1 + (1 - x) ** 3];
    };
    const functions = network.quantities.map((_, q) => (theta: readonly number[]) => values(theta)[q]);
    expectNear(await solve(network, counts), integrate(3, 20, density, functions));
  });

  it("of a path that passes one row three times", async () => {
    const counts = countsOf(tied, [
      [[1, -1, -1], 4],
      [[-1, 0, 1], 3],
      [[-1, 1, -1], 2],
      [[0, 1, 1], 5],
    ]);
    const density = ([theta]: readonly number[]): number =>
      Math.exp(logPosteriorOfTied(counts, logit(theta))) / (theta * (1 - theta));
    const summary = await solve(tied, counts);
    expectNear(summary, integrate(1, 60, density, [([theta]) => theta, ([theta]) => theta * theta]));
  });
});

describe("the mixture", () => {
  it("has one term where no pattern with records is ambiguous, and n + 1 for n records over two nodes", () => {
    expect(mixtureTerms(base, new Float64Array(base.patterns.length))).toBe(1);
    expect(mixtureTerms(base, countsOf(base, [[[1, 0, 1], 100]]))).toBe(1);
    expect(mixtureTerms(base, countsOf(base, [[[1, 0, -1], 100]]))).toBe(1);
    expect(mixtureTerms(base, countsOf(base, [[[-1, -1, -1], 100]]))).toBe(1);
    expect(mixtureTerms(base, countsOf(base, [[[-1, 1, -1], 100]]))).toBe(101);
    // T = 0 with R and A not seen: four nodes, so choose(100 + 3, 3).
    expect(mixtureTerms(base, countsOf(base, [[[-1, -1, 0], 100]]))).toBe(176_851);
  });

  it("is refused beyond the limit with the number of terms, the limit and the remedy", async () => {
    const counts = countsOf(base, [
      [[-1, 1, -1], 99_999],
      [[-1, 0, 1], 999],
    ]);
    expect(mixtureTerms(base, counts)).toBe(1e8);
    const error = await solve(base, counts).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(RatError);
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 69 });
    expect((error as Error).message).toMatch(/100,000,000 terms.* 10,000,000: .*--engine wasm/);
    expect(maxTerms).toBe(1e7);
    const many = countsOf(base, [[[-1, -1, 0], 1e9]]);
    await expect(posteriorMeans(base, many)).rejects.toThrow(/1.67e\+26 terms/);
  });

  it("does not depend on the order of the patterns", async () => {
    const times = fc.integer({ min: 0, max: 9 });
    const ambiguous = fc.array(times, { minLength: base.patterns.length, maxLength: base.patterns.length });
    const property = fc.asyncProperty(ambiguous, fc.nat(), async (counts, turn) => {
      fc.pre(mixtureTerms(base, counts) <= 20_000);
      const order = base.patterns.map((_, m) => (m + turn) % base.patterns.length).reverse();
      const turned: CompiledNetwork = { ...base, patterns: order.map((m) => base.patterns[m]) };
      const [one, other] = [
        await solve(base, Float64Array.from(counts)),
        await solve(
          turned,
          Float64Array.from(order, (m) => counts[m]),
        ),
      ];
      expectNear(
        other,
        Array.from(one.mean, (mean, q) => ({ mean, sd: one.sd[q] })),
      );
    });
    await fc.assert(property, { seed: 1, numRuns: 50 });
  });

  it("gives complementary events complementary moments and quantiles", async () => {
    const pairs = ["P(R=%)", "P(A=%)", "P(T=%)", "P(G=%)", "P(A=% | R=1)", "P(T=% | R=0)"];
    const quantities = pairs.flatMap((text) => ["0", "1"].map((l) => text.replace("%", l)));
    const network = compileNetwork(base.definition, {
      quantities: quantities.map((expression) => ({ name: expression, expression })),
    });
    const times = fc.integer({ min: 0, max: 12 });
    const property = fc.asyncProperty(
      fc.array(times, { minLength: network.patterns.length, maxLength: network.patterns.length }),
      async (counts) => {
        fc.pre(mixtureTerms(network, counts) <= 20_000);
        const { mean, sd, lower, median, upper, exactQuantiles } = await solve(network, Float64Array.from(counts));
        pairs.forEach((_, pair) => {
          const [zero, one] = [2 * pair, 2 * pair + 1];
          expect(mean[zero] + mean[one]).toBeCloseTo(1, 12);
          expect(sd[zero]).toBeCloseTo(sd[one], 12);
          expect(exactQuantiles[zero]).toBe(exactQuantiles[one]);
          expect(lower[zero] + upper[one]).toBeCloseTo(1, 10);
          expect(median[zero] + median[one]).toBeCloseTo(1, 10);
          expect(upper[zero] + lower[one]).toBeCloseTo(1, 10);
        });
      },
    );
    await fc.assert(property, { seed: 2, numRuns: 25 });
  });

  it("means alone are those of the summary", async () => {
    const quantities = [...base.quantities, ...["P(R=1 | T=1)"].map((e) => ({ name: e, expression: e }))];
    const network = compileNetwork(base.definition, { quantities });
    const counts = countsOf(network, [
      [[-1, 0, 1], 5],
      [[1, 0, 1], 40],
      [[0, 0, 1], 20],
    ]);
    const means = await posteriorMeans(network, counts);
    const { mean, mcse } = await solve(network, counts, { draws: 1000 });
    const last = quantities.length - 1;
    expect([...means.subarray(0, last)]).toEqual([...mean.subarray(0, last)]);
    expect(mcse[last]).toBeGreaterThan(0);
    // Independent streams of 65,536 and 4,000 draws: 5 standard errors are passed once in 10^6.
    expect(Math.abs(means[last] - mean[last])).toBeLessThan(5.3 * mcse[last]);
  });
});
