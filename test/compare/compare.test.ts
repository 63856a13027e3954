import { describe, expect, it } from "vitest";
import { compare, fit, presetSource } from "../../dist/index.js";
import { parseGate } from "../../src/compare/gate.js";

const exact = { engine: "exact", draws: 2500, chains: 4, seed: 1 } as const;
const draws = exact.draws * exact.chains;

/** Records of R alone: k of n succeed. */
const coin = (name: string, k: number, n: number) => ({
  name,
  records: [
    { R: 1, n: k },
    { R: 0, n: n - k },
  ],
});

/** P(Y > X) for X ~ Beta(a, b), Y ~ Beta(c, d) of whole numbers: sums of Beta functions (Miller 2015). */
function betaGreater(a: number, b: number, c: number, d: number): number {
  const logFactorials = [0];
  for (let i = 1; i < a + b + c + d + 2; i++) logFactorials.push(logFactorials[i - 1] + Math.log(i));
  const logBeta = (x: number, y: number): number =>
    logFactorials[x - 1] + logFactorials[y - 1] - logFactorials[x + y - 1];
  let sum = 0;
  for (let i = 0; i < c; i++) {
    sum += Math.exp(logBeta(a + i, b + d) - Math.log(d + i) - logBeta(1 + i, d) - logBeta(a, b));
  }
  return sum;
}

describe("independent systems", () => {
  it("differ by the difference of their means, with the probability of two Betas", async () => {
    const { comparisons } = await compare([coin("a", 12, 30), coin("b", 30, 60)], exact);
    const { difference, lower, upper, pSecondGreater, paired } = comparisons.find(
      ({ quantity }) => quantity === "theta_R",
    ) as (typeof comparisons)[number];
    // Beta(13, 19) and Beta(31, 31); the interval is that of a difference of near normals.
    const sd = Math.sqrt((13 * 19) / (32 ** 2 * 33) + 0.25 / 63);
    const error = sd / Math.sqrt(draws);
    // Fixed seed: each of these is off by chance once in 10,000 (3.9 standard errors).
    expect(Math.abs(difference - (0.5 - 13 / 32)) / error).toBeLessThan(3.9);
    const expected = betaGreater(13, 19, 31, 31);
    expect(Math.abs(pSecondGreater - expected)).toBeLessThan(3.9 * Math.sqrt((expected * (1 - expected)) / draws));
    // An end's standard error is sqrt(.025 .975) / phi(1.96) = 2.67 times a mean's; nearly normal.
    expect(Math.abs(upper - lower - 2 * 1.96 * sd)).toBeLessThan(3.9 * 2.67 * Math.SQRT2 * error);
    expect(paired).toBe(false);
  });

  it("with the same records are two draws of one posterior, not the same draws", async () => {
    const { comparisons } = await compare([presetSource("nq-dense-gemma3"), presetSource("nq-dense-gemma3")], {
      chains: 2,
      draws: 2000,
      seed: 1,
      workers: 1,
    });
    const { difference, lower, upper, pSecondGreater } = comparisons[comparisons.length - 1];
    const { fits } = await fit([presetSource("nq-dense-gemma3")], exact);
    const sd = fits[0].quantities[8].sd as number;
    expect(Math.abs(difference)).toBeLessThan((3.9 * sd * Math.SQRT2) / Math.sqrt(2000));
    expect(upper - lower).toBeGreaterThan(2 * 1.96 * sd * Math.SQRT2 * 0.9);
    expect(Math.abs(pSecondGreater - 0.5)).toBeLessThan(0.05);
  });

  it("are ranked, and who is sure to be best is", async () => {
    const { rankings } = await compare([coin("low", 2, 50), coin("high", 48, 50), coin("middle", 25, 50)], exact);
    const { systems } = rankings[0];
    expect(systems.map(({ system, rankLower, rankUpper }) => [system, rankLower, rankUpper])).toEqual([
      ["high", 1, 1],
      ["middle", 2, 2],
      ["low", 3, 3],
    ]);
    expect(systems.map(({ pBest }) => pBest)).toEqual([1, 0, 0]);
  });

  it("the paper's first case: nearly the same P(T), very different P(G)", async () => {
    const sources = ["nq-dense-gemma3", "nq-dense-qwen3.5"].map(presetSource);
    const { comparisons } = await compare(sources, exact);
    const of = (name: string) => comparisons.find(({ quantity }) => quantity === name);
    expect(of("P(T=1)")?.pSecondGreater).toBeGreaterThan(0.2);
    expect(of("P(T=1)")?.pSecondGreater).toBeLessThan(0.8);
    expect(of("P(G=1)")?.lower).toBeGreaterThan(0.05);
  });
});

