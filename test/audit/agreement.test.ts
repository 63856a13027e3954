import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Agreement,
  type AgreementOptions,
  agreementOverPrevalence,
  auditAgreement,
  type LabelledItem,
} from "../../src/audit/agreement.js";
import { type Estimate, normalWidth } from "../../src/audit/estimate.js";
import { auditReference, csvRows, notFinite } from "./support.js";

const two = { judges: ["r1", "r2"], seed: 1, replicates: 200 };

/** Two judges who say yes or no: both, only the first, only the second, neither. */
const tableItems = ([yesYes, yesNo, noYes, noNo]: readonly number[]): LabelledItem[] => [
  { labels: [1, 1], n: yesYes },
  { labels: [1, 0], n: yesNo },
  { labels: [0, 1], n: noYes },
  { labels: [0, 0], n: noNo },
];

const ofTable = (table: readonly number[], options: Partial<AgreementOptions> = {}): Agreement =>
  auditAgreement(tableItems(table), { ...two, categories: [0, 1], ...options });

const numbersOf = (name: string): LabelledItem[] =>
  csvRows(name)
    .slice(1)
    .map(([, ...labels]) => ({ labels: labels.map(Number) }));

interface ReferenceCase {
  input: { both_1: number; r1_1_r2_0: number; r1_0_r2_1: number; both_0: number };
  raw_agreement: number;
  marginal_1: number;
  marginal_2: number;
  cohen_kappa: number;
  scott_pi: number;
  gwet_ac1: number;
  statsmodels_fleiss_2raters_equals_scott: number;
  cohen_kappa_se_delta_multinomial: number;
  scott_pi_se_delta_multinomial: number;
  gwet_ac1_se_delta_multinomial: number;
  psych_cohen_kappa?: { lower95: number; upper95: number };
}

const cases: Record<string, ReferenceCase> = auditReference.agreement.cases;

describe.each(Object.entries(cases))("agreement in table %s", (name, reference) => {
  it("is the reference's to 1e-8: coefficients, errors, marginals", () => {
    const { both_1, r1_1_r2_0, r1_0_r2_1, both_0 } = reference.input;
    const { all, pairs, judges } = ofTable([both_1, r1_1_r2_0, r1_0_r2_1, both_0]);
    const [pair] = pairs;
    const found: [number | null | undefined, number | undefined][] = [
      [pair.raw.value, reference.raw_agreement],
      [judges[0].shares?.[1], reference.marginal_1],
      [judges[1].shares?.[1], reference.marginal_2],
      [pair.cohenKappa.value, reference.cohen_kappa],
      [pair.scottPi.value, reference.scott_pi],
      [pair.ac1.value, reference.gwet_ac1],
      [all.fleissKappa.value, reference.statsmodels_fleiss_2raters_equals_scott],
      [pair.cohenKappa.error, reference.cohen_kappa_se_delta_multinomial],
      [pair.scottPi.error, reference.scott_pi_se_delta_multinomial],
      [pair.ac1.error, reference.gwet_ac1_se_delta_multinomial],
    ];
    for (const [mine, theirs] of found) expect(Math.abs((mine ?? Number.NaN) - (theirs ?? 0))).toBeLessThan(1e-8);
    const { psych_cohen_kappa: psych } = reference;
    if (psych === undefined) return;
    // Its interval is the normal one of this error, which covers too little to be ours.
    const half = normalWidth(0.95) * (pair.cohenKappa.error ?? 0);
    expect(Math.abs((pair.cohenKappa.value ?? 0) - half - psych.lower95), name).toBeLessThan(1e-8);
    expect(Math.abs((pair.cohenKappa.value ?? 0) + half - psych.upper95), name).toBeLessThan(1e-8);
  });
});

describe("agreement over prevalence", () => {
  it("is the reference's sweep to 1e-8", () => {
    const sweep: { prevalence: number; raw: number; kappa: number; ac1: number }[] =
      auditReference.agreement.prevalence_sweep_raw_085_symmetric;
    const found = agreementOverPrevalence(0.85, { prevalences: sweep.map(({ prevalence }) => prevalence) });
    found.forEach(({ kappa, ac1 }, i) => {
      expect(Math.abs((kappa ?? Number.NaN) - sweep[i].kappa)).toBeLessThan(1e-8);
      expect(Math.abs(ac1 - sweep[i].ac1)).toBeLessThan(1e-8);
    });
    expect(found).toHaveLength(sweep.length);
  });

  it("passes through the coefficients of the table that it is drawn around, and stays within what is possible", () => {
    const { pairs } = ofTable([80, 10, 5, 5]);
    const [at] = agreementOverPrevalence(0.85, { difference: 0.05, prevalences: [0.875] });
    expect(at.kappa).toBeCloseTo(pairs[0].cohenKappa.value as number, 12);
    expect(at.pi).toBeCloseTo(pairs[0].scottPi.value as number, 12);
    expect(at.ac1).toBeCloseTo(pairs[0].ac1.value as number, 12);
    expect(agreementOverPrevalence(0.85, { prevalences: [0.05, 0.95] })).toEqual([]);
    const all = agreementOverPrevalence(1);
    expect(all[0]).toMatchObject({ prevalence: 0, kappa: null, pi: null, ac1: 1 });
    expect(notFinite(all)).toEqual([]);
    expect(() => agreementOverPrevalence(1.1)).toThrow(/share from 0 to 1/);
    expect(() => agreementOverPrevalence(0.9, { difference: 0.2 })).toThrow(/differ by at most/);
  });
});

