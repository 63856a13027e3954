import type { DemoFinding } from "../audit/demo.js";
import type { AuditDemoDocument, AuditDemoPanel } from "../documents.js";
import { nameColumn } from "./audit-estimates.js";
import { absent, fixed } from "./format.js";
import { drawGrid, numberColumn, type Painter, painter } from "./grid.js";

const width = 100;

/** A table a panel, what agrees, and the commands that audit the same data. */
export function demoText(
  document: AuditDemoDocument,
  { colour = false, notes = true, folder = null }: { colour?: boolean; notes?: boolean; folder?: string | null } = {},
): string {
  const paint = painter(colour);
  const { panels } = document;
  const blocks = [
    ...panels.flatMap((panel) => [headOf(panel, paint), gridOf(panel, paint)]),
    summaryOf(document),
    commandsOf(panels, folder),
  ];
  const remarks = panels.flatMap(({ panel, remarks: own }) => own.map((remark) => `note: ${panel}: ${remark}`));
  return [...blocks, ...(notes ? [remarks.join("\n")] : [])].join("\n\n");
}

function headOf({ panel, title, setup }: AuditDemoPanel, paint: Painter): string {
  const name = panel === "swap" ? "Swap test" : `Panel ${panel}`;
  return [paint.bold(`${name}: ${title}`), ...wrapped(`planted: ${setup}`)].join("\n");
}

function gridOf({ findings }: AuditDemoPanel, paint: Painter): string {
  return drawGrid(
    [
      nameColumn<DemoFinding>("", ({ finding }) => finding),
      numberColumn<DemoFinding>("planted", ({ planted }) => fixed(planted, 4)),
      numberColumn<DemoFinding>("ours", ({ value }) => fixed(value, 4)),
      numberColumn<DemoFinding>("interval", intervalOf),
      numberColumn<DemoFinding>("article", ({ article }) => article?.printed ?? absent),
      numberColumn<DemoFinding>("agrees", ({ agrees }) => (agrees === null ? absent : agrees ? "yes" : "no")),
    ],
    findings,
    paint,
  );
}

function intervalOf({ kind, lower, upper }: DemoFinding): string {
  if (kind === "exact") return "exact";
  return lower === null && upper === null ? absent : `[${fixed(lower, 4)}, ${fixed(upper, 4)}]`;
}

function summaryOf({ panels, compared, agreeing, rule, seed }: AuditDemoDocument): string {
  const others = panels.flatMap(({ panel, findings }) =>
    findings.flatMap(({ finding, agrees }) => (agrees === false ? [`${panel}, ${finding}`] : [])),
  );
  const not = others.length === 0 ? "" : `; not: ${others.join("; ")}`;
  return [...wrapped(`seed ${seed}: ${agreeing} of ${compared} agree${not}`), ...wrapped(rule)].join("\n");
}

function commandsOf(panels: readonly AuditDemoPanel[], folder: string | null): string {
  const where =
    folder === null
      ? "--out DIR writes the simulated data; in that folder the same numbers come from"
      : `the simulated data are in ${folder}; in that folder the same numbers come from`;
  return [where, ...panels.flatMap(({ files }) => files.map(({ command }) => `  ${command}`))].join("\n");
}

/** Words in lines that a terminal has room for. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}
