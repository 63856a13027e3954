import { describe, expect, it } from "vitest";
import type { FitQuantity } from "../../src/documents.js";
import { bounded, decimalsFor, duration, fixed, shorten, signed, withError } from "../../src/report/format.js";
import { fitTable, sweepTable } from "../../src/report/table.js";
import { defaultStrategies, exactFit, quantityNames, sampleFit, sampleQuantity, sampleSweep } from "./samples.js";

const linesOf = (table: string) => table.split("\n");
const lineOf = (table: string, start: string) => linesOf(table).find((line) => line.startsWith(start)) ?? "";
const withQuantity = (changes: Partial<FitQuantity>) =>
  fitTable(sampleFit({ quantities: [{ ...sampleQuantity("theta_R", 0.5), ...changes }] }));

describe("numbers for people", () => {
  it.each([
    [0.00003, "<0.0001"],
    [0.99997, ">0.9999"],
    [0.00005, "0.0001"],
    [0.9999, "0.9999"],
    [0, "0.0000"],
    [1, "1.0000"],
    [-0.00003, ">-0.0001"],
    [-0.99999, "<-0.9999"],
    [-0, "0.0000"],
    [1.00001, "1.0000"],
    [null, "–"],
    [Number.NaN, "–"],
  ])("%s is %s with four decimals", (value, text) => expect(bounded(value, 4)).toBe(text));

  it("never rounds what lies inside (0, 1) to an end or beyond, whatever the decimals", () => {
    for (let exponent = 1; exponent <= 16; exponent++) {
      for (let decimals = 1; decimals <= 8; decimals++) {
        for (const value of [10 ** -exponent, 1 - 10 ** -exponent]) {
          expect(["0", "1"]).not.toContain(String(Number(bounded(value, decimals))));
        }
      }
    }
  });

  it("shows as many decimals as the smallest error needs", () => {
    expect(decimalsFor([0.0013, 0.00052], 1)).toBe(4);
    expect(decimalsFor([0.0013, 0.000077], 1)).toBe(5);
    expect(decimalsFor([0.0013, null, 0], 2)).toBe(4);
    expect(decimalsFor([], 2)).toBe(4);
    expect(decimalsFor([1e-12], 2)).toBe(8);
  });

  it("has no negative zero and no sign on zero", () => {
    expect(fixed(-0.00001, 4)).toBe("0.0000");
    expect(signed(0.00001, 4)).toBe("0.0000");
    expect(signed(0.0012, 4)).toBe("+0.0012");
    expect(signed(-0.0012, 4)).toBe("-0.0012");
  });

  it("says that an error is unknown or too small to show", () => {
    expect(withError("0.1234", null, 4)).toBe("0.1234 ± –");
    expect(withError("0.1234", 1e-9, 4)).toBe("0.1234 ± <0.0001");
    expect(withError("–", 0.1, 4)).toBe("–");
  });

  it("names times in the unit of their size", () => {
    expect([0.0001, 0.021, 12.345, 59.97, 754, 7322].map(duration)).toEqual([
      "<1 ms",
      "21 ms",
      "12.3 s",
      "1 min 0 s",
      "12 min 34 s",
      "2 h 2 min",
    ]);
  });

  it("cuts long names in the middle, between characters", () => {
    expect(shorten("abcdefghij", 10)).toBe("abcdefghij");
    expect(shorten("abcdefghijk", 10)).toBe("abcde…hijk");
    expect(shorten("😀😀😀😀", 3)).toBe("😀…😀");
  });
});

