import { describe, expect, it } from "vitest";
import {
  type Draws,
  type Fit,
  type FitOptions,
  fit,
  networkNamed,
  type PriorSensitivity,
  rat,
  ratJudge,
} from "../../dist/index.js";
import { zLimit } from "../support/montecarlo.js";
import { numbersIn, quantity } from "./support.js";

/** Counts of R, A, T: a small sample in which nobody abstained after a success. */
const counts = { R1A0T1: 9, R1A0T0: 8, R0A0T1: 4, R0A0T0: 11, R0A1T0: 8 };
const records = Object.entries(counts).map(([labels, n]) => {
  const [, R, A, T] = /R(\d)A(\d)T(\d)/.exec(labels) as RegExpExecArray;
  return { R, A, T, n };
});
const concentrations = [1, 0.5, 2];

async function fitted(options: FitOptions, of: Iterable<Readonly<Record<string, unknown>>> = records): Promise<Fit> {
  const { fits } = await fit([{ name: "small", records: of }], { seed: 1, priorSensitivity: true, ...options });
  return fits[0];
}

function sensitivityOf({ priorSensitivity }: Fit): PriorSensitivity {
  if (priorSensitivity === undefined) throw new Error("none was made");
  return priorSensitivity;
}

const ofName = (of: PriorSensitivity, name: string) => {
  const found = of.quantities.find((q) => q.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

/** Successes and failures behind each row. */
const rows: Record<string, readonly [number, number]> = {
  theta_R: [17, 23],
  "theta_A-": [8, 15],
  "theta_A+": [0, 17],
  "theta_T-": [4, 11],
  "theta_T+": [9, 8],
};
const mean = ([k, f]: readonly [number, number], c: number): number => (k + c) / (k + f + 2 * c);
const sd = (row: readonly [number, number], c: number): number =>
  Math.sqrt((mean(row, c) * (1 - mean(row, c))) / (row[0] + row[1] + 2 * c + 1));

/** P(X > Y) of two independent Betas, by Simpson's rule on the logit of X. */
function greater([a, b]: readonly [number, number], [k, f]: readonly [number, number]): number {
  const steps = 4000;
  const density = (x: number, s: number, u: number): number =>
    s * -Math.log1p(Math.exp(-x)) + u * -Math.log1p(Math.exp(x));
  const points = Array.from({ length: steps + 1 }, (_, i) => -20 + (40 * i) / steps);
  let [below, all, massY] = [0, 0, 0];
  for (const [i, x] of points.entries()) {
    const weight = i === 0 || i === steps ? 1 : 2; // trapezoids of an analytic function that vanishes at both ends
    const y = weight * Math.exp(density(x, k, f));
    const own = weight * Math.exp(density(x, a, b));
    below += own * (massY + y / 2);
    massY += y;
    all += own;
  }
  return below / (all * massY);
}

describe("fully labelled records, in closed form", async () => {
  const found = sensitivityOf(await fitted({ engine: "exact", draws: 20_000 }));

  it("have the base nine quantities under three stated priors, all numbers finite or null", () => {
    numbersIn(found);
    expect(found.priors).toEqual([
      { name: "uniform", concentration: 1 },
      { name: "Jeffreys", concentration: 0.5 },
      { name: "Beta(2,2)", concentration: 2 },
    ]);
    expect(found.quantities.map(({ name }) => name)).toEqual(rat.quantities.map(({ name }) => name));
    expect(found.warnings).toEqual([]);
  });

  it.each(Object.keys(rows))("%s: (k + c) / (n + 2 c)", (name) => {
    const { under, shift, moves } = ofName(found, name);
    for (const [i, c] of concentrations.entries()) {
      expect(under[i].mean).toBeCloseTo(mean(rows[name], c), 12);
      expect(under[i].sd).toBeCloseTo(sd(rows[name], c), 12);
      expect(under[i].lower).toBeLessThan(mean(rows[name], c));
      expect(under[i].upper).toBeGreaterThan(mean(rows[name], c));
    }
    const means = concentrations.map((c) => mean(rows[name], c));
    expect(shift).toBeCloseTo((Math.max(...means) - Math.min(...means)) / sd(rows[name], 1), 10);
    expect(moves).toBe((shift ?? 0) > 0.5);
  });

  it("move where a row has no successes, with what rests on it, and nowhere else", () => {
    expect(found.quantities.filter(({ moves }) => moves).map(({ name }) => name)).toEqual(["theta_A+", "P(A=1)"]);
  });

  it("conclusions have the probability of one Beta above another (one false alarm in 10,000 for all six)", () => {
    expect(found.conclusions.map(({ statement, expression }) => [statement, expression])).toEqual([
      ["abstains more when retrieval failed", "theta_A- > theta_A+"],
      ["answers better with retrieval", "theta_T+ > theta_T-"],
    ]);
    for (const { expression, under, moves } of found.conclusions) {
      const [more, less] = expression.split(" > ");
      const add = ([k, f]: readonly [number, number], c: number) => [k + c, f + c] as const;
      for (const [i, c] of concentrations.entries()) {
        const known = greater(add(rows[more], c), add(rows[less], c));
        // The exact engine draws 4 x 20,000.
        const error = Math.sqrt((known * (1 - known)) / 80_000);
        expect(Math.abs((under[i].probability ?? 0) - known) / error).toBeLessThan(zLimit(6));
        expect((under[i].mcse ?? 0) / error).toBeGreaterThan(0.5);
        expect((under[i].mcse ?? 0) / error).toBeLessThan(2);
      }
      expect(moves).toBe(false);
    }
  });
});

it("a conclusion that one prior draws and another doesn't moves", async () => {
  // 9 of 17 against 4 of 16: 0.945 to 0.964, exactly.
  const cells = { R1A0T1: 9, R1A0T0: 8, R0A0T1: 4, R0A0T0: 12, R0A1T0: 8 };
  const probability = concentrations.map((c) => greater([9 + c, 8 + c], [4 + c, 12 + c]));
  const changed = records.map((row, i) => ({ ...row, n: Object.values(cells)[i] }));
  const found = sensitivityOf(await fitted({ engine: "exact", draws: 100_000 }, changed));
  const [, answers] = found.conclusions;
  expect(probability.filter((p) => p >= 0.95).length).toBe(
    answers.under.filter((u) => (u.probability ?? 0) >= 0.95).length,
  );
  expect(answers.moves).toBe(new Set(probability.map((p) => p >= 0.95)).size > 1);
  expect(answers.moves).toBe(true);
});

describe("the engine that was asked for, with the same seed", () => {
  it.each(["nuts", "hmc"] as const)("%s under the uniform prior gives the fit's own numbers", async (sampler) => {
    const found = await fitted({ sampler });
    for (const { name, under } of sensitivityOf(found).quantities) {
      const { mean, sd, lower, upper, mcse } = quantity(found, name);
      expect(under[0]).toEqual({ mean, sd, lower, upper, mcse });
    }
  });

  it("the fit itself and its draws are what they are without it; priors of one's own are replaced", async () => {
    const kept: Draws[] = [];
    const onFit = (_: Fit, draws: Draws): void => void kept.push(draws);
    const priors = { theta_R: [30, 1] };
    const [plain, both] = [await fitted({ priors, priorSensitivity: false, onFit }), await fitted({ priors, onFit })];
    expect(both.quantities).toEqual(plain.quantities);
    expect(kept[1].values).toEqual(kept[0].values);
    expect(plain.priorSensitivity).toBeUndefined();
    expect(sensitivityOf(both).quantities).toEqual(sensitivityOf(await fitted({})).quantities);
  });

  it("what its samplers warn of is told, once and with the prior", async () => {
    const { warnings, priorSensitivity } = await fitted({ chains: 1, warmup: 20, draws: 20 }, [{ R: 1, A: 0, T: 1 }]);
    for (const text of priorSensitivity?.warnings ?? []) expect(text).toMatch(/^under (Jeffreys|Beta\(2,2\)): /);
    expect(warnings.length).toBeGreaterThan(0);
  });
});

describe("other networks", () => {
  const judged = [
    ...records.map((row) => ({ ...row, R_J: row.R, T_J: row.T })),
    { R: 1, A: 0, T: 0, R_J: 0, T_J: 1, n: 5 },
    { R: 0, A: 0, T: 1, R_J: 1, T_J: 0, n: 4 },
  ];

  it("the joint judge's Dirichlet has the same concentration, and all else c a level", async () => {
    const exact = { engine: "exact", draws: 500 } as const;
    const found = sensitivityOf(
      await fitted({ ...exact, network: networkNamed("rat-judge") }, [...judged, { A: 0, R_J: 1, T_J: 1, n: 3 }]),
    );
    for (const [i, c] of concentrations.entries()) {
      const priors = Object.fromEntries(Object.keys(rows).map((name) => [name, [c, c]]));
      const own = await fitted({ ...exact, network: ratJudge(c), priors, priorSensitivity: false }, [
        ...judged,
        { A: 0, R_J: 1, T_J: 1, n: 3 },
      ]);
      for (const { name, under } of found.quantities) {
        expect(under[i].mean).toBeCloseTo(quantity(own, name).mean ?? Number.NaN, 12);
        expect(under[i].sd).toBeCloseTo(quantity(own, name).sd ?? Number.NaN, 12);
      }
    }
  });

  it("held rates stay held", async () => {
    const held = {
      network: networkNamed("rat-judge"),
      judgeRates: "fixed",
      judgeRate: { TPR_R: 0.8, FPR_R: 0.2, TPR_T: 0.8, FPR_T: 0.3 },
    } as const;
    const judgeOnly = [
      { A: 0, R_J: 1, n: 5 },
      { A: 0, R_J: 0, n: 5 },
    ];
    const one = await fitted({ ...held, engine: "exact" }, judgeOnly);
    const { under } = ofName(sensitivityOf(one), "theta_R");
    // Under the uniform prior the fit's own.
    expect(under[0].mean).toBeCloseTo(quantity(one, "theta_R").mean ?? Number.NaN, 12);
  });

  it("three levels of retrieval: c each", async () => {
    const three = [
      { R: "fail", A: 1, n: 5 },
      { R: "partial", A: 0, T: 0, n: 3 },
      { R: "success", A: 0, T: 1, n: 2 },
    ];
    const found = sensitivityOf(await fitted({ engine: "exact", network: networkNamed("rat-ternary") }, three));
    for (const [i, c] of concentrations.entries()) {
      expect(ofName(found, "P(R=1)").under[i].mean).toBeCloseTo((2 + c) / (10 + 3 * c), 12);
    }
    expect(found.conclusions).toHaveLength(2);
  });

  it("a network without the base quantities shows its own, and draws no conclusions", async () => {
    const coin = {
      name: "coin",
      variables: [{ name: "X", levels: ["0", "1"], rows: [{ name: "p", prior: [5, 1] }] }],
      quantities: [{ name: "heads", expression: "P(X=1)" }],
    };
    const found = sensitivityOf(await fitted({ engine: "exact", network: coin }, [{ X: 1, n: 3 }]));
    expect(found.quantities).toHaveLength(1);
    expect(found.quantities[0].under.map((one) => one.mean)).toEqual([4 / 5, 3.5 / 4, 5 / 7]);
    expect(found.conclusions).toEqual([]);
  });
});
