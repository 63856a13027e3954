import { usageError } from "../../errors.js";
import { show } from "../../values.js";
import type { Clusters } from "../cluster.js";
import { checkLevel } from "../estimate.js";
import type { Smoothing } from "./em.js";

export interface LatentClassOptions {
  /** Pseudo-counts a confusion cell (0.5: no rate is 0 or 1) and a class (0). */
  readonly smoothing?: Partial<Smoothing>;
  /** EM ends when no parameter moves by more; 1e-10. */
  readonly tolerance?: number;
  /** Of EM, at most; 5,000. */
  readonly iterations?: number;
  /** Random starts beside that from the majority vote; 4. */
  readonly randomStarts?: number;
  /** "majority": the fit that the majority vote leads to, the same for every seed; "best": of the greatest likelihood. */
  readonly choose?: "majority" | "best";
  readonly errors?: "information" | "bootstrap" | "none";
  /** Of the bootstrap; 200. */
  readonly replicates?: number;
  /** Data sets that the check of independence draws; 99. 0: no check, nor alarms of errors that pairs of judges share. */
  readonly checkReplicates?: number;
  readonly seed?: number;
  /** Of intervals; 0.95. */
  readonly level?: number;
  /** [items] class where it is known, else -1: never used by the fit. */
  readonly gold?: ArrayLike<number> | null;
  /** Of each item, where items of one answer or passage err together: errors and intervals allow for it. */
  readonly clusters?: Clusters | null;
}

export type Settings = Required<Omit<LatentClassOptions, "smoothing">> & { readonly smoothing: Smoothing };

/** @throws RatError (usage) for options that can't be */
export function withDefaults(options: LatentClassOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings: Settings = {
    tolerance: 1e-10,
    iterations: 5000,
    randomStarts: 4,
    choose: "majority",
    errors: "information",
    replicates: 200,
    checkReplicates: 99,
    seed: 1,
    level: 0.95,
    gold: null,
    clusters: null,
    ...given,
    smoothing: { confusion: 0.5, prevalence: 0, ...options.smoothing },
  };
  const need = (fine: boolean, name: string, expected: string, value: unknown): void => {
    if (!fine) throw usageError(`${name} must be ${expected}, not ${show(value)}`);
  };
  const { smoothing, tolerance, level, seed } = settings;
  need(
    smoothing.confusion >= 0 && smoothing.confusion < Infinity,
    "smoothing.confusion",
    "a number from 0",
    smoothing.confusion,
  );
  need(
    smoothing.prevalence >= 0 && smoothing.prevalence < Infinity,
    "smoothing.prevalence",
    "a number from 0",
    smoothing.prevalence,
  );
  need(tolerance > 0 && tolerance < 1, "tolerance", "between 0 and 1", tolerance);
  checkLevel(level);
  need(Number.isSafeInteger(seed) && seed >= 0, "seed", "a whole number from 0", seed);
  for (const [name, least] of [
    ["iterations", 1],
    ["randomStarts", 0],
    ["replicates", 2],
    ["checkReplicates", 0],
  ] as const) {
    need(
      Number.isSafeInteger(settings[name]) && settings[name] >= least,
      name,
      `a whole number from ${least}`,
      settings[name],
    );
  }
  return settings;
}
