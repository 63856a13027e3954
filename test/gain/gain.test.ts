import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { gain, verifyGains } from "../../dist/gain.js";
import { presetNames, presetSource, sweep } from "../../dist/index.js";
import { rat } from "../support/cli.js";

const reference = JSON.parse(
  readFileSync(new URL("../data/information-gain-reference.json", import.meta.url), "utf8"),
) as {
  all_27_from_counts: { dataset: string; retriever: string; generator: string; gain: Record<string, number> }[];
  generators: Record<string, { from_posterior_means: { H_G_given_A: number; gain: Record<string, number> } }>;
};
const gainOf = ({ strategies }: { strategies: readonly { strategy: string; gain: number }[] }, name: string): number =>
  strategies.find(({ strategy }) => strategy === name)?.gain ?? Number.NaN;

const exact = { engine: "exact", draws: 250, seed: 1 } as const;

describe("at posterior means", () => {
  it.each(Object.entries(reference.generators))(
    "%s on HotpotQA, hybrid, is within 1e-3 of the reference",
    async (name, { from_posterior_means: expected }) => {
      const preset = `hotpotqa-hybrid-${name.toLowerCase()}`;
      const { gains } = await gain([presetSource(preset)], exact);
      expect(gains.map(({ source, quantity }) => [source, quantity])).toEqual([
        [preset, "P(G=1)"],
        [preset, "P(T=1)"],
      ]);
      expect(Math.abs(gains[0].base - expected.H_G_given_A)).toBeLessThan(1e-3);
      for (const { strategy, gain: bits, lower, upper, shareOfJoint } of gains[0].strategies) {
        expect(Math.abs(bits - expected.gain[strategy])).toBeLessThan(1e-3);
        expect(lower).toBeLessThan(bits);
        expect(upper).toBeGreaterThan(bits);
        expect(shareOfJoint).toBeCloseTo(bits / gainOf(gains[0], "all-joint"), 12);
      }
    },
  );

  it("labels of T are said to tell more in those systems where they do, and in no others", async () => {
    const sources = presetNames().map(presetSource);
    const { gains } = await gain(sources, exact);
    const adherence = gains.filter(({ quantity }) => quantity === "P(G=1)");
    expect(adherence).toHaveLength(27);
    const taskFirst = adherence.filter(({ warnings }) => warnings.some((w) => w.startsWith("labels of T tell more")));
    const expected = reference.all_27_from_counts
      .filter(({ gain: bits }) => bits["all-T"] > bits["all-R"])
      .map(({ dataset, retriever, generator }) => [dataset, retriever, generator].join("-").toLowerCase());
    expect(expected).toHaveLength(4);
    expect(taskFirst.map(({ source }) => source).sort()).toEqual(expected.sort());
  });
});

it("cells are the joint probabilities of R and A with the share of the event there", async () => {
  const records = [
    { R: 0, A: 1, n: 3 },
    { R: 1, A: 0, T: 1 },
  ];
  const { gains } = await gain([{ name: "mine", records }], exact);
  const cells = gains[0].cells;
  expect(cells.map(({ R, A, G }) => [R, A, G])).toEqual([
    ["0", "0", 0],
    ["0", "1", 1],
    ["1", "0", null],
    ["1", "1", 0],
  ]);
  expect(cells.reduce((sum, { p }) => sum + p, 0)).toBeCloseTo(1, 12);
  // Uniform priors: P(R = 0) = 4/6, P(A = 1 | R = 0) = 4/5.
  expect(cells[1].p).toBeCloseTo((4 / 6) * (4 / 5), 12);
});

it("a soft policy leaves the entropy of its weights", async () => {
  const policy = "A=0:0.5, A=1:1";
  const { gains } = await gain([presetSource("nq-dense-gemma3")], { ...exact, policy });
  for (const { gain: bits } of gains[0].strategies) expect(bits).toBeCloseTo(0, 12);
  expect(gains[0].base).toBeGreaterThan(0.5);
});

it("a simulation that puts strategies in the other order is told", async () => {
  const sources = [presetSource("hotpotqa-hybrid-qwen3.5")];
  const document = await gain(sources, exact);
  // The known case: all-R comes before half-joint-T by gain, and behind it by simulation (.105 and .089 of width).
  const { sweeps } = await sweep(sources, { replicates: 60, add: [60, 500], seed: 1, workers: 1 });
  const [adherence, success] = verifyGains(document, sweeps).gains;
  expect(adherence.warnings).toEqual([
    expect.stringMatching(/^by gain all-R comes before half-joint-T; by simulation of 500 records half-joint-T does/),
  ]);
  expect(success.warnings).toEqual([]);
});

it("--verify reads standard input once, for the gain and for the simulation", async () => {
  const rows = Array.from(
    { length: 640 },
    (_, i) => ["1,0,1", "1,0,0", "0,1,0", "0,0,0", "1,1,0", "0,0,1", "1,0,1"][i % 7],
  );
  const input = `R,A,T\n${rows.join("\n")}\n`;
  const { code, stdout, stderr } = await rat(["gain", "-", "--verify", "--json", "--seed", "1"], { input });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("simulation puts") });
  expect(JSON.parse(stdout).gains).toHaveLength(2);
});
