import type { Part } from "./part.js";
import { type PrintedNumbers, printedNumbers } from "./printed.js";
import { printedRow } from "./rows.js";

const settings = (id: "table6" | "table7", title: string, about: string, contradictions: readonly string[]): Part => ({
  id,
  needs: [],
  make: () => [
    {
      id,
      title,
      about,
      evidence: "none",
      basis: "There is nothing to recompute.",
      heads: ["part"],
      layout: "list",
      figure: null,
      rows: rowsOf(printedNumbers[id]),
      contradictions,
      notes: [],
    },
  ],
});

/** A setting that the paper lists twice is listed once. */
const rowsOf = (listed: PrintedNumbers["table6"]) =>
  listed.map(({ part, setting, value }) => printedRow({ labels: [part], column: setting }, value));

export const table6 = settings(
  "table6",
  "Table 6: settings of retrieval",
  "How the documents were found; each question was given the best five.",
  [],
);
export const table7 = settings(
  "table7",
  "Table 7: settings of generators and judge",
  "How the answers and verdicts were made.",
  ["C12"],
);
