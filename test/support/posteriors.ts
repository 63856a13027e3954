import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CompiledNetwork, compileNetwork, patternIndex, rat, ratJudge } from "../../src/network/index.js";
import { falseAlarmRate, meanZ, shareZ, zLimit } from "./montecarlo.js";

/*
 * Posteriors computed without this project. exact-reference.json and stan-fulldata-reference.json: exact moments and
 * quantiles, and rstan beside; judge-reference.json: rstan and a Gibbs sampler of its own, with their standard errors.
 * Missing files throw.
 */

type Numbers = Readonly<Record<string, number>>;

interface Moments {
  mean: number;
  sd: number;
  q2_5: number;
  q50: number;
  q97_5: number;
}

type BaseCounts = Readonly<Partial<Record<"joint" | "rOnly" | "tOnly" | "aOnly", Numbers>>>;
type StanSummary = Readonly<Record<string, { mean: number; se_mean: number }>>;

interface Dataset {
  counts: BaseCounts;
  exact: Readonly<Record<string, Moments>>;
  stan: { summary: StanSummary };
}

interface ExactFile {
  datasets: Readonly<Record<string, Dataset>>;
  exact_only: { sets: Readonly<Record<string, { counts: BaseCounts; mean: Numbers; sd: Numbers }>> };
}

interface FullFile {
  configurations: Readonly<Record<string, Dataset>>;
  exact_all_27: readonly {
    dataset: string;
    retriever: string;
    generator: string;
    counts: Numbers;
    mean: Numbers;
    sd: Numbers;
  }[];
}

interface JudgeFile {
  sets: Readonly<
    Record<
      string,
      {
        patterns: readonly { R: number; A: number; T: number; RJ: number; TJ: number; count: number }[];
        stan: { summary: StanSummary };
        gibbs: { summary: Readonly<Record<string, { mean: number; mcse: number }>> };
      }
    >
  >;
}

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8")) as T;

/** Names of the references -> of the quantities. */
const names: Readonly<Record<string, string>> = {
  theta_R: "theta_R",
  theta_A_minus: "theta_A-",
  theta_A_plus: "theta_A+",
  theta_T_minus: "theta_T-",
  theta_T_plus: "theta_T+",
  P_A: "P(A=1)",
  P_T: "P(T=1)",
  P_G: "P(G=1)",
};

const base = compileNetwork(rat);
const judge = compileNetwork(ratJudge());

/** Counts of groups such as { joint: { R0A0T1: 5 }, tOnly: { A1: 3 } }: what isn't named wasn't observed. */
function baseCounts(groups: BaseCounts): Float64Array {
  const counts = new Float64Array(base.patterns.length);
  const indexOf = patternIndex(base);
  for (const [label, n] of Object.values(groups).flatMap((group) => Object.entries(group))) {
    const levels = ["R", "A", "T"].map((name) => Number(new RegExp(`${name}(\\d)`).exec(label)?.[1] ?? -1));
    counts[indexOf(levels)] += n;
  }
  return counts;
}

interface ExactCase {
  name: string;
  counts: Float64Array;
  mean: Numbers;
  sd: Numbers;
  moments?: Readonly<Record<string, Moments>>;
  stan?: StanSummary;
}

function exactCases(): ExactCase[] {
  const exact = read<ExactFile>("exact-reference.json");
  const full = read<FullFile>("stan-fulldata-reference.json");
  const pick = (moments: Readonly<Record<string, Moments>>, key: "mean" | "sd"): Numbers =>
    Object.fromEntries(Object.entries(moments).map(([name, values]) => [name, values[key]]));
  return [
    ...[...Object.entries(exact.datasets), ...Object.entries(full.configurations)].map(([name, set]) => ({
      name,
      counts: baseCounts(set.counts),
      mean: pick(set.exact, "mean"),
      sd: pick(set.exact, "sd"),
      moments: set.exact,
      stan: set.stan.summary,
    })),
    ...Object.entries(exact.exact_only.sets).map(([name, { counts, mean, sd }]) => ({
      name,
      counts: baseCounts(counts),
      mean,
      sd,
    })),
    ...full.exact_all_27.map(({ dataset, retriever, generator, counts, mean, sd }) => ({
      name: `${dataset} ${retriever} ${generator}`,
      counts: baseCounts({ joint: counts }),
      mean,
      sd,
    })),
  ];
}

