import type { CalibrationFigures } from "./figures.js";
import type { Fitted, PlattFit } from "./fit.js";
import type { MapReport } from "./map-report.js";
import type { IsotonicMap } from "./maps.js";

/** What a reader has to know, and what the figures take for granted, in sentences. */
export function remarksOn(
  raw: CalibrationFigures,
  platt: MapReport<PlattFit>,
  isotonic: MapReport<Fitted<IsotonicMap>>,
  rows: number,
): { readonly warnings: readonly string[]; readonly notes: readonly string[] } {
  const warnings: string[] = [];
  const notes = [
    "in-sample figures of a map flatter it: its isotonic ECE is 0 by construction; read the cross-validated ones",
  ];
  if (raw.auc.value === null) warnings.push("one class: no AUC, and no map can be fitted");
  if (raw.auc.value !== null && raw.auc.interval === null) {
    warnings.push("the AUC has no interval: the rows of one outcome are a single one, or all of one cluster");
  }
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
