/** What `rat audit demo` simulates, as files that the other audits read, and its findings as a table for machines. */
import Papa from "papaparse";
import type { JudgedTwice } from "../audit/demo/agreement.js";
import type { JudgedClaim } from "../audit/demo/prevalence.js";
import type { DemoScenes } from "../audit/demo.js";
import type { VerdictPair } from "../audit/swap.js";
import type { AuditDemoDocument, AuditDemoPanel } from "../documents.js";

interface DataFile {
  readonly panel: AuditDemoPanel["panel"];
  readonly name: string;
  readonly rows: number;
  readonly command: string;
  readonly text: string;
}

type Field = string | number | null;

/** @param seed of the audits that need one */
export function demoFiles(scenes: DemoScenes, seed: number): DataFile[] {
  const file = (
    panel: DataFile["panel"],
    name: string,
    audit: string,
    options: string,
    columns: readonly string[],
    rows: readonly (readonly Field[])[],
  ): DataFile => {
    const command = `rat audit ${audit} ${name}${options}`;
    return { panel, name, rows: rows.length, command, text: csv(columns, rows) };
  };
  const seeded = ` --seed ${seed}`;
  const { dense, systems } = scenes.prevalence;
  const { even, rare } = scenes.agreement;
  const { confidence, outcome } = scenes.calibration.rows;
  const { scores } = scenes.variance;
  const { lenient, control } = scenes.swap;
  const { items } = scenes.latentClass;
  const claims = (rows: readonly JudgedClaim[]) => rows.map(({ system, judge, gold }) => [system, judge, gold]);
  const pairs = (rows: readonly JudgedTwice[]) => rows.map(([first, second], i) => [`c${i + 1}`, first, second]);
  const orders = (rows: readonly VerdictPair[]) =>
    rows.map(({ forward, reversed }, i) => [`p${i + 1}`, forward, reversed]);
  const claim = ["system", "judge", "gold"];
  const twice = ["id", "first", "second"];
  const both = ["id", "forward", "reversed"];
  const judges = ["a", "b", "c", "d", "e"];
  const votes = ` --judges ${judges.join(",")} --gold gold${seeded}`;
  return [
    file("A", "panel-a.csv", "prevalence", seeded, claim, claims(dense)),
    file("A", "panel-a-systems.csv", "prevalence", ` --by system${seeded}`, claim, claims(systems)),
    file("B", "panel-b-even.csv", "agreement", seeded, twice, pairs(even)),
    file("B", "panel-b-rare.csv", "agreement", seeded, twice, pairs(rare)),
    file("C", "panel-c.csv", "calibration", seeded, ["confidence", "outcome"], rowsOf(confidence, outcome)),
    file(
      ...(["D", "panel-d.csv", "variance", " --budget 200 --max-judges 20", ["query", "judge", "score"]] as const),
      scores.map(({ query, judge, score }) => [query, judge, score]),
    ),
    file("swap", "swap-lenient.csv", "swap", "", both, orders(lenient)),
    file("swap", "swap-control.csv", "swap", "", both, orders(control)),
    file(
      ...(["E", "panel-e.csv", "latent-class", votes, ["item", ...judges, "gold"]] as const),
      items.map(({ votes: own, gold }, i) => [`i${i + 1}`, ...own, gold]),
    ),
  ];
}

const rowsOf = (confidence: Float64Array, outcome: Uint8Array): Field[][] =>
  Array.from(confidence, (value, i) => [value, outcome[i]]);

export function demoCsv({ panels }: AuditDemoDocument): string {
  const columns = [
    "panel",
    "id",
    "finding",
    "kind",
    "planted",
    "value",
    "lower",
    "upper",
    "interval",
    "article",
    "agrees",
  ];
  const rows = panels.flatMap(({ panel, findings }) =>
    findings.map(({ id, finding, kind, planted, value, lower, upper, interval, article, agrees }): Field[] => [
      ...[panel, id, finding, kind, planted, value, lower, upper, interval],
      ...[article?.printed ?? null, agrees === null ? null : String(agrees)],
    ]),
  );
  return csv(columns, rows);
}

/** Numbers in full. */
const csv = (fields: readonly string[], data: readonly (readonly Field[])[]): string =>
  `${Papa.unparse({ fields: [...fields], data: data.map((row) => [...row]) }, { newline: "\n" })}\n`;
