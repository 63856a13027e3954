import type { ReproducedRow, ReproducedTable, Sweep, SweepCell } from "../documents.js";
import { type Part, printedSe, type Scale } from "./part.js";
import { allocated, presetOf, printedNumbers } from "./printed.js";
import { estimatedRow } from "./rows.js";

type Measure = "mae" | "width" | "coverage";

const read = {
  mae: ({ mae, maeSe }: SweepCell) => ({ value: mae, se: maeSe }),
  width: ({ width, widthSe }: SweepCell) => ({ value: width, se: widthSe }),
  coverage: ({ coverage, coverageSe }: SweepCell) => ({ value: coverage, se: coverageSe }),
} as const;

export const figure1: Part = {
  id: "fig1",
  needs: [],
  make: () => [
    {
      id: "fig1",
      title: "Figure 1: what depends on what",
      about:
        "Retrieval success R decides how often the system abstains (A); both decide how often the task is solved (T), which an " +
        "abstention never does. Adherence G follows from the three: abstain where retrieval failed, answer correctly where it " +
        "succeeded.",
      evidence: "none",
      basis: "Drawn from the shipped network rat.",
      heads: [],
      layout: "list",
      figure: "network",
      rows: [],
      contradictions: [],
      notes: [],
    },
  ],
};

/** A row a strategy and budget, a column a system and quantity. */
function rowsOf(sweeps: readonly Sweep[], measure: Measure, scale: Scale): ReproducedRow[] {
  return sweeps.flatMap(({ source, cells }) => {
    const { generator } = allocated.find((system) => presetOf(system) === source)!;
    return cells.map((cell) => {
      const { strategy, add, quantity } = cell;
      const printed =
        measure === "width"
          ? printedNumbers.figure3Widths.find(
              (one) =>
                one.generator === generator &&
                one.quantity === quantity &&
                one.strategy === strategy &&
                one.add === add,
            )
          : undefined;
      const labels = [strategy === "base" ? "base alone" : strategy, String(add)];
      const ours = read[measure](cell);
      const place = { labels, column: `${generator} ${quantity}` };
      return estimatedRow(place, printed?.width ?? null, ours, printedSe(ours.se, scale));
    });
  });
}

const heads = ["strategy", "additional"];
const setting =
  "HotpotQA, hybrid retrieval: 100 fully labelled records, and more that each of five strategies has labelled in its way.";
const basis = "Ours are averages over random subsamples of the shipped records, the same for every strategy.";

const part = (id: string, make: (sweeps: readonly Sweep[], scale: Scale) => ReproducedTable): Part => ({
  id,
  needs: ["allocation"],
  make: (materials, scale) => [make(materials.sweep("allocation"), scale)],
});

export const figure2 = part("fig2", (sweeps, scale) => ({
  id: "fig2",
  title: "Figure 2: error of the estimates",
  about: `${setting} Mean absolute error of P(G=1) and P(T=1) against the value on all 10,000 records.`,
  evidence: "independent",
  basis,
  heads,
  layout: "matrix",
  figure: "mae",
  rows: rowsOf(sweeps, "mae", scale),
  contradictions: ["C6", "C16"],
  notes: ["The paper prints this figure without numbers: what it says about it is decided among the claims."],
}));

export const figure3 = part("fig3", (sweeps, scale) => ({
  id: "fig3",
  title: "Figure 3: width of the intervals",
  about: `${setting} Mean width of the 95% intervals; the errors, which the paper's figure repeats, are in Figure 2.`,
  evidence: "independent",
  basis,
  heads,
  layout: "matrix",
  figure: "width",
  rows: rowsOf(sweeps, "width", scale),
  contradictions: ["C8"],
  notes: ["The paper's text gives four of these numbers, for Qwen3.5 and 500 additional records."],
}));

export const coverage = part("coverage", (sweeps, scale) => ({
  id: "coverage",
  title: "Coverage of the intervals (appendix E)",
  about: "Share of subsamples in which the 95% interval holds the value on all records.",
  evidence: "independent",
  basis,
  heads,
  layout: "matrix",
  figure: null,
  rows: rowsOf(sweeps, "coverage", scale),
  contradictions: [],
  notes: ["The paper says close to 95% and prints no numbers."],
}));
