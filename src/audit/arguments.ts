/** What callers hand over to an audit, before anyone knows that it is what its type says. */
import { usageError } from "../errors.js";
import { isObject, type Shape, show } from "../values.js";
import { type Clusters, checkClusters } from "./cluster.js";

/** @throws RatError (usage) for options that aren't an object, and for names that none has */
export function checkOptionNames(options: unknown, known: readonly string[]): void {
  if (!isObject(options)) throw usageError(`options must be an object, not ${show(options)}`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw usageError(`options.${unknown} is no option; there are ${known.join(", ")}`);
}

/** @throws RatError (usage) for options that are no object, or one of another name than there are */
export const checkOptions = (options: unknown, known: readonly string[]): void => checkNames(options, known, "options");

/** @param place what has the names, for messages @throws RatError (usage) for no object, and for another name */
export function checkNames(given: unknown, known: readonly string[], place: string): void {
  if (!isObject(given)) throw usageError(`${place} must be an object, not ${show(given)}`);
  const odd = Object.keys(given).find((name) => !known.includes(name));
  if (odd !== undefined) throw usageError(`${place} has no ${show(odd)}: expected ${known.join(", ")}`);
}

/** @throws RatError (usage) for what is no whole number from 0 */
export function checkSeed(seed: unknown): void {
  if (Number.isSafeInteger(seed) && (seed as number) >= 0) return;
  throw usageError(`seed must be a whole number from 0 to 2^53 - 1, not ${show(seed)}`);
}

/** @param rows how many there are to have a cluster each @param name of these rows @throws RatError (usage) */
export function checkClustersOption(clusters: unknown, rows: number, name: string): void {
  const isMade = isObject(clusters) && clusters.of instanceof Int32Array && typeof clusters.count === "number";
  if (!isMade) throw usageError(`clusters must be what clustersOf makes of keys, not ${show(clusters)}`);
  checkClusters(clusters as unknown as Clusters, rows, name);
}

/** A list of objects, however long. @throws RatError (usage) */
export function checkObjects(values: unknown, place: string, expected: string): void {
  if (!Array.isArray(values)) throw usageError(`${place} must be a list of ${expected}, not ${show(values)}`);
  for (let i = 0; i < values.length; i++) {
    if (!isObject(values[i])) throw usageError(`${place}[${i}] must be an object, not ${show(values[i])}`);
  }
}

export const positive: Shape = (value, place) =>
  typeof value === "number" && value > 0 && value < Infinity
    ? null
    : `${place} must be a number above 0, not ${show(value)}`;

export const nonNegative: Shape = (value, place) =>
  typeof value === "number" && value >= 0 && value < Infinity
    ? null
    : `${place} must be a number of at least 0, not ${show(value)}`;
