import { fractionOf } from "./materials.js";
import type { Part } from "./part.js";
import { printedNumbers } from "./printed.js";
import { exactRow, marked } from "./rows.js";

export const table1: Part = {
  id: "table1",
  needs: [],
  make: async (materials) => {
    const posteriors = await materials.posteriors();
    const rows = printedNumbers.table1.flatMap((printed, i) => {
      const { dataset, retriever, generator } = printed;
      const labels = [dataset, retriever, generator];
      // Retrieval knows nothing of the generator, and the paper prints its success once for all three.
      const isFirst = printedNumbers.table1[i - 1]?.retriever !== retriever;
      return ["P(R=1)", "P(A=1)", "P(T=1)", "P(G=1)"]
        .filter((column) => column !== "P(R=1)" || isFirst)
        .map((column) => exactRow({ labels, column }, printed[column], fractionOf(posteriors[i], column)));
    });
    return [
      {
        id: "table1",
        title: "Table 1: how often each thing happens",
        about:
          "For each of the 27 systems, how often retrieval succeeds (R), the system abstains (A), the task is solved (T), " +
          "and it behaves as it should (G).",
        evidence: "construction",
        basis: "Ours are fractions of the 10,000 shipped records, exact.",
        heads: ["data set", "retriever", "generator"],
        layout: "matrix",
        figure: null,
        rows: marked(rows, ({ labels }) => labels[0]),
        contradictions: ["C1", "C11", "C13"],
        notes: ["Retrieval success is the same for the three generators, and printed once."],
      },
    ];
  },
};
