import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { posteriorMeans } from "../../src/engines/exact/index.js";
import { reconstructedTernaryCountsCsv } from "../../src/generated/presets.js";
import {
  compileNetwork,
  evidence,
  networkNamed,
  type PartialPolicy,
  policyOf,
  rat,
  ratTernary,
  withPartialPolicy,
} from "../../src/network/index.js";
import { presetCounts, presetNames } from "../../src/records/index.js";
import { countText, failure, shown } from "../records/support.js";
import { relativeError } from "../support/accuracy.js";

/** A row of table 9. */
type Printed = { dataset: string; retriever: string; generator: string } & Record<`theta_${string}`, number>;

const network = compileNetwork(ratTernary);
const paper = JSON.parse(readFileSync(new URL("../data/paper-tables.json", import.meta.url), "utf8"));

/** Fully labelled records: level of R, A, T and how many. */
const csv =
  "R,A,T,n\nfail,0,0,7\nfail,0,1,2\nfail,1,,5\npartial,0,0,3\npartial,0,1,4\npartial,1,0,6\n" +
  "success,0,0,1\nsuccess,0,1,8\nsuccess,1,,1\n";
const counted = await countText(csv, "csv", { network });

async function exactMeans(definition = ratTernary): Promise<Record<string, number>> {
  const compiled = compileNetwork(definition);
  const mean = await posteriorMeans(compiled, counted.counts);
  return Object.fromEntries(compiled.quantities.map(({ name }, q) => [name, mean[q]]));
}

/** Posterior means under uniform priors: (k + 1) / (n + levels). */
const beta = (k: number, n: number): number => (k + 1) / (n + 2);
const retrieval = { fail: 15 / 40, partial: 14 / 40, success: 11 / 40 };
const abstains = { fail: beta(5, 14), partial: beta(6, 13), success: beta(1, 10) };
const solves = { fail: beta(2, 9), partial: beta(4, 7), success: beta(8, 9) };
const hits = (level: keyof typeof retrieval): number => retrieval[level] * (1 - abstains[level]) * solves[level];

describe("rat-ternary", () => {
  it("is shipped, with the base nine quantities first and those of partial retrieval after them", () => {
    expect(networkNamed("rat-ternary")).toBe(ratTernary);
    const names = ratTernary.quantities.map(({ name }) => name);
    expect(names.slice(0, 9)).toEqual(rat.quantities.map(({ name }) => name));
    expect(names.slice(9)).toEqual(["P(R=partial)", "theta_A~", "theta_T~"]);
    expect(ratTernary.moreQuantities?.map(({ name }) => name)).toEqual(rat.moreQuantities?.map(({ name }) => name));
  });

  it("has nine cells, and Dirichlet(1, 1, 1) over the levels of retrieval as two sticks", () => {
    expect(network.cells).toHaveLength(9);
    expect(network.rowNames.slice(0, 2)).toEqual(["theta_R>fail", "theta_R>partial"]);
    expect([...network.priorSuccess]).toEqual([2, 1, 1, 1, 1, 1, 1, 1]);
    expect([...network.priorFailure]).toEqual(new Array(8).fill(1));
  });

  it("has the posterior means of its closed form", async () => {
    const means = await exactMeans();
    const expected: Record<string, number> = {
      theta_R: retrieval.success,
      "theta_A-": abstains.fail,
      "theta_A+": abstains.success,
      "theta_T-": solves.fail,
      "theta_T+": solves.success,
      "P(R=1)": retrieval.success,
      "P(A=1)":
        retrieval.fail * abstains.fail + retrieval.partial * abstains.partial + retrieval.success * abstains.success,
      "P(T=1)": hits("fail") + hits("partial") + hits("success"),
      "P(G=1)": retrieval.fail * abstains.fail + hits("partial") + hits("success"),
      "P(R=partial)": retrieval.partial,
      "theta_A~": abstains.partial,
      "theta_T~": solves.partial,
    };
    expect(Object.keys(means)).toEqual(Object.keys(expected));
    for (const [name, value] of Object.entries(expected)) {
      expect(relativeError(means[name], value), name).toBeLessThan(1e-14);
    }
  });

  it.each<[PartialPolicy, number]>([
    ["answer", hits("partial")],
    ["abstain", retrieval.partial * abstains.partial],
    ["either", hits("partial") + retrieval.partial * abstains.partial],
  ])("counts at partial retrieval what --partial-policy %s says", async (choice, atPartial) => {
    const means = await exactMeans(withPartialPolicy(ratTernary, choice));
    const elsewhere = retrieval.fail * abstains.fail + hits("success");
    expect(relativeError(means["P(G=1)"], elsewhere + atPartial)).toBeLessThan(1e-14);
    const others = await exactMeans();
    for (const name of Object.keys(means).filter((other) => other !== "P(G=1)")) expect(means[name]).toBe(others[name]);
  });

  it("says which policy it is, and is the same object for the same choice", () => {
    const abstain = withPartialPolicy(ratTernary, "abstain");
    expect(policyOf(abstain)).toBe("R=fail&A=1:1, R=success&A=0&T=1:1, R=partial&A=1:1");
    expect(abstain.policy?.note).toMatch(/^at partial retrieval abstaining counts as adherent/);
    expect(withPartialPolicy(ratTernary, "abstain")).toBe(abstain);
    expect(policyOf(withPartialPolicy(abstain, "answer"))).toBe(policyOf(ratTernary));
  });

  it("of abstaining at partial retrieval counts what the base model counts with partial as failed", async () => {
    for (const name of presetNames().filter((preset) => preset.startsWith("hotpotqa"))) {
      const ternary = compileNetwork(withPartialPolicy(ratTernary, "abstain"));
      const base = compileNetwork(rat);
      const adherent = [ternary, base].map((either) => evidence(either, presetCounts(name, either).counts)[8].counted);
      expect(adherent[0]).toEqual(adherent[1]);
    }
  });

  it("refuses the choice where there is no partial level, and unknown choices", async () => {
    const none = await failure(() => withPartialPolicy(rat, "either"));
    expect(none.exitCode).toBe(64);
    expect(none.message).toBe(
      '--partial-policy either: network rat has no partial retrieval (a level "partial" of R); rat-ternary has',
    );
    const unknown = await failure(() => withPartialPolicy(ratTernary, "both" as PartialPolicy));
    expect(unknown.message).toBe('--partial-policy must be one of answer, abstain, either, not "both"');
  });
});

