import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { binaryEntropy, InformationGain } from "../../src/experiments/gain.js";
import { defaultStrategies, parseStrategies } from "../../src/experiments/purchase.js";
import { compileNetwork, rat, ratJudge } from "../../src/network/index.js";
import { presetCounts } from "../../src/records/index.js";

interface Reference {
  readonly gain: Readonly<Record<string, number>>;
}
const reference = JSON.parse(
  readFileSync(new URL("../data/information-gain-reference.json", import.meta.url), "utf8"),
) as {
  all_27_from_counts: (Reference & { dataset: string; retriever: string; generator: string })[];
  generators: Record<string, Record<"from_table2_printed" | "from_posterior_means", Reference & { parameters: Five }>>;
};

interface Five {
  readonly r: number;
  readonly am: number;
  readonly ap: number;
  readonly tm: number;
  readonly tp: number;
}

const network = compileNetwork(rat);
const weightsOf = (name: string): Float64Array =>
  network.quantities.find((quantity) => quantity.name === name)?.probability?.event ?? new Float64Array();
const adherence = new InformationGain(network, weightsOf("P(G=1)"));
const strategies = parseStrategies(defaultStrategies);
const gains = (probabilities: ArrayLike<number>): Record<string, number> =>
  Object.fromEntries(strategies.map((strategy) => [strategy.name, adherence.of(strategy, probabilities)]));

function expectGains(actual: Record<string, number>, expected: Readonly<Record<string, number>>): void {
  expect(Object.keys(actual).sort()).toEqual(Object.keys(expected).sort());
  for (const [name, value] of Object.entries(expected)) expect(Math.abs(actual[name] - value)).toBeLessThan(1e-12);
}

/** Probabilities of the cells from the five parameters. */
const cellsOf = ({ r, am, ap, tm, tp }: Five): Float64Array =>
  Float64Array.from(network.cells, ({ levels: [R, A, T] }) => {
    const abstains = R === 1 ? ap : am;
    const succeeds = R === 1 ? tp : tm;
    const retrieved = R === 1 ? r : 1 - r;
    return retrieved * (A === 1 ? abstains : (1 - abstains) * (T === 1 ? succeeds : 1 - succeeds));
  });

describe("gains on policy adherence are those of the reference", () => {
  it.each(reference.all_27_from_counts)(
    "$dataset, $retriever, $generator",
    ({ dataset, retriever, generator, gain }) => {
      const { counts } = presetCounts([dataset, retriever, generator].join("-"), network);
      const total = counts.reduce((sum, n) => sum + n, 0);
      const probabilities = Float64Array.from(network.cells, (_, c) => {
        const own = network.patterns.findIndex(({ cells }) => cells.length === 1 && cells[0] === c);
        return counts[own] / total;
      });
      expectGains(gains(probabilities), gain);
    },
  );

  it.each(Object.entries(reference.generators))("%s, at the printed rates and at posterior means", (_name, all) => {
    for (const at of ["from_table2_printed", "from_posterior_means"] as const) {
      expectGains(gains(cellsOf(all[at].parameters)), all[at].gain);
    }
  });
});

describe("a gain", () => {
  const cells = cellsOf({ r: 0.4, am: 0.3, ap: 0.1, tm: 0.2, tp: 0.9 });

  it("of all labels is all that is left, for an event of these labels", () => {
    const success = new InformationGain(network, weightsOf("P(T=1)"));
    const [joint, , , , taskOnly] = strategies;
    expect(success.of(joint, cells)).toBeCloseTo(success.base(cells), 14);
    expect(success.of(taskOnly, cells)).toBeCloseTo(success.base(cells), 14);
  });

  it("under a soft policy leaves the entropy of the weights", () => {
    // Every answer is adherent with weight 1/2, whatever R and T are: no label tells more than A.
    const weights = Float64Array.from(network.cells, ({ levels }) => (levels[1] === 0 ? 0.5 : 1));
    const soft = new InformationGain(network, weights);
    const answered = cells.reduce((sum, p, c) => sum + (network.cells[c].levels[1] === 0 ? p : 0), 0);
    expect(soft.base(cells)).toBeCloseTo(answered, 14);
    for (const strategy of strategies) expect(soft.of(strategy, cells)).toBeCloseTo(0, 14);
  });

  it("of judge labels is what their noise leaves; without them in the network it is refused", () => {
    const judged = compileNetwork(ratJudge());
    const [purchase] = parseStrategies("mine: R_J 100%");
    expect(() => adherence.of(purchase, cells)).toThrow("no variable R_J");
    // R and a judge of it that is right nine times in ten, everything else certain: G = R where nothing abstains.
    const event = judged.quantities.find(({ name }) => name === "P(G=1)")?.probability?.event ?? new Float64Array();
    const probabilities = Float64Array.from(judged.cells, ({ levels: [R, A, T, RJ, TJ] }) =>
      A === 0 && T === 1 && TJ === 1 ? 0.5 * (R === RJ ? 0.9 : 0.1) : 0,
    );
    const gain = new InformationGain(judged, event).of(purchase, probabilities);
    expect(gain).toBeCloseTo(1 - binaryEntropy(0.1), 14);
  });
});