describe("systems on the same questions", () => {
  /** 100 questions; the second system is right where the first is, and on ten more. */
  const answers = (name: string, right: (i: number) => boolean, shift = 0) => ({
    name,
    records: Array.from({ length: 100 }, (_, i) => ({ id: `q${i + shift}`, R: 1, A: 0, T: right(i) ? 1 : 0 })),
  });
  const first = answers("first", (i) => i < 50);
  const second = answers("second", (i) => i < 60);

  it("are compared question by question, which is narrower", async () => {
    const notices: string[] = [];
    const together = await compare([first, second], { ...exact, onNotice: (notice) => notices.push(notice) });
    const apart = await compare([first, answers("second", (i) => i < 60, 7)], exact);
    const of = ({ comparisons }: typeof together) => comparisons.find(({ quantity }) => quantity === "P(T=1)");
    expect([of(together)?.paired, of(apart)?.paired]).toEqual([true, false]);
    expect(notices).toContain("first and second: compared on the same 100 questions");
    const width = (document: typeof together): number => (of(document)?.upper ?? 0) - (of(document)?.lower ?? 0);
    expect(width(together)).toBeLessThan(0.6 * width(apart));
    // Dirichlet of 1/6 for each of 36 pairs: mean (10 + (15 - 15) / 6 ...) of T = (1 - 2 of 6 cells succeed) in both.
    expect(of(together)?.difference).toBeCloseTo(10 / 106, 2);
    expect(of(together)?.pSecondGreater).toBeGreaterThan(0.99);
  });

  it("are independent where an id is missing, comes twice or stands for several records", async () => {
    for (const spoilt of [
      [...second.records.slice(1), { R: 1, A: 0, T: 0 }],
      [...second.records.slice(1), second.records[5]],
      [...second.records.slice(1), { ...second.records[0], n: 2 }],
    ]) {
      const { comparisons } = await compare([first, { name: "second", records: spoilt }], exact);
      expect(comparisons.every(({ paired }) => !paired)).toBe(true);
    }
  });

  it("are independent where a label is missing, as those that are complete would be a selection", async () => {
    const notices: string[] = [];
    // An abstention needs no T: leaving T out of answers must not make abstentions more frequent.
    const records = second.records.map((record, i) => (i % 4 === 0 ? { ...record, T: undefined } : record));
    const onNotice = (notice: string): number => notices.push(notice);
    const { comparisons } = await compare([first, { name: "second", records }], { ...exact, onNotice });
    expect(comparisons.every(({ paired }) => !paired)).toBe(true);
    expect(notices).toContain(
      "first and second: 25 of the 100 questions lack a label: compared as if they were asked different ones",
    );
  });

  it("are independent, and it is said, where priors were asked for, or ids are shared in part or come twice", async () => {
    const notices: string[] = [];
    const onNotice = (notice: string): number => notices.push(notice);
    await compare([first, second], { ...exact, priors: { theta_R: [1, 9] }, onNotice });
    await compare([first, answers("second", (i) => i < 60, 50)], { ...exact, onNotice });
    const doubled = { name: "second", records: [...second.records, second.records[5]] };
    await compare([first, doubled], { ...exact, onNotice });
    const otherwise = "compared as if they were asked different ones";
    expect(notices.filter((notice) => notice.endsWith(otherwise))).toEqual([
      `first and second: the model has priors of its own: ${otherwise}`,
      `first and second: only 50 questions are the same: ${otherwise}`,
      `first and second: the id q5 comes twice in second: ${otherwise}`,
    ]);
  });

  it("may stand in one file, told apart by a column", async () => {
    const records = [first, second].flatMap(({ name, records: own }) =>
      own.map((record) => ({ ...record, system: name })),
    );
    const { comparisons } = await compare([{ name: "all", records }], { ...exact, by: "system" });
    expect(comparisons[0]).toMatchObject({
      first: "all [system=first]",
      second: "all [system=second]",
      paired: true,
    });
  });
});

describe("a gate", () => {
  it("is passed or not by the posterior probability of the difference", async () => {
    const sources = [coin("a", 12, 30), coin("b", 30, 60)];
    const { gate } = await compare(sources, { ...exact, gate: "theta_R > 0 @ 0.5" });
    const expected = betaGreater(13, 19, 31, 31);
    expect(gate).toMatchObject({ quantity: "theta_R", wanted: 0.5, passed: true });
    expect(Math.abs((gate?.probability ?? 0) - expected)).toBeLessThan(0.02);
    const strict = await compare(sources, { ...exact, gate: "theta_R > 0 @ 0.99" });
    expect(strict.gate?.passed).toBe(false);
  });

  it.each(["P(G=1)", "P(G=1) > 0", "P(G=1) > x @ 0.9", "P(G=1) > 0 @ 1.5", "> 0 @ 0.9"])("%j is refused", (text) => {
    expect(() => parseGate(text)).toThrow(/expected a condition such as/);
  });

  it("names a quantity that is there", async () => {
    const sources = [coin("a", 1, 2), coin("b", 1, 2)];
    await expect(compare(sources, { ...exact, gate: "P(X=1) > 0 @ 0.9" })).rejects.toThrow(/no quantity "P\(X=1\)"/);
  });
});

it("one system alone is refused", async () => {
  await expect(compare([coin("a", 1, 2)], exact)).rejects.toThrow(/one system only/);
});
