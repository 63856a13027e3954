import { describe, expect, it } from "vitest";
import {
  type FitOptions,
  fit,
  type JudgeOptions,
  mergeSweeps,
  networkNamed,
  type RatError,
  type Row,
  ratJudge,
  type SweepOptions,
  type SweepPlan,
  sweep,
  withPolicy,
} from "../../dist/index.js";
import { quantity, timeless } from "../fit/support.js";
import { zLimit } from "../support/montecarlo.js";
import { all, judgeOnly, recordsOf, world } from "./support.js";

const rates = { TPR_R: 0.85, FPR_R: 0.15, TPR_T: 0.9, FPR_T: 0.25 };
const fixed: JudgeOptions = { judgeRates: "fixed", judgeRate: rates };
const judge = networkNamed("rat-judge");
const few = recordsOf(world, [[all, 40]]);

async function refusal(options: FitOptions): Promise<RatError> {
  const error = await fit([{ name: "x", records: few }], { network: judge, ...options }).then(
    () => null,
    (thrown) => thrown as RatError,
  );
  if (error === null) throw new Error("expected a refusal");
  return error;
}

describe("held rates", () => {
  /** Posterior mean of theta_R from k of n verdicts: P(R_J=1) is TPR theta + FPR (1 - theta), on a grid of theta. */
  function meanOnGrid(k: number, n: number, { TPR_R, FPR_R }: typeof rates): number {
    const points = 20_000;
    let [mass, sum] = [0, 0];
    for (let i = 0; i < points; i++) {
      const theta = (i + 0.5) / points;
      const p = TPR_R * theta + FPR_R * (1 - theta);
      const weight = p ** k * (1 - p) ** (n - k);
      mass += weight;
      sum += weight * theta;
    }
    return sum / mass;
  }

  it("correct a count of verdicts as the formula does: exactly, and by nuts within its Monte Carlo error", async () => {
    const records = [
      { R_J: 1, n: 6 },
      { R_J: 0, n: 3 },
    ];
    const known = meanOnGrid(6, 9, rates);
    const means = await Promise.all(
      (["exact", "wasm"] as const).map(async (engine) => {
        const { fits } = await fit([{ name: "x", records }], {
          network: judge,
          ...fixed,
          engine,
          seed: 1,
          draws: 4000,
        });
        return quantity(fits[0], "P(R=1)");
      }),
    );
    // The prior's own spread of 1.3e-5 shifts the mean by its square, the records move the rate by 9 / 10^9.
    expect(Math.abs((means[0].mean ?? 0) - known)).toBeLessThan(1e-6);
    expect(Math.abs((means[1].mean ?? 0) - known) / (means[1].mcse ?? 0)).toBeLessThan(zLimit(1));
  });

  it.each(["nuts", "hmc"] as const)("%s holds them to 1e-4, whatever the records say", async (sampler) => {
    const against = recordsOf({ ...world, RJ: [0.5, 0.5], TJ: [0.9, 0.1] }, [
      [all, 300],
      [judgeOnly, 3000],
    ]);
    const { fits } = await fit([{ name: "x", records: against }], { network: judge, ...fixed, sampler, seed: 1 });
    const [found] = fits;
    for (const [name, rate] of Object.entries(rates)) {
      const { mean, sd, rhat } = quantity(found, name);
      expect(Math.abs((mean ?? 0) - rate)).toBeLessThan(1e-4);
      expect(sd).toBeLessThan(1.6e-5);
      expect(rhat).toBeLessThan(1.02);
    }
    expect(found.diagnostics.divergences).toBe(0);
    expect(found).toMatchObject({
      network: "rat-judge-independent",
      judge: { rates: "fixed", held: rates, concentration: null },
    });
  });

  it("keep the network's policy and the priors of its other rows, from either judge network", async () => {
    const network = withPolicy(judge, "R=0&A=1:0.5");
    const priors = { theta_R: [1, 9] };
    const both = await Promise.all(
      [network, withPolicy(networkNamed("rat-judge-independent"), "R=0&A=1:0.5")].map((network) =>
        fit([{ name: "x", records: few }], { network, priors, ...fixed, engine: "exact", seed: 1 }),
      ),
    );
    expect(timeless(both[0])).toEqual(timeless(both[1]));
    expect(both[0].fits[0].policy).toBe("R=0&A=1:0.5");
    expect(quantity(both[0].fits[0], "theta_R").mean).toBeCloseTo(
      few.reduce((n, row) => n + (row.R === 1 ? row.n : 0), 9) / (few.reduce((n, row) => n + row.n, 0) + 10),
      12,
    );
  });

  it("are told", async () => {
    const notices: string[] = [];
    const onNotice = (notice: string): void => void notices.push(notice);
    await fit([{ name: "x", records: few }], { network: judge, ...fixed, engine: "exact", onNotice });
    expect(notices).toEqual([
      "the judge's rates are held at TPR_R 0.85, FPR_R 0.15, TPR_T 0.9, FPR_T 0.25: its label of R depends on R alone, " +
        "of T on T alone (network rat-judge-independent), and nothing is learnt about it",
    ]);
  });
});

