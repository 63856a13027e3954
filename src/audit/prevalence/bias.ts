import type { Alarm } from "../alarm.js";
import { degreesOf } from "../cluster.js";
import { lnGamma, logTailOfFairBinomial, logTwoTailsOfNormal, logTwoTailsOfT } from "../distributions.js";
import { noSignificance, type Significance, significance } from "../significance.js";
import { logOfAllSigns, zOfFlips } from "../swap/flips.js";
import {
  clusteredErrors,
  degreesAlong,
  type Gradient,
  influenceOf,
  rateErrors,
  shrunkErrors,
  varianceAlong,
} from "./covariance.js";
import { type Audit, type AuditCounts, type ClusterCounts, type CountsInput, sorts } from "./input.js";
import { rateEstimates } from "./rates.js";
import { youden } from "./youden.js";

/**
 * Whether the judge says yes as often as there is truth. Of a random audit by the records that it errs on: as many false
 * ones with a yes as true ones with a no (McNemar 1947, exact; of clusters the exact test in which each may change the sign
 * of its difference). Of another audit by p (1 - se) = (1 - p) (1 - sp), which holds where the corrected rate is the
 * observed p: the delta method, without dividing by J, and with variances of rates that are never 0. The statistic has the
 * sign of observed less corrected, which is that of the difference over J: where J's sign isn't known there is no test.
 */
export function biasTest(audit: Audit): Significance {
  const { random, counts } = audit;
  if (random === null) return deltaTest(audit);
  if (counts?.clusters !== undefined) return signFlipTest(counts.clusters);
  const { falsePositives, falseNegatives } = random.audit;
  const [less, all] = [Math.min(falsePositives, falseNegatives), falsePositives + falseNegatives];
  return significance("exact McNemar", null, Math.LN2 + logTailOfFairBinomial(less, all));
}

/** The sign of J where its 95% interval tells it, else 0. */
function directionOf(audit: Audit): number {
  const { value, lower, upper } = rateEstimates(audit, 0.95).j;
  if (value === null) return 0;
  return (lower ?? value) > 0 ? 1 : (upper ?? value) < 0 ? -1 : 0;
}

function deltaTest(audit: Audit): Significance {
  const { observed, sensitivity, specificity, counts } = audit;
  const name = counts?.clusters === undefined ? "normal, delta method" : "clustered t, delta method";
  if (sensitivity === null || specificity === null) return noSignificance(name, "no record of a kind is audited");
  const plain = rateErrors(audit);
  if (plain === null) return noSignificance(name, "nothing tells the errors of these rates");
  const direction = directionOf(audit);
  if (direction === 0) {
    return noSignificance(
      name,
      "the judge may be no better than chance (the 95% interval of J holds 0), so nothing says which way it errs",
    );
  }
  const errors = shrunkErrors(plain, audit);
  const [p, falseNo, falseYes] = [observed.value, 1 - sensitivity.value, 1 - specificity.value];
  const gradient: Gradient = [-(falseNo + falseYes), p, -(1 - p)];
  const error = Math.sqrt(varianceAlong(errors, gradient));
  const excess = (1 - p) * falseYes - p * falseNo;
  if (!(error > 0)) return noSignificance(name, "the rates have no error");
  const z = (direction * excess) / error;
  const { matrix, sizes } = errors;
  const logP = sizes === null ? logTwoTailsOfNormal(z) : logTwoTailsOfT(z, degreesAlong({ matrix, sizes }, gradient));
  return significance(name, z, logP);
}

/** Of the differences false positives - false negatives of the clusters: all signs are equally probable, so is their sum. */
function signFlipTest({ count, table }: ClusterCounts): Significance {
  const differences = Float64Array.from({ length: count }, (_, g) => {
    const [, falseNegatives, falsePositives] = table.subarray(g * sorts.length, (g + 1) * sorts.length);
    return falsePositives - falseNegatives;
  });
  const exact = logOfAllSigns(differences);
  if (exact !== null) return significance("exact sign flips of clusters", null, exact);
  const z = zOfFlips(differences);
  return significance("sign flips of clusters, normal", z, logTwoTailsOfNormal(z));
}

/**
 * What is said of a judge whose rate isn't that of truth.
 * @param test that of the judge's bias @param systems of how many it is one: the alarm's p counts that often
 */
