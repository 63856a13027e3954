import { streamOf } from "../streams.js";
import { type Effort, Em, type EmFit } from "./em.js";
import type { Settings } from "./settings.js";
import { anchored, randomModel } from "./starts.js";
import type { Patterns } from "./votes.js";

export interface StartReport {
  readonly start: "majority vote" | "random";
  readonly logLikelihood: number;
  /** The log-likelihood with the smoothing's prior: what EM raises. */
  readonly objective: number;
  readonly iterations: number;
  /** Random starts end early where votes are many: one that hasn't converged may have had further to rise. */
  readonly converged: boolean;
}

/** Votes that EM from one random start goes through, iteration by iteration. */
const mostVisits = 5e7;
/** Starts within this of each other's objective found the same maximum. */
export const sameObjective = 1e-3;

/** EM from the majority vote, and from models at random, each anchored. */
export function fitFromStarts(patterns: Patterns, shares: Float64Array, settings: Settings) {
  const { smoothing, tolerance, iterations, randomStarts, choose, seed } = settings;
  const em = new Em(patterns, smoothing);
  const full: Effort = { tolerance, iterations };
  const limit = Math.max(30, Math.min(500, Math.floor(mostVisits / patterns.codes.length)));
  const rough: Effort = { tolerance: Math.max(tolerance, 1e-6), iterations: Math.min(iterations, limit) };
  const majority = anchored(em.fromPosterior(shares, full), patterns, shares);
  let best = majority;
  const report = (start: StartReport["start"], found: EmFit): StartReport => {
    const { logLikelihood, objective, iterations: done, converged } = found;
    return { start, logLikelihood, objective, iterations: done, converged };
  };
  const starts = [report("majority vote", majority)];
  for (let s = 0; s < randomStarts; s++) {
    const start = randomModel(patterns, streamOf("starts", seed, s));
    const found = anchored(em.fromModel(start, rough), patterns, shares);
    starts.push(report("random", found));
    if (found.objective > best.objective + sameObjective) best = found;
  }
  const fit = choose === "majority" || best === majority ? majority : em.fromModel(best.model, full);
  return { fit, starts };
}
