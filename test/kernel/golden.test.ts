import { describe, expect, it } from "vitest";
import { compileNetwork, isAmbiguous, rat, ratJudge } from "../../src/network/index.js";
import { drawsByName, openSampler } from "../support/kernel.js";
import { ternary } from "../support/networks.js";

/*
 * The first draws of some runs, bit for bit. WebAssembly computes the same on every machine, so these change only with the
 * kernel; where they do, every result of the same seed changes: that belongs in the changelog. `npx vitest run
 * test/kernel/golden.test.ts -u` writes the new ones.
 */
const first = (definition: typeof rat, sampler: "nuts" | "hmc", records: number): string => {
  const network = compileNetwork(definition);
  const opened = openSampler(network, { sampler, chains: 2, warmup: 100, draws: 3, seed: 2026 });
  opened.sample(
    Float64Array.from(network.patterns, (_, m) => records * (m % 5)),
    11,
  );
  return [...drawsByName(opened, network).get("P(G=1)")!].join(" ");
};

describe("the first draws of P(G=1), 2 chains x 3, of seed 2026 and refit 11, are what they were:", () => {
  it("nuts, base network", () => expect(first(rat, "nuts", 2)).toMatchInlineSnapshot());
  it("hmc, base network", () => expect(first(rat, "hmc", 2)).toMatchInlineSnapshot());
  it("nuts, three levels of retrieval", () => expect(first(ternary, "nuts", 2)).toMatchInlineSnapshot());
  it("hmc, judge", () => expect(first(ratJudge(), "hmc", 1)).toMatchInlineSnapshot());
  it("nuts, base network, 10^12 records a pattern", () => expect(first(rat, "nuts", 1e12)).toMatchInlineSnapshot());
  it("hmc, base network, 10^12 records a pattern", () => expect(first(rat, "hmc", 1e12)).toMatchInlineSnapshot());
});