describe("records of three levels of retrieval", () => {
  it.each([
    ["0,0.5,1", "fail partial success"],
    ["0.0,.5,1.", "fail partial success"],
    ["FAIL,Partial,success", "fail partial success"],
    ['"""Fail""",[[partial]],Success.', "fail partial success"],
    ["0.49999999999,1e0,NA", "partial success ."],
  ])("%s are read as %s", async (cells, levels) => {
    const { counts } = await countText(`R,A,T\n${cells.split(",").join(",0,\n")},0,\n`, "csv", { network });
    const expected = levels.split(" ").map((level) => `R${level}A0T.`);
    expect(Object.keys(shown({ counts } as typeof counted, network)).sort()).toEqual(expected.sort());
  });

  it("refuse what is none of them, by name of every level and its spellings", async () => {
    const error = await failure(countText("R,A,T\n0.7,0,1\nyes,1,\n", "csv", { network }));
    expect(error.exitCode).toBe(65);
    expect(error.message).toContain('R is "0.7", not one of fail (0), partial (0.5), success (1)');
    expect(error.message).toContain('R is "yes", not one of');
  });
});

describe("the paper's configurations with three levels", () => {
  it("are the file in data/", () => {
    const file = readFileSync(new URL("../../data/reconstructed-ternary-counts.csv", import.meta.url), "utf8");
    expect(reconstructedTernaryCountsCsv).toBe(file);
  });

  it.each(paper.table9_ternary_conditionals as Printed[])(
    "meet table 9 to the printed digits, as counted: $dataset $retriever $generator",
    ({ dataset, retriever, generator, ...printed }) => {
      const { counts, records } = presetCounts(`${dataset}-${retriever}-${generator}`, network);
      expect(records).toBe(10_000);
      const seen = evidence(network, counts);
      const fractionOf = (name: string): string => {
        const fraction = seen[network.quantities.findIndex((q) => q.name === name)].counted;
        return ((fraction?.k ?? Number.NaN) / (fraction?.n ?? Number.NaN)).toFixed(3);
      };
      for (const [level, sign] of Object.entries({ fail: "-", partial: "~", success: "+" })) {
        expect(fractionOf(`theta_A${sign}`), `theta_A at ${level}`).toBe(printed[`theta_A_${level}`].toFixed(3));
        expect(fractionOf(`theta_T${sign}`), `theta_T at ${level}`).toBe(printed[`theta_T_${level}`].toFixed(3));
      }
    },
  );

  it("meet table 8's numbers of partial retrievals", () => {
    for (const { dataset, retriever, n_partial } of paper.table8_partial_retrieval) {
      if (dataset !== "HotpotQA") continue;
      for (const generator of ["apertus", "gemma3", "qwen3.5"]) {
        const { counts } = presetCounts(`${dataset}-${retriever}-${generator}`, network);
        expect(evidence(network, counts)[9].counted).toEqual({ k: n_partial, n: 10_000 });
      }
    }
  });

  it("are nine; the others are refused in words", async () => {
    const failures: string[] = [];
    for (const name of presetNames()) {
      if (name.startsWith("hotpotqa")) expect(presetCounts(name, network).notices).toEqual([]);
      else failures.push((await failure(() => presetCounts(name, network))).message);
    }
    expect(failures).toHaveLength(18);
    expect(failures[0]).toMatch(
      /^preset fever-.* has no counts with partial retrieval, which network rat-ternary needs; .* hotpotqa-dense-apertus,/,
    );
  });
});
