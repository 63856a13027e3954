import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Batch, Engine, RunOptions, Summaries } from "../../src/engines/engine.js";
import { ExactEngine } from "../../src/engines/exact/index.js";
import { compileNetwork, patternIndex, rat } from "../../src/network/index.js";
import { meanAndSd, zLimit } from "./montecarlo.js";

/*
 * Summaries of many refits of the same records against exact moments. Every id is an independent refit, so averages over
 * ids have plain standard errors (of 150 ids: Student's t with 149 degrees of freedom instead of a normal, which at these
 * limits is exceeded up to 3 times as often: 3 false alarms in 10,000 seeds for each test).
 */
type Groups = Record<string, Record<string, number>>;
type Moments = Record<string, { mean: number; sd: number }>;

const read = (name: string) => JSON.parse(readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8"));
const reference = read("exact-reference.json");
const allocation = read("allocation-reference.json").generators["Qwen3.5"];

const base = compileNetwork(rat);
const two = compileNetwork(rat, { quantities: ["P(G=1)", "P(T=1)"].map((name) => ({ name, expression: name })) });

/** Records by what they show, as the references name it: `R0A1T0`, `A1` and so on. */
function countsIn(groups: Groups): Float64Array {
  const counts = new Float64Array(base.patterns.length);
  const indexOf = patternIndex(base);
  for (const [labels, n] of Object.values(groups).flatMap((group) => Object.entries(group))) {
    counts[indexOf(["R", "A", "T"].map((name) => Number(new RegExp(`${name}(\\d)`).exec(labels)?.[1] ?? -1)))] += n;
  }
  return counts;
}

const idsFrom = (first: number, refits: number): Float64Array =>
  Float64Array.from({ length: refits }, (_, i) => first + i);

const names: Record<string, string> = {
  theta_R: "theta_R",
  "theta_A-": "theta_A_minus",
  "theta_A+": "theta_A_plus",
  "theta_T-": "theta_T_minus",
  "theta_T+": "theta_T_plus",
  "P(A=1)": "P_A",
  "P(T=1)": "P_T",
  "P(G=1)": "P_G",
};
const named = base.quantities.flatMap(({ name }, q) => (name in names ? [[q, name] as const] : []));

const datasets: [string, Groups, Moments][] = [
  ...Object.entries(reference.datasets as Record<string, { counts: Groups; exact: Moments }>).map(
    ([name, { counts, exact }]): [string, Groups, Moments] => [name, counts, exact],
  ),
  ...Object.entries(
    reference.exact_only.sets as Record<
      string,
      { counts: Groups; mean: Record<string, number>; sd: Record<string, number> }
    >,
  ).map(([name, { counts, mean, sd }]): [string, Groups, Moments] => [
    name,
    counts,
    Object.fromEntries(Object.keys(mean).map((key) => [key, { mean: mean[key], sd: sd[key] }])),
  ]),
];

const ids = 150;

type Sampling = Omit<RunOptions, "seed" | "level">;

/**
 * @param engine open once the tests run
 * @param ways how it samples many refits, in words and in numbers
 * @param long how it samples a few
 */
export function testRefits(
  engine: () => Engine,
  ways: readonly (readonly [name: string, sampling: Sampling])[],
  long: Sampling,
): void {
  /** All by the engine itself. */
  const run = async (batch: Batch, options: RunOptions): Promise<Summaries> => {
    const summaries = await engine().run(batch, options);
    expect(summaries.fallbacks).toEqual([]);
    return summaries;
  };
  const limit = zLimit(datasets.length * named.length * 2 * ways.length);
  /** 63 refits x 2 quantities; stated errors are good to 3%. */
  const mostZ = 1.03 * zLimit(126);

  describe.each(ways)("%s", (_name, sampling) => {
    const options = { ...sampling, seed: 41, level: 0.95 };

    it.each(datasets)(
      `%s: mean and sd of 8 quantities, averaged over ${ids} refits, within ${limit.toFixed(2)} standard errors of exact`,
      async (_name, groups, exact) => {
        const counts = countsIn(groups);
        const all = Float64Array.from({ length: ids * counts.length }, (_, i) => counts[i % counts.length]);
        const { mean, sd, quantities } = await run({ network: base, counts: all, ids: idsFrom(0, ids) }, options);
        for (const [q, name] of named) {
          const known = exact[names[name]];
          const means = Array.from({ length: ids }, (_, i) => mean[i * quantities + q]);
          const average = meanAndSd(means);
          const z = (average.mean - known.mean) / (average.sd / Math.sqrt(ids));
          expect.soft(Math.abs(z), `mean of ${name}`).toBeLessThan(limit);
          // Variance within a refit and of its mean add up to the posterior's: E[s^2] + Var[mean] = sd^2.
          const spreads = Array.from(
            { length: ids },
            (_, i) => sd[i * quantities + q] ** 2 + (means[i] - average.mean) ** 2,
          );
          const spread = meanAndSd(spreads);
          const zSpread = (spread.mean - known.sd ** 2) / (spread.sd / Math.sqrt(ids));
          expect.soft(Math.abs(zSpread), `variance of ${name}`).toBeLessThan(limit);
        }
      },
    );

    it(`63 refits of the allocation reference: means within ${mostZ.toFixed(2)} of their stated standard errors, whose size is right`, async () => {
      const examples = allocation.examples as { counts: Groups; exact_mean: Record<"P_G" | "P_T", number> }[];
      expect(examples).toHaveLength(63);
      const repeats = 10;
      const each = examples.map(({ counts }) => countsIn(counts));
      const counts = Float64Array.from(each.flatMap((one) => Array.from({ length: repeats }, () => [...one]).flat()));
      const batch = { network: two, counts, ids: idsFrom(1000, examples.length * repeats) };
      const { mean, sd, ess } = await run(batch, options);
      // Each z is of an average of 10 refits, with the error that the refits' own sd and ESS promise (ESS by batch means
      // averaged over the 10 is good to 6%, so errors to 3%).
      const z = examples.flatMap(({ exact_mean }, i) =>
        (["P_G", "P_T"] as const).map((name, q) => {
          const at = Array.from({ length: repeats }, (_, r) => 2 * (i * repeats + r) + q);
          const sum = (column: Float64Array): number => at.reduce((total, place) => total + column[place], 0);
          const error = sum(sd) / repeats / Math.sqrt(sum(ess));
          return (sum(mean) / repeats - exact_mean[name]) / error;
        }),
      );
      expect(Math.max(...z.map(Math.abs))).toBeLessThan(mostZ);
      // Their squares average 1, give or take: the error that is stated is the error that is made.
      const squares = z.reduce((total, x) => total + x * x, 0) / 126;
      expect(Math.abs(squares - 1)).toBeLessThan(zLimit(1) * Math.sqrt(2 / 126) + 0.08);
    });
  });

  it("agrees with the exact engine on refits of a sweep, mean by mean (one false alarm in 10,000 seeds)", async () => {
    const exact = new ExactEngine();
    const examples = (allocation.examples as { counts: Groups }[]).slice(0, 9);
    const counts = Float64Array.from(examples.flatMap((example) => [...countsIn(example.counts)]));
    const options: RunOptions = { ...long, seed: 43, level: 0.95 };
    const batch = { network: base, counts, ids: idsFrom(0, examples.length) };
    const [mine, known] = [await run(batch, options), await exact.run(batch, { ...options, draws: 10 })];
    const most = zLimit(mine.mean.length);
    mine.mean.forEach((mean, i) => {
      // Batch means give the ESS to 11% or better, which the limit makes room for.
      const error = known.sd[i] / Math.sqrt(mine.ess[i]);
      expect.soft(Math.abs(mean - known.mean[i]) / error).toBeLessThan(1.2 * most);
    });
  });
}