export function biasAlarm(
  audit: Audit,
  { statistic }: Significance,
  subject: string | null = null,
  systems = 1,
): Omit<Alarm, "p"> {
  const among = systems > 1 ? `; p is the test's times ${systems}, for ${systems} systems` : "";
  if (audit.random !== null) {
    const { falsePositives, falseNegatives } = audit.random.audit;
    const defect = falsePositives > falseNegatives ? "lenient" : "strict";
    const detail = `among audited records a yes to ${falsePositives} false ones and a no to ${falseNegatives} true ones${among}`;
    return { defect, subject, detail };
  }
  const { observed, sensitivity, specificity } = audit;
  const j = youden(sensitivity?.value ?? 1, specificity?.value ?? 1);
  const corrected = Math.min(1, Math.max(0, (observed.value + (specificity?.value ?? 1) - 1) / j));
  const worse = j < 0 ? ", of a judge that is worse than chance" : "";
  return {
    defect: (statistic ?? 0) > 0 ? "lenient" : "strict",
    subject,
    detail: `the observed rate is ${observed.value.toFixed(3)}, the corrected one ${corrected.toFixed(3)}${worse}${among}`,
  };
}

/**
 * Whether the judge says yes to audited records as often as to the others, as it must if they are a random sample: the
 * exact hypergeometric test, twice its lesser tail (Fisher 1935), of clusters a t test. Null where there is nothing to
 * compare.
 */
export function sampleTest({ random }: Audit): Significance | null {
  if (random === null) return null;
  const { audit, judged, clusters } = random;
  const audited = total(audit);
  const others = judged.positives + judged.negatives;
  if (audited === 0 || others === 0) return null;
  if (clusters !== undefined) return clusteredSampleTest(random, clusters);
  const yes = audit.truePositives + audit.falsePositives;
  const log = logHypergeometricTails(yes, audited, yes + judged.positives, audited + others);
  return significance("exact (Fisher)", null, Math.LN2 + log);
}

const total = ({ truePositives, falseNegatives, falsePositives, trueNegatives }: AuditCounts): number =>
  truePositives + falseNegatives + falsePositives + trueNegatives;

function clusteredSampleTest({ audit, judged }: CountsInput, clusters: ClusterCounts): Significance | null {
  const name = "clustered t";
  const [n, others] = [total(audit), judged.positives + judged.negatives];
  const [own, rest] = [(audit.truePositives + audit.falsePositives) / n, judged.positives / others];
  const weights = sorts.map((_, k) => {
    const said = k === 0 || k === 2 || k === 4 ? 1 : 0;
    return k < 4 ? (said - own) / n : (rest - said) / others;
  });
  const parts = [weights.map((w, k) => (k < 4 ? w : null)), weights.map((w, k) => (k < 4 ? null : w))];
  const errors = clusteredErrors(parts.map((own) => influenceOf(clusters, own)));
  const variance = errors?.matrix.flat().reduce((sum, cell) => sum + cell, 0) ?? 0;
  if (errors?.sizes == null || !(variance > 0)) {
    return noSignificance(name, "clusters that never differ, or fewer than two, tell no error");
  }
  const t = (own - rest) / Math.sqrt(variance);
  // Audited records may lie in few clusters, which then carry nearly all of the error.
  const degrees = Math.min(degreesOf(errors.sizes[0]), degreesAlong({ ...errors, sizes: errors.sizes }, [1, 1]));
  return significance(name, t, logTwoTailsOfT(t, degrees));
}

/** log of the lesser of P(X <= k) and P(X >= k) for the number of successes among `drawn` of `all`, `good` of them. */
function logHypergeometricTails(k: number, drawn: number, good: number, all: number): number {
  const logChoose = (n: number, r: number): number => lnGamma(n + 1) - lnGamma(r + 1) - lnGamma(n - r + 1);
  const here = logChoose(good, k) + logChoose(all - good, drawn - k) - logChoose(all, drawn);
  const least = Math.max(0, drawn + good - all);
  const most = Math.min(drawn, good);
  const isLow = k * all <= drawn * good;
  // Ratios of neighbouring terms, away from the mean.
  let [term, sum] = [1, 1];
  for (let i = k; isLow ? i > least : i < most; i += isLow ? -1 : 1) {
    const [up, down] = [(good - i) * (drawn - i), (i + 1) * (all - good - drawn + i + 1)];
    const [upBefore, downBefore] = [(good - i + 1) * (drawn - i + 1), i * (all - good - drawn + i)];
    term *= isLow ? downBefore / upBefore : up / down;
    sum += term;
    if (term < sum * 1e-17) break;
  }
  return Math.min(0, here + Math.log(sum));
}
