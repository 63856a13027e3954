import { Command } from "commander";
import type { ScorePair, Slot, VerdictPair } from "../audit/swap.js";
import type { AuditSwapDocument } from "../documents.js";
import { usageError } from "../errors.js";
import type { AuditRow } from "./audit-rows.js";
import { type AuditFlags, addAuditOptions, auditFileArgument, runAudit } from "./audit-run.js";

interface SwapFlags extends AuditFlags {
  forward?: string;
  reversed?: string;
  scores?: boolean;
  first?: string;
  second?: string;
}

/** By the place where an answer was shown. 1 and 0 may be numbers of JSON. */
const slots: Readonly<Record<string, Slot>> = {
  ...{ first: "first", a: "first", "a>b": "first", "1": "first" },
  ...{ second: "second", b: "second", "b>a": "second", "2": "second" },
  ...{ tie: "tie", "a=b": "tie", "0": "tie" },
};

export function auditSwapCommand(): Command {
  const command = new Command("swap")
    .description("slot bias of a judge that compared answers, or scored them, in both orders")
    .argument(...auditFileArgument)
    .option("--forward <column>", "verdicts in one order: first, second, tie; A, B, tie; 1, 2, 0 (default: forward)")
    .option("--reversed <column>", "verdicts with the answers swapped (default: reversed)")
    .option("--scores", "an answer's scores in both slots instead of verdicts")
    .option("--first <column>", "scores of answers shown first (default: first)")
    .option("--second <column>", "scores of the same answers shown second (default: second)");
  return addAuditOptions(command, "consistency < 0.8").action(runSwap);
}

export async function runSwap(file: string, flags: SwapFlags): Promise<void> {
  const [
    { slotAlarmCount, alarmTestOf, swapBlindness, auditScoreSwap, auditVerdictSwap },
    { swapClusterNote, swapText },
    cells,
  ] = await Promise.all([import("../audit/swap.js"), import("../report/audit-swap.js"), import("./audit-rows.js")]);
  const needsVerdicts = (["forward", "reversed"] as const).find((name) => flags[name] !== undefined);
  const needsScores = (["first", "second"] as const).find((name) => flags[name] !== undefined);
  if (flags.scores && needsVerdicts)
    throw usageError(`--${needsVerdicts} names verdicts, and --scores asks for scores`);
  if (!flags.scores && needsScores) throw usageError(`--${needsScores} names scores: add --scores`);
  const { forward = "forward", reversed = "reversed", first = "first", second = "second" } = flags;
  const { cluster } = flags;
  const notes = [...swapBlindness, swapClusterNote(cluster)];
  await runAudit<AuditSwapDocument>({
    name: "swap",
    file,
    flags,
    seed: null,
    audit: (rows, source, level) => {
      if (flags.scores) {
        cells.checkColumns(rows, { "--first": first, "--second": second });
        const clusters = cells.clustersIn(rows, cluster);
        const pairs = rows.map(
          (row): ScorePair => ({ first: cells.numberOf(row, first), second: cells.numberOf(row, second) }),
        );
        return {
          kind: "scores",
          source,
          level,
          ...auditScoreSwap(pairs, { level, clusters }),
          notes,
        };
      }
      cells.checkColumns(rows, { "--forward": forward, "--reversed": reversed });
      const clusters = cells.clustersIn(rows, cluster);
      const slotOf = (row: AuditRow, column: string): Slot | null => {
        const cell = cells.cellOf(row, column);
        const name = typeof cell === "string" || typeof cell === "number" ? String(cell).toLowerCase() : "";
        if (cell === null || Object.hasOwn(slots, name)) return cell === null ? null : slots[name];
        const spellings = "first, second or tie; A, B or tie; 1, 2 or 0: which slot won, not which system";
        return cells.refuse(row, column, `expected ${spellings}, or a blank where it is missing`);
      };
      const pairs = rows.map(
        (row): VerdictPair => ({ forward: slotOf(row, forward), reversed: slotOf(row, reversed) }),
      );
      return {
        kind: "verdicts",
        source,
        level,
        ...auditVerdictSwap(pairs, { level, clusters }),
        notes,
      };
    },
    text: swapText,
    figures: async (document) => {
      const { swapFigure } = await import("../report/audit-swap-figure.js");
      return { "audit-swap": await swapFigure(document) };
    },
    numbers: (document) =>
      document.kind === "scores"
        ? {
            bias: document.bias,
            difference: document.difference,
            p: alarmTestOf(document.tests),
            mean: document.debiased.mean,
            missing: document.missing,
            alarms: slotAlarmCount(document),
          }
        : {
            consistency: document.consistency,
            firstSlot: document.firstSlot,
            secondSlot: document.secondSlot,
            bias: document.bias,
            p: document.tests.exact,
            preference: document.debiased.preference,
            missing: document.missing,
            alarms: slotAlarmCount(document),
          },
  });
}
