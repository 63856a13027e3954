import { describe, expect, it } from "vitest";
import { shareZ, zLimit } from "../support/montecarlo.js";
import { base, baseCounts, type ReferenceCounts, readReference, referenceNames, solve } from "./exact-support.js";

interface Values {
  mean: number;
  sd: number;
  q2_5: number;
  q50: number;
  q97_5: number;
}

interface Dataset {
  counts: ReferenceCounts;
  exact: Record<string, Values>;
}

type Means = { counts: ReferenceCounts; mean: Record<string, number>; sd: Record<string, number> };

const reference: {
  datasets: Record<string, Dataset>;
  exact_only: { sets: Record<string, Means & { theta_quantiles_2_5_50_97_5?: Record<string, number[]> }> };
} = await readReference("exact-reference.json");

const fullData: {
  configurations: Record<string, Dataset>;
  exact_all_27: (Omit<Means, "counts"> & {
    dataset: string;
    retriever: string;
    generator: string;
    counts: Record<string, number>;
  })[];
} = await readReference("stan-fulldata-reference.json");

const datasets = Object.entries({ ...reference.datasets, ...fullData.configurations });
const named = base.quantities.flatMap(({ name }, q) =>
  name in referenceNames ? [[q, referenceNames[name]] as const] : [],
);
const isAmbiguous = ({ tOnly }: ReferenceCounts): boolean => Object.values(tOnly ?? {}).some((times) => times > 0);

/** The references hold 13 digits and more. */
const tolerance = 1e-12;

function expectMoments(
  { mean, sd }: { mean: Float64Array; sd: Float64Array },
  expected: (name: string) => { mean: number; sd: number },
): void {
  for (const [q, name] of named) {
    expect.soft(Math.abs(mean[q] - expected(name).mean), `mean of ${name}`).toBeLessThan(tolerance);
    expect.soft(Math.abs(sd[q] - expected(name).sd), `sd of ${name}`).toBeLessThan(tolerance);
  }
}

describe.each(datasets)("%s", (_, { counts, exact }) => {
  it("has the reference's means, sds and quantiles of rows, and draws to match its other quantiles", async () => {
    const summary = await solve(base, baseCounts(counts), { draws: 10_000 });
    expectMoments(summary, (name) => exact[name]);
    expect(summary.exactMoments.every((isExact) => isExact)).toBe(true);
    // The reference inverts mixtures of Betas to a probability of about 10^-7.
    const near = isAmbiguous(counts) ? 2e-7 : 1e-9;
    for (const [q, name] of named) {
      const { q2_5, q50, q97_5 } = exact[name];
      const isRow = name.startsWith("theta");
      expect(summary.exactQuantiles[q]).toBe(isRow);
      if (isRow) {
        expect.soft(Math.abs(summary.lower[q] - q2_5), `lower end of ${name}`).toBeLessThan(near);
        expect.soft(Math.abs(summary.median[q] - q50), `median of ${name}`).toBeLessThan(near);
        expect.soft(Math.abs(summary.upper[q] - q97_5), `upper end of ${name}`).toBeLessThan(near);
        continue;
      }
      // The reference's own draws, 100 times as many, and quadrature are exact next to these.
      const { values, chains } = summary.draws;
      const z = [
        [q2_5, 0.025],
        [q50, 0.5],
        [q97_5, 0.975],
      ].map(([point, share]) => Math.abs(shareZ(values[q], chains, point, share)));
      expect.soft(Math.max(...z), `quantiles of ${name}`).toBeLessThan(zLimit(3 * 3 * datasets.length));
    }
  });
});

describe.each(Object.entries(reference.exact_only.sets))("%s", (_, set) => {
  it("has the reference's means, sds and quantiles of rows", async () => {
    const summary = await solve(base, baseCounts(set.counts));
    expectMoments(summary, (name) => ({ mean: set.mean[name], sd: set.sd[name] }));
    const near = isAmbiguous(set.counts) ? 2e-7 : 1e-9;
    for (const [q, name] of named) {
      const [lower, median, upper] = set.theta_quantiles_2_5_50_97_5?.[name] ?? [];
      if (lower === undefined) continue;
      expect.soft(Math.abs(summary.lower[q] - lower), `lower end of ${name}`).toBeLessThan(near);
      expect.soft(Math.abs(summary.median[q] - median), `median of ${name}`).toBeLessThan(near);
      expect.soft(Math.abs(summary.upper[q] - upper), `upper end of ${name}`).toBeLessThan(near);
    }
  });
});

it("has the means and sds of the configurations on their full data", async () => {
  expect(fullData.exact_all_27.length).toBeGreaterThan(0);
  for (const { counts, mean, sd } of fullData.exact_all_27) {
    expectMoments(await solve(base, baseCounts({ joint: counts })), (name) => ({ mean: mean[name], sd: sd[name] }));
  }
});
