import { dataError, usageError } from "../../errors.js";
import { isObject, show } from "../../values.js";
import { type Clusters, clustersOf } from "../cluster.js";

/*
 * What callers hand over, checked: columns of numbers, each said by its place.
 */

/** @param expected of each number, in words @throws RatError (usage) for no list, (data) for a number that fails */
export function checkNumbers(values: unknown, name: string, expected: string, fine: (value: number) => boolean): void {
  checkColumn(values, name);
  for (let i = 0; i < values.length; i++) {
    const value: unknown = values[i];
    if (typeof value !== "number" || !fine(value)) {
      throw dataError(`${name}[${i}] must be ${expected}, not ${show(value)}`);
    }
  }
}

export const checkConfidences = (values: unknown): void =>
  checkNumbers(values, "confidence", "a number from 0 to 1", (value) => value >= 0 && value <= 1);

/** -Infinity and Infinity are those of confidences 0 and 1. */
export const checkLogits = (values: unknown): void =>
  checkNumbers(values, "logits", "a number", (value) => !Number.isNaN(value));

/** @throws RatError (usage) */
export function checkColumn(values: unknown, name: string): asserts values is ArrayLike<unknown> {
  const isList = Array.isArray(values) || (ArrayBuffer.isView(values) && !(values instanceof DataView));
  if (!isList) throw usageError(`${name} must be a list of numbers, not ${show(values)}`);
}

/** @throws RatError (usage) where there are not as many as confidences */
export function checkLength(values: ArrayLike<unknown>, name: string, confidences: number): void {
  if (values.length === confidences) return;
  throw usageError(`${name} must have as many values as confidence, ${confidences}, not ${values.length}`);
}

/** Those that have rows, counted anew: others would count as clusters of no effect. @throws RatError (usage) */
export function checkedClusters(clusters: unknown, rows: number): Clusters | null {
  if (clusters === null) return null;
  const of: unknown = isObject(clusters) ? clusters.of : undefined;
  if (!Array.isArray(of) && !(of instanceof Int32Array)) {
    throw usageError(`clusters must be what clustersOf(keys) returns, not ${show(clusters)}`);
  }
  checkLength(of, "clusters", rows);
  const wrong = of.findIndex((cluster: unknown) => !(Number.isSafeInteger(cluster) && (cluster as number) >= 0));
  if (wrong >= 0) throw usageError(`clusters.of[${wrong}] must be a whole number from 0, not ${show(of[wrong])}`);
  return clustersOf(Array.from(of));
}
