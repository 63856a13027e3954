import {
  SUMMARY_ESS,
  SUMMARY_FIELDS,
  SUMMARY_LOWER,
  SUMMARY_MEAN,
  SUMMARY_MEDIAN,
  SUMMARY_RHAT,
  SUMMARY_SD,
  SUMMARY_UPPER,
} from "../../generated/layout.js";
import type { CompiledNetwork } from "../../network/compiled.js";
import { greatestProbability, leastProbability } from "../../network/quantity.js";
import type { Pace } from "../../pace.js";
import type { ChainStatistics, Summaries } from "../engine.js";
import type { Layout } from "./layout.js";

/** Fields that are places, from the reference, and those that are not. */
const places = [
  [SUMMARY_MEAN, "mean"],
  [SUMMARY_MEDIAN, "median"],
  [SUMMARY_LOWER, "lower"],
  [SUMMARY_UPPER, "upper"],
] as const;
const others = [
  [SUMMARY_SD, "sd"],
  [SUMMARY_RHAT, "rhat"],
  [SUMMARY_ESS, "ess"],
] as const;

/**
 * Takes a piece's results in.
 * @param results [refits][RESULT_WORDS] @param references [refits][quantities] @param refits where each goes
 */
export async function enterSummaries(
  into: Summaries,
  refits: readonly number[],
  network: CompiledNetwork,
  layout: Layout,
  results: Float32Array,
  references: Float64Array,
  pace: Pace,
): Promise<void> {
  const bring = network.quantities.map(boundsOf);
  for (let i = 0; i < refits.length; i++) {
    const refit = refits[i];
    const start = i * layout.RESULT_WORDS;
    into.divergences[refit] = results[start + layout.RESULT_DIVERGENCES];
    into.leapfrogs[refit] = results[start + layout.RESULT_LEAPFROGS];
    for (let q = 0; q < into.quantities; q++) {
      const from = start + layout.RESULT_QUANTITIES + q * SUMMARY_FIELDS;
      const to = refit * into.quantities + q;
      const reference = references[i * into.quantities + q];
      for (const [field, name] of places) into[name][to] = bring[q](reference + results[from + field]);
      for (const [field, name] of others) into[name][to] = results[from + field];
      // Shaders promise nothing of 0 / 0.
      if (into.sd[to] === 0) into.rhat[to] = into.ess[to] = Number.NaN;
    }
    if (pace.isDue()) await pace.rest();
  }
}

/** One refit's draws from changes [quantities][draws][chains]: an array [chains x draws] a quantity. */
export function drawsOf(
  network: CompiledNetwork,
  chains: number,
  changes: Float32Array,
  references: Float64Array,
): Float64Array[] {
  const kept = changes.length / network.quantities.length;
  const draws = kept / chains;
  return network.quantities.map((quantity, q) => {
    const bring = boundsOf(quantity);
    const values = new Float64Array(kept);
    for (let draw = 0; draw < draws; draw++) {
      for (let chain = 0; chain < chains; chain++) {
        values[chain * draws + draw] = bring(references[q] + changes[q * kept + draw * chains + chain]);
      }
    }
    return values;
  });
}

/** What one refit's chains did. @param states [STATE_WORDS][chains] @param stepSize that they shared */
export function statisticsOf(layout: Layout, states: Float32Array, draws: number, stepSize: number): ChainStatistics {
  const total = (field: number): number[] => {
    const start = (layout.STATE_TOTALS + field) * layout.CHAINS;
    return Array.from(states.subarray(start, start + layout.CHAINS));
  };
  return {
    stepSize: Array(layout.CHAINS).fill(stepSize),
    acceptance: total(0).map((sum) => sum / draws),
    divergences: total(1),
    leapfrogs: total(2),
    maxDepth: Array(layout.CHAINS).fill(0),
  };
}

/** A probability is never quite certain, whatever rounding says. */
const boundsOf = ({ program }: CompiledNetwork["quantities"][number]): ((value: number) => number) =>
  program.some(({ op }) => op === "probability")
    ? (value) => Math.min(Math.max(value, leastProbability), greatestProbability)
    : (value) => value;
