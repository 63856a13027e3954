import { describe, expect, it } from "vitest";
import {
  type AgreementOptions,
  agreementOverPrevalence,
  auditAgreement,
  type Label,
} from "../../src/audit/agreement.js";
import { clustersOf } from "../../src/audit/cluster.js";

const two = { judges: ["a", "b"], seed: 1, replicates: 0 };
const three = { ...two, judges: ["a", "b", "c"] };
const itemsOf = (...rows: Label[][]) => rows.map((labels) => ({ labels }));

describe("items that can't be compared", () => {
  const some = itemsOf(["x", "x", "x"], ["x", "y", "x"], ["y", "y", "x"], ["y", "y", "y"]).map((item) => ({
    ...item,
    n: 3,
  }));
  const alone = [
    { labels: ["x", null, null], n: 500 },
    { labels: ["y", null, null], n: 500 },
  ];

  it("make no interval narrower", () => {
    const options = { ...three, replicates: 100 };
    const [few, more] = [some, [...some, ...alone]].map((items) => auditAgreement(items, options));
    expect(more.all.alpha).toEqual(few.all.alpha);
    expect(more.all.raw).toEqual(few.all.raw);
    expect(more.pairs).toEqual(few.pairs);
    expect([more.items, more.comparable]).toEqual([1012, 12]);
    expect(more.warnings).toEqual([expect.stringContaining("1000 of 1012 items have one label")]);
    const blank = auditAgreement([...some, { labels: [null, null, null], n: 1000 }], options);
    expect(blank).toEqual(few);
  });

  it("count for nothing of two judges: pi is of what both have labelled", () => {
    const both = itemsOf(["x", "y"], ["y", "x"], ["x", "x"]);
    const { all, pairs } = auditAgreement([...both, { labels: ["z", null], n: 50 }], two);
    const only = auditAgreement(both, { ...two, categories: ["x", "y", "z"] });
    expect(all).toEqual(only.all);
    expect(all.fleissKappa).toEqual(pairs[0].scottPi);
  });

  it("take kappa of more judges below -1, which is none: null with the reason", () => {
    const apart = [...itemsOf(["x", "y", null], ["y", "x", null]), { labels: [null, null, "x"], n: 100 }];
    const { all } = auditAgreement(apart, three);
    expect(all.fleissKappa).toMatchObject({ value: null, lower: null, upper: null });
    expect(all.fleissKappa.reason).toMatch(/^undefined \(below -1\): labels of items that one judge alone/);
    expect(all.ac1.value).toBeGreaterThan(-1);
  });
});

describe("numbers in several spellings", () => {
  const items = itemsOf(["1", "1.0"], ["2", 2], ["01", "1"], [" 3", "2"]);

  it.each(["ordinal", "interval"] as const)("are one category of an %s scale", (scale) => {
    const { categories, all, warnings } = auditAgreement(items, { ...two, scale });
    expect(categories).toEqual(["1", "2", "3"]);
    expect(all.raw.value).toBe(0.75);
    expect(warnings.join()).not.toContain("spellings");
    const declared = auditAgreement(items, { ...two, scale, categories: ["1.0", "2", "3", "4"] });
    expect(declared.categories).toEqual(["1", "2", "3", "4"]);
    expect(() => auditAgreement(items, { ...two, scale, categories: ["1", "1.0"] })).toThrow(/categories must differ/);
  });

  it("are named on a nominal one", () => {
    expect(auditAgreement(items, two).warnings[0]).toContain(
      '"01", "1" and "1.0" are one number in different spellings',
    );
  });
});

describe("judges who share no label", () => {
  it("are named: all of them, and one among others", () => {
    const words = auditAgreement(itemsOf(["yes", "true"], ["no", "false"]), two);
    expect(words.warnings).toEqual([
      expect.stringContaining('a ("no" and "yes") and b ("false" and "true") share no label with each other'),
    ]);
    const column = auditAgreement(itemsOf(["yes", "yes", "p1"], ["no", "yes", "p2"], ["no", "no", "p3"]), three);
    expect(column.warnings).toEqual([
      expect.stringMatching(/^c shares no label with any other judge \(it says "p1", "p2" and "p3"\).*--judges/),
    ]);
    const halves = { ...two, judges: ["a", "b", "c", "d"] };
    const { warnings } = auditAgreement(itemsOf([1, 1, "x", "x"], [0, 1, "y", "x"], [0, 0, "y", "y"]), halves);
    expect(warnings[0]).toContain('a and b ("0" and "1") and c and d ("x" and "y") share no label');
  });
});

