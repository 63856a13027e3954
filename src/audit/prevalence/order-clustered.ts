import type { Variates } from "../../random/variates.js";
import { adjustedInfluence, influenceOf, rateErrors, rateWeights } from "./covariance.js";
import type { Audit } from "./input.js";
import { poweredInfluence } from "./prediction-powered.js";
import { roganGladenGradient } from "./rogan-gladen.js";
import { youden } from "./youden.js";

/** What each cluster moves a system's number by; clusters of one id are one, whichever systems have them. */
interface SystemInfluence {
  readonly sums: Float64Array;
  readonly ids: Int32Array | null;
}

/** Of the raw rate; null of fewer than two clusters. */
export function rawInfluence(audit: Audit): SystemInfluence | null {
  const clusters = audit.counts?.clusters;
  if (clusters === undefined) return null;
  const sums = adjustedInfluence(influenceOf(clusters, rateWeights(audit, "observed")));
  return sums === null ? null : { sums, ids: clusters.ids ?? null };
}

/** Of the corrected rate. @param raw Rogan and Gladen's; null: it is the prediction-powered one */
export function correctedInfluence(audit: Audit, raw: number | null): SystemInfluence | null {
  const ids = audit.counts?.clusters?.ids ?? null;
  if (raw === null) {
    const powered = poweredInfluence(audit);
    return powered === null ? null : { sums: powered, ids };
  }
  const influences = rateErrors(audit)?.influences;
  if (influences == null || audit.sensitivity === null || audit.specificity === null) return null;
  const gradient = roganGladenGradient(raw, youden(audit.sensitivity.value, audit.specificity.value));
  const sums = influences[0].map((_, g) => gradient.reduce((sum, a, i) => sum + a * influences[i][g], 0));
  return { sums, ids };
}

/**
 * Normal draws of all systems' numbers, [draws][systems], with their sandwich covariance: systems whose records share
 * clusters, as answers to the same questions, err together, and their difference errs less. Null where there is none.
 */
export function clusteredDraws(
  values: readonly number[],
  influences: readonly (SystemInfluence | null)[],
  draws: number,
  variates: Variates,
): Float64Array[] | null {
  if (!influences.every((one) => one !== null)) return null;
  const root = choleskyRoot(covarianceOf(influences));
  return Array.from({ length: draws }, () => {
    const normals = values.map(() => variates.normal());
    return Float64Array.from(values, (value, s) => root[s].reduce((sum, a, t) => sum + a * normals[t], value));
  });
}

function covarianceOf(influences: readonly SystemInfluence[]): number[][] {
  const matrix = influences.map(() => influences.map(() => 0));
  influences.forEach((own, s) => {
    const byId = own.ids === null ? null : placed(own.sums, own.ids);
    for (let t = 0; t <= s; t++) {
      const other = influences[t];
      let sum = 0;
      if (t === s) sum = own.sums.reduce((all, one) => all + one * one, 0);
      else if (byId !== null && other.ids !== null) {
        for (let g = 0; g < other.ids.length; g++) sum += other.sums[g] * (byId[other.ids[g]] ?? 0);
      }
      matrix[s][t] = sum;
      matrix[t][s] = sum;
    }
  });
  return matrix;
}

/** By id; ids are whole numbers from 0. */
function placed(sums: Float64Array, ids: Int32Array): Float64Array {
  const all = new Float64Array(ids.reduce((most, id) => Math.max(most, id), -1) + 1);
  ids.forEach((id, g) => {
    all[id] = sums[g];
  });
  return all;
}

/** Below this part of a variance what is left of it is rounding: more systems than clusters have a covariance of low rank. */
const rounding = 1e-12;

/** Lower L with L L' = matrix, for one that needn't have full rank. */
function choleskyRoot(matrix: readonly (readonly number[])[]): number[][] {
  const root = matrix.map((row) => row.map(() => 0));
  matrix.forEach((row, i) => {
    for (let j = 0; j <= i; j++) {
      let rest = row[j];
      for (let k = 0; k < j; k++) rest -= root[i][k] * root[j][k];
      if (i === j) root[i][i] = rest > rounding * row[i] ? Math.sqrt(rest) : 0;
      else root[i][j] = root[j][j] > 0 ? rest / root[j][j] : 0;
    }
  });
  return root;
}