describe("the concentration of the joint judge's prior", () => {
  it("is ratJudge's, and 1 where nothing is said", async () => {
    const run = async (options: FitOptions) =>
      (await fit([{ name: "x", records: few }], { engine: "exact", seed: 1, ...options })).fits[0];
    const [by, own, usual] = [
      await run({ network: judge, judgeConcentration: 0.3 }),
      await run({ network: ratJudge(0.3) }),
      await run({ network: judge }),
    ];
    expect(by.quantities).toEqual(own.quantities);
    expect([by, own, usual].map((one) => one.judge?.concentration)).toEqual([0.3, 0.3, 1]);
    expect(quantity(by, "TPR_R").mean).not.toBe(quantity(usual, "TPR_R").mean);
    expect((await run({ network: judge, judgeConcentration: 1 })).quantities).toEqual(usual.quantities);
  });
});

describe("refused as wrong usage, with what to do", () => {
  it.each<[FitOptions, RegExp | string]>([
    [
      { judgeRates: "fixed", judgeRate: { TPR_R: 0.8, FPR_R: 0.2 } },
      /needs --judge-rate TPR_T=…, FPR_T=… too; rat fit of fully/,
    ],
    [{ judgeRates: "fixed" }, /needs --judge-rate TPR_R=…, FPR_R=…, TPR_T=…, FPR_T=… too/],
    [{ ...fixed, judgeRate: { ...rates, FPR_T: 0 } }, /--judge-rate FPR_T must be between 0 and 1, not 0/],
    [{ ...fixed, judgeRate: { ...rates, TPR_T: 1 } }, /--judge-rate TPR_T must be between 0 and 1, not 1/],
    [{ ...fixed, judgeRate: { ...rates, TPR_T: Number.NaN } }, /--judge-rate TPR_T must be between 0 and 1, not NaN/],
    [{ ...fixed, judgeRate: { ...rates, TPR: 0.5 } }, /--judge-rate TPR: the rates are TPR_R, FPR_R, TPR_T, FPR_T/],
    [{ judgeRate: rates }, /say --judge-rates fixed/],
    [{ judgeRates: "learn", judgeRate: rates }, /say --judge-rates fixed/],
    [{ judgeRates: "held" as "fixed" }, /--judge-rates must be one of learn, fixed, not "held"/],
    [{ ...fixed, network: networkNamed("rat") }, /network rat has no judge; rat-judge and rat-judge-independent have/],
    [{ judgeRates: "learn", network: networkNamed("rat-ternary") }, /network rat-ternary has no judge/],
    [{ ...fixed, priors: { TPR_R: [1, 2] } }, /--prior TPR_R: the rate is held/],
    [
      { ...fixed, judgeConcentration: 2 },
      /--judge-concentration is of a prior of rates that --judge-rates fixed holds/,
    ],
    [{ judgeConcentration: 0 }, /--judge-concentration must be a positive number, not 0/],
    [{ judgeConcentration: Number.POSITIVE_INFINITY }, /must be a positive number, not Infinity/],
    [{ judgeConcentration: 2, network: networkNamed("rat-judge-independent") }, /rat-judge-independent has none/],
    [{ judgeConcentration: 2, network: networkNamed("rat") }, /rat has none/],
    [
      { compareJudges: true, network: networkNamed("rat-judge-independent") },
      /on network rat-judge .*, not rat-judge-ind/,
    ],
    [{ compareJudges: true, ...fixed }, /--judge-rates fixed doesn.t: give one of them/],
  ])("%j", async (options, message) => {
    expect(await refusal(options)).toMatchObject({
      kind: "usage",
      exitCode: 64,
      message: expect.stringMatching(message),
    });
  });

  it("a network of one's own that is only named like a shipped one is left as it is", async () => {
    const own = { ...networkNamed("rat"), name: "rat-judge" };
    expect((await refusal({ ...fixed, network: own })).message).toContain("network rat-judge has no judge");
    expect((await refusal({ compareJudges: true, network: own })).message).toContain("judges are compared on");
  });
});

describe("shards", () => {
  async function part(index: number, options: SweepOptions) {
    const rows: Row[][] = [];
    const plans: SweepPlan[] = [];
    const { sweeps } = await sweep([{ name: "x", records: recordsOf(world, [[all, 400]]) }], {
      network: judge,
      base: 20,
      add: [30],
      strategies: "judge",
      replicates: 4,
      draws: 100,
      seed: 1,
      ...options,
      shard: { index, count: 2 },
      onStart: (plan) => void plans.push(plan),
      onRows: (more) => void rows.push([...more]),
    });
    async function* stored() {
      yield* rows;
    }
    return { plan: plans[0], rows: stored(), seconds: 1, workers: 1, sweep: sweeps[0] };
  }

  it("of other rates, or another concentration, are not merged; those of the same are, and say so", async () => {
    const merged = await mergeSweeps([await part(0, fixed), await part(1, fixed)]);
    expect(merged.judge).toEqual({ rates: "fixed", held: rates, concentration: null });
    const moved = { ...fixed, judgeRate: { ...rates, TPR_R: 0.86 } };
    await expect(mergeSweeps([await part(0, fixed), await part(1, moved)])).rejects.toThrow(/different runs: judge is/);
    const dense = { judgeConcentration: 2 };
    await expect(mergeSweeps([await part(0, {}), await part(1, dense)])).rejects.toThrow(/different runs: judge is/);
  });
});
