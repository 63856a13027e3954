import { RatError, usageError } from "../errors.js";
import { sortWithPlaces } from "../statistics/sort.js";
import { show } from "../values.js";
import { type BinnedCalibration, equalMass, equalWidth } from "./calibration/bins.js";
import { type Fitted, fitIsotonic, fitPlatt, type PlattFit, type PlattOptions } from "./calibration/fit.js";
import { foldsOf } from "./calibration/folds.js";
import { applyCalibration, type CalibrationMap, type IsotonicMap, type PlattMap } from "./calibration/maps.js";
import { areaUnderCurve, brierScore, logLoss } from "./calibration/scores.js";
import type { Estimate } from "./estimate.js";

/*
 * Is a judge's stated confidence a probability? Scores and reliability diagrams of confidences as they are, and after maps
 * fitted to the same rows (marked in-sample) or to the other folds' (cross-validated).
 */

export interface CalibrationRows {
  /** In [0, 1]. */
  readonly confidence: ArrayLike<number>;
  /** 0 or 1, row by row. */
  readonly outcome: ArrayLike<number>;
  /** log(f / (1 - f)) where it is known better than from the confidence, as confidenceOfLogProbabilities gives it. */
  readonly logits?: ArrayLike<number> | null;
  /** Rows of one group (a query, a document) share a fold: numbers of any kind. */
  readonly group?: ArrayLike<number> | null;
}

export interface CalibrationOptions {
  /** Of the diagram; 10. */
  readonly bins?: number;
  /** What becomes of equal confidences at the borders of equal-mass bins; "divide", by the order of rows. */
  readonly ties?: "divide" | "share";
  /** Of the Wilson intervals; 0.95. */
  readonly level?: number;
  /** Platt's curve is over the logit, or over the confidence; "logit". */
  readonly on?: PlattMap["on"];
  /** Smoothed targets of Platt's; false. */
  readonly smooth?: boolean;
  /** Confidences nearer to 0 or 1 are taken for this far from them before their logit; 1e-6. */
  readonly clip?: number;
  /** The same for the log loss; 0, so that a row that is certain and wrong makes it infinite. */
  readonly logLossClip?: number;
  /** Of the cross-validation; 5, or as many as the rarer outcome has rows. 0: none. */
  readonly folds?: number;
  readonly seed?: number;
}

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
  readonly raw: CalibrationFigures;
  readonly platt: MapReport<PlattFit>;
  readonly isotonic: MapReport<Fitted<IsotonicMap>>;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

interface Checked {
  readonly confidence: Float64Array;
  readonly outcome: Uint8Array;
  readonly logits: Float64Array | null;
  readonly group: ArrayLike<number> | null;
}

export type CalibrationSettings = Required<CalibrationOptions>;

/** @throws RatError (data) for a value out of range, with its row from 0; (usage) for options */
export function auditCalibration(rows: CalibrationRows, options: CalibrationOptions = {}): CalibrationReport {
  const settings = withDefaults(options);
  const data = checkRows(rows);
  const { confidence, outcome } = data;
  const n = confidence.length;
  const { order } = sortWithPlaces(confidence);
  const raw = figuresOf(confidence, outcome, order, settings, false);
  const positives = outcome.reduce((sum, y) => sum + y, 0);
  const plattOptions: PlattOptions = settings;
  const platt = fitPlatt(confidence, outcome, data.logits, plattOptions);
  const isotonic = fitIsotonic(confidence, outcome, order);
  const folds = settings.folds === 0 ? "not asked for" : foldsOf(data, settings.folds, settings.seed);
  const report = <F extends Fitted<CalibrationMap>>(fit: F, refit: Refit): MapReport<F> =>
    reportOf(data, settings, fit, folds, refit);
  const plattReport = report(platt, (part) => {
    const logits = data.logits === null ? null : pick(data.logits, part);
    return fitPlatt(
      pick(confidence, part),
      Uint8Array.from(part, (i) => outcome[i]),
      logits,
      plattOptions,
    );
  });
  // A part of the sorted rows is sorted.
  const isotonicReport = report(isotonic, (part, inPart) =>
    fitIsotonic(confidence, outcome, part.length === n ? order : order.filter((i) => inPart[i] === 1)),
  );
  const sum = confidence.reduce((total, f) => total + (f - confidence[0]), 0);
  return {
    rows: n,
    positives,
    meanConfidence: confidence[0] + sum / n,
    frequency: positives / n,
    raw,
    platt: plattReport,
    isotonic: isotonicReport,
    ...remarks(raw, plattReport, isotonicReport, n),
  };
}

/** Every figure of confidences against outcomes. @param order rows by ascending confidence */
export function figuresOf(
  confidence: Float64Array,
  outcome: Uint8Array,
  order: Uint32Array,
  { bins, level, ties, logLossClip }: Pick<CalibrationSettings, "bins" | "level" | "ties" | "logLossClip">,
  inSample: boolean,
): CalibrationFigures {
  return {
    inSample,
    auc: areaUnderCurve(confidence, outcome, order, level),
    brier: brierScore(confidence, outcome, level),
    logLoss: logLoss(confidence, outcome, logLossClip, level),
    equalWidth: equalWidth(confidence, outcome, bins, level),
    equalMass: equalMass(confidence, outcome, order, bins, level, ties),
  };
}

