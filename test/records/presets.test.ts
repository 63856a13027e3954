import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { reconstructedCountsCsv } from "../../src/generated/presets.js";
import { compileNetwork } from "../../src/network/index.js";
import { presetCounts, presetNames } from "../../src/records/index.js";
import { base, failure, judge, shown } from "./support.js";

describe("presets", () => {
  it("are the file in data/", async () => {
    const file = await readFile(new URL("../../data/reconstructed-counts.csv", import.meta.url), "utf8");
    expect(reconstructedCountsCsv).toBe(file);
  });

  it("are 27 configurations of 10,000 records", () => {
    expect(new Set(presetNames()).size).toBe(27);
    for (const name of presetNames()) {
      expect(name).toMatch(/^(fever|hotpotqa|nq)-(dense|hybrid|sparse)-(apertus|gemma3|qwen3\.5)$/);
      const counted = presetCounts(name, base);
      expect(counted.records).toBe(10_000);
      expect(Object.keys(shown(counted))).toHaveLength(6);
      expect(counted.notices).toHaveLength(name === "nq-hybrid-apertus" ? 1 : 0);
    }
  });

  it("are counts as if read from a file", () => {
    const counted = presetCounts("HotpotQA-hybrid-Qwen3.5", base);
    expect(shown(counted)).toEqual({ R0A0T0: 2317, R0A0T1: 1940, R0A1T0: 3675, R1A0T0: 641, R1A0T1: 1353, R1A1T0: 74 });
    expect(counted.observed).toEqual({ R: 10_000, A: 10_000, T: 10_000 });
  });

  it("fit networks with more variables", () => {
    expect(presetCounts("fever-dense-gemma3", judge)).toMatchObject({ records: 10_000, missing: { R_J: 10_000 } });
  });

  it("refuse networks in which R, A and T mean something else", async () => {
    const network = compileNetwork({
      name: "other",
      variables: [{ name: "R", levels: ["fail", "partial", "success"], rows: [{ name: "p" }] }],
      quantities: [],
    });
    const error = await failure(() => presetCounts("fever-dense-gemma3", network));
    expect(error.exitCode).toBe(64);
  });

  it.each([
    ["hotpotqa-hybrid-qwen", /did you mean hotpotqa-hybrid-qwen3\.5,/],
    ["hotpot-hybrid-apertus", /did you mean hotpotqa-hybrid-apertus,/],
    ["qwen3.5-sparse", /did you mean [^?]*nq-sparse-qwen3\.5/],
    ["nqdensegemma3", /did you mean nq-dense-gemma3\?/],
    ["zzz", /^no preset "zzz"\. All names/],
  ])("say what is near %s, and what there is", async (name, message) => {
    const error = await failure(() => presetCounts(name, base));
    expect(error.exitCode).toBe(64);
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(
      /DATASET-RETRIEVER-GENERATOR: dataset fever, hotpotqa, nq; retriever dense, hybrid, sparse; generator apertus/,
    );
  });
});
