import { describe, expect, it } from "vitest";
import { labelReader } from "../../src/records/labels.js";
import { readCount } from "../../src/records/weight.js";

const read = labelReader({ name: "T", levels: ["0", "1"] });

describe("0/1 labels", () => {
  const ones = [1, "1", "1.0", " 1 ", "1.", "+1", "1e0", true, "true", "TRUE", "True", "yes", "YES.", '"Yes"', "'yes'"];
  it.each([...ones, "“Yes”", "[[Yes]]", "[[ yes ]]", '"[[Yes]]."', 0.999999999975, "1.0000000005"])(
    "%j is 1",
    (value) => {
      expect(read(value)).toBe(1);
    },
  );

  it.each([0, -0, "0", "0.0", ".0", false, "False", "no", "No.", " NO ", "[[no]]", 1e-10])("%j is 0", (value) => {
    expect(read(value)).toBe(0);
  });

  it.each([undefined, null, Number.NaN, "", "  ", "NA", "nan", "NaN", "null", "None", " none "])(
    "%j is blank",
    (value) => {
      expect(read(value)).toBe(-1);
    },
  );

  it.each([
    2,
    -1,
    0.5,
    0.49999999995,
    0.99999,
    "10.0",
    "0,0",
    Number.POSITIVE_INFINITY,
    "0x1",
    "Not sure",
    "Yes, the answer covers the question.",
    "no - it misses the date",
    "1/3",
    "01 of",
    "y",
    "-",
    "[[]]",
    '""',
    ".",
    "constructor",
    {},
    [1],
  ])("%j is no label", (value) => expect(read(value)).toBe(-2));

  it("gives the same answer again", () => {
    for (const value of ["yes", "maybe", "NA"]) expect(read(value)).toBe(read(value));
  });
});

describe("labels of other levels", () => {
  const retrieval = labelReader({ name: "R", levels: ["none", "partial", "full"] });
  const grade = labelReader({ name: "S", levels: ["1", "2", "3"] });

  it("are level names in any case", () => {
    expect(["Partial", "FULL.", "[[full]]"].map(retrieval)).toEqual([1, 2, 2]);
    expect([3, "2.0", 1.0000000001].map(grade)).toEqual([2, 1, 0]);
  });

  it("win over words that mean not observed", () => {
    expect(["none", "None", "NA", ""].map(retrieval)).toEqual([0, 0, -1, -1]);
  });

  it("are not guessed from 0/1, yes/no or true/false", () => {
    expect([0, 1, "yes", true].map(retrieval)).toEqual([-2, -2, -2, -2]);
    expect(["yes", true, 0, 2.5].map(grade)).toEqual([-2, -2, -2, -2]);
  });

  it("tell names that differ only in case apart", () => {
    expect(["a", "A"].map(labelReader({ name: "X", levels: ["A", "a"] }))).toEqual([1, 0]);
  });
});

describe("readCount", () => {
  it.each([
    [0, 0],
    [38, 38],
    ["38", 38],
    [" 38.0 ", 38],
    [2 ** 53, 2 ** 53],
    ["9007199254740992", 2 ** 53],
  ])("%j is %j", (value, count) => expect(readCount(value)).toBe(count));

  it.each([-1, 1.5, "1.5", "-1", "many", "", null, true, 2 ** 53 + 2, "9007199254740993", Number.NaN, "1e3", "1,000"])(
    "%j is refused",
    (value) => expect(readCount(value)).toBeNull(),
  );
});
