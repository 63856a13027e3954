import { type BootstrapOptions, clusterBootstrap } from "../bootstrap.js";
import { type Estimate, undefinedEstimate, wilson } from "../estimate.js";
import { oneCategory, sumOver, type Tallies } from "./coefficient.js";
import type { Scale } from "./labels.js";

/**
 * Krippendorff's alpha = 1 - D_o / D_e (2011, "Computing Krippendorff's Alpha-Reliability"; 2004, "Content Analysis",
 * chapter 11), from coincidences o_ck among the labels of items with two or more: D_o = sum o_ck delta_ck / n and D_e = sum
 * n_c n_k delta_ck / (n (n - 1)), delta 1 for any two categories (nominal), squared differences of values (interval), or
 * squared numbers of labels between two categories, half of those in them included (ordinal). The interval is a bootstrap
 * over items.
 */
export function alpha(tallies: Tallies, scale: Scale, options: BootstrapOptions): Estimate {
  const { patterns, comparable } = tallies;
  if (comparable === 0) return undefinedEstimate("no pairs", "no item has labels of two judges");
  const of = alphaOf(tallies, scale);
  const value = of(Float64Array.from(patterns.counts));
  if (value === null) return oneCategory(tallies);
  const { error, lower, upper, used } = clusterBootstrap(patterns.counts, of, options);
  if (value === 1) {
    // No replicate can differ. Of a disagreement the least favourable share is Wilson's, each as far apart as labels are.
    const share = wilson(1, comparable, options.level).lower;
    const apart = 1 - pairedChance(tallies);
    return { value, error: 0, lower: Math.max(-1, 1 - (1 - share) / apart), upper: 1, interval: held, reason: null };
  }
  const interval = lower === null ? null : `bootstrap over items, ${used} of ${options.replicates} replicates`;
  return { value, error, lower, upper, interval, reason: null };
}

const held = "Wilson, chance held";

/** Chance that two labels of comparable items are the same. */
function pairedChance({ patterns, paired, shares }: Tallies): number {
  const sizes = patterns.labels.map((row, m) => (paired[m] ? row.filter((k) => k >= 0).length : 0));
  const n = sumOver(patterns.counts, (m) => sizes[m]);
  const marginals = patterns.categories.map((_, k) => sumOver(patterns.counts, (m) => sizes[m] * shares[m][k]));
  return marginals.reduce((sum, own) => sum + (own * (own - 1)) / (n * (n - 1)), 0);
}

/** alpha of items so many of each pattern; null where all their labels are the same. */
function alphaOf({ patterns, paired }: Tallies, scale: Scale): (counts: Float64Array) => number | null {
  const q = patterns.categories.length;
  const coincidences = patterns.labels.map((row, m) => (paired[m] ? coincidencesOf(row, q) : new Float64Array(q * q)));
  return (counts) => {
    const o = new Float64Array(q * q);
    coincidences.forEach((own, m) => {
      if (counts[m] > 0) for (let i = 0; i < o.length; i++) o[i] += counts[m] * own[i];
    });
    const marginals = Array.from({ length: q }, (_, c) =>
      o.subarray(c * q, (c + 1) * q).reduce((sum, x) => sum + x, 0),
    );
    const n = marginals.reduce((sum, x) => sum + x, 0);
    const delta = differences(scale, patterns.values, marginals);
    let [disagreement, expected] = [0, 0];
    for (let c = 0; c < q; c++) {
      for (let k = 0; k < q; k++) {
        disagreement += o[c * q + k] * delta(c, k);
        expected += marginals[c] * marginals[k] * delta(c, k);
      }
    }
    return expected > 0 ? 1 - ((n - 1) * disagreement) / expected : null;
  };
}

/** Ordered pairs of one item's labels, each 1 / (labels - 1). */
function coincidencesOf(row: readonly number[], q: number): Float64Array {
  const given = row.filter((k) => k >= 0);
  const o = new Float64Array(q * q);
  given.forEach((c, a) => {
    given.forEach((k, b) => {
      if (a !== b) o[c * q + k] += 1 / (given.length - 1);
    });
  });
  return o;
}

function differences(
  scale: Scale,
  values: readonly number[],
  marginals: readonly number[],
): (c: number, k: number) => number {
  if (scale === "nominal") return (c, k) => (c === k ? 0 : 1);
  if (scale === "interval") return (c, k) => (values[c] - values[k]) ** 2;
  let before = 0;
  const middles = marginals.map((n) => {
    before += n;
    return before - n / 2;
  });
  return (c, k) => (middles[c] - middles[k]) ** 2;
}
