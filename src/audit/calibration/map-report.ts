import { sortWithPlaces } from "../../statistics/sort.js";
import { type CalibrationFigures, figuresOf } from "./figures.js";
import type { Fitted } from "./fit.js";
import { type CalibrationMap, mapped } from "./maps.js";
import type { CalibrationSettings, CheckedRows } from "./settings.js";

export interface MapReport<F extends Fitted<CalibrationMap>> {
  readonly fit: F;
  /** null without a map. */
  readonly inSample: CalibrationFigures | null;
  /** Each row under the map of the other folds; their AUC compares rows across maps that differ a little. */
  readonly crossValidated: (CalibrationFigures & { readonly folds: number }) | null;
  /** Why there is no cross-validation. */
  readonly crossValidationNote: string | null;
}

/** Fits the map to a part of the rows. @param inPart [rows] 1 for those of the part */
type Refit = (part: Uint32Array, inPart: Uint8Array) => Fitted<CalibrationMap>;

/** @param scores of a Platt map's rows; null for an isotonic one */
export function reportOf<F extends Fitted<CalibrationMap>>(
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

export function pick(values: Float64Array, places: Uint32Array): Float64Array {
  const picked = new Float64Array(places.length);
  for (let k = 0; k < places.length; k++) picked[k] = values[places[k]];
  return picked;
}

export function pickBytes(values: Uint8Array, places: Uint32Array): Uint8Array {
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
