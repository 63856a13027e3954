import { describe, expect, it } from "vitest";
import { costsOf, impliedShareOf } from "../../src/experiments/budget.js";
import { replicateCounts } from "../../src/experiments/design.js";
import { designOf, network, population, refusal } from "./support.js";

const records = { unit: "records", skipImplied: false } as const;
const labels = { unit: "labels", skipImplied: false } as const;

/** Of one cell of a replicate beyond the base: records by which of R and T they show, abstentions apart. */
function bought(choice: Parameters<typeof designOf>[0], replicate = 0) {
  const design = designOf({ ...choice, base: 0 });
  const patterns = network.patterns.length;
  const counts = replicateCounts(design, replicate).subarray(patterns, 2 * patterns);
  const sums: Record<string, number> = {};
  counts.forEach((n, m) => {
    if (n === 0) return;
    const [R, A, T] = network.patterns[m].levels;
    const key = `${R < 0 ? "" : "R"}${T < 0 ? "" : "T"}${A === 1 ? " abstained" : ""}`;
    sums[key] = (sums[key] ?? 0) + n;
  });
  return sums;
}

const total = (sums: Record<string, number>, test = (_key: string) => true): number =>
  Object.entries(sums).reduce((sum, [key, n]) => sum + (test(key) ? n : 0), 0);

describe("what a record costs", () => {
  it("is one record, or as many labels as it has", () => {
    expect([...costsOf(network, "joint", records)]).toEqual([1, 1, 1, 1, 1, 1]);
    expect([...costsOf(network, "joint", labels)]).toEqual([2, 2, 2, 2, 2, 2]);
    expect([...costsOf(network, "T", labels)]).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it("leaves out what an abstention implies, where that is wanted", () => {
    // Cells in the order R0A0T0, R0A0T1, R0A1T0, R1A0T0, R1A0T1, R1A1T0.
    expect([...costsOf(network, "joint", { ...labels, skipImplied: true })]).toEqual([2, 2, 1, 2, 2, 1]);
    expect([...costsOf(network, "T", { ...records, skipImplied: true })]).toEqual([1, 1, 0, 1, 1, 0]);
    expect([...costsOf(network, "R", { ...records, skipImplied: true })]).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe("a budget of 100", () => {
  it("is 100 records of any strategy", () => {
    for (const strategies of ["all-joint", "half-joint-T", "all-R"]) {
      expect(total(bought({ strategies, adds: [100] }))).toBe(100);
    }
  });

  it("labels is 50 joint records, and half of each in a mixed strategy", () => {
    expect(total(bought({ strategies: "all-joint", adds: [100], budget: labels }))).toBe(50);
    expect(total(bought({ strategies: "all-R", adds: [100], budget: labels }))).toBe(100);
    expect(total(bought({ strategies: "half-joint-R", adds: [100], budget: labels }))).toBe(75);
    // A label that doesn't pay for a joint record is left.
    expect(total(bought({ strategies: "all-joint", adds: [101], budget: labels }))).toBe(50);
  });

  it("labels of T that skips abstentions buys 100 labels of answers; the abstentions before the last come free", () => {
    const isAnswer = (key: string): boolean => !key.includes("abstained");
    const sums = bought({ strategies: "all-T", adds: [100], budget: { skipImplied: true } });
    expect(total(sums, isAnswer)).toBe(100);
    expect(total(sums)).toBeGreaterThan(100);
    expect(total(bought({ strategies: "all-T", adds: [100] }), isAnswer)).toBeLessThan(100);
  });

  it("of records doesn't change what a replicate draws", () => {
    const design = designOf({ base: 10, adds: [20] });
    expect(design.sample).toBe(30);
  });
});

it("tells how many labels of T alone fall on abstentions", () => {
  expect(impliedShareOf(designOf())).toBeCloseTo((3675 + 74) / 10_000, 12);
  expect(impliedShareOf(designOf({ strategies: "all-joint,all-R" }))).toBeNull();
  expect(impliedShareOf(designOf({ budget: { skipImplied: true } }))).toBeNull();
});

it("says so where the records run out before the labels are bought", () => {
  // 95 abstentions to 5 answers: a label of T is rare.
  const few = Float64Array.from(population, (_, c) => [2, 2, 95, 1, 0, 0][c]);
  const choice = { population: few, base: 0, strategies: "all-T", adds: [5], budget: { skipImplied: true } };
  expect(refusal(() => designOf(choice)).message).toMatch(/100 records hold every label, but .* needs \d+/);
});
