import { type Clusters, clusterSums } from "../cluster.js";
import { lnGamma, logTailOfFairBinomial } from "../distributions.js";
import { bestAssignment } from "./starts.js";

/** Other names of the classes, with which the fit would label more of the gold right. */
export interface Renaming {
  /** [class] what gold would call it. */
  readonly names: readonly number[];
  /** Shares of the items with gold that are labelled right as it is, and so renamed. */
  readonly now: number;
  readonly renamed: number;
}

/** Chance that gold, of classes that are named as it does, speaks for other names. */
const level = 0.01;

/**
 * The names under which most gold is right, where they are told from those of the majority vote: a sign test of the items (or
 * clusters) on which only one of the two is right, p times the number of all other namings.
 *
 * @param truths of the items with gold @param now credits of the fit's labels
 * @param creditOf the fit's label of an item, were this its truth
 */
export function renamingOf(
  truths: readonly number[],
  now: readonly number[],
  creditOf: (k: number, truth: number) => number,
  classes: number,
  clusters: Clusters | null,
): Renaming | null {
  const gain = Array.from({ length: classes }, () => new Float64Array(classes));
  truths.forEach((truth, k) => {
    if (truth < classes) for (let c = 0; c < classes; c++) gain[c][truth] += creditOf(k, c);
  });
  const names = bestAssignment(gain);
  const classOf = names.reduce((places, name, c) => {
    places[name] = c;
    return places;
  }, new Array<number>(classes));
  const renamed = truths.map((truth, k) => (truth < classes ? creditOf(k, classOf[truth]) : 0));
  const differences = renamed.map((credit, k) => credit - now[k]);
  const parts = clusters === null ? differences : clusterSums(differences, clusters);
  let [better, worse] = [0, 0];
  for (const part of parts) {
    better += Number(part > 1e-9);
    worse += Number(part < -1e-9);
  }
  if (better <= worse) return null;
  // n! - 1 other namings; of two classes one.
  const logOthers = Math.max(0, lnGamma(classes + 1) + Math.log1p(-Math.exp(-lnGamma(classes + 1))));
  if (logTailOfFairBinomial(worse, better + worse) + logOthers >= Math.log(level)) return null;
  const mean = (credits: readonly number[]): number => credits.reduce((sum, one) => sum + one, 0) / credits.length;
  return { names, now: mean(now), renamed: mean(renamed) };
}
