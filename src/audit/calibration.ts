import { sortWithPlaces } from "../statistics/sort.js";
import type { Alarm } from "./alarm.js";
import { calibrationAlarms } from "./calibration/alarms.js";
import { areaUnderCurve } from "./calibration/area.js";
import { type BinnedCalibration, equalMass, equalWidth } from "./calibration/bins.js";
import { type Fitted, fitCurve, fitIsotonic, fitPlatt, type PlattCurve, type PlattFit } from "./calibration/fit.js";
import { foldsOf } from "./calibration/folds.js";
import { type CalibrationMap, type IsotonicMap, mapped, scoresOf } from "./calibration/maps.js";
import { type Recalibration, recalibration } from "./calibration/recalibration.js";
import { brierScore, logLoss } from "./calibration/scores.js";
import {
  type CalibrationOptions,
  type CalibrationRows,
  type CalibrationSettings,
  type CheckedRows,
  checkRows,
  withDefaults,
} from "./calibration/settings.js";
import type { Clusters } from "./cluster.js";
import type { Estimate } from "./estimate.js";

export type { CalibrationOptions, CalibrationRows } from "./calibration/settings.js";

/*
 * Is a judge's stated confidence a probability? Scores and reliability diagrams of confidences as they are, and after maps
 * fitted to the same rows (marked in-sample) or to the other folds' (cross-validated).
 */

export interface CalibrationFigures {
  /** Whether the map was fitted to these very rows: such figures flatter it. */
  readonly inSample: boolean;
  readonly auc: Estimate;
  readonly brier: Estimate;
  readonly logLoss: Estimate;
  readonly equalWidth: BinnedCalibration;
  readonly equalMass: BinnedCalibration;
}

export interface MapReport<F extends Fitted<CalibrationMap>> {
  readonly fit: F;
  /** null without a map. */
  readonly inSample: CalibrationFigures | null;
  /** Each row under the map of the other folds; their AUC compares rows across maps that differ a little. */
  readonly crossValidated: (CalibrationFigures & { readonly folds: number }) | null;
  /** Why there is no cross-validation. */
  readonly crossValidationNote: string | null;
}

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

/** @throws RatError (data) for a value out of range, with its row from 0; (usage) for options */
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
  const { warnings, notes } = remarks(raw, plattReport, isotonicReport, n);
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
    warnings: [...clusterWarnings(clusters), ...warnings],
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

/** What is to be said where there are few clusters. */
export function clusterWarnings(clusters: Clusters | null): string[] {
  if (clusters === null || clusters.count >= fewClusters) return [];
  if (clusters.count < 2) return ["all rows are of one cluster: there are no intervals and no tests"];
  return [`${clusters.count} clusters are few: their intervals and tests are rough`];
}

const fewClusters = 20;

/** Every figure of confidences against outcomes. @param order rows by ascending confidence */
export function figuresOf(
  { confidence, outcome, clusters }: Omit<CheckedRows, "logits">,
  order: Uint32Array,
  { bins, level, ties, logLossClip }: Pick<CalibrationSettings, "bins" | "level" | "ties" | "logLossClip">,
  inSample: boolean,
): CalibrationFigures {
  return {
    inSample,
    auc: areaUnderCurve(confidence, outcome, order, level, clusters),
    brier: brierScore(confidence, outcome, level, clusters),
    logLoss: logLoss(confidence, outcome, logLossClip, level, clusters),
    equalWidth: equalWidth(confidence, outcome, bins, level, clusters),
    equalMass: equalMass(confidence, outcome, order, bins, level, ties, clusters),
  };
}

/** Fits the map to a part of the rows. @param inPart [rows] 1 for those of the part */
type Refit = (part: Uint32Array, inPart: Uint8Array) => Fitted<CalibrationMap>;

