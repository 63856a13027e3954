import { dataError, type RatError, usageError } from "../../errors.js";
import { show } from "../../values.js";
import { type Clusters, clustersOf } from "../cluster.js";
import { checkLevel } from "../estimate.js";
import type { PlattMap } from "./maps.js";

export interface CalibrationRows {
  /** In [0, 1]. */
  readonly confidence: ArrayLike<number>;
  /** 0 or 1, row by row. */
  readonly outcome: ArrayLike<number>;
  /** log(f / (1 - f)) where it is known better than from the confidence, as confidenceOfLogProbabilities gives it. */
  readonly logits?: ArrayLike<number> | null;
  /** Rows of one cluster (a query, a document) err together: intervals allow for it, and folds keep them together. */
  readonly clusters?: Clusters | null;
}

export interface CalibrationOptions {
  /** Of the diagram; 10. */
  readonly bins?: number;
  /** What becomes of equal confidences at the borders of equal-mass bins; "divide", by the order of rows. */
  readonly ties?: "divide" | "share";
  /** Probability inside the intervals; 0.95. */
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
  /** Of the folds and of simulated tests; 1. */
  readonly seed?: number;
}

export interface CheckedRows {
  readonly confidence: Float64Array;
  readonly outcome: Uint8Array;
  readonly logits: Float64Array | null;
  readonly clusters: Clusters | null;
}

export type CalibrationSettings = Required<CalibrationOptions>;

/** @throws RatError (data) for a value out of range, with its row from 0; (usage) for columns of other lengths */
export function checkRows({ confidence, outcome, logits = null, clusters = null }: CalibrationRows): CheckedRows {
  const n = confidence.length;
  if (n === 0) throw dataError("no rows: calibration needs at least one");
  for (const [name, values] of Object.entries({ outcome, logits, clusters: clusters?.of ?? null })) {
    if (values !== null && values.length !== n) throw usageError(`${n} confidences, but ${values.length} of ${name}`);
  }
  const fault = (i: number, expected: string, value: unknown): RatError =>
    dataError(`row ${i}: ${expected}, not ${show(value)}`);
  for (let i = 0; i < n; i++) {
    const f = confidence[i];
    const y = outcome[i];
    if (!(typeof f === "number" && f >= 0 && f <= 1)) throw fault(i, "a confidence must be from 0 to 1", f);
    if (y !== 0 && y !== 1) throw fault(i, "an outcome must be 0 or 1", y);
    if (logits !== null && Number.isNaN(logits[i])) throw fault(i, "a logit must be a number", logits[i]);
  }
  return {
    confidence: Float64Array.from(confidence),
    outcome: Uint8Array.from(outcome),
    logits: logits === null ? null : Float64Array.from(logits),
    // Those without a row would count as clusters of no effect.
    clusters: clusters === null ? null : clustersOf(Array.from(clusters.of)),
  };
}

/** @throws RatError (usage) */
export function withDefaults(options: CalibrationOptions): CalibrationSettings {
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
  checkLevel(level);
  if (!(clip > 0 && clip < 0.5)) throw wrong("clip", "between 0 and 0.5", clip);
  if (!(logLossClip >= 0 && logLossClip < 0.5)) throw wrong("logLossClip", "from 0 to below 0.5", logLossClip);
  if (!(Number.isInteger(folds) && folds >= 0 && folds <= 255 && folds !== 1))
    throw wrong("folds", "0, or from 2 to 255", folds);
  if (!(Number.isSafeInteger(seed) && seed >= 0)) throw wrong("seed", "a whole number from 0", seed);
  return settings;
}
