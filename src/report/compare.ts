import type { CompareDocument, Comparison, RankedSystem } from "../documents.js";
import { fixed, signed } from "./format.js";
import { drawGrid, numberColumn, painter, textColumn } from "./grid.js";
import type { TableOptions } from "./table.js";

const comparisonColumns = [
  textColumn<Comparison>("quantity", ({ quantity }) => quantity),
  numberColumn<Comparison>("difference", ({ difference }) => signed(difference, 4)),
  numberColumn<Comparison>("interval", ({ lower, upper }) => `[${signed(lower, 4)}, ${signed(upper, 4)}]`),
  numberColumn<Comparison>("P(second > first)", ({ pSecondGreater }) => fixed(pSecondGreater, 3)),
];

const rankColumns = [
  textColumn<RankedSystem>("system", ({ system }) => system),
  numberColumn<RankedSystem>("mean", ({ mean }) => fixed(mean, 4)),
  numberColumn<RankedSystem>("P(best)", ({ pBest }) => fixed(pBest, 3)),
  numberColumn<RankedSystem>("rank", ({ rankLower, rankUpper }) =>
    rankLower === rankUpper ? `${rankLower}` : `${rankLower} to ${rankUpper}`,
  ),
];

/** Every pair of systems; with more than two, the ranking by each quantity that is a merit of its own. */
export function compareText(
  { comparisons, rankings, gate, warnings }: CompareDocument,
  options: TableOptions = {},
): string {
  const paint = painter(options.colour ?? false);
  const pairs = new Map<string, Comparison[]>();
  for (const comparison of comparisons) {
    const key = JSON.stringify([comparison.first, comparison.second]);
    pairs.set(key, [...(pairs.get(key) ?? []), comparison]);
  }
  const blocks = [...pairs.values()].map((own) => {
    const [{ first, second, paired }] = own;
    const how = paired ? ", question by question" : "";
    return `${paint.bold(`${second} minus ${first}${how}`)}\n\n${drawGrid(comparisonColumns, own, paint)}`;
  });
  const merits = rankings.filter(({ quantity }) => quantity === "P(G=1)" || quantity === "P(T=1)");
  if (pairs.size > 1) {
    for (const { quantity, systems } of merits) {
      blocks.push(`${paint.bold(`ranking by ${quantity}`)}\n\n${drawGrid(rankColumns, systems, paint)}`);
    }
  }
  if (gate !== null) {
    const verdict = gate.passed ? "passed" : "not passed";
    blocks.push(`gate ${gate.condition}: P = ${fixed(gate.probability, 3)}, ${verdict}`);
  }
  return [...blocks, ...warnings.map((warning) => paint.warn(`warning: ${warning}`))].join("\n\n");
}
