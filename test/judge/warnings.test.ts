import { describe, expect, it } from "vitest";
import { type Fit, type FitOptions, fit, networkNamed } from "../../dist/index.js";
import { numbersIn } from "../fit/support.js";
import { all, judgeOnly, recordsOf, type World, world } from "./support.js";

const usual = [
  [all, 400],
  [judgeOnly, 600],
] as [string, number][];

async function fitted(of: World, options: FitOptions, shown = usual): Promise<Fit> {
  const { fits } = await fit([{ name: "judged", records: recordsOf(of, shown) }], { seed: 1, ...options });
  return fits[0];
}

/** A world, and what is said of it under the joint judge and under the independent one. */
const worlds: [name: string, world: World, joint: RegExp[], independent: RegExp[] | null][] = [
  ["an ordinary judge", world, [], null],
  [
    "labels of R that don't depend on R",
    { ...world, RJ: [0.4, 0.4] },
    [/^R_J can't be told from chance \(TPR_R 0\.\d+ to 0\.\d+, FPR_R 0\.\d+ to 0\.\d+ overlap\): label more records/],
    null,
  ],
  ["labels of T that don't depend on T", { ...world, TJ: [0.5, 0.5] }, [/^T_J can't be told from chance/], null],
  [
    "labels of R that are wrong more often than right",
    { ...world, RJ: [0.8, 0.2] },
    [/^R_J is worse than chance \(TPR_R .*\): is it coded the other way round\?$/],
    null,
  ],
  ["labels of T that are always wrong", { ...world, TJ: [1, 0] }, [/^T_J is worse than chance/], null],
  [
    "labels of R that are always 1",
    { ...world, RJ: [1, 1] },
    [/^R_J is 1 in all 1001 records that hold it: it says nothing about R$/],
    null,
  ],
  ["labels of T that are always 0", { ...world, TJ: [0, 0] }, [/^T_J is 0 in all 999 records/], null],
  [
    "a judge that never errs",
    { ...world, RJ: [0, 1], TJ: [0, 1] },
    [/^R_J is R in all 400 records that hold both: .* a bound only/, /^T_J is T in all 640 records that hold both/],
    null,
  ],
  [
    "a state that never happens",
    { ...world, A: [0.6, 0] },
    [/^no record shows the judge's labels where R=1 A=1 T=0: its behaviour there is the prior's$/],
    [],
  ],
];

describe.each(["nuts", "hmc"] as const)(
  "%s: numbers are finite, nothing diverges, and what is wrong is said",
  (sampler) => {
    describe.each(["rat-judge", "rat-judge-independent"])("%s", (name) => {
      it.each(worlds)("%s", async (_name, of, joint, independent) => {
        const found = await fitted(of, { network: networkNamed(name), sampler });
        numbersIn(found);
        for (const { mean, sd, essBulk, rhat } of found.quantities) {
          for (const number of [mean, sd, essBulk, rhat]) expect(number).not.toBeNull();
        }
        // Of 4,000 transitions; more than ten would be a fault of the sampler.
        expect(found.diagnostics.divergences).toBeLessThan(10);
        const expected = name === "rat-judge" ? joint : (independent ?? joint);
        const warnings = found.warnings.filter((text) => !text.includes("transitions diverged"));
        expect(warnings, warnings.join("\n")).toHaveLength(expected.length);
        for (const [i, pattern] of expected.entries()) expect(warnings[i]).toMatch(pattern);
      });
    });
  },
);

describe("of a judge", () => {
  const network = networkNamed("rat-judge");

  it.each([
    [
      "rat-judge",
      "R A T",
      ["R", "T"].map((x) => `no record shows ${x}_J: TPR_${x}, FPR_${x} and P(${x}_J=1) are the prior's`),
    ],
    ["rat-judge", "R A T R_J", ["no record shows T_J: TPR_T, FPR_T and P(T_J=1) are the prior's"]],
    ["rat-judge-independent", "R A T R_J", ["no record shows T_J: TPR_T, FPR_T and P(T_J=1) are the prior's"]],
  ])("%s: labels that no record shows are told once (%s)", async (name, shown, expected) => {
    const { warnings } = await fitted(world, { network: networkNamed(name) }, [[shown, 200]]);
    expect(warnings).toEqual(expected);
  });

  it("that is right in a few records nothing is said but that chance would do so too", async () => {
    const records = [1, 0, 1].map((R) => ({ R, A: 0, T: R, R_J: R, T_J: R }));
    const { fits } = await fit([{ name: "few", records }], { network, seed: 1 });
    expect(fits[0].warnings.filter((text) => / is [RT] in all /.test(text))).toEqual([]);
    expect(fits[0].warnings.filter((text) => text.includes("can't be told from chance"))).toHaveLength(2);
  });
});

describe("held rates", () => {
  const held = { judgeRates: "fixed", judgeRate: { TPR_R: 0.85, FPR_R: 0.15, TPR_T: 0.9, FPR_T: 0.25 } } as const;
  const network = networkNamed("rat-judge");

  it("that are those of the records need no word", async () => {
    expect((await fitted(world, { network, ...held })).warnings).toEqual([]);
  });

  it("that fully labelled records contradict are named", async () => {
    const judgeRate = { ...held.judgeRate, FPR_T: 0.45 };
    const { warnings } = await fitted(world, { network, ...held, judgeRate });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^FPR_T is held at 0\.45, but \d+ of \d+ records say otherwise \(0\.2\d\d\)$/);
  });

  it("that more than a million records may move", async () => {
    const million = await fitted(world, { network, ...held, draws: 200 }, [[all, 2_000_000]]);
    expect(million.warnings.filter((text) => text.includes("may move the rates that are held"))).toHaveLength(2);
  });
});
