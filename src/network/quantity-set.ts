import { usageError } from "../errors.js";
import { show } from "../values.js";
import type { NetworkDefinition, QuantityDefinition } from "./definition.js";

/** Which of a network's own quantities are meant: those that say it all, or also those that can be read off them. */
export type QuantitySet = "base" | "all";

export const quantitySets: readonly QuantitySet[] = ["base", "all"];

/** @throws RatError (usage) for an unknown set */
export function quantitiesIn(
  { quantities, moreQuantities = [] }: NetworkDefinition,
  set: QuantitySet = "base",
): readonly QuantityDefinition[] {
  if (!quantitySets.includes(set)) {
    throw usageError(`--quantities must be one of ${quantitySets.join(", ")}, not ${show(set)}`);
  }
  return set === "all" ? [...quantities, ...moreQuantities] : quantities;
}
