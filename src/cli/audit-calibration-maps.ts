/** Maps from confidence to calibrated confidence, written to files and used from them. */
import { access, writeFile } from "node:fs/promises";
import { type CalibrationFigures, figuresOf } from "../audit/calibration/figures.js";
import { applyCalibration, type CalibrationMap } from "../audit/calibration/maps.js";
import { testCalibration } from "../audit/calibration.js";
import { clustersAt, clusterWarnings } from "../audit/cluster.js";
import type { AppliedCalibrationMap, AuditCalibrationDocument } from "../documents.js";
import { dataError, usageError } from "../errors.js";
import { sortWithPlaces } from "../statistics/sort.js";
import type { CalibrationInput } from "./audit-calibration-input.js";
import { readJsonFile, writeError } from "./io.js";
import { jsonText } from "./run.js";

type Applier = (
  read: CalibrationInput,
  level: number,
  seed: number,
) => Pick<AuditCalibrationDocument, "alarms" | "warnings"> & { readonly applied: AppliedCalibrationMap };

/** Reads a map and applies it. @throws RatError (io, data) */
export async function applierOf(path: string, bins: number): Promise<Applier> {
  const map = (await readJsonFile(path)) as CalibrationMap;
  try {
    applyCalibration(map, [0.5]);
  } catch {
    throw dataError("this is no calibration map, such as --save writes", { file: path });
  }
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
      const settings = { bins, level, ties: "divide", logLossClip: 0 } as const;
      return figuresOf(data, sortWithPlaces(data.confidence).order, settings, false);
    };
    const none = known.length === 0;
    const tested = none ? null : testCalibration(those(calibrated), { level, seed, clip: 1e-6 });
    return {
      applied: {
        file: path,
        map,
        rows: rows.map(({ line }, i) => ({ line, confidence: confidence[i], calibrated: calibrated[i] })),
        raw: none ? null : figures(confidence),
        mapped: none ? null : figures(calibrated),
        recalibration: tested?.recalibration ?? null,
      },
      alarms: tested?.alarms ?? [],
      warnings: none ? [] : clusterWarnings(clusters?.count ?? null, "rows"),
    };
  };
}

/** @throws RatError (usage) where the file is there and may not be replaced */
export async function saverOf(path: string, overwrite: boolean): Promise<(map: CalibrationMap) => Promise<void>> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere && !overwrite) throw usageError(`--save ${path}: it is there already; add --overwrite to replace it`);
  return async (map) => {
    await writeFile(path, jsonText(map)).catch((error: unknown) => {
      throw writeError(path, error);
    });
  };
}
