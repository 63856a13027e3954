import type { ReproducedRow, ReproducedTable } from "../documents.js";
import { appendixNumbers, gainsOf, type Strategy, type Theta } from "./information.js";
import { fractionOf, type Materials, meanOf, type Posterior } from "./materials.js";
import type { Part } from "./part.js";
import { allocated, type Configuration, printedNumbers } from "./printed.js";
import { exactRow } from "./rows.js";

const fromPrinted = "from Table 2 as printed";
const fromPosterior = "at posterior means";
const fromRecords = "counted";

const isSystem = (system: Configuration) => (other: Configuration) =>
  other.dataset === system.dataset && other.retriever === system.retriever && other.generator === system.generator;

/** The digits of Tables 1 and 2 as if they were exact. */
export function printedTheta(system: Configuration): Theta {
  const marginals = printedNumbers.table1.find(isSystem(system))!;
  const conditionals = printedNumbers.table2.find(isSystem(system))!;
  const [am, ap, tm, tp] = ["theta_A-", "theta_A+", "theta_T-", "theta_T+"].map((name) => Number(conditionals[name]));
  return { r: Number(marginals["P(R=1)"]), am, ap, tm, tp };
}

export function meanTheta(posterior: Posterior): Theta {
  const [r, am, ap, tm, tp] = ["theta_R", "theta_A-", "theta_A+", "theta_T-", "theta_T+"].map(
    (name) => meanOf(posterior, name) ?? Number.NaN,
  );
  return { r, am, ap, tm, tp };
}

async function systemsOf(materials: Materials) {
  const posteriors = await materials.posteriors();
  return allocated.map((system) => {
    const posterior = posteriors.find(isSystem(system))!;
    return { ...system, posterior, printed: printedTheta(system), mean: meanTheta(posterior) };
  });
}

export const table3: Part = {
  id: "table3",
  aliases: ["table10", "table11"],
  needs: [],
  make: async (materials) => [await jointTable(materials), await gainTable(materials)],
};

async function jointTable(materials: Materials): Promise<ReproducedTable> {
  const systems = await systemsOf(materials);
  const rows = printedNumbers.table3a.flatMap((printed) => {
    const labels = [printed.R, printed.A, printed.G];
    const jointOf = (r: number, abstains: number): number =>
      (printed.R === "1" ? r : 1 - r) * (printed.A === "1" ? abstains : 1 - abstains);
    return systems.flatMap(({ generator, posterior, printed: theta }) => {
      const abstentions = printed.R === "1" ? (["ap", "theta_A+"] as const) : (["am", "theta_A-"] as const);
      const counted = jointOf(
        fractionOf(posterior, "P(R=1)") ?? Number.NaN,
        fractionOf(posterior, abstentions[1]) ?? 0,
      );
      const place = { labels, column: generator };
      return [
        exactRow({ ...place, variant: fromRecords }, printed[generator], counted),
        exactRow({ ...place, variant: fromPrinted }, printed[generator], jointOf(theta.r, theta[abstentions[0]])),
      ];
    });
  });
  return {
    id: "table3a",
    title: "Tables 3a and 10: where G is known from R and A alone",
    about:
      "HotpotQA, hybrid retrieval: how often each combination of retrieval and abstention happens, and what G is there. Only " +
      "where retrieval succeeded and the system answered does G depend on T.",
    evidence: "construction",
    basis: "Ours are fractions of the shipped records and, beside them, products of the digits of Tables 1 and 2.",
    heads: ["R", "A", "G"],
    layout: "list",
    figure: null,
    rows,
    contradictions: [],
    notes: [
      "For Qwen3.5 the last line is printed as the product of digits that were rounded before, 0.207 × 0.964, which is 0.200; " +
        "the records have 0.1994.",
    ],
  };
}

async function gainTable(materials: Materials): Promise<ReproducedTable> {
  const systems = await systemsOf(materials);
  const gains = await materials.gains();
  const rows = printedNumbers.table3b.flatMap((printed) =>
    systems.flatMap((system) => {
      const place = { labels: [printed.strategy], column: system.generator };
      const own = gains.find(isSystem(system))?.strategies.find(({ strategy }) => strategy === printed.strategy);
      const digits = printed[system.generator];
      return [
        exactRow({ ...place, variant: fromPosterior }, digits, own?.gain ?? null),
        exactRow({ ...place, variant: fromPrinted }, digits, gainsOf(system.printed)[printed.strategy as Strategy]),
      ];
    }),
  );
  return {
    id: "table3b",
    title: "Tables 3b and 11: bits that a label tells about G",
    about:
      "HotpotQA, hybrid retrieval: how much of the uncertainty about G, once abstention is seen, one more record takes away " +
      "that is labelled by each strategy.",
    evidence: "independent",
    basis: "Ours are exact entropies, at posterior means and at the digits of Tables 1 and 2.",
    heads: ["strategy"],
    layout: "list",
    figure: null,
    rows,
    contradictions: ["C3", "C4", "C5", "C7"],
    notes: [
      `No printed digit is met, but none is off by more than ${largest(rows).toFixed(4)} bits, and each system's strategies ` +
        "come in the printed order.",
    ],
  };
}

const largest = (rows: readonly ReproducedRow[]): number =>
  Math.max(...rows.map(({ difference }) => Math.abs(difference ?? 0)));

const names: Readonly<Record<string, string>> = {
  P_R0A1: "P(R=0, A=1)",
  P_A1: "P(A=1)",
  P_R0_given_A1: "P(R=0 | A=1)",
  h_A1: "entropy of G where A=1",
  P_G1_given_A0: "P(G=1 | A=0)",
  h_A0: "entropy of G where A=0",
  mass_A0_percent: "share of A=0, in percent",
  H_G_given_A: "H(G | A)",
  P_R1A0: "P(R=1, A=0)",
  theta_T_plus: "theta_T+",
  h_theta_T_plus: "entropy of theta_T+",
  H_G_given_RA: "H(G | R, A)",
  I_R: "gain of all-R",
  P_R1_given_A0T1: "P(R=1 | A=0, T=1)",
  H_G_given_AT: "H(G | A, T)",
  I_T: "gain of all-T",
  half_joint_R: "gain of half-joint-R",
  half_joint_T: "gain of half-joint-T",
  share_all_R_of_joint_percent: "all-R, percent of all-joint",
  share_all_T_of_joint_percent: "all-T, percent of all-joint",
};

export const appendixF: Part = {
  id: "appendixF",
  needs: [],
  make: async (materials) => {
    const systems = await systemsOf(materials);
    const rows = systems.flatMap(({ generator, mean, printed }) => {
      const [ours, fromDigits] = [appendixNumbers(mean), appendixNumbers(printed)];
      return Object.entries(names).flatMap(([key, column]) => {
        const digits = printedNumbers.appendixF[generator][key];
        if (digits === undefined) return [];
        const place = { labels: [generator], column };
        return [
          exactRow({ ...place, variant: fromPosterior }, digits, ours[key]),
          exactRow({ ...place, variant: fromPrinted }, digits, fromDigits[key]),
        ];
      });
    });
    return [
      {
        id: "appendixF",
        title: "Appendix F: the numbers on the way to Table 11",
        about:
          "Probabilities and entropies that the text of sections 5.3 and F gives for HotpotQA with hybrid retrieval.",
        evidence: "independent",
        basis: "As for Table 11.",
        heads: ["generator"],
        layout: "list",
        figure: null,
        rows,
        contradictions: ["C3", "C4", "C14"],
        notes: [],
      },
    ];
  },
};
