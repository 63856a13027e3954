import type { ReproducedRow, ReproducedTable, Sweep } from "../documents.js";
import { fractionOf, type Materials } from "./materials.js";
import { type Part, printedSe, type Scale } from "./part.js";
import { printedNumbers } from "./printed.js";
import { estimatedRow, exactRow, printedRow } from "./rows.js";

export const table4: Part = {
  id: "table4",
  needs: [],
  make: async (materials) => [await retrievalJudge(materials), await taskJudge(materials)],
};

const about = "How often the judge says yes where people do (TPR) and where they don't (FPR), and how often in all.";

async function retrievalJudge(materials: Materials): Promise<ReproducedTable> {
  const [apertus] = (await materials.judged()).filter(({ generator }) => generator === "Apertus");
  const quantities = { TPR: "TPR_R", FPR: "FPR_R", "P(R=1)": "P(R=1)", "P(R_J=1)": "P(R_J=1)" };
  const rows = printedNumbers.table4a.flatMap((printed) =>
    Object.entries(quantities).map(([column, quantity]) => {
      const place = { labels: [printed.retriever], column };
      if (printed.retriever !== "hybrid") return printedRow(place, printed[column]);
      return exactRow(place, printed[column], fractionOf(apertus, quantity));
    }),
  );
  return {
    id: "table4a",
    title: "Table 4a: the judge of retrieval",
    about: `${about} HotpotQA.`,
    evidence: "construction",
    basis: "Ours, for hybrid retrieval, are fractions of the shipped records, whose judge was made from these rates.",
    heads: ["retriever"],
    layout: "matrix",
    figure: null,
    rows,
    contradictions: [],
    notes: ["Dense and sparse retrieval are shown as printed: no labels of a judge are shipped for them."],
  };
}

async function taskJudge(materials: Materials): Promise<ReproducedTable> {
  const systems = await materials.judged();
  const quantities = { TPR: "TPR_T", FPR: "FPR_T", "P(T=1)": "P(T=1)", "P(T_J=1)": "P(T_J=1)" };
  const rows = printedNumbers.table4b.flatMap((printed) => {
    const system = systems.find(({ generator }) => generator === printed.generator)!;
    return Object.entries(quantities).map(([column, quantity]) =>
      exactRow({ labels: [printed.generator], column }, printed[column], fractionOf(system, quantity)),
    );
  });
  return {
    id: "table4b",
    title: "Table 4b: the judge of the task",
    about: `${about} HotpotQA.`,
    evidence: "construction",
    basis: "Ours are fractions of the shipped records with hybrid retrieval, whose judge was made from these rates.",
    heads: ["generator"],
    layout: "matrix",
    figure: null,
    rows,
    contradictions: ["C2"],
    notes: ["The paper doesn't say which retriever the rates are of; hybrid is assumed."],
  };
}

const measures = ["mae", "width"] as const;
const columnNames = { mae: "error", width: "width" } as const;

export const table5: Part = {
  id: "table5",
  needs: ["judge-learnt", "judge-fixed"],
  make: (materials, scale) => {
    const variants = { "rates learnt": "judge-learnt", "rates held": "judge-fixed" } as const;
    const rows = printedNumbers.table5.flatMap((printed) =>
      ["P(G=1)", "P(T=1)"].flatMap((quantity) =>
        measures.flatMap((measure) =>
          Object.entries(variants).map(([variant, experiment]) =>
            judgeRow(materials.sweep(experiment)[0], { printed, quantity, measure, variant }, scale),
          ),
        ),
      ),
    );
    const met = (variant: string) => {
      const own = rows.filter((row) => row.variant === variant && row.met !== null);
      return `${own.filter((row) => row.met).length} of ${own.length}`;
    };
    return [
      {
        id: "table5",
        title: "Table 5: what a judge's labels add to 200 of people's",
        about:
          "Apertus on HotpotQA, hybrid retrieval: mean absolute error and width of the 95% interval of P(G=1) and P(T=1), from " +
          "200 fully labelled records and more that only the judge has labelled.",
        evidence: "independent",
        basis:
          "Ours are averages over random subsamples of the shipped records, with the judge's rates learnt along with everything " +
          "else, and with its rates held at those of Table 4.",
        heads: ["judged records"],
        layout: "list",
        figure: null,
        rows,
        contradictions: ["C9", "C10"],
        notes: [
          `Of the printed numbers ${met("rates learnt")} are met with rates learnt, ${met("rates held")} with rates held: the ` +
            "widths tell which of the two the paper did.",
        ],
      },
    ];
  },
};

function judgeRow(
  sweep: Sweep,
  row: {
    printed: (typeof printedNumbers.table5)[number];
    quantity: string;
    measure: (typeof measures)[number];
    variant: string;
  },
  scale: Scale,
): ReproducedRow {
  const { printed, quantity, measure, variant } = row;
  const cell = sweep.cells.find((one) => one.add === printed.add && one.quantity === quantity);
  const [value, se] = measure === "mae" ? [cell?.mae, cell?.maeSe] : [cell?.width, cell?.widthSe];
  const labels = [printed.add.toLocaleString("en-US")];
  const place = { labels, column: `${quantity} ${columnNames[measure]}`, variant };
  const digits = printed[`${quantity} ${measure}`];
  return estimatedRow(place, digits, { value: value ?? null, se: se ?? null }, printedSe(se ?? null, scale));
}
