/** Maps from confidence to calibrated confidence, written to files and used from them. */
import { stat, writeFile } from "node:fs/promises";
import { type CalibrationFigures, figuresOf } from "../audit/calibration/figures.js";
import { applyCalibration, type CalibrationMap } from "../audit/calibration/maps.js";
import { testCalibration } from "../audit/calibration.js";
import { clustersAt, clusterWarnings, sizesOf } from "../audit/cluster.js";
import type { AppliedCalibrationMap, AuditCalibrationDocument } from "../documents.js";
import { dataError, usageError } from "../errors.js";
import { sortWithPlaces } from "../statistics/sort.js";
import type { CalibrationInput } from "./audit-calibration-input.js";
import { type AuditRow, cellOf } from "./audit-rows.js";
import { readJsonFile, writeError } from "./io.js";
import { jsonText } from "./run.js";

type Applier = (
  read: CalibrationInput,
  level: number,
  seed: number,
) => Pick<AuditCalibrationDocument, "alarms" | "warnings"> & { readonly applied: AppliedCalibrationMap };

/** Reads a map and applies it. @throws RatError (io, data) */
export async function applierOf(path: string, bins: number): Promise<Applier> {
  const map = await readJsonFile(path);
  if (!isMap(map)) throw dataError("this is no calibration map, such as --save writes", { file: path });
  return ({ rows, confidence, logits, outcome, clusters: all }, level, seed) => {
    const calibrated = applyCalibration(map, confidence, logits);
    const known = outcome.flatMap((truth, i) => (truth === null ? [] : [i]));
    const clusters = all === null ? null : clustersAt(all, known);
    const truths = Uint8Array.from(known, (i) => outcome[i] as number);
    const those = (values: Float64Array) => ({
      confidence: Float64Array.from(known, (i) => values[i]),
      outcome: truths,
      logits: null,
      clusters,
    });
    const figures = (values: Float64Array): CalibrationFigures => {
      const data = those(values);
      const settings = { bins, level, ties: "whole", logLossClip: 0 } as const;
      return figuresOf(data, sortWithPlaces(data.confidence).order, settings, false);
    };
    const none = known.length === 0;
    const tested = none ? null : testCalibration(those(calibrated), { level, seed, clip: 1e-6 });
    return {
      applied: {
        file: path,
        map,
        rows: rows.map((row, i) => ({
          line: row.line,
          id: idOf(row),
          confidence: confidence[i],
          calibrated: calibrated[i],
        })),
        raw: none ? null : figures(confidence),
        mapped: none ? null : figures(calibrated),
        recalibration: tested?.recalibration ?? null,
      },
      alarms: tested?.alarms ?? [],
      warnings: none ? [] : clusterWarnings(clusters === null ? null : sizesOf(clusters), "rows"),
    };
  };
}

function isMap(value: unknown): value is CalibrationMap {
  try {
    applyCalibration(value as CalibrationMap, [0.5]);
    return true;
  } catch {
    return false;
  }
}

/** What the row is called by its column `id`; null without one. */
function idOf(row: AuditRow): string | null {
  const cell = cellOf(row, "id");
  return typeof cell === "string" || typeof cell === "number" ? String(cell) : null;
}

/**
 * @param input the file that is audited
 * @throws RatError (usage) where the file is there and may not be replaced, or is none that was saved
 */
export async function saverOf(
  path: string,
  input: string,
  overwrite: boolean,
): Promise<(map: CalibrationMap) => Promise<void>> {
  const [there, read] = await Promise.all([path, input].map((name) => stat(name).catch(() => null)));
  if (there !== null) {
    if (there.ino === read?.ino && there.dev === read.dev) {
      throw usageError(`--save ${path}: that is the file to audit, which a map would replace; choose another name`);
    }
    if (!overwrite) throw usageError(`--save ${path}: it is there already; add --overwrite to replace it`);
    if (!isMap(await readJsonFile(path).catch(() => null))) {
      throw usageError(
        `--save ${path}: it is there and is no map, and --overwrite replaces maps only; choose another name`,
      );
    }
  }
  return async (map) => {
    await writeFile(path, jsonText(map)).catch((error: unknown) => {
      throw writeError(path, error);
    });
  };
}
