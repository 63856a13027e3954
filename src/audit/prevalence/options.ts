import { usageError } from "../../errors.js";
import { isObject, show } from "../../values.js";

/** @param known names that there are @throws RatError (usage) for options that are no object, or one of another name */
export function checkOptions(options: unknown, known: readonly string[]): void {
  if (!isObject(options)) throw usageError(`options must be an object, not ${show(options)}`);
  checkNames(options, known, "options");
}

/** @param place what has the names, for messages @throws RatError (usage) for another name */
export function checkNames(given: object, known: readonly string[], place: string): void {
  const odd = Object.keys(given).find((name) => !known.includes(name));
  if (odd !== undefined) throw usageError(`${place} has no ${show(odd)}: expected ${known.join(", ")}`);
}

/** @throws RatError (usage) for what is no whole number from 0 */
export function checkSeed(seed: unknown): void {
  if (Number.isSafeInteger(seed) && (seed as number) >= 0) return;
  throw usageError(`seed must be a whole number from 0 to 2^53 - 1, not ${show(seed)}`);
}
