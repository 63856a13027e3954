import { sortWithPlaces } from "../statistics/sort.js";
import type { Alarm } from "./alarm.js";
import { calibrationAlarms } from "./calibration/alarms.js";
import { type CalibrationFigures, figuresOf } from "./calibration/figures.js";
import { type Fitted, fitCurve, fitPlatt, type PlattCurve, type PlattFit } from "./calibration/fit.js";
import { foldsOf } from "./calibration/folds.js";
import { fitIsotonic } from "./calibration/isotonic.js";
import { type MapReport, pick, pickBytes, reportOf } from "./calibration/map-report.js";
import { type IsotonicMap, scoresOf } from "./calibration/maps.js";
import { type Recalibration, recalibration } from "./calibration/recalibration.js";
import {
  type CalibrationOptions,
  type CalibrationRows,
  type CalibrationSettings,
  type CheckedRows,
  checkRows,
  withDefaults,
} from "./calibration/settings.js";
import { remarksOn } from "./calibration/warnings.js";
import { clusterWarnings, sizesOf } from "./cluster.js";

export { type CalibrationFigures, figuresOf } from "./calibration/figures.js";
export type { MapReport } from "./calibration/map-report.js";
export type { CalibrationOptions, CalibrationRows } from "./calibration/settings.js";

export interface CalibrationReport {
  readonly rows: number;
  readonly positives: number;
  readonly meanConfidence: number;
  readonly frequency: number;
  /** Whether the confidences are probabilities. */
  readonly recalibration: Recalibration;
  readonly raw: CalibrationFigures;
  readonly platt: MapReport<PlattFit>;
  readonly isotonic: MapReport<Fitted<IsotonicMap>>;
  readonly alarms: readonly Alarm[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Is a judge's stated confidence a probability? Scores and reliability diagrams of confidences as they are, and after maps
 * fitted to the same rows (marked in-sample) or to the other folds' (cross-validated).
 * @throws RatError (data) for a value out of range, with its place; (usage) for options, and for what are no columns
 */
export function auditCalibration(rows: CalibrationRows, options: CalibrationOptions = {}): CalibrationReport {
  const settings = withDefaults(options);
  const data = checkRows(rows);
  const { confidence, outcome, clusters } = data;
  const n = confidence.length;
  const { order } = sortWithPlaces(confidence);
  const raw = figuresOf(data, order, settings, false);
  const scores = scoresOf(confidence, data.logits, settings);
  const fitted = fitPlatt(confidence, outcome, data.logits, settings);
  const platt: PlattFit = clusters === null ? fitted : { ...fitted, interceptSe: null, slopeSe: null };
  const isotonic = fitIsotonic(confidence, outcome, order);
  const folds = settings.folds === 0 ? "not asked for" : foldsOf(outcome, clusters, settings.folds, settings.seed);
  const plattReport = reportOf<PlattFit>(data, settings, platt, folds, scores, (part) =>
    fitCurve(pick(scores, part), pickBytes(outcome, part), settings, fitted.map),
  );
  // A part of the sorted rows is sorted.
  const isotonicReport = reportOf(data, settings, isotonic, folds, null, (part, inPart) => {
    const own = new Uint32Array(part.length);
    for (let k = 0, next = 0; k < n; k++) if (inPart[order[k]] === 1) own[next++] = order[k];
    return fitIsotonic(confidence, outcome, own);
  });
  const isCox = settings.on === "logit" && !settings.smooth && data.logits === null;
  const { alarms, ...tested } = testCalibration(data, settings, isCox ? fitted : null);
  let [positives, sum] = [0, 0];
  for (let i = 0; i < n; i++) {
    positives += outcome[i];
    sum += confidence[i] - confidence[0];
  }
  const { warnings, notes } = remarksOn(raw, plattReport, isotonicReport, n);
  return {
    rows: n,
    positives,
    meanConfidence: confidence[0] + sum / n,
    frequency: positives / n,
    ...tested,
    raw,
    platt: plattReport,
    isotonic: isotonicReport,
    alarms,
    warnings: [...clusterWarnings(clusters === null ? null : sizesOf(clusters), "rows"), ...warnings],
    notes,
  };
}

/**
 * Whether confidences are probabilities, and what they are wrong in.
 * @param known Platt's curve over the logits of the confidences, where it is fitted already
 */
export function testCalibration(
  { confidence, outcome, logits, clusters }: CheckedRows,
  { level, seed, clip }: Pick<CalibrationSettings, "level" | "seed" | "clip">,
  known: PlattCurve | null = null,
): { readonly recalibration: Recalibration; readonly alarms: readonly Alarm[] } {
  const limit = Math.log((1 - clip) / clip);
  const scores = scoresOf(confidence, logits, { on: "logit", clip });
  for (let i = 0; i < scores.length; i++) scores[i] = Math.min(limit, Math.max(-limit, scores[i]));
  const curve = known ?? fitCurve(scores, outcome, { on: "logit", clip, smooth: false });
  const { score, ...found } = recalibration(scores, outcome, curve, clusters, { level, seed });
  return { recalibration: found, alarms: calibrationAlarms(found, score, confidence, outcome) };
}
