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
  const counts = network.patterns.map((pattern, m) => (isAmbiguous(pattern) ? m % 4 : records * (m % 5)));
  opened.sample(counts, 11);
  return [...drawsByName(opened, network).get("P(G=1)")!].join(" ");
};

describe("the first draws of P(G=1), 2 chains x 3, of seed 2026 and refit 11, are what they were:", () => {
  it("nuts, base network", () =>
    expect(first(rat, "nuts", 2)).toMatchInlineSnapshot(
      `"0.48306322847760297 0.40469729858424114 0.29044951806302677 0.49408373400273065 0.45161075484726154 0.39572522318380954"`,
    ));
  it("hmc, base network", () =>
    expect(first(rat, "hmc", 2)).toMatchInlineSnapshot(
      `"0.3420264603817215 0.41942160147004937 0.3250158913721476 0.537049572944295 0.19500532215870126 0.686665661299697"`,
    ));
  it("nuts, three levels of retrieval", () =>
    expect(first(ternary, "nuts", 2)).toMatchInlineSnapshot(
      `"0.3178593015690925 0.47450710841681654 0.453972966970944 0.4076464659573813 0.4342781775787843 0.4157936281357011"`,
    ));
  it("hmc, judge", () =>
    expect(first(ratJudge(), "hmc", 1)).toMatchInlineSnapshot(
      `"0.23906103371223864 0.27806104733590226 0.26037665447424796 0.2759356977903089 0.2759356977903089 0.29577950167904266"`,
    ));
  it("nuts, base network, 10^12 records a pattern", () =>
    expect(first(rat, "nuts", 1e12)).toMatchInlineSnapshot(
      `"0.43529417267299175 0.4352940474683651 0.4352942504313432 0.43529413344360585 0.4352940205160777 0.4352938487634026"`,
    ));
  it("hmc, base network, 10^12 records a pattern", () =>
    expect(first(rat, "hmc", 1e12)).toMatchInlineSnapshot(
      `"0.43529405974219854 0.43529415554261186 0.43529415554261186 0.43529424792475235 0.4352937875406463 0.4352944659855926"`,
    ));
});