const cases = exactCases();
const judgeCases = Object.entries(read<JudgeFile>("judge-reference.json").sets);
const percent = (rate: number): string => `${(100 * rate).toPrecision(2)} %`;

/** Draws of every quantity by its name, [chains][draws]. Called more than once with the same counts. */
export type DrawsOf = (
  network: CompiledNetwork,
  counts: Float64Array,
) => Map<string, Float64Array> | Promise<Map<string, Float64Array>>;

/** Ways to sample, by name; all with so many chains. */
export function testPosteriors(chains: number, ways: readonly (readonly [name: string, draws: DrawsOf])[]): void {
  // Means at 4 standard errors, as far as that is a usual limit; everything else at one false alarm in 10,000 seeds.
  const withStan = cases.filter(({ stan }) => stan !== undefined).length;
  const exactMeans = cases.length * 8 * ways.length;
  const sampledMeans = (withStan * 8 + judgeCases.length * 8 * 2) * ways.length;
  const spreads = zLimit(exactMeans);
  const quantiles = zLimit(withStan * 5 * 3 * ways.length);

  describe(`exact means within 4 standard errors (chance of a false alarm among ${exactMeans}: ${percent(falseAlarmRate(exactMeans, 4))})`, () => {
    describe.each(ways)(`%s, and exact variances within ${spreads.toFixed(2)} (0.01 %)`, (_way, drawsOf) => {
      it.each(cases)("$name", async ({ counts, mean, sd }) => {
        const draws = await drawsOf(base, counts);
        for (const [name, quantity] of Object.entries(names)) {
          const values = draws.get(quantity)!;
          expect(Math.abs(meanZ(values, chains, mean[name])), name).toBeLessThan(4);
          const z = values.map((x) => ((x - mean[name]) / sd[name]) ** 2);
          expect(Math.abs(meanZ(z, chains, 1)), name).toBeLessThan(spreads);
        }
      });
    });
  });

  describe(`means of rstan and Gibbs within 4 joint standard errors (chance of a false alarm among ${sampledMeans}: ${percent(falseAlarmRate(sampledMeans, 4))})`, () => {
    describe.each(ways)("%s", (_way, drawsOf) => {
      it.each(cases.filter(({ stan }) => stan !== undefined))("rstan, $name", async ({ counts, stan }) => {
        const draws = await drawsOf(base, counts);
        for (const [name, quantity] of Object.entries(names)) {
          const { mean, se_mean } = stan![name];
          expect(Math.abs(meanZ(draws.get(quantity)!, chains, mean, se_mean)), name).toBeLessThan(4);
        }
      });

      it.each(judgeCases)("rstan and Gibbs, judge: %s", async (_, { patterns, stan, gibbs }) => {
        const counts = new Float64Array(judge.patterns.length);
        const indexOf = patternIndex(judge);
        for (const { R, A, T, RJ, TJ, count } of patterns) counts[indexOf([R, A, T, RJ, TJ])] += count;
        const draws = await drawsOf(judge, counts);
        for (const [name, quantity] of Object.entries(names)) {
          const values = draws.get(quantity)!;
          const others = [
            [stan.summary[name].mean, stan.summary[name].se_mean],
            [gibbs.summary[name].mean, gibbs.summary[name].mcse],
          ];
          for (const [mean, error] of others) {
            expect(Math.abs(meanZ(values, chains, mean, error)), name).toBeLessThan(4);
          }
        }
      });
    });
  });

  describe(`shares below exact quantiles of parameters within ${quantiles.toFixed(2)} standard errors (one false alarm in 10,000 seeds)`, () => {
    describe.each(ways)("%s", (_way, drawsOf) => {
      it.each(cases.filter(({ moments }) => moments !== undefined))(
        "$name at 2.5, 50 and 97.5 %",
        async ({ counts, moments }) => {
          const draws = await drawsOf(base, counts);
          for (const [name, quantity] of Object.entries(names).slice(0, 5)) {
            const { q2_5, q50, q97_5 } = moments![name];
            for (const [point, p] of [
              [q2_5, 0.025],
              [q50, 0.5],
              [q97_5, 0.975],
            ]) {
              expect(Math.abs(shareZ(draws.get(quantity)!, chains, point, p)), name).toBeLessThan(quantiles);
            }
          }
        },
      );
    });
  });
}