describe("the cases", () => {
  it("D3: a judge that always says yes has kappa 0, AC1 .8895, raw agreement .9", () => {
    const { pairs } = auditAgreement(numbersOf("cases/D3_always_yes.csv"), two);
    expect(pairs[0].cohenKappa.value).toBeCloseTo(0, 12);
    expect(pairs[0].ac1.value).toBeCloseTo(0.8895, 4);
    expect(pairs[0].raw.value).toBe(0.9);
  });

  it("E1: one category leaves kappa undefined, and AC1 at 1 where two are declared", () => {
    const items = numbersOf("cases/E1_one_category.csv");
    const declared = auditAgreement(items, { ...two, categories: [0, 1] });
    const [pair] = declared.pairs;
    expect(pair.raw.value).toBe(1);
    for (const kappa of [pair.cohenKappa, pair.scottPi, pair.alpha.nominal, declared.all.fleissKappa]) {
      expect(kappa).toMatchObject({ value: null, error: null, lower: null, upper: null });
      expect(kappa.reason).toMatch(/^undefined \(one category\): every label is "1"/);
    }
    expect(pair.ac1).toMatchObject({ value: 1, upper: 1, reason: null });
    expect(auditAgreement(items, two).pairs[0].ac1.reason).toMatch(/^undefined \(one category\).*must be declared/);
    expect(notFinite(declared)).toEqual([]);
  });

  it("E3: two tables of the same raw agreement, with their marginals", () => {
    const tables = csvRows("cases/E3_skew_tables.csv").slice(1);
    const found = Object.fromEntries(tables.map(([name, ...cells]) => [name, ofTable(cells.map(Number)).pairs[0]]));
    const round = ({ value }: Estimate): number => Number((value as number).toFixed(4));
    const shown = Object.entries(found).map(([name, { raw, cohenKappa, ac1, marginals }]) => [
      name,
      round(raw),
      round(cohenKappa),
      round(ac1),
      marginals?.first[1],
      marginals?.second[1],
    ]);
    expect(shown).toEqual([
      ["balanced", 0.85, 0.6995, 0.7007, 0.49, 0.46],
      ["skewed", 0.85, 0.3182, 0.808, 0.9, 0.85],
    ]);
  });

  it("E5: seven raters of one category: undefined, in the same words for all and for each pair", () => {
    const judges = csvRows("cases/E5_seven_raters.csv")[0].slice(1);
    const { all, pairs } = auditAgreement(numbersOf("cases/E5_seven_raters.csv"), { ...two, judges });
    expect(pairs).toHaveLength(21);
    const reasons = pairs.flatMap(({ cohenKappa, scottPi, alpha }) => [cohenKappa, scottPi, alpha.nominal]);
    const words = new Set([all.fleissKappa, all.alpha.nominal, ...reasons].map(({ reason }) => reason));
    expect([...words]).toEqual(['undefined (one category): every label is "0", which leaves chance agreement at 1']);
  });
});

describe("published examples", () => {
  // Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve units.
  const rows = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
    [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
  ];
  const items = rows[0].map((_, i) => ({ labels: rows.map((row) => row[i]) }));
  const judges = rows.map((_, j) => `observer ${j}`);

  it("have alpha .743 on a nominal, .815 on an ordinal and .849 on an interval scale", () => {
    const { alpha } = auditAgreement(items, { judges, scale: "interval", seed: 1, replicates: 50 }).all;
    expect(alpha.nominal.value).toBeCloseTo(0.743, 3);
    expect(alpha.ordinal?.value).toBeCloseTo(0.815, 3);
    expect(alpha.interval?.value).toBeCloseTo(0.849, 3);
  });

  it("have AC1 .77544 and Fleiss' kappa .76117 with missing labels, as Gwet's irrCAC gives them", () => {
    const { all } = auditAgreement(items, { judges, seed: 1, replicates: 50 });
    expect(all.ac1.value).toBeCloseTo(0.77544, 5);
    expect(all.fleissKappa.value).toBeCloseTo(0.76117, 5);
    expect(all.raw.value).toBeCloseTo(0.81818, 5);
  });

  it("have Fleiss' kappa .210 of fourteen raters (Fleiss's own table)", () => {
    const table = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ];
    const labelled = table.map((row) => ({ labels: row.flatMap((n, k) => Array<number>(n).fill(k)) }));
    const raters = Array.from({ length: 14 }, (_, j) => `rater ${j}`);
    expect(auditAgreement(labelled, { judges: raters, seed: 1, replicates: 2 }).all.fleissKappa.value).toBeCloseTo(
      0.20993,
      5,
    );
  });
});

