import { describe, expect, it } from "vitest";
import { type Agreement, auditAgreement, type Label } from "../../src/audit/agreement.js";
import { bluebirdLabels, csvRows } from "./support.js";

const quick = { seed: 1, replicates: 0 };

/** Rows of labels, blank ones null. */
function labelsOf(name: string): { judges: string[]; rows: Label[][] } {
  const [[, ...judges], ...rows] = csvRows(name);
  return { judges, rows: rows.map(([, ...cells]) => cells.map((cell) => (cell === "" ? null : cell))) };
}

const itemsOf = (rows: readonly (readonly Label[])[]) => rows.map((labels) => ({ labels }));

describe("tables of Gwet's handbook (2014)", () => {
  it("three categories, two abstractors: kappa .7964, pi .7962, AC1 .8493 with their errors", () => {
    const [[, ...names], ...rows] = csvRows("audit/gwet-abstractors.csv");
    const items = rows.flatMap(([own, ...counts]) =>
      names.map((name, k) => ({ labels: [own, name], n: Number(counts[k]) })),
    );
    const [{ raw, cohenKappa, scottPi, ac1 }] = auditAgreement(items, { ...quick, judges: ["1", "2"] }).pairs;
    expect(raw.value).toBeCloseTo(0.89, 12);
    expect(cohenKappa.value).toBeCloseTo(0.7964094, 7);
    expect(scottPi.value).toBeCloseTo(0.7962397, 7);
    expect(ac1.value).toBeCloseTo(0.8493305, 7);
    expect(cohenKappa.error).toBeCloseTo(0.05891072, 7);
    expect(ac1.error).toBeCloseTo(0.04321747, 7);
  });

  it("four raters with missing labels: agreement .8182, AC1 .7754, Fleiss' kappa .7612, alpha .7434", () => {
    const { judges, rows } = labelsOf("audit/gwet-four-raters.csv");
    const { all } = auditAgreement(itemsOf(rows), { ...quick, judges });
    expect(all.raw.value).toBeCloseTo(0.8181818, 7);
    expect(all.ac1.value).toBeCloseTo(0.77544, 5);
    expect(all.fleissKappa.value).toBeCloseTo(0.76117, 5);
    expect(all.alpha.nominal.value).toBeCloseTo(0.74342, 5);
  });
});

it("the tables of Feinstein and Cicchetti (1990): the same raw agreement, kappas and AC1 apart", () => {
  const found = csvRows("audit/kappa-paradox.csv")
    .slice(1)
    .map(([, ...cells]) => {
      const [both, first, second, neither] = cells.map(Number);
      const items = [
        { labels: [1, 1], n: both },
        { labels: [1, 0], n: first },
        { labels: [0, 1], n: second },
        { labels: [0, 0], n: neither },
      ];
      const [{ raw, cohenKappa, scottPi, ac1 }] = auditAgreement(items, { ...quick, judges: ["1", "2"] }).pairs;
      return [raw, cohenKappa, scottPi, ac1].map(({ value }) => Number((value as number).toFixed(4)));
    });
  expect(found).toEqual([
    [0.85, 0.6995, 0.6992, 0.7007],
    [0.85, 0.3182, 0.3143, 0.808],
    [0.6, 0.1304, 0.1209, 0.2661],
    [0.6, 0.2593, 0.1919, 0.2079],
  ]);
});

