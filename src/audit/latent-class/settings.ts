import { usageError } from "../../errors.js";
import { isObject, show } from "../../values.js";
import { checkNames } from "../arguments.js";
import type { Clusters } from "../cluster.js";
import { checkLevel } from "../estimate.js";
import type { Smoothing } from "./em.js";
import { isList } from "./votes.js";

export interface LatentClassOptions {
  /**
   * Pseudo-counts of each confusion cell and each class. Those of a cell are 1 / classes, one a judge and class (of two classes
   * 0.5 a cell): no rate is then 0 or 1. Those of a class are 0.
   */
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
  /**
   * [items] class where it is known, else -1; the number of classes stands for one that no judge has a label for. Never used by
   * the fit.
   */
  readonly gold?: ArrayLike<number> | null;
  /** Of each item, where items of one answer or passage err together: errors and intervals allow for it. */
  readonly clusters?: Clusters | null;
}

export type Settings = Required<Omit<LatentClassOptions, "smoothing">> & { readonly smoothing: Smoothing };

const defaults = {
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
} as const;

const optionNames = [...Object.keys(defaults), "smoothing"];
const smoothingNames = ["confusion", "prevalence"];

/** @throws RatError (usage) for options that can't be */
export function withDefaults(options: LatentClassOptions, classes: number): Settings {
  checkNames(options, optionNames, "options");
  const { smoothing: given = {} } = options;
  checkNames(given, smoothingNames, "smoothing");
  const settings: Settings = {
    ...defaults,
    ...withoutGaps(options),
    smoothing: { confusion: 1 / classes, prevalence: 0, ...withoutGaps(given) },
  };
  const need = (fine: boolean, name: string, expected: string, value: unknown): void => {
    if (!fine) throw usageError(`${name} must be ${expected}, not ${show(value)}`);
  };
  const { smoothing, tolerance, level, seed, choose, errors, gold, clusters } = settings;
  for (const name of ["confusion", "prevalence"] as const) {
    const value = smoothing[name];
    const fine = typeof value === "number" && value >= 0 && value <= mostPseudo;
    need(fine, `smoothing.${name}`, `a number from 0 to ${mostPseudo}`, value);
  }
  need(typeof tolerance === "number" && tolerance > 0 && tolerance < 1, "tolerance", "between 0 and 1", tolerance);
  checkLevel(level);
  need(Number.isSafeInteger(seed) && seed >= 0, "seed", "a whole number from 0", seed);
  need(["majority", "best"].includes(choose), "choose", '"majority" or "best"', choose);
  const methods = ["information", "bootstrap", "none"];
  need(methods.includes(errors), "errors", '"information", "bootstrap" or "none"', errors);
  for (const [name, least] of [
    ["iterations", 1],
    ["randomStarts", 0],
    ["replicates", 2],
    ["checkReplicates", 0],
  ] as const) {
    const value = settings[name];
    need(Number.isSafeInteger(value) && value >= least, name, `a whole number from ${least}`, value);
  }
  need(gold === null || isList(gold), "gold", "a list of classes, one an item", gold);
  if (clusters !== null) {
    const { of, count } = (isObject(clusters) ? clusters : {}) as Partial<Clusters>;
    const fine = isList(of) && Number.isSafeInteger(count) && Array.from(of).every((g) => isClass(g, count ?? 0));
    need(fine, "clusters", "what clustersOf(keys) returns", clusters);
  }
  return settings;
}

/** Pseudo-counts beyond which rates are the smoothing's alone. */
const mostPseudo = 1e6;

const isClass = (value: number, count: number): boolean => Number.isInteger(value) && value >= 0 && value < count;

const withoutGaps = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;

/**
 * Smoothing of the tests of the judges' independence, which compare votes with fits: what moves fits away from votes looks
 * like dependence, the sooner the more items there are. Of K classes 2 / K pseudo-counts a row at most.
 */
export function lightly({ confusion, prevalence }: Smoothing, classes: number): Smoothing {
  const most = 2 / classes ** 2;
  return { confusion: Math.min(confusion, most), prevalence: Math.min(prevalence, most) };
}
