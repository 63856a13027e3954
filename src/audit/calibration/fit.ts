import { type PlattMap, scoresOf } from "./maps.js";

/*
 * Fits decline what has no answer, in words.
 */

/** A map, or why there is none. */
export interface Fitted<M> {
  readonly map: M | null;
  /** Why there is no map, or what is to be known of this one; null: nothing. */
  readonly note: string | null;
}

/** A fitted curve. */
export interface PlattCurve extends Fitted<PlattMap> {
  /**
   * From the observed information of independent rows; null with clusters, with smoothed targets, which aren't data, and
   * where the slope isn't determined.
   */
  readonly interceptSe: number | null;
  readonly slopeSe: number | null;
  readonly iterations: number;
}

export interface PlattFit extends PlattCurve {
  /** Rows whose confidence was moved to the clip. */
  readonly clipped: number;
}

export interface PlattOptions {
  readonly on: PlattMap["on"];
  readonly clip: number;
  /** Platt's targets (N+ + 1) / (N+ + 2) and 1 / (N- + 2) in place of 1 and 0: a slope that is finite for separated classes. */
  readonly smooth: boolean;
}

const mostIterations = 100;

/** Platt's map of confidences, as `fitCurve` finds it over their scores. @param logits where they are known better */
export function fitPlatt(
  confidence: ArrayLike<number>,
  outcome: Uint8Array,
  logits: ArrayLike<number> | null,
  options: PlattOptions,
): PlattFit {
  const clipped = options.on === "logit" ? countClipped(confidence, logits, options.clip) : 0;
  return { ...fitCurve(scoresOf(confidence, logits, options), outcome, options), clipped };
}

/**
 * Platt scaling (Platt 1999, "Probabilistic outputs for support vector machines", in Advances in Large Margin Classifiers):
 * p = 1 / (1 + exp(-(intercept + slope s))) of greatest likelihood, by Newton steps, halved while they don't raise it (Lin,
 * Lin and Weng 2007, "A note on Platt's probabilistic outputs", Machine Learning 68, 267-276). s is standardised meanwhile.
 * @param scores as scoresOf gives them
 * @param near a map that is about the one to find
 */
export function fitCurve(
  scores: Float64Array,
  outcome: Uint8Array,
  { on, clip, smooth }: PlattOptions,
  near: PlattMap | null = null,
): PlattCurve {
  const n = scores.length;
  const undetermined = { interceptSe: null, slopeSe: null, iterations: 0 };
  let positives = 0;
  for (let i = 0; i < n; i++) positives += outcome[i];
  if (positives === 0 || positives === n) {
    return { map: null, note: "one class: no curve can be fitted", ...undetermined };
  }
  const high = smooth ? (positives + 1) / (positives + 2) : 1;
  const low = smooth ? 1 / (n - positives + 2) : 0;
  const [centre, scale] = centreAndScale(scores);
  const constant = positives * high + (n - positives) * low;
  const level = Math.log(constant / (n - constant));
  if (scale === 0) {
    const map: PlattMap = { kind: "platt", on, clip, intercept: level, slope: 0 };
    const note = "slope undetermined: all confidences are equal, so the map is constant";
    return { map, note, ...undetermined };
  }
  if (!smooth && separated(scores, outcome)) {
    const note = "the classes are separated: no curve is steep enough; smoothed targets give one";
    return { map: null, note, ...undetermined };
  }
  const standardised = scores.map((score) => (score - centre) / scale);
  const start: [number, number] =
    near === null ? [level, 0] : [near.intercept + near.slope * centre, near.slope * scale];
  const found = newton(standardised, outcome, high, low, start);
  const slope = found.slope / scale;
  // Covariance of (a - b centre / scale, b / scale) from the inverse of [[haa, hab], [hab, hbb]].
  const { haa, hab, hbb } = found;
  const determinant = haa * hbb - hab * hab;
  const shift = centre / scale;
  const variance = (hbb + 2 * shift * hab + shift * shift * haa) / determinant;
  const se = (value: number): number | null => (!smooth && value > 0 && value < Infinity ? Math.sqrt(value) : null);
  return {
    map: { kind: "platt", on, clip, intercept: found.intercept - slope * centre, slope },
    note: found.converged ? null : `not converged after ${mostIterations} steps`,
    interceptSe: se(variance),
    slopeSe: se(haa / determinant / scale / scale),
    iterations: found.iterations,
  };
}

