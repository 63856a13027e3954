import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Sweep, SweepCell, SweepOptions } from "../../dist/index.js";
import { presetSource, sweep } from "../../dist/index.js";
import { zLimit } from "./montecarlo.js";

/*
 * The allocation experiment on HotpotQA, hybrid, Qwen3.5 against an independent computation (an exact sampler, 500
 * subsamples of its own, 8,000 draws a fit; its description is in the file). Both sides are averages over their own
 * subsamples with standard errors, so every comparison is a difference in joint standard errors, close to a standard
 * normal.
 *
 * The cells of one side share their subsamples, which makes their errors alike: where one is 3 standard errors off, its
 * neighbours are near 3 too. Bonferroni's bound holds however comparisons depend on each other: with the limit of
 * zLimit(n) the chance that right programs differ by more in any of the n comparisons of a test is at most 1 in 10,000. Of
 * 150 replicates the standard errors have 149 degrees of freedom, which makes it up to 3 in 10,000.
 */

interface Averages {
  mae: number;
  mae_se: number;
  ci_width: number;
  ci_width_se: number;
  coverage: number;
  bias: number;
  bias_se: number;
}

type Quantity = "P_G" | "P_T";

const reference: {
  full_data_point_estimate: Record<Quantity, number>;
  n_subsamples: number;
  draws_per_fit: number;
  results: ({ strategy: string; n_add: number } & Record<Quantity, Averages>)[];
  paired_differences: {
    n_add: number;
    a: string;
    b: string;
    target: Quantity;
    mae_a_minus_b: number;
    se: number;
    ci_width_a_minus_b: number;
    ci_se: number;
  }[];
} = JSON.parse(readFileSync(new URL("../data/allocation-reference.json", import.meta.url), "utf8")).generators[
  "Qwen3.5"
];

const names: Record<Quantity, string> = { P_G: "P(G=1)", P_T: "P(T=1)" };

/**
 * The reference's interval ends are R's default quantiles (type 7) of 8,000 draws, whose ranks lie 1.19e-4 inside 2.5%
 * and 97.5% (mean rank ((n - 1) p + 1) / (n + 1)): for a normal posterior intervals 1.00104 times too narrow. Those of a
 * sweep here are of type 8, which has no such bias.
 */
const typeSeven = 1.00104;

const z = (mine: number | null, error: number | null, theirs: number, theirError: number): number =>
  ((mine ?? Number.NaN) - theirs) / Math.hypot(error ?? Number.NaN, theirError);

/** The strategies that are compared, and how much of the reference that is. */
export interface Part {
  readonly strategies: readonly string[];
  /** Of the reference's 21. */
  readonly cells: number;
  /** Between strategies with the same additions, in one quantity: of 64. */
  readonly pairs: number;
  readonly replicates: number;
}

