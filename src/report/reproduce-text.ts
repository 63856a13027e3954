/** The reproduction as Markdown, as CSV and for a terminal. */
import Papa from "papaparse";
import type { ReproduceDocument, ReproducedClaim, ReproducedRow, ReproducedTable } from "../documents.js";
import { absent, whole } from "./format.js";
import { drawGrid, painter, textColumn } from "./grid.js";
import {
  countOf,
  differenceText,
  evidenceWords,
  type Figures,
  isOfSystems,
  measureText,
  oursText,
  runText,
  systemsAbout,
  systemsTitle,
  tallyOf,
  tallyText,
  verdicts,
} from "./reproduce-cells.js";
import type { TableOptions } from "./table.js";

/** @param figureFiles names of the figures' files beside the text */
export function reproduceMarkdown(document: ReproduceDocument, figureFiles: Figures): string {
  const { tables, claims, contradictions, quick, experiments } = document;
  const lines = ["# “The RAT” recomputed", "", runText(document), ""];
  if (quick) {
    const replicates = experiments.map((one) => `${one.name} ${whole(one.replicates)}`).join(", ");
    lines.push(`A quick run with fewer replicates than the paper has: ${replicates}.`, "");
  }
  for (const table of tables) {
    if (table === tables.find(isOfSystems) && figureFiles.systems !== undefined) {
      lines.push(`## ${systemsTitle}`, "", systemsAbout, "", `![${systemsTitle}](${figureFiles.systems})`, "");
    }
    lines.push(...tableLines(table, figureFiles));
  }
  if (claims.length > 0) {
    lines.push(
      "## Claims",
      "",
      "| section | claim | verdict | number | what decides |",
      "| --- | --- | --- | --- | --- |",
    );
    for (const claim of claims) {
      const { section, verdict, decidedBy, contradiction } = claim;
      const told = contradiction === null ? verdict : `${verdict} (${contradiction})`;
      lines.push(line([section, claim.claim, told, measureText(claim), decidedBy]));
    }
    lines.push("");
  }
  lines.push("## Contradictions", "");
  for (const { id, where, text } of contradictions) lines.push(`- **${id}**, ${cell(where)}: ${cell(text)}`);
  return `${lines.join("\n")}\n`;
}

function tableLines(table: ReproducedTable, figureFiles: Figures): string[] {
  const { title, about, basis, evidence, rows, notes, figure, contradictions } = table;
  const file = figure === null ? undefined : figureFiles[figure];
  const lines = [
    `## ${cell(title)}`,
    "",
    `*${evidenceWords[evidence]}*: ${tallyText(tallyOf(table))}. ${about} ${basis}`,
    "",
  ];
  if (file !== undefined) lines.push(`![${cell(title)}](${file})`, "");
  if (rows.length > 0) {
    lines.push("| | printed | ours | difference | met |", "| --- | ---: | ---: | ---: | --- |");
    lines.push(...rows.map(rowLine), "");
  }
  for (const note of notes) lines.push(cell(note), "");
  if (contradictions.length > 0) lines.push(`See ${contradictions.join(", ")} below.`, "");
  return lines;
}

function rowLine(row: ReproducedRow): string {
  const { label, variant, printed, met, ours, mark } = row;
  const shown =
    printed === null ? absent : mark === "best" ? `**${printed}**` : mark === "worst" ? `*${printed}*` : printed;
  const name = variant === null ? label : `${label} (${variant})`;
  const own = ours === null ? "not recomputed" : oursText(row);
  return line([name, shown, own, differenceText(row), met === null ? "" : met ? "yes" : "no"], [1]);
}

/** @param ready columns that are Markdown already */
const line = (cells: readonly string[], ready: readonly number[] = []): string =>
  `| ${cells.map((text, i) => (ready.includes(i) ? text : cell(text))).join(" | ")} |`;

const cell = (text: string): string => text.replaceAll(/[\\|*_`<>[\]]/g, "\\$&");

const numberColumns = ["table", "label", "column", "variant", "printed", "ours", "se", "difference", "met", "mark"];

/** One row a number. */
export function numbersCsv({ tables }: ReproduceDocument): string {
  const data = tables.flatMap(({ id, rows }) =>
    rows.map(({ labels, column, variant, printed, ours, se, difference, met, mark }) => [
      ...[id, labels.join(", "), column, variant, printed, ours, se, difference, met, mark],
    ]),
  );
  return csv(numberColumns, data);
}

const claimColumns = [
  "id",
  "section",
  "claim",
  "verdict",
  "measure",
  "value",
  "se",
  "decidedBy",
  "contradiction",
] as const;

export const claimsCsv = ({ claims }: ReproduceDocument): string =>
  csv(
    claimColumns,
    claims.map((claim) => claimColumns.map((column) => claim[column])),
  );

const csv = (fields: readonly string[], data: unknown[][]): string =>
  `${Papa.unparse({ fields: [...fields], data }, { newline: "\n" }).trimEnd()}\n`;

/** What a terminal shows: a line a table, a line a claim. */
export function reproduceText(document: ReproduceDocument, options: TableOptions = {}): string {
  const paint = painter(options.colour ?? false);
  const { tables, claims } = document;
  const tableColumns = [
    { head: "table", align: "left" as const, cells: (all: readonly ReproducedTable[]) => all.map(({ id }) => id) },
    textColumn<ReproducedTable>("evidence", ({ evidence }) => evidenceWords[evidence]),
    {
      head: "printed numbers",
      align: "left" as const,
      cells: (all: readonly ReproducedTable[]) => all.map((one) => tallyText(tallyOf(one))),
    },
  ];
  const shown = tables.filter(({ rows }) => rows.some(({ printed }) => printed !== null));
  const lines = [paint.bold("The paper, recomputed"), runText(document), ""];
  if (shown.length > 0) lines.push(drawGrid(tableColumns, shown, paint), "");
  if (claims.length > 0) {
    const counts = verdicts.map((verdict) => `${countOf(claims, verdict)} ${verdict}`).join(", ");
    lines.push(paint.bold(`${claims.length} claims: ${counts}`), "");
    for (const claim of claims.filter(({ verdict }) => verdict !== "holds")) lines.push(claimLine(claim, paint.warn));
    lines.push("");
  }
  return lines.join("\n");
}

const claimLine = (claim: ReproducedClaim, warn: (text: string) => string): string =>
  `${warn(claim.verdict)}: ${claim.claim} (${claim.section}; ${measureText(claim)})`;
