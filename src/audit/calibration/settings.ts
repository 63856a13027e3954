import { dataError, usageError } from "../../errors.js";
import { isObject, show } from "../../values.js";
import type { Clusters } from "../cluster.js";
import { checkLevel } from "../estimate.js";
import { mostBins, type Ties } from "./bins.js";
import { checkColumn, checkConfidences, checkedClusters, checkLength, checkLogits, checkNumbers } from "./checks.js";
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
  /** Rows of equal confidence share an equal-mass bin, or their order divides them as numpy.array_split does; "whole". */
  readonly ties?: Ties;
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

/** @throws RatError (data) for a value out of range, (usage) for what is no column, or one of another length */
export function checkRows(rows: CalibrationRows): CheckedRows {
  if (!isObject(rows)) throw usageError(`rows must be an object of confidence and outcome, not ${show(rows)}`);
  const { confidence, outcome, logits = null, clusters = null, ...others } = rows;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw usageError(`rows has no ${show(unknown)}: there are confidence, outcome, logits, clusters`);
  }
  checkConfidences(confidence);
  const n = confidence.length;
  if (n === 0) throw dataError("no rows: calibration needs at least one");
  checkColumn(outcome, "outcome");
  checkLength(outcome, "outcome", n);
  checkNumbers(outcome, "outcome", "0 or 1", (value) => value === 0 || value === 1);
  if (logits !== null) {
    checkLogits(logits);
    checkLength(logits, "logits", n);
  }
  return {
    confidence: Float64Array.from(confidence),
    outcome: Uint8Array.from(outcome),
    logits: logits === null ? null : Float64Array.from(logits),
    clusters: checkedClusters(clusters, n),
  };
}

const defaults: CalibrationSettings = {
  bins: 10,
  ties: "whole",
  level: 0.95,
  on: "logit",
  smooth: false,
  clip: 1e-6,
  logLossClip: 0,
  folds: 5,
  seed: 1,
};

/** @throws RatError (usage) */
export function withDefaults(options: CalibrationOptions): CalibrationSettings {
  if (!isObject(options)) throw usageError(`options must be an object, not ${show(options)}`);
  const unknown = Object.keys(options).find((name) => !(name in defaults));
  if (unknown !== undefined) {
    throw usageError(`options has no ${show(unknown)}: there are ${Object.keys(defaults).join(", ")}`);
  }
  const settings = { ...defaults, ...Object.fromEntries(Object.entries(options).filter(([, v]) => v !== undefined)) };
  const need = (name: keyof CalibrationSettings, fine: boolean, expected: string): void => {
    if (!fine) throw usageError(`${name} must be ${expected}, not ${show(settings[name])}`);
  };
  const within = (value: unknown, least: number, most: number): boolean =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
  const { bins, ties, level, on, smooth, clip, logLossClip, folds, seed } = settings;
  need("bins", within(bins, 1, mostBins), `a whole number from 1 to ${mostBins.toLocaleString("en-US")}`);
  need("ties", ties === "whole" || ties === "divide", '"whole" or "divide"');
  need("level", typeof level === "number", "a number between 0 and 1");
  checkLevel(level);
  need("on", on === "logit" || on === "confidence", '"logit" or "confidence"');
  need("smooth", typeof smooth === "boolean", "true or false");
  need("clip", typeof clip === "number" && clip > 0 && clip < 0.5, "a number between 0 and 0.5");
  const isClip = typeof logLossClip === "number" && logLossClip >= 0 && logLossClip < 0.5;
  need("logLossClip", isClip, "a number from 0 to below 0.5");
  need("folds", folds === 0 || within(folds, 2, 255), "0, or a whole number from 2 to 255");
  need("seed", within(seed, 0, Number.MAX_SAFE_INTEGER), "a whole number from 0");
  return settings;
}