/** @param title the sweep in words @param options all else of it */
export function testAllocation(title: string, part: Part, options: SweepOptions): void {
  const { strategies, replicates } = part;
  const results = reference.results.filter(({ strategy }) => ["base", ...strategies].includes(strategy));
  const pairs = reference.paired_differences.filter(({ a, b }) => strategies.includes(a) && strategies.includes(b));
  const compared = results.flatMap((result) =>
    (["P_G", "P_T"] as const).map((quantity) => [result.strategy, result.n_add, quantity, result[quantity]] as const),
  );
  // Cells x 2 quantities x (error and width).
  const limit = zLimit(2 * compared.length);

  let found: Sweep;
  const notices: string[] = [];
  const cellOf = (strategy: string, add: number, quantity: Quantity): SweepCell => {
    const cell = found.cells.find((c) => c.strategy === strategy && c.add === add && c.quantity === names[quantity]);
    if (cell === undefined) throw new Error(`no cell ${strategy} ${add} ${quantity}`);
    return cell;
  };

  describe(`${title} agrees with the reference`, () => {
    beforeAll(async () => {
      const document = await sweep([presetSource("hotpotqa-hybrid-qwen3.5")], {
        ...options,
        seed: 20261130,
        strategies: strategies.join(),
        replicates,
        onNotice: (notice) => notices.push(notice),
      });
      found = document.sweeps[0];
    }, 600_000);

    it("was done by the engine that was asked for", () => {
      expect([found.engine, undefined]).toContain(options.engine);
      expect(notices.filter((notice) => notice.includes("GPU"))).toEqual([]);
    });

    it(`has its ${part.cells} cells, with ${replicates} replicates each`, () => {
      expect(compared).toHaveLength(2 * part.cells);
      expect(found.cells).toHaveLength(2 * part.cells);
      expect(found.cells.every((cell) => cell.base === 100 && cell.replicates === replicates)).toBe(true);
      const places = (list: readonly { strategy: string; add: number }[]): string[] =>
        [...new Set(list.map(({ strategy, add }) => `${strategy} ${add}`))].sort();
      expect(places(found.cells)).toEqual(places(results.map(({ strategy, n_add }) => ({ strategy, add: n_add }))));
    });

    it("has its truth, the exact posterior means on the full data", () => {
      for (const quantity of ["P_G", "P_T"] as const) {
        const difference = (found.truth[names[quantity]] ?? Number.NaN) - reference.full_data_point_estimate[quantity];
        expect(Math.abs(difference)).toBeLessThan(1e-12);
      }
    });

    it.each(compared)(
      `%s %d %s: mean absolute error within ${limit.toFixed(2)} joint standard errors`,
      (strategy, add, quantity, ref) => {
        const { mae, maeSe } = cellOf(strategy, add, quantity);
        expect(Math.abs(z(mae, maeSe, ref.mae, ref.mae_se))).toBeLessThan(limit);
      },
    );

    it.each(compared)(
      `%s %d %s: width within ${limit.toFixed(2)} joint standard errors`,
      (strategy, add, quantity, ref) => {
        const { width, widthSe } = cellOf(strategy, add, quantity);
        expect(Math.abs(z(width, widthSe, ref.ci_width * typeSeven, ref.ci_width_se))).toBeLessThan(limit);
      },
    );

    it(`bias is the reference's, in each of ${compared.length} comparisons`, () => {
      for (const [strategy, add, quantity, { bias, bias_se }] of compared) {
        const cell = cellOf(strategy, add, quantity);
        const off = Math.abs(z(cell.bias, cell.biasSe, bias, bias_se));
        expect.soft(off, `${strategy} ${add} ${quantity}`).toBeLessThan(zLimit(compared.length));
      }
    });

    it(`coverage is the reference's, in each of ${compared.length} comparisons`, () => {
      for (const [strategy, add, quantity, { coverage }] of compared) {
        const mine = cellOf(strategy, add, quantity).coverage ?? Number.NaN;
        // Standard error of the difference of two shares that are the same: neither is 0 where one of them is 1.
        const p = (mine + coverage) / 2;
        const error = Math.sqrt(p * (1 - p) * (1 / replicates + 1 / reference.n_subsamples));
        const off = mine === coverage ? 0 : Math.abs(mine - coverage) / error;
        expect.soft(off, `${strategy} ${add} ${quantity}`).toBeLessThan(zLimit(compared.length));
      }
    });

    it(`differences between strategies, whose errors cancel, are the reference's in error and width (${2 * pairs.length} comparisons)`, () => {
      const most = zLimit(2 * pairs.length);
      expect(pairs).toHaveLength(part.pairs);
      for (const { n_add, a, b, target, ...theirs } of pairs) {
        const at = (strategy: string, versus: string) =>
          found.paired.find(
            (p) => p.strategy === strategy && p.versus === versus && p.add === n_add && p.quantity === names[target],
          );
        const pair = at(a, b) ?? at(b, a);
        const sign = at(a, b) === undefined ? -1 : 1;
        if (pair === undefined) throw new Error(`no pair ${a} ${b} ${n_add}`);
        const mae = z(sign * (pair.maeDifference ?? Number.NaN), pair.maeDifferenceSe, theirs.mae_a_minus_b, theirs.se);
        const width = z(
          sign * (pair.widthDifference ?? Number.NaN),
          pair.widthDifferenceSe,
          theirs.ci_width_a_minus_b * typeSeven,
          theirs.ci_se,
        );
        expect.soft(Math.abs(mae), `error, ${a} - ${b}, ${n_add} ${target}`).toBeLessThan(most);
        expect.soft(Math.abs(width), `width, ${a} - ${b}, ${n_add} ${target}`).toBeLessThan(most);
      }
    });

    it("no refit has an R-hat above 1.05 or fewer than 200 effective draws", () => {
      expect(Math.max(...found.cells.map(({ maxRhat }) => maxRhat ?? Number.NaN))).toBeLessThan(1.05);
      expect(Math.min(...found.cells.map(({ minEss }) => minEss ?? Number.NaN))).toBeGreaterThan(200);
    });
  });
}
