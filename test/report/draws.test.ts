import { tableFromIPC } from "apache-arrow";
import Papa from "papaparse";
import { expect, it } from "vitest";
import { fit, presetSource } from "../../dist/index.js";
import type { Fit } from "../../src/documents.js";
import type { Draws } from "../../src/engines/engine.js";
import { drawsFiles, exportNames } from "../../src/report/draws.js";

async function sampled(options: object): Promise<{ result: Fit; draws: Draws }> {
  let kept: { result: Fit; draws: Draws } | undefined;
  await fit([presetSource("nq-dense-gemma3")], {
    seed: 1,
    draws: 20,
    trace: true,
    onFit: (result: Fit, draws: Draws) => {
      kept = { result, draws };
    },
    ...options,
  });
  if (kept === undefined) throw new Error("no fit came");
  return kept;
}

function parse(content: string | Uint8Array): Record<string, number>[] {
  const text = String(content);
  const { data, errors } = Papa.parse<Record<string, number>>(text, {
    header: true,
    comments: "#",
    dynamicTyping: true,
    skipEmptyLines: true,
  });
  expect(errors).toEqual([]);
  return data;
}

it("names carry no signs that readers stumble on, and none twice", () => {
  expect(
    exportNames([
      "theta_R",
      "theta_A-",
      "theta_T+",
      "theta_A~",
      "P(R=1)",
      "P(G=1)",
      "TPR_R",
      "P(R_J=1)",
      "P(A=1|R=0)",
      "P(A=1, R=0)",
    ]),
  ).toEqual([
    "theta_R",
    "theta_A_minus",
    "theta_T_plus",
    "theta_A_partial",
    "P_R",
    "P_G",
    "TPR_R",
    "P_R_J",
    "P_A_1_R_0",
    "P_A_1_R_0_2",
  ]);
});

it.each(["nuts", "hmc"])(
  "%s: one CmdStan file a chain reads back the very draws, with the sampler's columns first",
  async (sampler) => {
    const { result, draws } = await sampled({ sampler, chains: 2 });
    const files = await drawsFiles("name", result, draws, "cmdstan");
    expect(files.map(({ name }) => name)).toEqual(["name-1.csv", "name-2.csv"]);
    for (const [chain, { content }] of files.entries()) {
      const rows = parse(content);
      expect(Object.keys(rows[0]).slice(0, 8)).toEqual([
        "lp__",
        "accept_stat__",
        "stepsize__",
        "treedepth__",
        "n_leapfrog__",
        "divergent__",
        "energy__",
        "theta_R",
      ]);
      expect(rows.map(({ P_G }) => P_G)).toEqual([...draws.values[8].subarray(chain * 20, (chain + 1) * 20)]);
      for (const row of rows) {
        expect(row.accept_stat__).toBeGreaterThanOrEqual(0);
        expect(row.accept_stat__).toBeLessThanOrEqual(1);
        expect(row.energy__).toBeGreaterThanOrEqual(-row.lp__);
        expect(row.n_leapfrog__).toBeGreaterThanOrEqual(1);
        expect(row.divergent__).toBe(0);
      }
    }
  },
);

it("independent draws have lp__ alone before the quantities", async () => {
  const { result, draws } = await sampled({ engine: "exact", chains: 2 });
  const [first] = await drawsFiles("name", result, draws, "cmdstan");
  const rows = parse(first.content);
  expect(Object.keys(rows[0]).slice(0, 2)).toEqual(["lp__", "theta_R"]);
  expect(rows).toHaveLength(20);
});

it("an Arrow file reads back the very draws", async () => {
  const { result, draws } = await sampled({ chains: 3 });
  const [file] = await drawsFiles("name", result, draws, "arrow");
  const table = tableFromIPC(file.content as Uint8Array);
  expect(table.numRows).toBe(60);
  expect([...(table.getChild("P_G") ?? [])]).toEqual([...draws.values[8]]);
  expect(table.getChild("chain")?.get(59)).toBe(3);
});