/** Items of any labels, of two to four judges and up to four ordered categories. */
const anyItems = fc
  .record({ judges: fc.integer({ min: 2, max: 4 }), categories: fc.integer({ min: 1, max: 4 }) })
  .chain(({ judges, categories }) =>
    fc.record({
      judges: fc.constant(Array.from({ length: judges }, (_, j) => `judge ${j}`)),
      categories: fc.constant(Array.from({ length: categories }, (_, k) => k + 1)),
      items: fc.array(
        fc.record({
          labels: fc.array(fc.option(fc.integer({ min: 1, max: categories }), { freq: 4 }), {
            minLength: judges,
            maxLength: judges,
          }),
          n: fc.integer({ min: 0, max: 20 }),
        }),
        { maxLength: 12 },
      ),
    }),
  );

/** Every coefficient within a result, by its place. */
function estimatesOf(value: unknown, place = ""): [string, Estimate][] {
  if (typeof value !== "object" || value === null) return [];
  if ("reason" in value && "error" in value) return [[place, value as Estimate]];
  return Object.entries(value).flatMap(([key, inner]) => estimatesOf(inner, `${place}.${key}`));
}

describe("any labels", () => {
  it("give finite numbers in their order, or null with the reason", () => {
    const property = fc.property(anyItems, ({ items, judges, categories }) => {
      const result = auditAgreement(items, { judges, categories, scale: "interval", seed: 1, replicates: 20 });
      expect(notFinite(result)).toEqual([]);
      for (const [place, { value, lower, upper, reason }] of estimatesOf(result)) {
        expect(value === null, place).toBe(reason !== null);
        if (reason !== null) expect(reason).toMatch(/^undefined \(/);
        if (value === null || lower === null || upper === null) continue;
        expect(lower <= value + 1e-12 && value <= upper + 1e-12 && upper <= 1, place).toBe(true);
      }
    });
    fc.assert(property, { seed: 1, numRuns: 150 });
  });

  it("don't depend on their order, on how often one item is written, or on the names of categories", () => {
    const plain = ({ all, pairs }: Agreement): (number | null)[] =>
      [all, pairs].flatMap((part) => estimatesOf(part).map(([, { value }]) => value));
    const property = fc.property(anyItems, ({ items, judges, categories }) => {
      const options = { judges, seed: 1, replicates: 2 };
      const found = plain(auditAgreement(items, { ...options, categories }));
      const single = items.flatMap(({ labels, n }) => Array.from({ length: n }, () => ({ labels }))).reverse();
      const renamed = single.map(({ labels }) => ({ labels: labels.map((label) => label && `category ${9 - label}`) }));
      const names = categories.map((k) => `category ${9 - k}`);
      for (const other of [
        auditAgreement(single, { ...options, categories }),
        auditAgreement(renamed, { ...options, categories: names }),
      ]) {
        plain(other).forEach((value, i) => {
          if (value === null || found[i] === null) expect(value).toBe(found[i]);
          else expect(value).toBeCloseTo(found[i], 9);
        });
      }
    });
    fc.assert(property, { seed: 2, numRuns: 100 });
  });

  it("have the errors of a jackknife over many items", () => {
    const many = 1e5;
    const property = fc.property(anyItems, ({ items, judges, categories }) => {
      const often = items.map(({ labels, n }) => ({ labels, n: n * many }));
      const options = { judges, categories, scale: "interval", seed: 1, replicates: 0 } as const;
      const whole = estimatesOf(auditAgreement(often, options));
      const without = often.map((item, i) =>
        item.n === 0 ? [] : estimatesOf(auditAgreement(often.with(i, { ...item, n: item.n - 1 }), options)),
      );
      for (const [place, { value, error, interval }] of whole) {
        if (value === null || error === null || interval === "Wilson, chance held") continue;
        let [sum, squares] = [0, 0];
        often.forEach(({ n }, i) => {
          const own = without[i].find(([name]) => name === place)?.[1].value ?? value;
          sum += n * (own - value);
          squares += n * (own - value) ** 2;
        });
        const n = often.reduce((total, item) => total + item.n, 0);
        expect(Math.abs(Math.sqrt(Math.max(0, squares - sum ** 2 / n)) - error), place).toBeLessThan(
          1e-3 * error + 1e-8,
        );
      }
    });
    fc.assert(property, { seed: 3, numRuns: 60 });
  });

  it("are refused where they are none", () => {
    expect(() => auditAgreement([], { ...two, judges: ["alone"] })).toThrow(/two judges or more/);
    expect(() => auditAgreement([{ labels: [1] }], two)).toThrow(/items\[0\]\.labels must be a list of 2/);
    expect(() => auditAgreement([{ labels: [1, 2] }], { ...two, categories: [0, 1] })).toThrow(
      /none of the categories 0, 1/,
    );
    expect(() => auditAgreement([{ labels: ["a", "b"] }], { ...two, scale: "interval" })).toThrow(/needs numbers/);
    expect(auditAgreement([], two).pairs[0].raw.reason).toMatch(/^undefined \(no pairs\)/);
  });
});
