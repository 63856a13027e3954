import Papa from "papaparse";
import { usageError } from "../errors.js";
import { reconstructedCountsCsv } from "../generated/presets.js";
import type { CompiledNetwork } from "../network/compiled.js";
import { type CountedRecords, RecordCounter } from "./counts.js";
import { hasLevels01 } from "./labels.js";
import { nearest } from "./nearest.js";
import type { RawRow } from "./row.js";

type PresetRow = Readonly<Record<string, string>>;

const nameParts = ["dataset", "retriever", "generator"] as const;

/** Columns such as R1A0T1: the number of records with these labels. */
const cellColumn = /^R([01])A([01])T([01])$/;

const { data } = Papa.parse<PresetRow>(reconstructedCountsCsv, { header: true, delimiter: ",", skipEmptyLines: true });

const presets: ReadonlyMap<string, PresetRow> = new Map(
  data.map((row) => [nameParts.map((part) => row[part].toLowerCase()).join("-"), row]),
);

/** `dataset-retriever-generator` of every configuration of the paper, e.g. `hotpotqa-hybrid-qwen3.5`. */
export const presetNames = (): string[] => [...presets.keys()];

/**
 * The reconstructed counts of one configuration of the paper, as if read from a file.
 * @throws RatError (usage) for an unknown name, or a network whose R, A and T are not 0/1.
 */
export function presetCounts(name: string, network: CompiledNetwork): CountedRecords {
  const preset = presets.get(name.toLowerCase());
  if (preset === undefined) throw usageError(unknownPreset(name));
  const labels = ["R", "A", "T"];
  if (labels.some((label) => !network.variables.some((v) => v.name === label && hasLevels01(v)))) {
    throw usageError(`preset ${name} holds 0/1 labels of R, A and T; network ${network.name} has no such variables`);
  }
  const counter = new RecordCounter(network, { file: `preset ${name}` });
  for (const row of rowsOf(preset)) counter.add(row);
  const counted = counter.finish();
  const missed = preset.violated_digits;
  if (missed === "") return counted;
  const notice = `preset ${name}: no counts meet all printed digits of the paper; these miss ${missed}`;
  return { ...counted, notices: [...counted.notices, notice] };
}

function rowsOf(preset: PresetRow): RawRow[] {
  return Object.entries(preset).flatMap(([column, n], i) => {
    const labels = cellColumn.exec(column);
    if (labels === null) return [];
    const [, R, A, T] = labels;
    return [{ line: i + 1, values: { R, A, T, n } }];
  });
}

function unknownPreset(name: string): string {
  const near = nearest(name, presetNames());
  const choices = nameParts.map((part) => {
    const values = new Set([...presets.values()].map((row) => row[part].toLowerCase()));
    return `${part} ${[...values].join(", ")}`;
  });
  const didYouMean = near.length > 0 ? `; did you mean ${near.join(", ")}?` : ".";
  return `no preset ${JSON.stringify(name)}${didYouMean} All names are DATASET-RETRIEVER-GENERATOR: ${choices.join("; ")}`;
}
