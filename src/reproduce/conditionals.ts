import { meanOf } from "./materials.js";
import type { Part } from "./part.js";
import { printedNumbers } from "./printed.js";
import { exactRow, marked } from "./rows.js";

export const table2: Part = {
  id: "table2",
  needs: [],
  make: async (materials) => {
    const posteriors = await materials.posteriors();
    const rows = printedNumbers.table2.flatMap((printed, i) => {
      const { dataset, retriever, generator } = printed;
      const labels = [dataset, retriever, generator];
      return ["theta_A-", "theta_A+", "theta_T-", "theta_T+"].map((column) =>
        exactRow({ labels, column }, printed[column], meanOf(posteriors[i], column)),
      );
    });
    return [
      {
        id: "table2",
        title: "Table 2: what each system does when retrieval fails, and when it succeeds",
        about:
          "How often it abstains without (theta_A-) and with (theta_A+) the right context, and how often an answer is right " +
          "without (theta_T-) and with it (theta_T+).",
        evidence: "construction",
        basis: "Ours are posterior means under uniform priors, in closed form.",
        heads: ["data set", "retriever", "generator"],
        layout: "matrix",
        figure: null,
        rows: marked(rows, ({ labels }) => labels[0]),
        contradictions: ["C1", "C15"],
        notes: [],
      },
    ];
  },
};