describe("fitTable", () => {
  const table = fitTable(sampleFit());

  it("names source, records, engine, sampler and seed", () => {
    expect(linesOf(table)[0]).toBe("hotpotqa-hybrid-qwen3.5: 10,000 records, rat network");
    expect(linesOf(table)[1]).toBe("wasm, nuts, 4 chains × (1,000 warmup + 1,000 draws), seed 1");
  });

  it("has one row a quantity, in order, with all its numbers", () => {
    const rows = linesOf(table).filter((line) => quantityNames.includes(line.split(" ")[0]));
    expect(rows.map((line) => line.split(" ")[0])).toEqual(quantityNames);
    expect(rows[8].split(/ {2,}/)).toEqual([
      "P(G=1)",
      "0.5028",
      "0.0040",
      "[0.4950, 0.5106]",
      "5,028/10,000",
      "1.000",
      "3,901/2,950",
      "0",
    ]);
  });

  it("labels the interval with its level", () => {
    expect(table).toContain("95% interval");
    expect(fitTable(sampleFit({ level: 0.999 }))).toContain("99.9% interval");
  });

  it("aligns the columns and stays within 100 characters", () => {
    const rows = linesOf(table).filter((line) => quantityNames.includes(line.split(" ")[0]));
    expect(new Set(rows.map((line) => line.indexOf("["))).size).toBe(1);
    expect(new Set(rows.map((line) => line.length)).size).toBe(1);
    for (const line of linesOf(table)) expect(line.length).toBeLessThanOrEqual(100);
  });

  it("reports diagnostics and warnings beneath", () => {
    const text = fitTable(sampleFit({ warnings: ["R-hat of theta_R is 1.02"], implied: { T: 3749 } }));
    expect(text).toContain("divergences 0; 4.37 leapfrog steps a draw; step size 0.79 to 0.83; 21 ms sampling, 64 ms");
    expect(linesOf(text).at(-1)).toBe("warning: R-hat of theta_R is 1.02");
    expect(text).toContain("implied by the model where blank: T 3,749");
  });

  it("marks quantities without data", () => {
    const text = fitTable(exactFit());
    expect(lineOf(text, "theta_T+")).toContain("no data");
    expect(lineOf(text, "theta_R")).not.toContain("no data");
    expect(text).toContain("no data: nothing seen informs the quantity");
    expect(table).not.toContain("no data");
  });

  it("prints neither null nor NaN where nothing applies", () => {
    const nothing = { mean: null, sd: null, median: null, lower: null, upper: null, counted: null };
    const unknown = { nObserved: null, nMissing: null, essBulk: null, essTail: null, rhat: null };
    const fit = exactFit();
    const text = fitTable({ ...fit, quantities: fit.quantities.map((q) => ({ ...q, ...nothing, ...unknown })) });
    for (const table of [text, fitTable(fit)]) expect(table).not.toMatch(/null|NaN|undefined|Infinity/);
  });

  it("never prints an interval end as certain or outside [0, 1]", () => {
    expect(withQuantity({ lower: 2e-6, upper: 0.0123, sd: 0.004 })).toContain("[<0.0001, 0.0123]");
    expect(withQuantity({ lower: 0.98, upper: 1 - 3e-9, sd: 0.004 })).toContain("[0.9800, >0.9999]");
    expect(withQuantity({ lower: 0.5, upper: 0.50001, sd: 2.3e-6 })).toContain("[0.5000000, 0.5000100]");
  });

  it("tells engine, adapter and fallback", () => {
    const text = fitTable(sampleFit({ engine: "webgpu", adapter: "NVIDIA H200", fallback: null }));
    expect(text).toContain("webgpu on NVIDIA H200, nuts");
    expect(fitTable(sampleFit({ fallback: "counts above 10⁸" }))).toContain("wasm, fallback: counts above 10⁸, nuts");
    expect(fitTable({ ...exactFit(), draws: 4000, seed: 7 })).toContain("exact, 4,000 independent draws, seed 7");
  });

  it("uses escape codes only when asked to, and keeps the columns aligned with them", () => {
    expect(table).not.toContain("\u001b");
    const coloured = fitTable(sampleFit({ warnings: ["w"] }), { colour: true });
    expect(coloured).toContain("\u001b[1mquantity\u001b[22m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes begin with one
    const plain = coloured.replace(/\u001b\[\d+m/g, "").replace(/ +$/gm, "");
    expect(plain).toBe(fitTable(sampleFit({ warnings: ["w"] })));
  });
});

describe("the policy", () => {
  const soft = "R=0&A=1:1, R=1&A=0&T=1:1, R=0&A=0&T=1:0.5";

  it("is told where it isn't the usual one, in a line of its own", () => {
    expect(fitTable(sampleFit())).not.toContain("policy");
    expect(sweepTable(sampleSweep())).not.toContain("policy");
    expect(fitTable(sampleFit({ policy: null }))).not.toContain("policy");
    expect(linesOf(fitTable(sampleFit({ policy: soft })))[2]).toBe(`policy: ${soft}`);
    expect(linesOf(sweepTable({ ...sampleSweep(), policy: soft }))[2]).toBe(`policy: ${soft}`);
    expect(linesOf(fitTable(sampleFit({ policy: "" })))[2]).toBe("policy: nothing is adherent");
  });

  it("goes on in further lines where it is long, a term in one of them", () => {
    const terms = Array.from({ length: 12 }, (_, i) => `R=${i}&A=0&T=1:0.25`);
    const lines = linesOf(fitTable(sampleFit({ policy: terms.join(", ") })));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
    const policy = lines.slice(2, lines.indexOf("", 2));
    expect(policy.length).toBeGreaterThan(1);
    expect(policy.map((line) => line.replace("policy: ", "").trim()).join(" ")).toBe(terms.join(", "));
  });
});

describe("sweepTable", () => {
  const sweep = sampleSweep();
  const table = sweepTable(sweep);

  it("names source, size, engine and speed", () => {
    expect(linesOf(table)[0]).toBe("hotpotqa-hybrid-qwen3.5: base 100 records, 500 replicates, rat network");
    expect(linesOf(table)[1]).toBe("wasm, hmc, seed 1; 10,500 refits in 12.3 s (851/s) with 8 workers");
  });

  it("has a table a quantity with a row a cell", () => {
    const [, first, second] = table.split(/^P\(.=1\): .* on the full data$/m);
    for (const part of [first, second]) {
      const rows = linesOf(part.split("Differences")[0]).filter((line) => /^(base|all|half)/.test(line));
      expect(rows).toHaveLength(1 + defaultStrategies.length * 4);
      expect(rows[0]).toMatch(/^base +0 /);
    }
    expect(first).toMatch(
      /^all-joint +60 +0\.\d{4} ± 0\.\d{4} +0\.\d{4} ± 0\.\d{4} +0\.\d{3} ± 0\.\d{3} +-?0\.\d{4} ±/m,
    );
  });

  it("tells the worst R-hat and the least ESS of each quantity", () => {
    const cells = sweep.cells.filter(({ quantity }) => quantity === "P(G=1)");
    const worst = Math.max(...cells.map(({ maxRhat }) => maxRhat ?? 0)).toFixed(3);
    const least = Math.floor(Math.min(...cells.map(({ minEss }) => minEss ?? 0)));
    expect(table).toContain(`worst R-hat ${worst}, least ESS ${least} of any refit`);
  });

  it("compares every other strategy and budget with all-joint, once", () => {
    const rows = linesOf(table.slice(table.indexOf("Differences from all-joint"))).filter((line) => /± /.test(line));
    expect(rows.slice(1)).toHaveLength((defaultStrategies.length - 1) * 4);
    expect(rows.at(-1)).toMatch(/^all-T +500( +[+-]?0\.\d{4} ± 0\.0005 +[+-]?0\.\d{4} ± 0\.000[12]){2}$/);
  });

  it("names the other strategy in each row where there are several", () => {
    const paired = sweep.paired.map((pair, i) => (i === 0 ? { ...pair, versus: "all-R" } : pair));
    const text = sweepTable({ ...sweep, paired });
    expect(text).toContain("Differences from all-R, all-joint");
    expect(text).toMatch(/^strategy +versus +add/m);
  });

  it("stays within 100 characters and never prints null or NaN", () => {
    const wide = sampleSweep({ quantities: ["P(G=1)", "P(T=1)", "gap_A"], strategies: ["all-joint", "x".repeat(50)] });
    for (const text of [table, sweepTable(wide)]) {
      for (const line of linesOf(text)) expect(line.length).toBeLessThanOrEqual(100);
    }
    const bare = sweep.cells.map((cell) => ({ ...cell, maeSe: null, widthSe: null, coverageSe: null, biasSe: null }));
    const none = bare.map((cell) => ({ ...cell, mae: null, maxRhat: null, minEss: null }));
    const paired = sweep.paired.map((pair) => ({ ...pair, maeDifference: null, widthDifferenceSe: null }));
    const text = sweepTable({ ...sweep, cells: none, paired, refitsPerSecond: null, workers: null, truth: {} });
    expect(text).not.toMatch(/null|NaN|undefined|Infinity/);
    expect(text).toContain("R-hat and ESS don't apply");
    expect(sweepTable({ ...sweep, cells: [], paired: [] })).not.toMatch(/null|NaN|undefined|Infinity/);
  });
});
