import { normalQuantile } from "../../statistics/index.js";
import { equalWidth, type ReliabilityBin } from "../calibration/bins.js";
import { fitPlatt } from "../calibration/fit.js";
import { applyCalibration, logistic } from "../calibration/maps.js";
import { auditCalibration } from "../calibration.js";
import { article } from "./article.js";
import { type DemoPanel, demoLevel, estimated, exact, known, repeated, seen } from "./finding.js";
import { denseLeg } from "./prevalence.js";
import { coin, inWords, variatesOf } from "./simulate.js";

export interface Confidences {
  /** In (0, 1), row by row. */
  readonly confidence: Float64Array;
  readonly outcome: Uint8Array;
}

export interface CalibrationScene {
  readonly panel: DemoPanel;
  readonly rows: Confidences;
  readonly diagram: { readonly raw: readonly ReliabilityBin[]; readonly platt: readonly ReliabilityBin[] };
}

const claims = 5000;
const bins = 10;
const folds = 5;
/** So many sets show how far the ECE of a calibrated confidence is from 0. */
export const calibrationSets = 200;
const prevalence = 0.648;

/**
 * Evidence is normal with variance 1 and means d / 2 of true claims, -d / 2 of others, so that its log odds are d z + logit
 * of the prevalence and its AUC is Phi(d / sqrt(2)). The stated logit is `slope` times those log odds plus `shift`: a
 * straight line, so that Platt's map can undo it.
 */
const auc = 0.998;
const distance = Math.SQRT2 * normalQuantile(auc);
const prior = Math.log(prevalence / (1 - prevalence));
const slope = 0.4;
const shift = 2.769;
const stated = (z: number): number => logistic(slope * (distance * z + prior) + shift);

/** @param onSet called after each repeated set */
export function calibrationScene(seed: number, onSet: () => void): CalibrationScene {
  const rows = simulateConfidences(seed, 0);
  const report = auditCalibration(rows, { bins, folds, level: demoLevel, seed });
  const { raw, platt, isotonic } = report;
  if (platt.inSample === null || isotonic.inSample === null) throw new Error("a map of the simulated rows is missing");
  const [before, byPlatt, byIsotonic] = [raw, platt.inSample, isotonic.inSample].map((one) => known(one.auc.value));
  const spread = plattErrors(seed, onSet);
  const held = (figures: typeof platt.crossValidated) => ({
    ...{ value: figures?.equalWidth.ece.value ?? null, lower: null, upper: null, interval: null },
  });
  return {
    rows,
    diagram: { raw: raw.equalWidth.bins, platt: platt.inSample.equalWidth.bins },
    panel: {
      panel: "C",
      title: "A confidence that ranks well and is no probability",
      setup:
        `${inWords(claims)} claims, ${prevalence} of them true; the stated logit is ${slope} times the true log odds plus ${shift}, ` +
        `log odds such that the AUC is ${auc}`,
      findings: [
        estimated(["auc", "AUC as stated", article.auc], auc, raw.auc),
        estimated(["eceRaw", "ECE as stated", article.eceRaw], plantedEce(), raw.equalWidth.ece),
        repeated(["ecePlatt", "ECE after Platt", article.ecePlatt], null, known(platt.inSample.equalWidth.ece.value), {
          ...{ lower: spread[0], upper: spread[spread.length - 1] },
          interval: `least and greatest of ${calibrationSets} sets`,
        }),
        seen(
          ["eceIsotonic", "ECE after isotonic, same rows", article.eceIsotonic],
          0,
          known(isotonic.inSample.equalWidth.ece.value),
        ),
        estimated(["ecePlattHeld", "ECE after Platt, other rows", null], null, held(platt.crossValidated)),
        estimated(["eceIsotonicHeld", "ECE after isotonic, other rows", null], null, held(isotonic.crossValidated)),
        seen(["aucPlatt", "AUC after Platt, change", article.aucUntouched], 0, byPlatt - before),
        seen(["aucIsotonic", "AUC after isotonic, change", article.aucUntouched], null, byIsotonic - before),
        exact(["aucOfVerdict", "greatest AUC of panel A's judge", article.auc], greatestAuc()),
      ],
      remarks: [
        `the ECE of finitely many rows is never 0, however well they are calibrated: 0.003 goes with some 5,000 to 10,000 claims, and ` +
          "isotonic's 0 is by construction of the rows that it was fitted to; on other rows it isn't 0",
        "an isotonic map makes ties, which move the AUC, upwards on the rows that it was fitted to: it isn't untouched, as the " +
          "article has it; Platt's is",
        "a confidence of AUC 0.998 can't be what panel A's judge goes by: verdicts of sensitivity 0.921 and specificity 0.699 that " +
          "are a threshold on it leave at most 1 - (1 - 0.921) (1 - 0.699)",
      ],
    },
  };
}

function simulateConfidences(seed: number, set: number): Confidences {
  const variates = variatesOf(seed, "demoConfidence", set);
  const confidence = new Float64Array(claims);
  const outcome = new Uint8Array(claims);
  for (let i = 0; i < claims; i++) {
    outcome[i] = coin(variates, prevalence);
    confidence[i] = stated(variates.normal() + (outcome[i] === 1 ? distance / 2 : -distance / 2));
  }
  return { confidence, outcome };
}

/** ECE after Platt's map of sets beyond the first, ascending. */
function plattErrors(seed: number, onSet: () => void): Float64Array {
  return Float64Array.from({ length: calibrationSets }, (_, s) => {
    const { confidence, outcome } = simulateConfidences(seed, s + 1);
    const { map } = fitPlatt(confidence, outcome, null, { on: "logit", clip: 1e-6, smooth: false });
    if (map === null) throw new Error("a map of the simulated rows is missing");
    const { ece } = equalWidth(applyCalibration(map, confidence), outcome, bins, demoLevel);
    onSet();
    return known(ece.value);
  }).sort();
}

/** The ECE of infinitely many claims, by the trapezoid rule, which for these smooth integrands is exact to many digits. */
function plantedEce(): number {
  const gaps = new Float64Array(bins);
  const step = 1 / 512;
  for (let z = -9; z <= 9; z += step) {
    const density = (step * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
    for (const truth of [0, 1]) {
      const weight = density * (truth === 1 ? prevalence : 1 - prevalence);
      const value = stated(z + (truth === 1 ? distance / 2 : -distance / 2));
      gaps[Math.min(bins - 1, Math.floor(value * bins))] += weight * (value - truth);
    }
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0);
}

/**
 * A curve that never falls and goes through (1 - specificity, sensitivity) has at most this area below it: all but the
 * rectangle above and to the left of that point.
 */
const greatestAuc = (): number => 1 - (1 - denseLeg.sensitivity) * (1 - denseLeg.specificity);
