import type { Estimate } from "../estimate.js";
import { areaUnderCurve } from "./area.js";
import { type BinnedCalibration, equalMass, equalWidth } from "./bins.js";
import { brierScore, logLoss } from "./scores.js";
import type { CalibrationSettings, CheckedRows } from "./settings.js";

export interface CalibrationFigures {
  /** Whether the map was fitted to these very rows: such figures flatter it. */
  readonly inSample: boolean;
  readonly auc: Estimate;
  readonly brier: Estimate;
  readonly logLoss: Estimate;
  readonly equalWidth: BinnedCalibration;
  readonly equalMass: BinnedCalibration;
}

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