it("one bootstrap sample tells no error: it is the delta method's", () => {
  const items = itemsOf([1, 1], [0, 0], [1, 0], [0, 0], [1, 1]);
  const [one, none] = [1, 0].map((replicates) => auditAgreement(items, { ...two, replicates }).all.alpha.nominal);
  expect(one).toEqual(none);
  expect(one.lower).not.toBeNull();
});

it("AC1 of no agreement in a few items is no narrower than raw agreement is known", () => {
  const { ac1 } = auditAgreement(itemsOf(["x", "y"], ["y", "z"], ["z", "x"], ["x", "z"]), two).pairs[0];
  expect((ac1.upper as number) - (ac1.lower as number)).toBeGreaterThan(1);
});

describe("wrong arguments", () => {
  const items = itemsOf([1, 1], [0, 1]);

  it.each<[string, unknown, unknown, RegExp]>([
    ["no items", undefined, two, /^items must be a list of labelled items, not undefined/],
    ["text", "1,1", two, /^items must be a list/],
    ["an item that is none", [null], two, /^items\[0\] must be an object with labels/],
    ["a label that is none", [{ labels: [1, {}] }], two, /^items\[0\]\.labels\[1\] must be text/],
    ["half an item", [{ labels: [1, 1], n: 0.5 }], two, /^items\[0\]\.n must be a whole number/],
    ["no options", items, undefined, /^options must be an object/],
    ["judges in one text", items, { ...two, judges: "a,b" }, /^options\.judges must be a list/],
    ["no seed", items, { judges: ["a", "b"] }, /^seed must be a whole number from 0, not undefined/],
    ["a seed below 0", items, { ...two, seed: -1 }, /^seed must be a whole number from 0, not -1/],
    ["a level in text", items, { ...two, level: "0.9" }, /^options\.level must be a number/],
    ["a level that is no number", items, { ...two, level: Number.NaN }, /^level must be a number between 0 and 1/],
    ["endless replicates", items, { ...two, replicates: Infinity }, /^replicates must be a whole number/],
    ["a scale that there isn't", items, { ...two, scale: "Nominal" }, /^scale must be nominal, ordinal or interval/],
    ["words in no order", itemsOf(["x", "y"]), { ...two, scale: "ordinal" }, /needs categories in their order/],
    ["an unknown option", items, { ...two, categorys: [0, 1] }, /^there is no option "categorys"/],
    ["a category that is none", items, { ...two, categories: [Number.NaN] }, /^options\.categories\[0\] must be/],
    ["keys for clusters", items, { ...two, clusters: ["p", "q"] }, /^options\.clusters must be what clustersOf/],
    ["too few clusters", items, { ...two, clusters: clustersOf(["p"]) }, /^clusters must be of 2 items, not 1/],
    [
      "clusters beyond their count",
      items,
      { ...two, clusters: { of: [0, 3], count: 2 } },
      /^clusters\.of\[1\] must be/,
    ],
  ])("%s are refused in words", (_, given, options, message) => {
    expect(() => auditAgreement(given as never, options as AgreementOptions)).toThrow(
      expect.objectContaining({ name: "RatError", kind: "usage", message: expect.stringMatching(message) }),
    );
  });

  it.each<[unknown[], RegExp]>([
    [[], /^raw must be a number/],
    [[0.9, null], /^options must be an object/],
    [[0.9, { prevalence: [1] }], /^there is no option "prevalence"/],
    [[0.9, { prevalences: [2] }], /^options\.prevalences\[0\] must be a share/],
    [[0.9, { difference: Number.NaN }], /differ by at most 0\.1 in/],
  ])("agreement over prevalence: %j", (given, message) => {
    expect(() => agreementOverPrevalence(...(given as [number]))).toThrow(
      expect.objectContaining({ kind: "usage", message: expect.stringMatching(message) }),
    );
  });
});