describe("three people and two judges on 999 pairs of answers (PandaLM, Apache-2.0), as counts of label patterns", () => {
  const [judges, ...rows] = csvRows("audit/pandalm-patterns.csv").map((cells) => cells.slice(0, 5));
  const counts = csvRows("audit/pandalm-patterns.csv")
    .slice(1)
    .map((cells) => Number(cells[5]));
  const kappaOf = (result: Agreement, first: string, second: string) =>
    result.pairs.find((pair) => pair.first === first && pair.second === second)?.cohenKappa.value;

  it("have the published kappas of .85, .88 and .86 between people", () => {
    const result = auditAgreement(
      rows.map((labels, i) => ({ labels, n: counts[i] })),
      { ...quick, judges },
    );
    expect(result.items).toBe(999);
    expect(kappaOf(result, "annotator1", "annotator2")).toBeCloseTo(0.852023, 6);
    expect(kappaOf(result, "annotator1", "annotator3")).toBeCloseTo(0.878944, 6);
    expect(kappaOf(result, "annotator2", "annotator3")).toBeCloseTo(0.861661, 6);
    // A tie by another name, and no verdict at all, count as disagreement: that has to be said.
    expect(result.warnings).toEqual([expect.stringContaining('only gpt35 says "Tie" and "garbage"')]);
    expect(() => auditAgreement([{ labels: rows[0] }], { ...quick, judges, categories: ["1", "2"] })).toThrow(
      /none of the categories 1, 2/,
    );
  });

  it("agree more once a tie is called one and what is no verdict is blank", () => {
    const words: Record<string, string | null> = { Tie: "0", garbage: null };
    const items = rows.map((labels, i) => ({
      labels: labels.map((label) => (label in words ? words[label] : label)),
      n: counts[i],
    }));
    const result = auditAgreement(items, { ...quick, judges, categories: ["0", "1", "2"] });
    const pair = result.pairs.find(({ first, second }) => first === "annotator1" && second === "gpt35");
    expect(pair?.n).toBe(974);
    expect(pair?.raw.value).toBeCloseTo(0.709446, 6);
    expect(pair?.cohenKappa.value).toBeCloseTo(0.479371, 6);
    expect(result.warnings).toEqual([]);
  });
});

it("39 people on 108 birds (Welinder et al. 2010): kappas of 741 pairs from -.43 to .75, Fleiss' kappa .125", () => {
  const rows = bluebirdLabels();
  const judges = rows[0].map((_, j) => `worker ${j}`);
  const { pairs, all, judges: marginals } = auditAgreement(itemsOf(rows), { ...quick, judges });
  const kappas = pairs.map(({ cohenKappa }) => cohenKappa.value as number).sort((a, b) => a - b);
  expect(kappas).toHaveLength(741);
  expect(marginals.reduce((sum, { n }) => sum + n, 0)).toBe(4212);
  expect(kappas[0]).toBeCloseTo(-0.4259259259, 9);
  expect(kappas[740]).toBeCloseTo(0.7489270386, 9);
  expect(kappas.reduce((sum, kappa) => sum + kappa, 0) / 741).toBeCloseTo(0.1396051521, 9);
  expect(all.raw.value).toBeCloseTo(0.5881941321, 9);
  expect(all.fleissKappa.value).toBeCloseTo(0.125292902, 9);
});

describe("warnings", () => {
  it("name judges that give one label alone, and what only one of several says", () => {
    const items = [
      { labels: ["good", "good", "good"], n: 9 },
      { labels: ["bad", "good", "good"], n: 3 },
      { labels: ["ok", "good", null], n: 1 },
    ];
    const { warnings } = auditAgreement(items, { ...quick, judges: ["person", "always", "also"] });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain('always ("good") and also ("good") give one label alone');
    expect(warnings[1]).toContain('only person says "bad" and "ok"');
    const declared = auditAgreement(items, { ...quick, judges: ["a", "b", "c"], categories: ["bad", "ok", "good"] });
    expect(declared.warnings).toHaveLength(1);
  });

  it("are of nothing where labels are fine; a column of names is refused", () => {
    const fine = [{ labels: [1, 1] }, { labels: [0, 0] }, { labels: [0, 1] }];
    expect(auditAgreement(fine, { ...quick, judges: ["a", "b"] }).warnings).toEqual([]);
    const names = Array.from({ length: 600 }, (_, i) => ({ labels: [`answer ${i}`, "good"] }));
    expect(() => auditAgreement(names, { ...quick, judges: ["a", "b"] })).toThrow(/more than 500 different labels/);
  });
});
