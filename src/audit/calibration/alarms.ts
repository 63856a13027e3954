import { type Alarm, alarms, type Defect } from "../alarm.js";
import type { Recalibration } from "./recalibration.js";
import type { Score } from "./score.js";

/**
 * What confidences are wrong in, where the joint test finds that they are no probabilities. Its direction names it: too far
 * from 0.5, or too near to it, where a recalibration of their slope alone makes up half of the statistic or more; else
 * outcomes are 1 less or more often than they add up to.
 */
export function calibrationAlarms(
  { test }: Recalibration,
  score: Score,
  confidence: Float64Array,
  outcome: Uint8Array,
): readonly Alarm[] {
  const { intercept, slope, throughOrigin } = score;
  const joint = intercept ** 2 + (slope ?? 0) ** 2;
  const ofSlope = throughOrigin !== null && throughOrigin ** 2 >= joint / 2;
  const detail = ofSlope ? likelierAnswer(confidence, outcome, throughOrigin < 0) : ofAll(confidence, outcome);
  const defect = ofSlope ? slopeDefect(throughOrigin) : interceptDefect(intercept);
  return alarms([{ test, alarm: { defect, subject: null, detail } }]);
}

const slopeDefect = (score: number): Defect => (score < 0 ? "over-confident" : "under-confident");
const interceptDefect = (score: number): Defect => (score < 0 ? "lenient" : "strict");

function likelierAnswer(confidence: Float64Array, outcome: Uint8Array, over: boolean): string {
  let [stated, right] = [0, 0];
  for (let i = 0; i < confidence.length; i++) {
    const f = confidence[i];
    stated += Math.max(f, 1 - f);
    right += f === 0.5 ? 0.5 : Number(f > 0.5 === (outcome[i] === 1));
  }
  const n = confidence.length;
  if (stated > right === over) {
    return `the likelier answer has a mean confidence of ${(stated / n).toFixed(3)}, and is right in ${(right / n).toFixed(3)} of the rows`;
  }
  return over ? "confidences near 0 and 1 are wrong too often" : "confidences near 0 and 1 are right too often";
}

function ofAll(confidence: Float64Array, outcome: Uint8Array): string {
  const mean = (values: Float64Array | Uint8Array): string => {
    let sum = 0;
    for (const value of values) sum += value;
    return (sum / values.length).toFixed(3);
  };
  return `the mean confidence is ${mean(confidence)}, and ${mean(outcome)} of the outcomes are 1`;
}
