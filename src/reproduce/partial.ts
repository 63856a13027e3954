import { fractionOf } from "./materials.js";
import type { Part } from "./part.js";
import { printedNumbers } from "./printed.js";
import { exactRow, marked, printedRow } from "./rows.js";

export const table8: Part = {
  id: "table8",
  needs: [],
  make: async (materials) => {
    const posteriors = await materials.ternary();
    const rows = printedNumbers.table8.flatMap(({ dataset, retriever, n, percent }) => {
      const labels = [dataset, retriever];
      const system = posteriors.find((one) => one.dataset === dataset && one.retriever === retriever);
      const share = system && fractionOf(system, "P(R=partial)");
      if (system === undefined || share == null) {
        return [printedRow({ labels, column: "records" }, n), printedRow({ labels, column: "percent" }, percent)];
      }
      return [
        exactRow({ labels, column: "records" }, n, Math.round(share * system.fit.records)),
        exactRow({ labels, column: "percent" }, percent, 100 * share),
      ];
    });
    return [
      {
        id: "table8",
        title: "Table 8: partial retrieval",
        about: "How many of 10,000 questions were given some, but not all, of what is needed to answer them.",
        evidence: "construction",
        basis: "Ours are counted in the records with three levels of retrieval, which exist for HotpotQA alone.",
        heads: ["data set", "retriever"],
        layout: "matrix",
        figure: null,
        rows,
        contradictions: ["C11"],
        notes: ["FEVER and NQ are shown as printed: there are no counts with three levels behind them."],
      },
    ];
  },
};

export const table9: Part = {
  id: "table9",
  needs: [],
  make: async (materials) => {
    const posteriors = await materials.ternary();
    const rows = printedNumbers.table9.flatMap((printed, i) => {
      const labels = [printed.retriever, printed.generator];
      return ["theta_A-", "theta_A~", "theta_A+", "theta_T-", "theta_T~", "theta_T+"].map((column) =>
        exactRow({ labels, column }, printed[column], fractionOf(posteriors[i], column)),
      );
    });
    return [
      {
        id: "table9",
        title: "Table 9: three levels of retrieval",
        about:
          "HotpotQA: how often systems abstain (theta_A) and how often their answers are right (theta_T) when retrieval found " +
          "nothing (-), some (~) or all (+) of what is needed.",
        evidence: "construction",
        basis: "Ours are fractions of the shipped records with three levels of retrieval, exact.",
        heads: ["retriever", "generator"],
        layout: "matrix",
        figure: null,
        rows: marked(rows),
        contradictions: ["C15"],
        notes: [],
      },
    ];
  },
};