/** @param scores of a Platt map's rows; null for an isotonic one */
function reportOf<F extends Fitted<CalibrationMap>>(
  data: CheckedRows,
  settings: CalibrationSettings,
  fit: F,
  folds: Uint8Array | string,
  scores: Float64Array | null,
  refit: Refit,
): MapReport<F> {
  const { confidence } = data;
  const figures = (values: Float64Array, inSample: boolean): CalibrationFigures =>
    figuresOf({ ...data, confidence: values }, sortWithPlaces(values).order, settings, inSample);
  const inSample = fit.map === null ? null : figures(mapped(fit.map, confidence, scores), true);
  const without = (crossValidationNote: string): MapReport<F> => ({
    fit,
    inSample,
    crossValidated: null,
    crossValidationNote,
  });
  if (fit.map === null) return without(fit.note ?? "no map");
  if (typeof folds === "string") return without(folds);
  let count = 0;
  for (const fold of folds) count = Math.max(count, fold + 1);
  const values = new Float64Array(confidence.length);
  const inPart = new Uint8Array(folds.length);
  for (let fold = 0; fold < count; fold++) {
    for (let i = 0; i < folds.length; i++) inPart[i] = folds[i] === fold ? 0 : 1;
    const { map, note } = refit(placesOf(inPart, 1), inPart);
    if (map === null) return without(`without fold ${fold + 1} of ${count}: ${note}`);
    const held = placesOf(inPart, 0);
    const own = mapped(map, pick(confidence, held), scores === null ? null : pick(scores, held));
    for (let k = 0; k < held.length; k++) values[held[k]] = own[k];
  }
  return { fit, inSample, crossValidated: { ...figures(values, false), folds: count }, crossValidationNote: null };
}

function remarks(
  raw: CalibrationFigures,
  platt: MapReport<PlattFit>,
  isotonic: MapReport<Fitted<IsotonicMap>>,
  rows: number,
): Pick<CalibrationReport, "warnings" | "notes"> {
  const warnings: string[] = [];
  const notes = [
    "in-sample figures of a map flatter it: its isotonic ECE is 0 by construction; read the cross-validated ones",
  ];
  if (raw.auc.value === null) warnings.push("one class: no AUC, and no map can be fitted");
  if (raw.auc.value !== null && raw.auc.value < 0.5) {
    warnings.push("confidence runs against outcomes (AUC below 0.5): are outcomes coded the other way round?");
  }
  if (raw.logLoss.reason !== null) warnings.push(`log loss ${raw.logLoss.reason}`);
  if (platt.fit.map !== null && platt.fit.map.slope < 0)
    warnings.push("Platt's curve falls: it turns the ranking round");
  if (platt.fit.clipped > 0) {
    warnings.push(
      `${platt.fit.clipped} of ${rows} confidences are 0 or 1, or nearly: Platt's curve takes their logit at the clip`,
    );
  }
  if (raw.equalMass.dividedTies > 0) {
    notes.push(
      `borders of equal-mass bins divide the equals of ${raw.equalMass.dividedTies} rows by their order in the data`,
    );
  }
  const [before, after] = [raw.auc.value, isotonic.inSample?.auc.value ?? null];
  if (before !== null && after !== null && Math.abs(after - before) > 1e-12) {
    notes.push(
      `isotonic maps make ties, which move the AUC (${before.toFixed(4)} to ${after.toFixed(4)} in-sample); Platt's don't`,
    );
  }
  return { warnings, notes };
}

function pick(values: Float64Array, places: Uint32Array): Float64Array {
  const picked = new Float64Array(places.length);
  for (let k = 0; k < places.length; k++) picked[k] = values[places[k]];
  return picked;
}

function pickBytes(values: Uint8Array, places: Uint32Array): Uint8Array {
  const picked = new Uint8Array(places.length);
  for (let k = 0; k < places.length; k++) picked[k] = values[places[k]];
  return picked;
}

function placesOf(flags: Uint8Array, flag: number): Uint32Array {
  let count = 0;
  for (const own of flags) if (own === flag) count++;
  const places = new Uint32Array(count);
  for (let i = 0, k = 0; i < flags.length; i++) if (flags[i] === flag) places[k++] = i;
  return places;
}
