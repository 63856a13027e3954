import type { CalibrationMap } from "../audit/calibration/maps.js";
import type { CalibrationFigures, CalibrationReport } from "../audit/calibration.js";
import type { Whole } from "./whole.js";

/** What `rat audit calibration --json` prints and audit-calibration.json holds. */
export interface AuditCalibrationDocument {
  readonly source: string;
  /** Probability inside the intervals. */
  readonly level: number;
  /** Of the folds. */
  readonly seed: Whole;
  /** Rows without a confidence or, where no map is applied, without an outcome. */
  readonly leftOut: Whole;
  /** null where a map is applied. */
  readonly report: CalibrationReport | null;
  /** What --save wrote. */
  readonly saved: SavedCalibrationMap | null;
  /** What --apply did. */
  readonly applied: AppliedCalibrationMap | null;
  readonly warnings: readonly string[];
  /** What the audit takes for granted and can't show. */
  readonly notes: readonly string[];
}

export interface SavedCalibrationMap {
  readonly file: string;
  readonly map: CalibrationMap;
}

export interface AppliedCalibrationMap {
  readonly file: string;
  readonly map: CalibrationMap;
  /** One a row that has a confidence, in their order. */
  readonly rows: readonly CalibratedRow[];
  /** Before and after the map, of the rows that have an outcome; null where none has. */
  readonly raw: CalibrationFigures | null;
  readonly mapped: CalibrationFigures | null;
}

export interface CalibratedRow {
  /** Of the file, counted from 1. */
  readonly line: Whole;
  readonly confidence: number;
  readonly calibrated: number;
}
