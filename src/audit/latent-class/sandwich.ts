import type { Clusters } from "../cluster.js";
import type { EmFit } from "./em.js";
import { addSquare } from "./matrix.js";
import { completeScore, type Row } from "./parameters.js";
import { addMasses, membersOf, totalMasses } from "./spread.js";
import type { Patterns } from "./votes.js";

/** Of a cluster that holds all of a row but rounding nothing tells the row's error. */
const allOfRow = 1 - 1e-9;

/**
 * sum over clusters of S S', S the sum of the scores of a cluster's items (Liang and Zeger 1986, "Longitudinal data analysis
 * using generalized linear models", Biometrika 73, 13-22; for latent classes White 1982, "Maximum likelihood estimation of
 * misspecified models", Econometrica 50, 1-25), those of each row of probabilities divided by sqrt(1 - h), h the cluster's share
 * of what the row is of (Bell and McCaffrey 2002, as in `clusteredError`). An item's score is E[S] over its classes (Louis
 * 1982). At the mode all scores of a parameter sum to the smoothing's gradient, of which each cluster takes its share.
 *
 * @param clusters of each item; -1 for an item without votes
 */
export function clusteredSquares(
  fit: EmFit,
  patterns: Patterns,
  rows: readonly Row[],
  size: number,
  clusters: Clusters,
): Float64Array {
  const { classes, patternOf } = patterns;
  const squares = new Float64Array(size * size);
  const totals = totalMasses(fit, patterns);
  const masses = new Float64Array(totals.length);
  const sum = new Float64Array(size);
  for (const items of membersOf(clusters)) {
    sum.fill(0);
    masses.fill(0);
    for (const item of items) {
      const p = patternOf[item];
      addMasses(masses, patterns, fit.posterior, p);
      for (let c = 0; c < classes; c++) {
        const q = fit.posterior[p * classes + c];
        if (q < 1e-14) continue;
        const { places, values } = completeScore(patterns, rows, p, c);
        for (let a = 0; a < places.length; a++) sum[places[a]] += q * values[a];
      }
    }
    for (const [r, row] of rows.entries()) {
      const share = totals[r] > 0 ? masses[r] / totals[r] : 0;
      const scale = share < allOfRow ? 1 / Math.sqrt(1 - share) : 0;
      for (const { label, parameter, p } of row.free) {
        const seen = r === 0 ? fit.classCounts[label] : fit.counts[row.first + label * row.stride];
        sum[parameter] = scale * (sum[parameter] - share * (seen - totals[r] * p));
      }
    }
    addSquare(sum, 1, squares);
  }
  return squares;
}
