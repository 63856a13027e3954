import type { AuditScoreSwap, AuditSwapDocument, AuditVerdictSwap } from "../documents.js";
import { type AuditTextOptions, auditText, estimateGrid, inClusters, nameColumn, testGrid } from "./audit-estimates.js";
import { counted, whole } from "./format.js";
import { drawGrid, numberColumn, type Painter } from "./grid.js";

/** What is taken for independent. @param cluster the column of clusters, if any */
export const swapClusterNote = (cluster: string | undefined): string =>
  cluster === undefined
    ? "Pairs are taken for independent; of several of one question, name the question's column with --cluster."
    : `Pairs of one ${cluster} may be alike; those of different ones are taken for independent.`;

/** Slot bias, its tests, and what is left once it cancels. */
export function swapText(document: AuditSwapDocument, options: AuditTextOptions = {}): string {
  return auditText(document, options, (paint) =>
    document.kind === "verdicts" ? verdictBlocks(document, paint) : scoreBlocks(document, paint),
  );
}

function verdictBlocks(document: AuditVerdictSwap, paint: Painter): string[] {
  const { counts, tests, debiased, level } = document;
  const rows = [
    { name: "consistent", pairs: counts.consistent },
    { name: "  of these ties", pairs: counts.consistentTies },
    { name: "first slot both times", pairs: counts.firstSlot },
    { name: "second slot both times", pairs: counts.secondSlot },
    { name: "first slot and a tie", pairs: counts.firstSlotAndTie },
    { name: "second slot and a tie", pairs: counts.secondSlotAndTie },
  ];
  return [
    title(document, "verdicts in both orders", paint),
    drawGrid(
      [
        nameColumn<(typeof rows)[number]>("the two verdicts", ({ name }) => name),
        numberColumn<(typeof rows)[number]>("pairs", ({ pairs }) => whole(pairs)),
      ],
      rows,
      paint,
    ),
    estimateGrid(
      [
        { name: "consistency", estimate: document.consistency },
        { name: "first slot both times", estimate: document.firstSlot },
        { name: "second slot both times", estimate: document.secondSlot },
        { name: "slot bias (+ first, - second)", estimate: document.bias },
        { name: "P(the first answer is preferred), debiased", estimate: debiased.preference },
      ],
      level,
      paint,
    ),
    testGrid(
      [
        { name: "no slot bias", test: tests.exact },
        // Of more clusters than can be counted out they are one test.
        ...(tests.normal.test === tests.exact.test ? [] : [{ name: "no slot bias", test: tests.normal }]),
        { name: "no slot bias", test: tests.withTies },
        { name: "no better answer", test: debiased.test },
      ],
      paint,
    ),
    `winners in both orders: ${whole(debiased.a)} the first answer, ${whole(debiased.b)} the other, ` +
      `${whole(debiased.tie)} ties or contradictions`,
  ];
}

function scoreBlocks(document: AuditScoreSwap, paint: Painter): string[] {
  const { counts, tests, debiased, level } = document;
  return [
    title(document, "scores in both slots", paint),
    estimateGrid(
      [
        { name: "first minus second slot", estimate: document.difference },
        { name: "slot bias (half of it)", estimate: document.bias },
        { name: "mean score, debiased", estimate: debiased.mean },
      ],
      level,
      paint,
    ),
    testGrid(
      [
        ...(tests.sums === null ? [] : [{ name: "no slot bias", test: tests.sums }]),
        { name: "no slot bias", test: tests.t },
        { name: "no slot bias", test: tests.sign },
        { name: "no slot bias", test: tests.wilcoxon },
      ],
      paint,
    ),
    `scores: ${whole(counts.firstHigher)} higher in the first slot, ${whole(counts.secondHigher)} in the second, ` +
      `${whole(counts.equal)} equal`,
  ];
}

function title({ source, complete, missing, clusters }: AuditSwapDocument, what: string, paint: Painter): string {
  const left = missing === 0 ? "" : ` (${whole(missing)} more without one of them left out)`;
  return paint.bold(`${source}: ${counted(whole(complete), "pair")}${inClusters(clusters)} with ${what}${left}`);
}