function newton(
  scores: Float64Array,
  outcome: Uint8Array,
  high: number,
  low: number,
  start: readonly [intercept: number, slope: number],
) {
  const at = (a: number, b: number): Point => pointAt(scores, outcome, high, low, a, b);
  let here = at(...start);
  for (let iterations = 0; ; iterations++) {
    const { a, b, ga, gb, haa, hab, hbb, loss } = here;
    const determinant = haa * hbb - hab * hab;
    const da = (hbb * ga - hab * gb) / determinant;
    const db = (haa * gb - hab * ga) / determinant;
    // Twice what the step may still gain, a row.
    const converged = Math.abs(da * ga + db * gb) <= 1e-20 * scores.length;
    const stuck = !Number.isFinite(da) || !Number.isFinite(db);
    if (converged || stuck || iterations === mostIterations) {
      const [intercept, slope] = converged ? [a + da, b + db] : [a, b];
      return { intercept, slope, haa, hab, hbb, iterations, converged };
    }
    let step = 1;
    let next = at(a + da, b + db);
    for (; !(next.loss <= loss + 1e-12 * Math.abs(loss)) && step > 1e-10; next = at(a + step * da, b + step * db)) {
      step /= 2;
    }
    here = next;
  }
}

/** A curve with its loss, and its derivatives, in one passage of the rows. */
interface Point {
  readonly a: number;
  readonly b: number;
  readonly loss: number;
  /** Less the gradient of the loss. */
  readonly ga: number;
  readonly gb: number;
  readonly haa: number;
  readonly hab: number;
  readonly hbb: number;
}

function pointAt(scores: Float64Array, outcome: Uint8Array, high: number, low: number, a: number, b: number): Point {
  let [loss, ga, gb, haa, hab, hbb] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < scores.length; i++) {
    const s = scores[i];
    const logit = a + b * s;
    const target = outcome[i] === 1 ? high : low;
    const tail = Math.exp(-Math.abs(logit));
    // log(1 + exp(logit)) - target logit, without overflow.
    loss += Math.max(0, logit) + Math.log1p(tail) - target * logit;
    const rare = tail / (1 + tail);
    const residual = target - (logit >= 0 ? 1 - rare : rare);
    const weight = rare * (1 - rare);
    ga += residual;
    gb += residual * s;
    haa += weight;
    hab += weight * s;
    hbb += weight * s * s;
  }
  return { a, b, loss, ga, gb, haa, hab, hbb };
}

/** No curve has the greatest likelihood where the scores of one class end where those of the other begin. */
function separated(scores: Float64Array, outcome: Uint8Array): boolean {
  const [least, most] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  for (let i = 0; i < scores.length; i++) {
    const y = outcome[i];
    if (scores[i] < least[y]) least[y] = scores[i];
    if (scores[i] > most[y]) most[y] = scores[i];
  }
  return most[0] <= least[1] || most[1] <= least[0];
}

function centreAndScale(scores: Float64Array): readonly [number, number] {
  const first = scores[0];
  let [sum, squares, constant] = [0, 0, true];
  for (const score of scores) sum += score - first;
  const centre = first + sum / scores.length;
  for (const score of scores) {
    squares += (score - centre) ** 2;
    constant &&= score === first;
  }
  return constant ? [centre, 0] : [centre, Math.sqrt(squares / scores.length)];
}

/** Rows whose logit is taken at the clip. */
function countClipped(confidence: ArrayLike<number>, logits: ArrayLike<number> | null, clip: number): number {
  let count = 0;
  for (let i = 0; i < confidence.length; i++) {
    const out = logits === null ? confidence[i] < clip || confidence[i] > 1 - clip : !Number.isFinite(logits[i]);
    if (out) count++;
  }
  return count;
}
