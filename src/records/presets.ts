import Papa from "papaparse";
import { usageError } from "../errors.js";
import { judgeCountsCsv, reconstructedCountsCsv, reconstructedTernaryCountsCsv } from "../generated/presets.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { show } from "../values.js";
import { type CountedRecords, RecordCounter } from "./counts.js";
import { hasLevels01 } from "./labels.js";
import { nearest } from "./nearest.js";
import type { RawRow } from "./row.js";

type PresetRow = Readonly<Record<string, string>>;

const nameParts = ["dataset", "retriever", "generator"] as const;

/** Columns such as R1A0T1 or partial_A0T1: the number of records with these labels. */
const cellColumn = /^R?([01]|fail|partial|success)_?A([01])T([01])$/;

const parse = (csv: string): PresetRow[] =>
  Papa.parse<PresetRow>(csv, { header: true, delimiter: ",", skipEmptyLines: true }).data;
const nameOf = (row: PresetRow): string => nameParts.map((part) => row[part].toLowerCase()).join("-");
const presetsOf = (csv: string): ReadonlyMap<string, PresetRow> => new Map(parse(csv).map((row) => [nameOf(row), row]));

const presets = presetsOf(reconstructedCountsCsv);
/** Those that were counted with three levels of retrieval. */
const ternaryPresets = presetsOf(reconstructedTernaryCountsCsv);
/** Those with labels of a judge: a row a cell, with its number of records. */
const judgeRows = parse(judgeCountsCsv);

/** `dataset-retriever-generator` of every configuration of the paper, e.g. `hotpotqa-hybrid-qwen3.5`. */
export const presetNames = (): string[] => [...presets.keys()];

/**
 * The reconstructed counts of one configuration of the paper, as if read from a file.
 * @throws RatError (usage) for an unknown name, or a network whose R, A and T are not 0/1; R may also be fail, partial or
 * success, if the configuration was counted so.
 */
export function presetCounts(name: string, network: CompiledNetwork): CountedRecords {
  if (!presets.has(String(name).toLowerCase())) throw usageError(unknownPreset(name));
  const preset = presetFor(name.toLowerCase(), network);
  const judged = isJudged(network) ? judgeRows.filter((row) => nameOf(row) === name.toLowerCase()) : [];
  const counter = new RecordCounter(network, { file: `preset ${name}` });
  for (const row of judged.length > 0 ? judged.map(judgedRow) : rowsOf(preset)) counter.add(row);
  const counted = counter.finish();
  const notices = [...counted.notices];
  const missed = preset.violated_digits ?? "";
  if (missed !== "") {
    notices.push(`preset ${name}: no counts meet all printed digits of the paper; these miss ${missed}`);
  }
  if (judged.length > 0) {
    notices.push(
      `preset ${name}: the judge's labels were made from the paper's rates, independent given R and T; they are no ` +
        "evidence on how a judge's errors come together",
    );
  }
  return { ...counted, notices };
}

const isJudged = ({ variables }: CompiledNetwork): boolean =>
  ["R_J", "T_J"].every((label) => variables.some((v) => v.name === label && hasLevels01(v)));

const judgedRow = ({ R, A, T, R_J, T_J, n }: PresetRow, i: number): RawRow => ({
  line: i + 2,
  values: { R, A, T, R_J, T_J, n },
});

/** The counts of a preset for the network's levels. @throws RatError (usage) */
function presetFor(name: string, network: CompiledNetwork): PresetRow {
  const variable = (label: string) => network.variables.find((v) => v.name === label);
  const isBinary = (label: string): boolean => hasLevels01(variable(label) ?? { name: label, levels: [] });
  if (!isBinary("A") || !isBinary("T") || !(isBinary("R") || isTernary(variable("R")?.levels ?? []))) {
    throw usageError(`preset ${name} holds 0/1 labels of R, A and T; network ${network.name} has no such variables`);
  }
  if (isBinary("R")) return presets.get(name) as PresetRow;
  const preset = ternaryPresets.get(name);
  if (preset !== undefined) return preset;
  throw usageError(
    `preset ${name} has no counts with partial retrieval, which network ${network.name} needs; ` +
      `those that have are ${[...ternaryPresets.keys()].join(", ")}`,
  );
}

const isTernary = (levels: readonly string[]): boolean =>
  levels.length === 3 && ["fail", "partial", "success"].every((level) => levels.includes(level));

function rowsOf(preset: PresetRow): RawRow[] {
  return Object.entries(preset).flatMap(([column, n], i) => {
    const labels = cellColumn.exec(column);
    if (labels === null) return [];
    const [, R, A, T] = labels;
    return [{ line: i + 1, values: { R, A, T, n } }];
  });
}

function unknownPreset(name: string): string {
  const near = nearest(String(name), presetNames());
  const choices = nameParts.map((part) => {
    const values = new Set([...presets.values()].map((row) => row[part].toLowerCase()));
    return `${part} ${[...values].join(", ")}`;
  });
  const didYouMean = near.length > 0 ? `; did you mean ${near.join(", ")}?` : ".";
  return `no preset ${show(name)}${didYouMean} All names are DATASET-RETRIEVER-GENERATOR: ${choices.join("; ")}`;
}
