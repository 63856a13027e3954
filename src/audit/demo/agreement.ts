import { type Agreement, auditAgreement } from "../agreement.js";
import { type Estimate, normalWidth } from "../estimate.js";
import { article } from "./article.js";
import { type DemoPanel, demoLevel, estimated, exact, known } from "./finding.js";
import { inWords, variatesOf } from "./simulate.js";

/** Verdicts of two judges on a claim. */
export type JudgedTwice = readonly [first: 0 | 1, second: 0 | 1];

export interface AgreementScene {
  readonly panel: DemoPanel;
  readonly even: readonly JudgedTwice[];
  readonly rare: readonly JudgedTwice[];
}

const claims = 4000;

/** Shares in percent: both yes, the first alone, the second alone, both no. */
type Table = readonly [both: number, first: number, second: number, none: number];

/** The article prints neither its tables nor kappa. These have its two AC1, at one raw agreement. */
const even: Table = [40, 9, 6, 45];
const rare: Table = [80, 10, 5, 5];

export function agreementScene(seed: number): AgreementScene {
  const sets = [even, rare].map((table, t) => simulateTable(table, seed, t));
  const [first, second] = sets.map((rows) => auditOf(rows));
  const [planted, plantedRare] = [coefficients(even), coefficients(rare)];
  return {
    even: sets[0],
    rare: sets[1],
    panel: {
      panel: "B",
      title: "Two tables of one raw agreement: kappa collapses, AC1 stays",
      setup: `${inWords(claims)} claims judged twice, cells yes-yes, yes-no, no-yes, no-no of ${even.join(", ")}% (even) and ${rare.join(", ")}% (rare)`,
      findings: [
        estimated(["rawEven", "raw agreement, even", null], planted.raw, first.raw),
        estimated(["rawRare", "raw agreement, rare", null], plantedRare.raw, second.raw),
        estimated(["kappaEven", "Cohen's kappa, even", null], planted.kappa, first.kappa),
        estimated(["kappaRare", "Cohen's kappa, rare", null], plantedRare.kappa, second.kappa),
        estimated(
          ["kappaFalls", "kappa, rare less even", article.kappaFalls],
          plantedRare.kappa - planted.kappa,
          change(first.kappa, second.kappa),
        ),
        estimated(["ac1Even", "Gwet's AC1, even", article.ac1Even], planted.ac1, first.ac1),
        estimated(["ac1Rare", "Gwet's AC1, rare", article.ac1Rare], plantedRare.ac1, second.ac1),
        estimated(
          ["ac1Stays", "AC1, rare less even", article.ac1Stays],
          plantedRare.ac1 - planted.ac1,
          change(first.ac1, second.ac1),
        ),
        exact(["ac1EvenTable", "AC1 of the table itself, even", article.ac1Even], planted.ac1),
        exact(["ac1RareTable", "AC1 of the table itself, rare", article.ac1Rare], plantedRare.ac1),
      ],
      remarks: ["the article prints two AC1 and neither its tables nor kappa: other tables have these AC1 as well"],
    },
  };
}

function simulateTable(table: Table, seed: number, set: number): JudgedTwice[] {
  const variates = variatesOf(seed, "demoTables", set);
  const cells: readonly JudgedTwice[] = [
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ];
  return Array.from({ length: claims }, () => {
    let rest = 100 * variates.uniform();
    const cell = table.findIndex((share) => {
      rest -= share;
      return rest < 0;
    });
    return cells[cell < 0 ? 3 : cell];
  });
}

function auditOf(rows: readonly JudgedTwice[]) {
  const judges = ["first", "second"];
  const items = rows.map((labels) => ({ labels }));
  const [pair]: Agreement["pairs"] = auditAgreement(items, { judges, level: demoLevel, replicates: 0, seed: 0 }).pairs;
  return { raw: pair.raw, kappa: pair.cohenKappa, ac1: pair.ac1 };
}

/** Closed forms: Cohen's chance agreement is by each judge's own shares, Gwet's 2 p (1 - p) by their mean. */
export function coefficients(table: Table): { raw: number; kappa: number; ac1: number } {
  const [both, first, second, none] = table.map((share) => share / 100);
  const raw = both + none;
  const [a, b] = [both + first, both + second];
  const mean = (a + b) / 2;
  const [byOwn, byGwet] = [a * b + (1 - a) * (1 - b), 2 * mean * (1 - mean)];
  return { raw, kappa: (raw - byOwn) / (1 - byOwn), ac1: (raw - byGwet) / (1 - byGwet) };
}

/** Of two sets that are independent. */
function change(from: Estimate, to: Estimate) {
  const value = known(to.value) - known(from.value);
  const half = normalWidth(demoLevel) * Math.hypot(known(from.error), known(to.error));
  return { value, lower: value - half, upper: value + half, interval: "normal" };
}
