import { dataError, usageError } from "../../errors.js";
import { show } from "../../values.js";
import { checkColumn, checkConfidences, checkLength, checkLogits } from "./checks.js";

/*
 * Maps from confidence to calibrated confidence, as plain JSON: fitted once, applied anywhere.
 */

export interface PlattMap {
  readonly kind: "platt";
  /** What the logistic curve is over. */
  readonly on: "confidence" | "logit";
  readonly intercept: number;
  readonly slope: number;
  /** Confidences are moved into [clip, 1 - clip] before their logit is taken. */
  readonly clip: number;
}

/** Constant up to x[0] and from the last x; linear between. */
export interface IsotonicMap {
  readonly kind: "isotonic";
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export type CalibrationMap = PlattMap | IsotonicMap;

/**
 * The calibrated confidences.
 * @param logits of the same rows where they are known better than as log(f / (1 - f)); for Platt maps on the logit
 * @throws RatError (usage) for what isn't a map, (data) for a confidence that isn't from 0 to 1
 */
export function applyCalibration(
  map: CalibrationMap,
  confidence: ArrayLike<number>,
  logits: ArrayLike<number> | null = null,
): Float64Array {
  checkMap(map);
  checkConfidences(confidence);
  if (logits !== null) {
    checkLogits(logits);
    checkLength(logits, "logits", confidence.length);
  }
  return mapped(map, confidence, map.kind === "platt" ? scoresOf(confidence, logits, map) : null);
}

/** The same of rows whose scores are known. @param scores of a Platt map's; null with an isotonic one */
export function mapped(map: CalibrationMap, confidence: ArrayLike<number>, scores: Float64Array | null): Float64Array {
  const calibrated = new Float64Array(confidence.length);
  for (let i = 0; i < calibrated.length; i++) {
    calibrated[i] =
      map.kind === "platt"
        ? logistic(map.intercept + map.slope * (scores as Float64Array)[i])
        : interpolate(map, confidence[i]);
  }
  return calibrated;
}

/** What a Platt map's curve is over, row by row. */
export function scoresOf(
  confidence: ArrayLike<number>,
  logits: ArrayLike<number> | null,
  { on, clip }: Pick<PlattMap, "on" | "clip">,
): Float64Array {
  const scores = new Float64Array(confidence.length);
  const limit = Math.log((1 - clip) / clip);
  for (let i = 0; i < scores.length; i++) {
    const known = logits?.[i];
    if (on === "confidence") scores[i] = confidence[i];
    else if (known !== undefined && Number.isFinite(known)) scores[i] = known;
    else scores[i] = Math.min(limit, Math.max(-limit, known ?? Math.log(confidence[i]) - Math.log1p(-confidence[i])));
  }
  return scores;
}

/**
 * Confidence that Yes is the answer, from the log probabilities of the tokens Yes and No: their odds, whatever other tokens
 * got, so exp(yes) / (exp(yes) + exp(no)). The logit is yes - no, exact where the confidence rounds to 0 or 1. -Infinity is
 * a token that can't be; not both.
 * @throws RatError (data) for a number that is no log probability, with its place; (usage) for what are no two columns
 */
export function confidenceOfLogProbabilities(
  yes: ArrayLike<number>,
  no: ArrayLike<number>,
): { readonly confidence: Float64Array; readonly logits: Float64Array } {
  checkColumn(yes, "yes");
  checkColumn(no, "no");
  if (yes.length !== no.length) throw usageError(`${yes.length} log probabilities of Yes, ${no.length} of No`);
  const logits = Float64Array.from(yes, (value, i) => {
    // Rounding of sums over tokens may leave them a little above 0.
    const fine = (one: unknown): boolean => typeof one === "number" && one <= 1e-6;
    if (!fine(value) || !fine(no[i]) || Number.isNaN(value - no[i])) {
      throw dataError(
        `yes[${i}] and no[${i}] must be log probabilities, numbers up to 0 and one of them above -Infinity, not ${show(value)} and ${show(no[i])}`,
      );
    }
    return value - no[i];
  });
  return { confidence: logits.map(logistic), logits };
}

export const logistic = (logit: number): number => 1 / (1 + Math.exp(-logit));

function interpolate({ x, y }: IsotonicMap, value: number): number {
  let [low, high] = [0, x.length - 1];
  if (value <= x[low]) return y[low];
  if (value >= x[high]) return y[high];
  // x[low] <= value < x[high]
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x[middle] <= value) low = middle;
    else high = middle;
  }
  if (y[low] === y[high] || value === x[low]) return y[low];
  return y[low] + ((y[high] - y[low]) * (value - x[low])) / (x[high] - x[low]);
}

function checkMap(map: CalibrationMap): void {
  const numbers = (values: unknown): values is number[] => Array.isArray(values) && values.every(Number.isFinite);
  const fine =
    map?.kind === "isotonic"
      ? numbers(map.x) &&
        numbers(map.y) &&
        map.x.length === map.y.length &&
        map.x.length > 0 &&
        map.x.every((value, i) => i === 0 || value > map.x[i - 1]) &&
        map.y.every((value, i) => value <= 1 && value >= (i === 0 ? 0 : map.y[i - 1]))
      : map?.kind === "platt" &&
        (map.on === "logit" || map.on === "confidence") &&
        numbers([map.intercept, map.slope, map.clip]) &&
        (map.on === "confidence" || (map.clip > 0 && map.clip < 0.5));
  if (!fine) throw usageError(`not a calibration map: ${show(map)}`);
}
