import type { Alarm } from "../audit/alarm.js";
import type { CalibrationMap } from "../audit/calibration/maps.js";
import type { Recalibration } from "../audit/calibration/recalibration.js";
import type { CalibrationFigures, CalibrationReport } from "../audit/calibration.js";
import type { Whole } from "./whole.js";

/** What `rat audit calibration --json` prints and audit-calibration.json holds. */
export interface AuditCalibrationDocument {
  readonly source: string;
  /** Probability inside the intervals. */
  readonly level: number;
  /** Of the folds, and of tests whose p is simulated. */
  readonly seed: Whole;
  /** Rows without a confidence or, where no map is applied, without an outcome. */
  readonly leftOut: Whole;
  /** Values of the column that --cluster names; null without one. */
  readonly clusters: Whole | null;
  /** null where a map is applied. */
  readonly report: Omit<CalibrationReport, "alarms" | "warnings" | "notes"> | null;
  /** What --save wrote. */
  readonly saved: SavedCalibrationMap | null;
  /** What --apply did. */
  readonly applied: AppliedCalibrationMap | null;
  /** What the confidences are wrong in; with --apply, the calibrated ones. */
  readonly alarms: readonly Alarm[];
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
  /** Whether the calibrated confidences are probabilities here; null without outcomes. */
  readonly recalibration: Recalibration | null;
}

export interface CalibratedRow {
  /** Of the file, counted from 1. */
  readonly line: Whole;
  /** Of the row's column `id`; null without one. */
  readonly id: string | null;
  readonly confidence: number;
  readonly calibrated: number;
}