/** Fits the map to a part of the rows. @param inPart [rows] 1 for those of the part */
type Refit = (part: Uint32Array, inPart: Uint8Array) => Fitted<CalibrationMap>;

function reportOf<F extends Fitted<CalibrationMap>>(
  data: Checked,
  settings: CalibrationSettings,
  fit: F,
  folds: Uint8Array | string,
  refit: Refit,
): MapReport<F> {
  const { confidence, outcome, logits } = data;
  const figures = (mapped: Float64Array, inSample: boolean): CalibrationFigures =>
    figuresOf(mapped, outcome, sortWithPlaces(mapped).order, settings, inSample);
  const inSample = fit.map === null ? null : figures(applyCalibration(fit.map, confidence, logits), true);
  const without = (crossValidationNote: string): MapReport<F> => ({
    fit,
    inSample,
    crossValidated: null,
    crossValidationNote,
  });
  if (fit.map === null) return without(fit.note ?? "no map");
  if (typeof folds === "string") return without(folds);
  const count = 1 + folds.reduce((most, fold) => Math.max(most, fold), 0);
  const mapped = new Float64Array(confidence.length);
  for (let fold = 0; fold < count; fold++) {
    const inPart = folds.map((own) => (own === fold ? 0 : 1));
    const { map, note } = refit(placesOf(inPart, 1), inPart);
    if (map === null) return without(`without fold ${fold + 1} of ${count}: ${note}`);
    const held = placesOf(inPart, 0);
    const own = applyCalibration(map, pick(confidence, held), logits === null ? null : pick(logits, held));
    held.forEach((i, k) => {
      mapped[i] = own[k];
    });
  }
  return { fit, inSample, crossValidated: { ...figures(mapped, false), folds: count }, crossValidationNote: null };
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

const pick = (values: Float64Array, places: Uint32Array): Float64Array => Float64Array.from(places, (i) => values[i]);

function placesOf(flags: Uint8Array, flag: number): Uint32Array {
  let count = 0;
  for (const own of flags) if (own === flag) count++;
  const places = new Uint32Array(count);
  for (let i = 0, k = 0; i < flags.length; i++) if (flags[i] === flag) places[k++] = i;
  return places;
}

function checkRows({ confidence, outcome, logits = null, group = null }: CalibrationRows): Checked {
  const n = confidence.length;
  if (n === 0) throw new RatError("data", "no rows: calibration needs at least one");
  for (const [name, values] of Object.entries({ outcome, logits, group })) {
    if (values !== null && values.length !== n) throw usageError(`${n} confidences, but ${values.length} of ${name}`);
  }
  const fault = (i: number, expected: string, value: unknown): RatError =>
    new RatError("data", `row ${i}: ${expected}, not ${show(value)}`);
  for (let i = 0; i < n; i++) {
    const [f, y] = [confidence[i], outcome[i]];
    if (!(typeof f === "number" && f >= 0 && f <= 1)) throw fault(i, "a confidence must be from 0 to 1", f);
    if (y !== 0 && y !== 1) throw fault(i, "an outcome must be 0 or 1", y);
    if (logits !== null && Number.isNaN(logits[i])) throw fault(i, "a logit must be a number", logits[i]);
  }
  return {
    confidence: Float64Array.from(confidence),
    outcome: Uint8Array.from(outcome),
    logits: logits === null ? null : Float64Array.from(logits),
    group,
  };
}

function withDefaults(options: CalibrationOptions): CalibrationSettings {
  const defaults: CalibrationSettings = {
    bins: 10,
    ties: "divide",
    level: 0.95,
    on: "logit",
    smooth: false,
    clip: 1e-6,
    logLossClip: 0,
    folds: 5,
    seed: 1,
  };
  const settings = { ...defaults, ...Object.fromEntries(Object.entries(options).filter(([, v]) => v !== undefined)) };
  const { level, clip, logLossClip, folds, seed } = settings;
  const wrong = (name: string, expected: string, value: unknown) =>
    usageError(`${name} must be ${expected}, not ${show(value)}`);
  if (!(level > 0 && level < 1)) throw wrong("level", "between 0 and 1", level);
  if (!(clip > 0 && clip < 0.5)) throw wrong("clip", "between 0 and 0.5", clip);
  if (!(logLossClip >= 0 && logLossClip < 0.5)) throw wrong("logLossClip", "from 0 to below 0.5", logLossClip);
  if (!(Number.isInteger(folds) && folds >= 0 && folds <= 255 && folds !== 1))
    throw wrong("folds", "0, or from 2 to 255", folds);
  if (!(Number.isSafeInteger(seed) && seed >= 0)) throw wrong("seed", "a whole number from 0", seed);
  return settings;
}
